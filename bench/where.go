package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/performance"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// whereRounds is how often each read is taken apart; the middle one is told of.
const whereRounds = 5

// whereKinds are the kinds of pages of which reads are taken apart.
var whereKinds = []string{"table", "list", "closed"}

// A split is one read, taken apart by what it waited for.
type split struct {
	total time.Duration
	// script, ax and other are the times in which a command of that sort was not
	// answered and none of the sorts before; ours is the rest.
	script, ax, other, ours time.Duration
	commands, bytes         int
	// main is how long the page's main thread was busy, and layout the part of it in
	// styles and layout.
	main, layout time.Duration
}

// measureWhere takes reads of large pages apart.
func measureWhere(ctx context.Context, r *run) ([]section, error) {
	s := section{
		title: "Where the time goes",
		words: "Reads of unchanged pages over a WebSocket, ms, of the one in the middle of several. *script*: a script of ours in the page had not answered; *AX*: no script, but a question to the accessibility tree; *other*: only other commands; *ours*: nothing was waited for, so the time is that of decoding, mapping and writing. " +
			"*main* is how long the page's main thread was busy meanwhile, *layout* its part in styles and layout. What *script* and *AX* have over *main* is the way to the browser and back.",
		head: []string{"page", "nodes", "what", "ms", "script", "AX", "other", "ours", "commands", "bytes", "main", "layout"},
	}
	w, e, err := newHeard(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for _, size := range r.plan.sizes {
		for _, k := range r.plan.kinds {
			if !slices.Contains(whereKinds, k.name) {
				continue
			}
			rows, err := r.takeApart(ctx, w, e, k, size)
			if err != nil {
				r.record.fail(fmt.Sprintf("taking apart reads of the %s page of %d nodes", k.name, size), err)
			}
			s.rows = append(s.rows, rows...)
		}
	}
	functions, err := r.functions(ctx, w)
	walked, failed := r.measureWalks(ctx, w)
	return []section{s, functions, walked}, errors.Join(err, failed)
}

// newHeard is newAttached with an ear in between.
func newHeard(ctx context.Context) (*direct, *ear, error) {
	dir, err := os.MkdirTemp("", "wb")
	if err != nil {
		return nil, nil, err
	}
	d := &direct{ends: []func() error{func() error { return os.RemoveAll(dir) }}}
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork, Profile: dir, Args: []string{"--remote-debugging-port=0"}})
	if err != nil {
		return nil, nil, errors.Join(err, d.close())
	}
	d.ends = append(d.ends, b.Close)
	address, err := debuggingAddress(ctx, dir)
	var e *ear
	if err == nil {
		e, err = newEar(ctx, address)
	}
	if err != nil {
		return nil, nil, errors.Join(err, d.close())
	}
	d.conn = cdp.NewConn(e)
	d.ends = append(d.ends, d.conn.Close)
	return d, e, nil
}

// takeApart gives the rows of a page.
func (r *run) takeApart(ctx context.Context, w way, e *ear, k kind, size int) (rows [][]string, err error) {
	ctx, cancel := context.WithTimeout(ctx, blockSlack)
	defer cancel()
	at, err := newRig(ctx, w, r.site.address(k, size))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.close()) }()
	if err := at.tab.page().Call(ctx, performance.CommandEnable, nil, nil); err != nil {
		return nil, err
	}
	for _, what := range whats {
		if what == pageWhat && size > large {
			continue
		}
		var all []split
		for round := range min(r.plan.rounds, whereRounds) + 1 {
			one, err := at.apart(ctx, e, what)
			if err != nil {
				return rows, err
			}
			if round > 0 {
				all = append(all, one)
			}
		}
		slices.SortFunc(all, func(a, b split) int { return int(a.total - b.total) })
		m := all[len(all)/2]
		rows = append(rows, []string{k.name, fmt.Sprint(size), what, ms(m.total), ms(m.script), ms(m.ax), ms(m.other), ms(m.ours),
			fmt.Sprint(m.commands), fmt.Sprint(m.bytes), ms(m.main), ms(m.layout)})
	}
	return rows, nil
}

// apart takes one read apart.
func (r *rig) apart(ctx context.Context, e *ear, what string) (split, error) {
	var s split
	before, err := mainThread(ctx, r.tab.page())
	if err != nil {
		return s, err
	}
	e.take()
	begin := time.Now()
	c, err := r.ask(ctx, what)
	if err != nil {
		return s, err
	}
	end := begin.Add(c.time)
	heard := e.take()
	after, err := mainThread(ctx, r.tab.page())
	if err != nil {
		return s, err
	}
	s.total = c.time
	s.main, s.layout = after[0]-before[0], after[1]-before[1]
	for _, c := range heard {
		s.commands++
		s.bytes += c.bytes
	}
	s.divide(heard, begin, end)
	return s, nil
}

// ask asks for something, and does not look at the answer.
func (r *rig) ask(ctx context.Context, what string) (cost, error) {
	if what == windowWhat {
		_, c, err := r.tab.window(ctx)
		return c, err
	}
	_, c, err := r.tab.elements(ctx, cdp.Scope(what))
	return c, err
}

// divide divides the time of a read by what was not answered.
func (s *split) divide(heard []*command, begin, end time.Time) {
	moments := []time.Time{begin, end}
	for _, c := range heard {
		if c.ended.IsZero() || c.ended.After(end) {
			c.ended = end
		}
		if c.sent.Before(begin) {
			c.sent = begin
		}
		moments = append(moments, c.sent, c.ended)
	}
	slices.SortFunc(moments, time.Time.Compare)
	for i, from := range moments[:len(moments)-1] {
		to := moments[i+1]
		if from.Before(begin) || to.After(end) {
			continue
		}
		into := &s.ours
		for _, c := range heard {
			if c.sent.After(from) || c.ended.Before(to) {
				continue
			}
			switch {
			case strings.HasPrefix(c.method, "Runtime."):
				into = &s.script
			case strings.HasPrefix(c.method, "Accessibility.") && into != &s.script:
				into = &s.ax
			case into == &s.ours:
				into = &s.other
			}
		}
		*into += to.Sub(from)
	}
}

// mainThread tells how long a page's main thread was busy so far, and how long with
// styles and layout.
func mainThread(ctx context.Context, s *cdp.Session) ([2]time.Duration, error) {
	var got struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	var all [2]time.Duration
	// A task that is not over yet does not count: this one begins after it.
	if err := driver.Eval(ctx, s, "0"); err != nil {
		return all, err
	}
	if err := s.Call(ctx, performance.CommandGetMetrics, nil, &got); err != nil {
		return all, fmt.Errorf("asking for the main thread's times: %w", err)
	}
	for _, m := range got.Metrics {
		d := time.Duration(m.Value * float64(time.Second))
		switch m.Name {
		case "TaskDuration":
			all[0] += d
		case "LayoutDuration", "RecalcStyleDuration":
			all[1] += d
		}
	}
	return all, nil
}
