package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/profiler"
)

const (
	// functionsTold is how many functions are told of for each read, those with the
	// most time.
	functionsTold = 8

	// functionsTime is how long a read is repeated at least while it is profiled.
	functionsTime = 3 * time.Second

	// samplingInterval is that of the profiler.
	samplingInterval = 500 * time.Microsecond
)

// functions tells which functions of our scripts take the time of reads, by the
// browser's own profiler.
func (r *run) functions(ctx context.Context, w way) (section, error) {
	size := 0
	for _, n := range r.plan.sizes {
		if n <= large {
			size = max(size, n)
		}
	}
	s := section{
		title: "What our scripts do with it",
		words: fmt.Sprintf("The page's main thread during reads of pages of %s nodes, over and over, by the browser's profiler: the share of each function itself, without what it calls, of the time in which the thread was busy. *(program)* is the browser's own code that no script called: the accessibility tree, layout, serialization. Functions of the browser that scripts call are told of like scripts.", thousands(size)),
		head:  []string{"page", "what", "function", "% of busy"},
	}
	var failed []error
	for _, k := range r.plan.kinds {
		if !slices.Contains(whereKinds[:2], k.name) || size == 0 {
			continue
		}
		rows, err := r.functionsOf(ctx, w, k, size)
		failed = append(failed, err)
		s.rows = append(s.rows, rows...)
	}
	if len(s.rows) == 0 {
		s.words = ""
	}
	return s, errors.Join(failed...)
}

func (r *run) functionsOf(ctx context.Context, w way, k kind, size int) (rows [][]string, err error) {
	ctx, cancel := context.WithTimeout(ctx, blockSlack)
	defer cancel()
	at, err := newRig(ctx, w, r.site.address(k, size))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.close()) }()
	page := at.tab.page()
	if err := page.Call(ctx, profiler.CommandEnable, nil, nil); err != nil {
		return nil, err
	}
	interval := map[string]any{"interval": samplingInterval.Microseconds()}
	if err := page.Call(ctx, profiler.CommandSetSamplingInterval, interval, nil); err != nil {
		return nil, err
	}
	for _, what := range whats {
		if _, err := at.ask(ctx, what); err != nil {
			return rows, err
		}
		if err := page.Call(ctx, profiler.CommandStart, nil, nil); err != nil {
			return rows, err
		}
		for begin, n := time.Now(), 0; n < r.plan.rounds || r.plan.rounds > 1 && time.Since(begin) < functionsTime; n++ {
			if _, err := at.ask(ctx, what); err != nil {
				return rows, err
			}
		}
		var got struct {
			Profile profile `json:"profile"`
		}
		if err := page.Call(ctx, profiler.CommandStop, nil, &got); err != nil {
			return rows, err
		}
		for _, f := range got.Profile.shares() {
			rows = append(rows, []string{k.name, what, "`" + f.name + "`", fmt.Sprintf("%.1f", 100*f.share)})
		}
	}
	return rows, nil
}

// A profile is what the browser's profiler gives.
type profile struct {
	Nodes   []profileNode `json:"nodes"`
	Samples []int         `json:"samples"`
	Deltas  []int64       `json:"timeDeltas"` // µs
}

// A profileNode is a function where it was called.
type profileNode struct {
	ID   int `json:"id"`
	Call struct {
		Name string `json:"functionName"`
		Line int    `json:"lineNumber"` // from 0 on
	} `json:"callFrame"`
}

// A functionShare is the part of the busy time that a function took itself.
type functionShare struct {
	name  string
	share float64
}

// shares gives the functions with the most time first.
func (p profile) shares() []functionShare {
	names := map[int]string{}
	for _, n := range p.Nodes {
		names[n.ID] = n.Call.Name
		if n.Call.Name == "" {
			names[n.ID] = fmt.Sprintf("line %d", n.Call.Line+1)
		}
	}
	spent, busy := map[string]int64{}, int64(0)
	for i, id := range p.Samples {
		if name := names[id]; name != "(idle)" && i < len(p.Deltas) {
			spent[name] += p.Deltas[i]
			busy += p.Deltas[i]
		}
	}
	var all []functionShare
	for name, d := range spent {
		all = append(all, functionShare{name, float64(d) / float64(max(busy, 1))})
	}
	slices.SortFunc(all, func(a, b functionShare) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	return all[:min(len(all), functionsTold)]
}
