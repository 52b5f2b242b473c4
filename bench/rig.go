package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/webarea/webarea/bench/installation"
	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

// stepTimeout bounds one measurement, or one preparation of it: the whole tree of the
// largest page takes many seconds, and twice that on a busy machine.
const stepTimeout = 90 * time.Second

// A state is what happened to a page since it was last read.
type state string

// The states. All but cold and unchanged are functions of the page's script.
const (
	unchanged  state = "unchanged"
	textNew    state = "text"
	attributed state = "attribute"
	focusMoved state = "focus"
	rowNew     state = "insert"
	laidOut    state = "relayout"
	// cold is a page that has just loaded and that nobody has read yet, with
	// accessibility off.
	cold state = "cold"
)

// states are all, cold the last.
var states = []state{unchanged, textNew, attributed, focusMoved, rowNew, laidOut, cold}

// What is measured of a page: the browser's whole accessibility tree, the node of it that
// has the focus, and what agents ask for.
const (
	rawWhat      = "raw"
	floorWhat    = "floor"
	pointingWhat = string(cdp.ScopePointing)
	visibleWhat  = string(cdp.ScopeVisible)
	pageWhat     = string(cdp.ScopePage)
	windowWhat   = "window"
)

// A rig is one open page, with something pointed at.
type rig struct {
	tab     tab
	focus   [2]int64 // the backend node ids of what can have the focus
	at      int      // which of them has it
	frames  []string // those whose trees the browser gives together
	changes int
}

// newRig opens a page of ours, points at something, and leaves it unread.
func newRig(ctx context.Context, w way, address string) (r *rig, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	r = &rig{}
	if r.tab, err = w.open(ctx, address); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.tab.close())
		}
	}()
	var pointed bool
	if err = driver.Value(ctx, r.tab.page(), "change.focus(0)", &pointed); err != nil {
		return nil, err
	}
	if !pointed {
		return nil, errors.New("the page did not take the focus and the selection")
	}
	for i := range r.focus {
		if r.focus[i], err = r.backend(ctx, fmt.Sprintf("one('f%d')", i)); err != nil {
			return nil, err
		}
	}
	return r, r.findFrames(ctx)
}

// backend gives the backend node id of what a script gives.
func (r *rig) backend(ctx context.Context, script string) (int64, error) {
	var got struct {
		Result struct {
			ID string `json:"objectId"`
		} `json:"result"`
	}
	if err := r.tab.page().Call(ctx, runtime.CommandEvaluate, map[string]any{"expression": script}, &got); err != nil {
		return 0, fmt.Errorf("finding %s: %w", script, err)
	}
	var node struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := r.tab.page().Call(ctx, dom.CommandDescribeNode, map[string]any{"objectId": got.Result.ID}, &node); err != nil {
		return 0, fmt.Errorf("finding %s: %w", script, err)
	}
	return node.Node.Backend, nil
}

// findFrames lists the page's frames, but for those in other processes.
func (r *rig) findFrames(ctx context.Context) error {
	type frameTree struct {
		Frame struct {
			ID string `json:"id"`
		} `json:"frame"`
		Children []*frameTree `json:"childFrames"`
	}
	var got struct {
		Tree *frameTree `json:"frameTree"`
	}
	if err := r.tab.page().Call(ctx, page.CommandGetFrameTree, nil, &got); err != nil {
		return fmt.Errorf("listing the frames: %w", err)
	}
	var walk func(*frameTree)
	walk = func(f *frameTree) {
		r.frames = append(r.frames, f.Frame.ID)
		for _, child := range f.Children {
			walk(child)
		}
	}
	walk(got.Tree)
	return nil
}

func (r *rig) close() error { return r.tab.close() }

// change brings the page into a state to measure, once more.
func (r *rig) change(ctx context.Context, s state) error {
	if s == unchanged || s == cold {
		return nil
	}
	r.changes++
	n := r.changes
	if s == focusMoved {
		r.at = 1 - r.at
		n = r.at
	}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return driver.Eval(ctx, r.tab.page(), fmt.Sprintf("change.%s(%d)", s, n))
}

