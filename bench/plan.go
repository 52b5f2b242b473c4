package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A plan says what to measure, and for how long at most.
type plan struct {
	only  []string // parts, by name; empty: all
	kinds []kind
	sizes []int
	ways  []string
	time  time.Duration
	// rounds is how often each measurement is made at most; each is made once.
	rounds int
}

// maxRounds is how often a measurement is made at most: a median of more says little
// more.
const maxRounds = 15

// The sizes that goals are set for, in nodes of the accessibility tree.
const (
	smallest = 130
	middle   = 2900
	large    = 30_000
	largest  = 220_000
)

// newPlan makes a plan of what flags say: lists with commas between.
func newPlan(only, pages, sizes, ways string, limit time.Duration, quick bool) (plan, error) {
	p := plan{time: limit, rounds: maxRounds, only: list(only)}
	for _, name := range p.only {
		if !slices.ContainsFunc(parts, func(k part) bool { return k.name == name }) && !slices.Contains(whats, name) {
			return p, fmt.Errorf("%q is no part: there are %s", name, strings.Join(partNames(), ", "))
		}
	}
	for _, k := range kinds {
		if pages == "" || slices.Contains(list(pages), k.name) {
			p.kinds = append(p.kinds, k)
		}
	}
	for _, name := range list(pages) {
		if !slices.ContainsFunc(kinds, func(k kind) bool { return k.name == name }) {
			return p, fmt.Errorf("%q is no kind of page", name)
		}
	}
	for _, name := range list(ways) {
		if !slices.Contains(wayNames, name) {
			return p, fmt.Errorf("%q is no way: there are %s", name, strings.Join(wayNames, ", "))
		}
		p.ways = append(p.ways, name)
	}
	for _, size := range list(sizes) {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return p, fmt.Errorf("%q is no number of nodes", size)
		}
		p.sizes = append(p.sizes, n)
	}
	if quick {
		p.rounds = 1
	}
	return p, nil
}

func list(flag string) []string {
	var all []string
	for one := range strings.SplitSeq(flag, ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// wants tells whether a part is to be measured.
func (p plan) wants(name string) bool { return len(p.only) == 0 || slices.Contains(p.only, name) }

// whats are the reads that can be chosen like parts.
var whats = []string{pointingWhat, visibleWhat, pageWhat, windowWhat}

// reads are those to be measured.
func (p plan) reads() []string {
	return slices.DeleteFunc(slices.Clone(whats), func(name string) bool { return !p.wants(name) && !p.wants("reads") })
}

// A slot is a page over a way, to be measured.
type slot struct {
	way  string
	size int
	kind kind
}

// slots are all there are, the large pages last, so that a run that takes too long has
// the others over all ways.
func (p plan) slots() []slot {
	var all []slot
	for _, size := range p.sizes {
		for _, way := range p.ways {
			for _, k := range p.kinds {
				if at := (slot{way, size, k}); !at.spared() {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// hugeKinds are the kinds of which the largest pages are read over the relay: loading
// them takes the time.
var hugeKinds = []string{"table", "list", "closed"}

// spared says of a page that the time is better spent on others: the largest differ over a
// WebSocket from the pipe in nothing that smaller ones do not show.
func (s slot) spared() bool {
	return s.size > large && (s.way == attached || s.way == relayed && !slices.Contains(hugeKinds, s.kind.name))
}

// weight is how much of the time a page needs: small ones are through with their rounds
// early.
func (s slot) weight() float64 { return 2 + 10*min(float64(s.size)/large, 1.5) }

// share is what the first of some pages gets of the time that is left for all of them.
func share(left time.Duration, slots []slot) time.Duration {
	sum := 0.0
	for _, s := range slots {
		sum += s.weight()
	}
	return time.Duration(float64(max(left, 0)) * slots[0].weight() / sum)
}
