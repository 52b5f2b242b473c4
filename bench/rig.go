package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

// noNetwork keeps the browser from looking up any name.
const noNetwork = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// stepTimeout bounds one measurement, or one preparation of it: the whole tree of
// the largest page takes seconds, and twice that on a busy machine.
const stepTimeout = 60 * time.Second

// A rig is one page, open in a tab that is shared, with something pointed at.
type rig struct {
	tab      driver.Tab
	provider *provider.Provider
	stop     func()
	focus    [2]int64 // the backend node ids of #f0 and #f1
	changes  int
}

// newRig opens a page. Accessibility is off, and nobody has read it.
func newRig(ctx context.Context, b *cdp.Browser, html []byte) (r *rig, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	r = &rig{}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.tab, err = driver.Open(ctx, b.Conn, driver.Options{Width: 1280, Height: 800, Scale: 1, Window: true}); err != nil {
		return r, err
	}
	r.provider = provider.New("Chromium")
	if _, err = r.provider.Share(ctx, b.Conn, r.tab.Target); err != nil {
		return r, err
	}
	if r.stop, err = driver.SetHTML(ctx, r.tab.Session, html); err != nil {
		return r, err
	}
	var pointed string
	if err = driver.Value(ctx, r.tab.Session, "change.focus(0)", &pointed); err != nil {
		return r, err
	}
	if !strings.HasPrefix(pointed, "f0 ") || !strings.HasSuffix(pointed, ".") {
		return r, fmt.Errorf("the page has the focus and the selection at %q", pointed)
	}
	for i := range r.focus {
		if r.focus[i], err = r.backend(ctx, fmt.Sprintf("one('f%d')", i)); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *rig) close() error {
	if r.stop != nil {
		r.stop()
	}
	if r.provider != nil {
		r.provider.Close()
	}
	if r.tab.Session == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	return r.tab.Close(ctx)
}

// backend gives the backend node id of what a script gives.
func (r *rig) backend(ctx context.Context, script string) (int64, error) {
	var got struct {
		Result struct {
			ID string `json:"objectId"`
		} `json:"result"`
	}
	if err := r.tab.Session.Call(ctx, runtime.CommandEvaluate, map[string]any{"expression": script}, &got); err != nil {
		return 0, fmt.Errorf("finding %s: %w", script, err)
	}
	var node struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := r.tab.Session.Call(ctx, dom.CommandDescribeNode, map[string]any{"objectId": got.Result.ID}, &node); err != nil {
		return 0, fmt.Errorf("finding %s: %w", script, err)
	}
	return node.Node.Backend, nil
}

// change brings the page into a state to measure, once more.
func (r *rig) change(ctx context.Context, s state) error {
	if s == unchanged || s == cold {
		return nil
	}
	r.changes++
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return driver.Eval(ctx, r.tab.Session, fmt.Sprintf("change.%s(%d)", s, r.changes))
}

// undo takes out what a change put in, so that the page keeps its size.
func (r *rig) undo(ctx context.Context, s state) error {
	if s != rowNew {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return driver.Eval(ctx, r.tab.Session, "change.undo()")
}

// A cost is what one read took and gave.
type cost struct {
	time  time.Duration
	trips int
	bytes int // of the outline, UTF-8; of the JSON of a whole tree
	nodes int // of a whole tree
}

// read measures one read of ours.
func (r *rig) read(ctx context.Context, scope cdp.Scope) (cost, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	begin := time.Now()
	answer, stats, err := r.provider.ElementsStats(ctx, provider.Query{Scope: scope})
	c := cost{time: time.Since(begin), trips: stats.Trips}
	if err != nil {
		return c, fmt.Errorf("a %s read: %w", scope, err)
	}
	var text strings.Builder
	if err := outline.Render(&text, answer, outline.Options{}); err != nil {
		return c, err
	}
	if !pointedAt(answer) {
		return c, fmt.Errorf("a %s read misses what is pointed at:\n%.2000s", scope, text.String())
	}
	c.bytes = text.Len()
	return c, nil
}

// pointedAt tells whether an answer has the selected words and a focused link or
// field: a read without them would be measured for nothing.
func pointedAt(a *elements.Answer) bool {
	selected, focused := false, false
	for e := range a.All() {
		selected = selected || e.Selected
		focused = focused || e.Focused && e.Role.IsText()
	}
	return selected && focused
}

// tree measures the browser's whole accessibility tree, as it arrives, decoded by
// nobody.
func (r *rig) tree(ctx context.Context, s state) (cost, error) {
	var raw jsonv2.Value
	c, err := r.ask(ctx, s, accessibility.CommandGetFullAXTree, nil, &raw)
	if err != nil {
		return c, err
	}
	var got struct {
		Nodes []jsonv2.Value `json:"nodes"`
	}
	if err := jsonv2.Unmarshal(raw, &got, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return c, fmt.Errorf("counting the nodes of the whole tree: %w", err)
	}
	c.nodes, c.bytes = len(got.Nodes), len(raw)
	return c, nil
}

// floor measures the cheapest answer of the accessibility tree after a change: the
// node that has the focus.
func (r *rig) floor(ctx context.Context, s state) (cost, error) {
	at := r.focus[0]
	if s == focusMoved {
		at = r.focus[r.changes%2]
	}
	var raw jsonv2.Value
	return r.ask(ctx, s, accessibility.CommandGetPartialAXTree, map[string]any{"backendNodeId": at, "fetchRelatives": false}, &raw)
}

func (r *rig) ask(ctx context.Context, s state, method string, params any, raw *jsonv2.Value) (cost, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	begin := time.Now()
	if s == cold {
		r.tab.Session.Go(ctx, accessibility.CommandEnable, nil)
	}
	err := r.tab.Session.Call(ctx, method, params, raw)
	return cost{time: time.Since(begin), trips: 1, bytes: len(*raw)}, err
}