// undo takes out what a change put in, so that the page keeps its size.
func (r *rig) undo(ctx context.Context, s state) error {
	if s != rowNew {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return driver.Eval(ctx, r.tab.page(), "change.undo()")
}

// measure measures something once.
func (r *rig) measure(ctx context.Context, what string, s state) (cost, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	switch what {
	case rawWhat:
		return r.tree(ctx, s)
	case floorWhat:
		return r.floor(ctx, s)
	case windowWhat:
		return r.window(ctx)
	}
	return r.read(ctx, cdp.Scope(what))
}

// read measures one read of elements.
func (r *rig) read(ctx context.Context, scope cdp.Scope) (cost, error) {
	text, c, err := r.tab.elements(ctx, scope)
	if err != nil {
		return c, fmt.Errorf("a %s read: %w", scope, err)
	}
	answer, err := outline.Parse(strings.NewReader(text))
	if err != nil {
		return c, fmt.Errorf("the outline of a %s read: %w", scope, err)
	}
	if !pointedAt(answer) {
		c.flaw = "misses what is pointed at"
	}
	return c, nil
}

// pointedAt tells whether an answer has the selected words and something below the
// document that has the focus.
func pointedAt(a *elements.Answer) bool {
	selected, focused := false, false
	for e := range a.All() {
		selected = selected || e.Selected
		focused = focused || e.Focused && e.Role != elements.Window && e.Role != elements.Document && e.Role != elements.Application
	}
	return selected && focused
}

// window measures the state of the window, and holds it to the links on screen.
func (r *rig) window(ctx context.Context) (cost, error) {
	s, c, err := r.tab.window(ctx)
	if err != nil {
		return c, fmt.Errorf("the state of the window: %w", err)
	}
	var links []string
	if err := driver.Value(ctx, r.tab.page(), "linksOnScreen()", &links); err != nil {
		return c, err
	}
	if s.Tree == nil {
		c.flaw, c.useless = "has no tree: "+s.Degraded+" "+s.Detail, true
		return c, nil
	}
	c.cut = s.Reason == provider.TruncatedNodes || s.Reason == provider.TruncatedDepth
	c.nodes = 0
	if lost := missing(s, links); len(lost) > 0 {
		c.flaw = fmt.Sprintf("misses %d of %d links on screen (%s)", len(lost), len(links), or(s.Reason, "not truncated"))
		c.useless = len(lost) == len(links)
	}
	return c, nil
}

// missing gives those of the links that a state does not tell of, with frame and token.
func missing(s *provider.State, links []string) []string {
	told := map[string]bool{}
	for _, row := range s.Elements {
		if row.Frame != nil && row.Token != "" && row.Role == "link" {
			told[row.Label] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(links), func(l string) bool { return told[l] })
}

// tree measures the browser's whole accessibility tree, of all frames together, as it
// arrives, decoded by nobody.
func (r *rig) tree(ctx context.Context, s state) (cost, error) {
	var calls []installation.Call
	if s == cold {
		calls = append(calls, enable)
	}
	for _, f := range r.frames {
		calls = append(calls, installation.Call{Method: accessibility.CommandGetFullAXTree, Params: map[string]any{"frameId": f}})
	}
	c, err := r.tab.raw(ctx, calls...)
	if err != nil {
		return c, fmt.Errorf("the browser's tree: %w", err)
	}
	return c, nil
}

var enable = installation.Call{Method: accessibility.CommandEnable}

// floor measures the cheapest answer of the accessibility tree after a change: the node
// that has the focus.
func (r *rig) floor(ctx context.Context, s state) (cost, error) {
	calls := []installation.Call{{Method: accessibility.CommandGetPartialAXTree, Params: map[string]any{"backendNodeId": r.focus[r.at], "fetchRelatives": false}}}
	if s == cold {
		calls = append([]installation.Call{enable}, calls...)
	}
	c, err := r.tab.raw(ctx, calls...)
	c.nodes = 0
	if err != nil {
		return c, fmt.Errorf("the browser's focused node: %w", err)
	}
	return c, nil
}

// settle has the accessibility tree brought up to date, and left on, so that what a
// measurement before left undone is not the next one's to pay.
func (r *rig) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	if _, err := r.tab.raw(ctx, enable); err != nil {
		return fmt.Errorf("switching accessibility on: %w", err)
	}
	_, err := r.floor(ctx, unchanged)
	return err
}
