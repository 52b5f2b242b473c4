package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
)

// A state is what happened to a page since it was last read.
type state string

// The states. All but cold and unchanged are functions of the page's script.
const (
	unchanged  state = "unchanged"
	textNew    state = "text"
	attribute  state = "attribute"
	focusMoved state = "focus"
	rowNew     state = "insert"
	// cold is a page that has just loaded and that nobody has read yet.
	cold state = "cold"
)

var warm = []state{unchanged, textNew, attribute, focusMoved, rowNew}

var scopes = []cdp.Scope{cdp.ScopePointing, cdp.ScopeVisible, cdp.ScopePage}

// What is measured beside the scopes.
const (
	treeVariant  = "tree"
	floorVariant = "floor"
)

var variants = []string{treeVariant, floorVariant, string(cdp.ScopePointing), string(cdp.ScopeVisible), string(cdp.ScopePage)}

// A plan says what to measure, and for how long at most.
type plan struct {
	nodes []int
	time  time.Duration
	// rounds is how often each measurement is made at most, and at least once.
	rounds int
}

// maxRounds is how often a measurement is made at most: a median of more says
// little more.
const maxRounds = 25

func newPlan(sizes string, limit time.Duration, quick bool) (plan, error) {
	p := plan{time: limit, rounds: maxRounds}
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || n < 1 {
			return p, fmt.Errorf("%q is no number of nodes", size)
		}
		p.nodes = append(p.nodes, n)
	}
	if quick {
		p.nodes, p.rounds = p.nodes[:1], 1
	}
	return p, nil
}

// share is the part of the time that a page of so many nodes gets: large ones need
// it, small ones are through with their rounds before.
func (p plan) share(nodes int) time.Duration {
	weight, sum := func(n int) float64 { return 3 + float64(n)/3000 }, 0.0
	for _, n := range p.nodes {
		sum += weight(n)
	}
	return time.Duration(float64(p.time) * weight(nodes) / sum / float64(len(kinds)))
}

// coldShare is the part of a page's time for its cold state, in which each
// measurement needs the page loaded anew.
const coldShare = 0.35

// A block is what was measured of one page.
type block struct {
	kind  kind
	nodes int // of the accessibility tree, as the browser has it
	costs map[state]map[string][]cost
}

// measure measures one page in all states.
func measure(ctx context.Context, b *cdp.Browser, k kind, nodes int, p plan) (*block, error) {
	out := &block{kind: k, costs: map[state]map[string][]cost{}}
	html := k.html(nodes)
	limit := p.share(nodes)
	if err := out.warm(ctx, b, html, p.rounds, time.Now().Add(time.Duration(float64(limit)*(1-coldShare)))); err != nil {
		return nil, fmt.Errorf("%s page of %d nodes: %w", k.name, nodes, err)
	}
	if err := out.cold(ctx, b, html, p.rounds, time.Now().Add(time.Duration(float64(limit)*coldShare))); err != nil {
		return nil, fmt.Errorf("%s page of %d nodes, cold: %w", k.name, nodes, err)
	}
	return out, nil
}

// warm measures what happens after one reading and before the next. Everything
// that is compared is measured by turns, each after a change of its own, so that a
// busy machine slows all of it alike.
func (o *block) warm(ctx context.Context, b *cdp.Browser, html []byte, rounds int, until time.Time) (err error) {
	r, err := newRig(ctx, b, html)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	for _, v := range variants {
		// The first of each is another state, and not measured.
		if _, err := r.variant(ctx, v, unchanged); err != nil {
			return err
		}
	}
	for round := range rounds {
		for _, s := range warm {
			if round > 0 && time.Now().After(until) {
				return nil
			}
			for i := range variants {
				v := variants[(i+round)%len(variants)]
				// What the reading before left to be brought up to date is not
				// this one's to pay.
				if _, err := r.floor(ctx, unchanged); err != nil {
					return err
				}
				if err := r.change(ctx, s); err != nil {
					return err
				}
				c, err := r.variant(ctx, v, s)
				if err != nil {
					return err
				}
				o.add(s, v, c)
				if err := r.undo(ctx, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// cold measures the first reading of a page, of a new one for each.
func (o *block) cold(ctx context.Context, b *cdp.Browser, html []byte, rounds int, until time.Time) error {
	for round := 0; round < rounds && (round == 0 || time.Now().Before(until)); round++ {
		for i := range variants {
			v := variants[(i+round)%len(variants)]
			r, err := newRig(ctx, b, html)
			if err != nil {
				return err
			}
			c, err := r.variant(ctx, v, cold)
			if err = errors.Join(err, r.close()); err != nil {
				return err
			}
			o.add(cold, v, c)
		}
	}
	return nil
}

func (r *rig) variant(ctx context.Context, v string, s state) (cost, error) {
	switch v {
	case treeVariant:
		return r.tree(ctx, s)
	case floorVariant:
		return r.floor(ctx, s)
	}
	return r.read(ctx, cdp.Scope(v))
}

func (o *block) add(s state, variant string, c cost) {
	if o.costs[s] == nil {
		o.costs[s] = map[string][]cost{}
	}
	o.costs[s][variant] = append(o.costs[s][variant], c)
	o.nodes = max(o.nodes, c.nodes)
}

// run measures everything of a plan, and tells how far it is.
func run(ctx context.Context, p plan, progress io.Writer) (*result, error) {
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork})
	if err != nil {
		return nil, err
	}
	r, err := measureAll(ctx, b, p, progress)
	return r, errors.Join(err, b.Close())
}

func measureAll(ctx context.Context, b *cdp.Browser, p plan, progress io.Writer) (*result, error) {
	r := &result{}
	if err := r.describe(ctx, b); err != nil {
		return nil, err
	}
	for _, k := range pictures {
		m, err := measurePicture(ctx, b, k, p.rounds)
		if err != nil {
			return nil, err
		}
		r.pictures = append(r.pictures, m)
	}
	fmt.Fprintf(progress, "pictures: %d rounds\n", p.rounds)
	for _, nodes := range p.nodes {
		for _, k := range kinds {
			begin := time.Now()
			m, err := measure(ctx, b, k, nodes, p)
			if err != nil {
				return nil, err
			}
			r.blocks = append(r.blocks, m)
			fmt.Fprintf(progress, "%s page of %d nodes: %d rounds, %d cold ones, %s\n", k.name, m.nodes,
				len(m.costs[unchanged][treeVariant]), len(m.costs[cold][treeVariant]), time.Since(begin).Round(time.Second))
		}
	}
	return r, nil
}
