package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A block is a page over a way, with all that is measured of it.
type block struct {
	slot
	run *run
}

const (
	// coldShare is the part of a page's time for its cold state, in which each
	// measurement needs the page loaded anew.
	coldShare = 0.35

	// blockSlack is what a block may take over its share: its measurements are made
	// once whatever they cost, and one that never ends must not end the run.
	blockSlack = 5 * time.Minute
)

// overtime is how much longer than its time a run may take until pages are left out: each
// that is measured is measured once, whatever that takes.
const overtime = 1.4

// measureReads measures the reads of all pages of ours, over all ways.
func measureReads(ctx context.Context, r *run) ([]section, error) {
	begun := time.Now()
	slots := r.plan.slots()
	for i, at := range slots {
		if i > 0 && slots[i-1].way != at.way {
			r.leave(slots[i-1].way)
		}
		b := &block{at, r}
		begin := time.Now()
		if begin.Sub(begun) > time.Duration(overtime*float64(r.plan.time)) {
			r.record.fail(b.String(), errors.New("left out: the time was over"))
			continue
		}
		err := b.measure(ctx, share(r.plan.time-begin.Sub(begun), slots[i:]))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			r.record.fail(b.String(), err)
			// What it did to the browser is not the next one's to suffer.
			r.leave(at.way)
		}
		r.tell("%s: %s; %s", b, b.counts(), time.Since(begin).Round(time.Second))
	}
	for _, way := range r.plan.ways {
		r.leave(way)
	}
	return append(readSections(r), readGoals(r)), nil
}

// leave shuts a way, for the others to have the machine.
func (r *run) leave(name string) {
	if err := r.shut(name); err != nil {
		r.record.fail("closing the way "+name, err)
	}
}

// String names it in the report.
func (b *block) String() string {
	return fmt.Sprintf("%s, *%s* page of %d nodes", b.way, b.kind.name, b.run.record.counted(b.kind.name, b.size))
}

// counts tells how often what of it was measured.
func (b *block) counts() string {
	n := func(s state, what string) int {
		return len(b.run.record.get(b.kind.name, b.size, b.way, s, what).all())
	}
	return fmt.Sprintf("%d rounds, %d of them whole, %d cold", n(unchanged, floorWhat), max(n(unchanged, visibleWhat), n(unchanged, windowWhat)), n(cold, floorWhat))
}

// variants are what is measured of a block in a state.
func (b *block) variants(s state) []string {
	reads := b.run.plan.reads()
	keep := func(names ...string) []string {
		return slices.DeleteFunc(names, func(n string) bool { return n != rawWhat && n != floorWhat && !slices.Contains(reads, n) })
	}
	switch {
	case s == unchanged && b.size > large:
		return keep(rawWhat, floorWhat, pointingWhat, visibleWhat, windowWhat)
	case s == unchanged:
		return keep(rawWhat, floorWhat, pointingWhat, visibleWhat, pageWhat, windowWhat)
	case s == textNew:
		return keep(rawWhat, floorWhat, pointingWhat, pageWhat, windowWhat)
	}
	return keep(floorWhat, pointingWhat)
}

// once tells whether something is measured but one time in a block: the whole tree of
// the largest pages takes as long as all else.
func (b *block) once(what string) bool { return what == rawWhat && b.size > large }

// left tells whether something is left out altogether.
func (b *block) left(what string) bool { return b.once(what) && b.way != launched }

// states are those that a block is measured in: after changes only where goals are set
// for that, and cold where reaching a page anew is another thing than reaching it.
func (b *block) states() []state {
	switch {
	case b.size == large && b.way == attached:
		return states[:len(states)-1]
	case b.size == large:
		return states
	case b.way == launched:
		return []state{unchanged, cold}
	}
	return []state{unchanged}
}

// measure measures it for so long, everything once whatever that takes, and what is cheap
// leastRounds times.
func (b *block) measure(ctx context.Context, share time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, share+blockSlack)
	defer cancel()
	w, err := b.run.way(ctx, b.way)
	if err != nil {
		return err
	}
	address := b.run.site.address(b.kind, b.size)
	warm := time.Duration(float64(share) * (1 - coldShare))
	if err := b.warm(ctx, w, address, time.Now().Add(warm)); err != nil {
		return err
	}
	if !slices.Contains(b.states(), cold) {
		return nil
	}
	if err := b.cold(ctx, w, address, time.Now().Add(share-warm)); err != nil {
		return fmt.Errorf("cold: %w", err)
	}
	return nil
}

// warm measures what happens after one reading and before the next. Everything that is
// compared is measured by turns, each after a change of its own, so that a busy machine
// slows all of it alike.
func (b *block) warm(ctx context.Context, w way, address string, until time.Time) (err error) {
	r, err := newRig(ctx, w, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	// The first of each is another state, and not measured.
	for _, what := range b.variants(unchanged) {
		if !b.left(what) && !b.once(what) {
			if _, err := r.measure(ctx, what, unchanged); err != nil {
				return err
			}
		}
	}
	p := pace{rounds: b.run.plan.rounds, until: until}
	for round := 0; ; round++ {
		next := p.next(time.Now())
		if next == noTurn {
			break
		}
		begin := time.Now()
		var dear time.Duration
		for _, s := range b.states() {
			if s == cold {
				continue
			}
			took, err := b.round(ctx, r, s, round, next == wholeTurn)
			if err != nil {
				return err
			}
			dear += took
		}
		p.took(next, time.Since(begin), dear)
	}
	// Last, for who takes longest may fail.
	for _, what := range b.variants(unchanged) {
		if !b.once(what) || b.left(what) {
			continue
		}
		c, err := r.measure(ctx, what, unchanged)
		if err != nil {
			return err
		}
		b.add(unchanged, what, c)
	}
	return nil
}

// round measures everything once in one state, each time in another order, and what is
// dear only if it is to be whole. It tells what of its time that took.
func (b *block) round(ctx context.Context, r *rig, s state, round int, isWhole bool) (dear time.Duration, err error) {
	variants := b.variants(s)
	for i := range variants {
		what := variants[(i+round)%len(variants)]
		if b.left(what) || b.once(what) || isDear(what) && !isWhole {
			continue
		}
		begin := time.Now()
		if err := r.settle(ctx); err != nil {
			return 0, err
		}
		if err := r.change(ctx, s); err != nil {
			return 0, err
		}
		c, err := r.measure(ctx, what, s)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s, err)
		}
		b.add(s, what, c)
		if err := r.undo(ctx, s); err != nil {
			return 0, err
		}
		if isDear(what) {
			dear += time.Since(begin)
		}
	}
	return dear, nil
}

// cold measures the first reading of a page, of a new one for each.
func (b *block) cold(ctx context.Context, w way, address string, until time.Time) error {
	variants := b.variants(cold)
	least := leastRounds
	if b.size > large {
		least = 1 // loading it takes the time
	}
	for round := 0; round < b.run.plan.rounds && (round < least || time.Now().Before(until)); round++ {
		for i := range variants {
			what := variants[(i+round)%len(variants)]
			r, err := newRig(ctx, w, address)
			if err != nil {
				return err
			}
			c, err := r.measure(ctx, what, cold)
			if err = errors.Join(err, r.close()); err != nil {
				return err
			}
			b.add(cold, what, c)
		}
	}
	return nil
}

func (b *block) add(s state, what string, c cost) {
	b.run.record.add(subject{b.kind.name, b.size, b.way, s, what}, c)
}
