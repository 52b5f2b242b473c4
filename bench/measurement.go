package main

import (
	"fmt"
	"slices"
	"time"
)

// A cost is what one answer took and gave.
type cost struct {
	time  time.Duration
	trips int // that wait for one another; 0: not known
	bytes int // of text that an agent reads, UTF-8; of the JSON of a whole tree
	nodes int // of a whole tree
	// flaw says what the answer lacks that it must have; empty: nothing.
	flaw string
	// useless says of a flawed answer that nothing can be done with it at all.
	useless bool
	// cut says that the page has more than the budget that was asked with lets through.
	cut bool
}

// A subject is what a measurement is of.
type subject struct {
	page  string // its kind, or the name of a saved page
	size  int    // how many nodes it was made for; 0: it was not made
	way   string // how it was reached
	state state
	what  string // pointing, window, raw, …
}

// A measurement is what something cost, each time that it was measured.
type measurement struct {
	subject
	costs []cost
}

// all are its costs; none where it was not measured.
func (m *measurement) all() []cost {
	if m == nil {
		return nil
	}
	return m.costs
}

// median is the time of the middle one, or between the two; 0 where there is none.
func (m *measurement) median() time.Duration {
	if m == nil {
		return 0
	}
	return median(m.costs)
}

// last is the cost that was measured last.
func (m *measurement) last() cost {
	if m == nil || len(m.costs) == 0 {
		return cost{}
	}
	return m.costs[len(m.costs)-1]
}

// most gives the most round trips that any took.
func (m *measurement) most() int {
	trips := 0
	if m != nil {
		for _, c := range m.costs {
			trips = max(trips, c.trips)
		}
	}
	return trips
}

// flaw gives the first flaw of any.
func (m *measurement) flaw() string {
	if m != nil {
		for _, c := range m.costs {
			if c.flaw != "" {
				return c.flaw
			}
		}
	}
	return ""
}

// useless gives the first flaw of any by which nothing could be done with the answer.
func (m *measurement) useless() string {
	for _, c := range m.all() {
		if c.useless {
			return c.flaw
		}
	}
	return ""
}

// cut tells whether any answer left out what was beyond its budget.
func (m *measurement) cut() bool {
	return slices.ContainsFunc(m.all(), func(c cost) bool { return c.cut })
}

// A record is all that was measured so far, and what could not be.
type record struct {
	all    []*measurement
	of     map[subject]*measurement
	nodes  map[subject]int // of a page over a way, as its browser counts them
	failed []string
}

func newRecord() *record {
	return &record{of: map[subject]*measurement{}, nodes: map[subject]int{}}
}

func (r *record) add(s subject, c cost) {
	m := r.of[s]
	if m == nil {
		m = &measurement{subject: s}
		r.of[s] = m
		r.all = append(r.all, m)
	}
	m.costs = append(m.costs, c)
	if c.nodes > 0 {
		at := subject{page: s.page, size: s.size}
		r.nodes[at] = max(r.nodes[at], c.nodes)
	}
}

// fail keeps what could not be measured, for the report: the rest goes on.
func (r *record) fail(what string, err error) {
	r.failed = append(r.failed, fmt.Sprintf("%s: %v", what, err))
}

// get gives a measurement; nil where there is none.
func (r *record) get(page string, size int, way string, s state, what string) *measurement {
	return r.of[subject{page, size, way, s, what}]
}

// counted gives the nodes of a page, those that it was made for where nobody counted.
func (r *record) counted(page string, size int) int {
	if n := r.nodes[subject{page: page, size: size}]; n > 0 {
		return n
	}
	return size
}

func median(list []cost) time.Duration {
	if len(list) == 0 {
		return 0
	}
	times := make([]time.Duration, len(list))
	for i, c := range list {
		times[i] = c.time
	}
	slices.Sort(times)
	half := len(times) / 2
	if len(times)%2 == 0 {
		return (times[half-1] + times[half]) / 2
	}
	return times[half]
}

// ms writes a time; a dash where there is none.
func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return "–"
	case v < 20:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// ratio writes how a time compares with another; a dash where one is missing.
func ratio(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return times(float64(a) / float64(b))
}

func times(v float64) string {
	switch {
	case v < 0.01:
		return fmt.Sprintf("%.4f", v)
	case v < 0.1:
		return fmt.Sprintf("%.3f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// whole writes a count; a dash for none.
func whole(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}
