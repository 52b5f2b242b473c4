package main

import (
	"fmt"
	"math"
	"time"
)

// closedTrips are the round trips more that a closed shadow root costs when it is met
// for the first time.
const closedTrips = 2

// A bound is a goal for one figure of each page over each way. The figure is false where
// it was not measured.
type bound struct {
	number, what string
	most         float64
	unit         string
	// size, state and read are what it is about: an answer of those that lacks something
	// does not reach it.
	size  int
	state state
	read  string
	ways  []string
	// with is what the read is compared with in the same state; empty: with nothing, or in
	// another.
	with string
	// useful has an answer do that lacks some of what it should have.
	useful bool
	figure func(r *run, k kind, way string) (float64, bool)
}

// against compares what was measured of a page with raw of the same connection.
func against(size int, s state, what string) func(*run, kind, string) (float64, bool) {
	return func(r *run, k kind, way string) (float64, bool) {
		return quotient(r.record.get(k.name, size, way, s, what), r.record.get(k.name, size, way, s, rawWhat))
	}
}

// inBudget compares the state of a window with raw where all of the page was let through.
func inBudget(size int) func(*run, kind, string) (float64, bool) {
	return func(r *run, k kind, way string) (float64, bool) {
		if r.record.get(k.name, size, way, unchanged, windowWhat).cut() {
			return 0, false
		}
		return against(size, unchanged, windowWhat)(r, k, way)
	}
}

func quotient(a, b *measurement) (float64, bool) {
	if a.median() == 0 || b.median() == 0 {
		return 0, false
	}
	return float64(a.median()) / float64(b.median()), true
}

// bounds are the goals of reads.
func bounds() []bound {
	all := []bound{
		{"1", "pointing, warm: dependent round trips (a closed shadow root that came: 2 more)", 3, "", 0, unchanged, pointingWhat, wayNames[:2], "", false, mostTrips},
		{"1", "pointing, unchanged: 220,000 nodes against 130", 3, "×", largest, unchanged, pointingWhat, wayNames, "", false, func(r *run, k kind, way string) (float64, bool) {
			return quotient(r.record.get(k.name, largest, way, unchanged, pointingWhat), r.record.get(k.name, smallest, way, unchanged, pointingWhat))
		}},
		{"1", "pointing, unchanged, 30,000 nodes, against raw", 1. / 100, "×", large, unchanged, pointingWhat, wayNames, rawWhat, false, against(large, unchanged, pointingWhat)},
		{"1", "pointing, unchanged, 220,000 nodes, against raw", 1. / 500, "×", largest, unchanged, pointingWhat, wayNames[:1], rawWhat, false, against(largest, unchanged, pointingWhat)},
	}
	for _, s := range states[1:] {
		all = append(all, bound{"1", "pointing, " + stateWords[s] + ", 30,000 nodes, against 1.3 × floor + unchanged", 1, "×", large, s, pointingWhat, wayNames, floorWhat, false, func(r *run, k kind, way string) (float64, bool) {
			return ofGoal(r, k.name, large, way, s)
		}})
	}
	for _, size := range []int{smallest, middle, largest} {
		all = append(all, bound{"1", fmt.Sprintf("pointing, cold, %s nodes, against 1.3 × floor + unchanged", thousands(size)), 1, "×", size, cold, pointingWhat, wayNames[:1], floorWhat, false, func(r *run, k kind, way string) (float64, bool) {
			return ofGoal(r, k.name, size, way, cold)
		}})
	}
	for _, s := range []state{unchanged, textNew} {
		all = append(all, bound{"2", "get_window_state, tree only, " + stateWords[s] + ", 30,000 nodes, against raw", 1. / 3, "×", large, s, windowWhat, wayNames, rawWhat, false, against(large, s, windowWhat)})
	}
	for _, size := range []int{smallest, middle} {
		all = append(all, bound{"2", fmt.Sprintf("get_window_state, tree only, %s nodes, pages inside the budget, against raw", thousands(size)), 1, "×", size, unchanged, windowWhat, wayNames, rawWhat, false, inBudget(size)})
	}
	all = append(all, bound{"2", "get_window_state, tree only, 220,000 nodes: timeout_ms + 500", 1500, "ms", largest, unchanged, windowWhat, wayNames, "", true, func(r *run, k kind, way string) (float64, bool) {
		m := r.record.get(k.name, largest, way, unchanged, windowWhat)
		return float64(m.slowest()) / float64(time.Millisecond), m != nil
	}})
	for _, s := range []state{unchanged, textNew} {
		for _, of := range []struct {
			way  string
			most float64
		}{{launched, 1}, {attached, 1.1}, {relayed, 0.5}} {
			all = append(all, bound{"2", "whole page, " + stateWords[s] + ", 30,000 nodes, against raw", of.most, "×", large, s, pageWhat, []string{of.way}, rawWhat, false, against(large, s, pageWhat)})
		}
	}
	return all
}

