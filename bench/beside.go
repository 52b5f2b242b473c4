package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/webarea/webarea/provider"
)

// besideTimeout is long, so that a busy machine draws in time too.
const besideTimeout = 10 * time.Second

// besideRounds is how often each is measured at most: a picture takes its time.
const besideRounds = 7

// besideSizes are the sizes of the pages whose tree and picture are asked for together.
var besideSizes = []int{middle, large}

// measureBeside measures the state of a window with its tree, with its picture, and with
// both, of pages where either takes its time.
func measureBeside(ctx context.Context, r *run) ([]section, error) {
	w, err := r.way(ctx, launched)
	if err != nil {
		return nil, err
	}
	s := section{
		title: "Tree and picture together",
		words: "`get_window_state` of the table page with the tree alone, with the picture alone, and with both, in turn.",
		head:  []string{"nodes", "tree ms", "picture ms", "both ms", "both / (tree + picture)"},
	}
	for _, size := range besideSizes {
		if row, g, err := r.beside(ctx, w, size); err == nil {
			s.rows, s.goals = append(s.rows, row), append(s.goals, g)
		} else {
			r.record.fail(fmt.Sprintf("tree and picture of %d nodes", size), err)
		}
	}
	return []section{s}, r.shut(launched)
}

func (r *run) beside(ctx context.Context, w way, size int) (row []string, g goal, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	at, err := newRig(ctx, w, r.site.address(kinds[0], size))
	if err != nil {
		return nil, g, err
	}
	defer func() { err = errors.Join(err, at.close()) }()
	t := at.tab.(*directTab)
	var tree, picture, both []cost
	for round := range min(r.plan.rounds, besideRounds) + 1 {
		for _, what := range []struct {
			tree, picture bool
			into          *[]cost
		}{{true, false, &tree}, {false, true, &picture}, {true, true, &both}} {
			c, err := t.state(ctx, what.tree, what.picture)
			if err != nil {
				return nil, g, err
			}
			if round > 0 {
				*what.into = append(*what.into, c)
			}
		}
	}
	sum := median(tree) + median(picture)
	row = []string{fmt.Sprint(size), ms(median(tree)), ms(median(picture)), ms(median(both)), ratio(median(both), sum)}
	g = goal{number: "4", what: fmt.Sprintf("tree and picture together, %s nodes, against one after the other", thousands(size)), want: "< 1 ×", measured: ratio(median(both), sum) + " ×", verdict: holds}
	if median(both) >= sum {
		g.verdict = fails
	}
	return row, g, nil
}

// state measures the state of the window with what is asked for of it.
func (t *directTab) state(ctx context.Context, tree, picture bool) (cost, error) {
	address, err := t.find(ctx)
	if err != nil {
		return cost{}, err
	}
	begin := time.Now()
	state, err := t.provider.State(ctx, provider.StateQuery{
		WindowAddress: address, Tree: tree, Picture: picture, MaxElements: nodesDefault, MaxDepth: depthDefault, Timeout: besideTimeout, Most: edgeDefault,
	})
	c := cost{time: time.Since(begin)}
	if err == nil && picture && state.PNG == nil {
		err = fmt.Errorf("there is no picture: %+v", state.PictureError)
	}
	return c, err
}
