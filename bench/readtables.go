package main

import (
	"fmt"
	"math"
	"slices"
)

// readSections are the tables of reads: of each size the warm one, and the one of changes
// and of the first reading.
func readSections(r *run) []section {
	var all []section
	for _, size := range r.plan.sizes {
		if s := warmTable(r, size); len(s.rows) > 0 {
			all = append(all, s)
		}
		if s := changeTable(r, size); len(s.rows) > 0 {
			all = append(all, s)
		}
	}
	return all
}

const warmWords = "Each page was read before, and nothing has changed since. *raw* is the browser's own `getFullAXTree` of all frames of the page's process, as it arrives and decoded by nobody; *floor* its `getPartialAXTree` of the focused node; *× raw* compares the medians of one connection."

// warmTable is what reads of unchanged pages cost, a column for each way.
func warmTable(r *run, size int) section {
	s := section{title: fmt.Sprintf("%s nodes, unchanged", thousands(size)), words: warmWords + warmRounds(r, size), head: []string{"page", "nodes", "what"}}
	for _, way := range r.plan.ways {
		s.head = append(s.head, way+" ms", "× raw")
	}
	s.head = append(s.head, "trips", "bytes", "tokens", "lacks")
	for _, k := range r.plan.kinds {
		for _, what := range append([]string{rawWhat, floorWhat}, whats...) {
			row := []string{k.name, fmt.Sprint(r.record.counted(k.name, size)), what}
			found, trips, bytes, flaw := false, 0, 0, ""
			for _, way := range r.plan.ways {
				m := r.record.get(k.name, size, way, unchanged, what)
				raw := r.record.get(k.name, size, way, unchanged, rawWhat)
				if what == rawWhat || m == nil {
					raw = nil
				}
				row = append(row, ms(m.median()), ratio(m.median(), raw.median()))
				if m == nil {
					continue
				}
				found, trips = true, max(trips, m.most())
				if bytes == 0 {
					bytes = m.last().bytes
				}
				if flaw == "" {
					flaw = m.flaw()
				}
			}
			if what == floorWhat {
				bytes = 0
			}
			tokens := bytes / 4
			if what == rawWhat {
				tokens = 0
			}
			if found {
				s.rows = append(s.rows, append(row, whole(trips), whole(bytes), whole(tokens), flaw))
			}
		}
	}
	return s
}

const changeWords = "A pointing read after a change, and of a page that has just loaded and that nobody has read (*cold*, accessibility off), beside the *floor*: the first `getPartialAXTree` of the focused node after the same change. *of goal* divides the read by 1.3 × floor + the unchanged read."

// changeTable is what pointing reads cost after changes.
func changeTable(r *run, size int) section {
	s := section{title: fmt.Sprintf("%s nodes, changed and cold", thousands(size)), words: changeWords + changeRounds(r, size), head: []string{"page", "state"}}
	for _, way := range r.plan.ways {
		s.head = append(s.head, way+" ms", "floor ms", "of goal")
	}
	for _, k := range r.plan.kinds {
		for _, st := range states {
			if st == unchanged {
				continue
			}
			row, found := []string{k.name, string(st)}, false
			for _, way := range r.plan.ways {
				m, floor := r.record.get(k.name, size, way, st, pointingWhat), r.record.get(k.name, size, way, st, floorWhat)
				found = found || m != nil
				of := "–"
				if v, ok := ofGoal(r, k.name, size, way, st); ok {
					of = times(v)
				}
				row = append(row, ms(m.median()), ms(floor.median()), of)
			}
			if found {
				s.rows = append(s.rows, row)
			}
		}
	}
	return s
}

// rounds tells how often each of some was measured, at least.
func rounds(r *run, size int, isOne func(*measurement) bool) string {
	least := math.MaxInt
	for _, m := range r.record.all {
		if m.size == size && isOne(m) {
			least = min(least, len(m.costs))
		}
	}
	switch least {
	case math.MaxInt:
		return "never"
	case 1:
		return "at least once"
	}
	return fmt.Sprintf("at least %d times", least)
}

// warmRounds tells how often what of unchanged pages was measured.
func warmRounds(r *run, size int) string {
	isOnce := func(m *measurement) bool { return size > large && m.what == rawWhat }
	words := fmt.Sprintf(" *floor* and *pointing* were measured %s, the others %s", rounds(r, size, func(m *measurement) bool {
		return m.state == unchanged && !isDear(m.what)
	}), rounds(r, size, func(m *measurement) bool {
		return m.state == unchanged && isDear(m.what) && !isOnce(m)
	}))
	if size > large {
		words += ", *raw* once"
	}
	return words + "."
}

// changeRounds tells how often what of changed pages was measured, and of new ones.
func changeRounds(r *run, size int) string {
	words := " Measured "
	isChanged := func(m *measurement) bool { return m.state != unchanged && m.state != cold && !isDear(m.what) }
	if slices.ContainsFunc(r.record.all, func(m *measurement) bool { return m.size == size && isChanged(m) }) {
		words += rounds(r, size, isChanged) + " after each change, "
	}
	return words + rounds(r, size, func(m *measurement) bool { return m.state == cold }) + " cold."
}

// ofGoal divides a pointing read after a change by what it may cost.
func ofGoal(r *run, page string, size int, way string, s state) (float64, bool) {
	m, floor := r.record.get(page, size, way, s, pointingWhat), r.record.get(page, size, way, s, floorWhat)
	before := r.record.get(page, size, way, unchanged, pointingWhat)
	if m == nil || floor == nil || before == nil {
		return 0, false
	}
	return float64(m.median()) / (floorFactor*float64(floor.median()) + float64(before.median())), true
}

// floorFactor is how much more than the floor a read may cost after a change.
const floorFactor = 1.3

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// kindWords tell what the kinds of pages are.
func kindWords(kinds []kind) []string {
	var all []string
	for _, k := range kinds {
		all = append(all, fmt.Sprintf("*%s*: %s", k.name, k.about))
	}
	slices.Sort(all)
	return all
}