// stateWords tell of states in the report.
var stateWords = map[state]string{
	unchanged: "unchanged", textNew: "after new text", attributed: "after a new attribute", focusMoved: "after the focus moved",
	rowNew: "after a row came", laidOut: "after a new layout", cold: "cold",
}

// slowest is the longest time of any.
func (m *measurement) slowest() time.Duration {
	var most time.Duration
	for _, c := range m.all() {
		most = max(most, c.time)
	}
	return most
}

// mostTrips gives the most round trips of any pointing read of a kind of page that was
// read before.
func mostTrips(r *run, k kind, way string) (float64, bool) {
	trips := 0
	for _, m := range r.record.all {
		if m.page != k.name || m.way != way || m.what != pointingWhat || m.state == cold {
			continue
		}
		n := m.most()
		if k.name == "closed" && m.state == rowNew {
			n -= closedTrips
		}
		trips = max(trips, n)
	}
	return float64(trips), trips > 0
}

// readGoals holds what was measured to the goals.
func readGoals(r *run) section {
	var s section
	for _, b := range bounds() {
		for _, way := range b.ways {
			if g, ok := b.judge(r, way); ok {
				s.goals = append(s.goals, g)
			}
		}
	}
	return s
}

// judge holds all pages over one way to a bound, and names the worst.
func (b bound) judge(r *run, way string) (goal, bool) {
	g := goal{number: b.number, what: b.what + ", " + way, want: "≤ " + withUnit(b.most, b.unit), verdict: holds}
	measured, within, worst, name := 0, 0, 0.0, ""
	for _, k := range r.plan.kinds {
		v, ok := b.figure(r, k, way)
		if !ok {
			continue
		}
		measured++
		if v <= b.most {
			within++
		}
		if v > worst {
			worst, name = v, k.name
		}
	}
	if measured == 0 {
		return g, false
	}
	g.measured = fmt.Sprintf("%s at most (*%s*); %d of %d pages", withUnit(worst, b.unit), name, within, measured)
	if n := b.rounds(r, way); b.unit == "×" && n < leastRounds {
		g.measured += "; " + fewRounds(n)
	}
	if within < measured {
		g.verdict = fails
	}
	if flaw := b.flaw(r, way); flaw != "" {
		g.measured += "; " + flaw
		g.verdict = fails
	}
	return g, true
}

// rounds is how often that of it was measured that was measured least.
func (b bound) rounds(r *run, way string) int {
	least := math.MaxInt
	for _, k := range r.plan.kinds {
		for _, what := range []string{b.read, b.with} {
			if n := len(r.record.get(k.name, b.size, way, b.state, what).all()); n > 0 {
				least = min(least, n)
			}
		}
	}
	return least
}

// fewRounds tells of a figure how little it is the median of.
func fewRounds(n int) string {
	if n == 1 {
		return "of one round"
	}
	return fmt.Sprintf("of %d rounds", n)
}

// flaw tells of an answer that lacks what it must have, of those that a goal is about.
func (b bound) flaw(r *run, way string) string {
	for _, k := range r.plan.kinds {
		m := r.record.get(k.name, b.size, way, b.state, b.read)
		f := m.flaw()
		if b.useful {
			f = m.useless()
		}
		if f != "" {
			return "*" + k.name + "* " + f
		}
	}
	return ""
}

func withUnit(v float64, unit string) string {
	switch {
	case unit == "":
		return fmt.Sprint(v)
	case unit == "ms":
		return fmt.Sprintf("%.0f ms", v)
	}
	return times(v) + " " + unit
}
