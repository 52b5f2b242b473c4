package provider

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/mapper"
)

// A Scope is how much of the shared tabs is asked about; see the scopes of cdp.
type Scope = cdp.Scope

// The scopes: what is pointed at; what is on screen too; all of it.
const (
	Pointing = cdp.ScopePointing
	Visible  = cdp.ScopeVisible
	Page     = cdp.ScopePage
)

// A Query is one question for elements.
type Query struct {
	Scope Scope  // pointing where empty
	ID    string // one element and what is in it, instead of a scope
	Tab   *Tab   // nothing but this tab is asked and told of; nil: all that are shared
	App   string // the name of the browser that Tab is in, where it is not that of the provider
	// Limits; 0 is none. A pointing read keeps its own besides.
	MaxElements int
	MaxDepth    int // levels below the Application
	MaxText     int // bytes of text blocks
	// Pictures sends thumbnails of what is pointed at and is a picture.
	Pictures bool
	// Links sends addresses (webarea://INSTANCE/elements/ID/text and /image) for what
	// is cut or small, where somebody can open them. Of a selection in very many
	// elements less is told then.
	Links bool
}

// Stats tell what an answer cost.
type Stats struct {
	Trips int // dependent round trips, of the tab that took the most
}

// Elements answers about the shared tabs as they are now. A tab that cannot be
// read is told with its problem; the error is an *Error, for what makes an answer
// impossible.
func (p *Provider) Elements(ctx context.Context, q Query) (*elements.Answer, error) {
	a, _, err := p.ElementsStats(ctx, q)
	return a, err
}

// ElementsStats is Elements with what it cost.
func (p *Provider) ElementsStats(ctx context.Context, q Query) (*elements.Answer, Stats, error) {
	var stats Stats
	opts, mopts, err := p.plan(ctx, q)
	if err != nil {
		return nil, stats, err
	}
	states := readAll(ctx, p.asked(q), opts, p.holder(q.ID))
	if q.Pictures || q.Links {
		mopts.Picture = func(mapper.Picture) {}
	}
	if q.Links {
		mopts.Link = p.link
	}
	for {
		kept, err := p.keep(ctx, states)
		if err != nil {
			return nil, stats, err
		}
		for _, s := range kept {
			if s.reading != nil {
				stats.Trips = max(stats.Trips, s.reading.Trips)
			}
		}
		root := p.mapped(ctx, q, kept, mopts)
		// Pictures take their time: what was unshared meanwhile is not told.
		if !p.areShared(kept) {
			states = kept
			continue
		}
		p.remember(root, kept)
		if q.ID != "" && !found(root, q.ID) {
			return nil, stats, p.lost(q.ID)
		}
		p.ids.forget(p.lives)
		return &elements.Answer{Protocol: elements.Version, Instance: p.instance, Root: root}, stats, nil
	}
}

// asked gives the tabs that a query is about.
func (p *Provider) asked(q Query) []*Tab {
	if q.Tab != nil {
		return []*Tab{q.Tab}
	}
	return p.shared()
}

// holder tells of the tabs whether the element with an id is in one of them; it is nil
// where all may hold it, or what is around it.
func (p *Provider) holder(id string) func(*Tab) bool {
	key, ok := p.ids.key(id)
	if !ok {
		return nil
	}
	doc, _, _ := strings.Cut(key, "#")
	holds := func(t *Tab) bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.keys[doc] || t.key() == key
	}
	if !slices.ContainsFunc(p.shared(), holds) {
		return nil
	}
	return holds
}

// keep leaves those of the tabs read that an answer tells of.
func (p *Provider) keep(ctx context.Context, states []*tabState) ([]*tabState, error) {
	var kept []*tabState
	for _, s := range states {
		if isOver(s.err) {
			return nil, failure(CodeBrowserGone, s.err, "start it again", "the browser has ended")
		}
		if isGone(s.err) || !p.isShared(s.tab) {
			continue
		}
		if s.err != nil && ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
			return nil, failure(CodeFailed, s.err, "", "the question was withdrawn")
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// areShared tells whether all of the tabs read are shared still.
func (p *Provider) areShared(states []*tabState) bool {
	for _, s := range states {
		if !p.isShared(s.tab) {
			return false
		}
	}
	return true
}

// mapped makes the answer's elements, with their pictures.
func (p *Provider) mapped(ctx context.Context, q Query, kept []*tabState, mopts mapper.Options) *elements.Element {
	var pictures []mapper.Picture
	if mopts.Picture != nil {
		mopts.Picture = func(pic mapper.Picture) { pictures = append(pictures, pic) }
	}
	reading := p.assemble(kept)
	if q.App != "" {
		reading.App = q.App
	}
	root := mapper.Map(reading, mopts)
	if q.Pictures && len(pictures) > 0 {
		p.addThumbnails(ctx, kept, pictures)
	}
	if q.Links {
		for _, pic := range pictures {
			p.linkPicture(pic.Element)
		}
	}
	return root
}

func found(root *elements.Element, id string) bool {
	a := elements.Answer{Root: root}
	return a.Find(id) != nil
}

// scriptShare is the part of the time left that a page's script may take for one
// document; the rest is for the accessibility tree and the way.
const scriptShare = 0.6

// plan turns a question into what is read and what is said.
func (p *Provider) plan(ctx context.Context, q Query) (cdp.ReadOptions, mapper.Options, error) {
	o := cdp.ReadOptions{Scope: q.Scope}
	m := mapper.Options{MaxElements: q.MaxElements, MaxDepth: q.MaxDepth, MaxText: q.MaxText, ID: p.ids.id}
	switch q.Scope {
	case "", cdp.ScopePointing:
		o.Scope, m.Scope = cdp.ScopePointing, mapper.Pointing
	case cdp.ScopeVisible:
		m.Scope = mapper.Visible
	case cdp.ScopePage:
		m.Scope = mapper.Page
	default:
		return o, m, failure(CodeInvalid, nil, "use pointing, visible or page", "there is no scope %q", q.Scope)
	}
	if end, ok := ctx.Deadline(); ok {
		o.Time = time.Duration(float64(time.Until(end)) * scriptShare)
	}
	if q.MaxElements > 0 {
		o.Records = recordsFor(q.MaxElements)
	}
	if q.MaxText > 0 {
		o.Text = q.MaxText
	}
	if q.Links && o.Scope == cdp.ScopePointing {
		o.SelectionElements = selectionElements
	}
	if q.ID == "" {
		return o, m, nil
	}
	key, ok := p.ids.key(q.ID)
	if !ok {
		if p.ids.minted(q.ID) {
			return o, m, gone(q.ID)
		}
		return o, m, failure(CodeUnknownID, nil, "use an id from an answer of this run", "no element has the id %q", q.ID)
	}
	if strings.HasPrefix(key, "t:") || strings.Contains(key, "/") {
		if e := p.lost(q.ID); e.Code == CodeNotShared {
			return o, m, e
		}
	}
	o.Scope, m.Scope, m.Target = cdp.ScopePointing, mapper.One, key
	o.Subtree = o.Records
	o.Records = 0
	doc, node, isNode := strings.Cut(key, "#")
	if n, err := strconv.ParseInt(strings.TrimLeft(node, "t"), 10, 64); isNode && err == nil {
		o.Document, o.Target = doc, n
	} else if !isNode {
		o.Scope = cdp.ScopePage
		o.Records = o.Subtree
	} else if strings.HasPrefix(node, "s") {
		// A selection that is asked for is told whole.
		o.Selection, o.SelectionElements = cmp.Or(q.MaxText, allWords), 0
	}
	return o, m, nil
}

// selectionElements is in how many elements words are told of a selection, of whoever can
// open a link to the rest: each costs the page 3 µs, so that all of a large table takes
// several times as long as everything else that is pointed at. It is some pages of an
// article, or what is on screen of a table.
const selectionElements = 500

// recordsFor is how many records of a page make that many elements, as a rule:
// about half are pieces of text, and some are hoisted.
func recordsFor(elements int) int { return 6*elements + 200 }

// tabState is one tab as it was read.
type tabState struct {
	tab *Tab
	taken
	err     error
	problem string
	dialog  *cdp.Dialog
	window  int64
	state   string
	order   int64 // of the window, where it is told: higher had the focus later
	index   int   // in the window, where it is told
	active  bool
	focus   bool
	title   string
	url     string
}

// read reads a tab: its page, and beside that where its window is.
func (t *Tab) read(ctx context.Context, opts cdp.ReadOptions) *tabState {
	s := &tabState{tab: t}
	defer t.placed(s)
	if t.Page == nil {
		t.readByScript(ctx, opts, s)
		return s
	}
	where := t.whereabouts(ctx)
	s.taken, s.err = t.readings.get(ctx, opts)
	t.mu.Lock()
	s.active = t.active
	t.mu.Unlock()
	switch {
	case s.err == nil:
		f := s.reading.Documents[0].Facts
		s.active, s.focus, s.title, s.url = f.Visible, f.HasFocus, f.Title, f.URL
	case errors.Is(s.err, cdp.ErrDialog):
		s.dialog = t.Page.Dialog()
		s.err, s.problem = nil, ProblemDialog
		t.ask(ctx, s)
	case errors.Is(s.err, cdp.ErrCrashed):
		s.err, s.problem = nil, ProblemCrashed
		t.ask(ctx, s)
	case errors.Is(s.err, cdp.ErrUnresponsive):
		s.err, s.problem = nil, ProblemUnresponsive
		t.ask(ctx, s)
	case !isGone(s.err) && !errors.Is(s.err, cdp.ErrBrowserGone) && ctx.Err() == nil:
		s.err, s.problem = nil, ProblemUnread
		t.ask(ctx, s)
	}
	s.window, s.state = where(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active, t.window, t.state = s.active, s.window, s.state
	if s.reading != nil {
		t.keys = map[string]bool{}
		for _, d := range s.reading.Documents {
			t.keys[d.Key] = true
		}
	}
	return s
}

// browserTimeout bounds what is asked of the browser itself, which answers at once
// even where a page does not.
const browserTimeout = 2 * time.Second

// whereabouts asks for the tab's window and gives what waits for the answer.
func (t *Tab) whereabouts(ctx context.Context) func(context.Context) (int64, string) {
	t.mu.Lock()
	window, state := t.window, t.state
	t.mu.Unlock()
	if t.conn.RootIsPage() {
		return func(context.Context) (int64, string) { return window, state }
	}
	call := t.conn.Browser().Go(ctx, cdpbrowser.CommandGetWindowForTarget, map[string]any{"targetId": t.Page.Target})
	return func(ctx context.Context) (int64, string) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), browserTimeout)
		defer cancel()
		var got struct {
			ID     int64 `json:"windowId"`
			Bounds struct {
				State string `json:"windowState"`
			} `json:"bounds"`
		}
		if call.Wait(ctx, &got) != nil {
			return window, state
		}
		return got.ID, got.Bounds.State
	}
}

// ask has the browser tell what a page that does not answer cannot.
func (t *Tab) ask(ctx context.Context, s *tabState) {
	if t.conn.RootIsPage() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), browserTimeout)
	defer cancel()
	var got target.GetTargetInfoResult
	err := t.conn.Browser().Call(ctx, target.CommandGetTargetInfo, map[string]any{"targetId": t.Page.Target}, &got)
	if err == nil && got.TargetInfo != nil {
		s.title, s.url = t.disguise(got.TargetInfo.Title, got.TargetInfo.URL)
	}
}

// windowKey names a window of the one browser whose extension tells where its tabs are.
func windowKey(window int64) string { return "w:" + strconv.FormatInt(window, 10) }

// windowKey names a window that a tab is in.
func (t *Tab) windowKey(window int64) string {
	if t.conn == nil || t.conn.RootIsPage() {
		return windowKey(window)
	}
	return windowKey(window) + "@" + strconv.FormatInt(t.conn.Serial(), 10)
}

// assemble gives the mapper's reading of all tabs: by window, the tabs in the order in
// which they are in it, where that is told, else in that in which they were shared.
func (p *Provider) assemble(states []*tabState) *mapper.Reading {
	r := &mapper.Reading{}
	windows := map[int64]*mapper.Window{}
	var order []int64
	focused, latest := int64(-1), int64(-1)
	p.mu.Lock()
	last := p.lastWindow
	r.App = p.app
	p.mu.Unlock()
	states = slices.Clone(states)
	sort.SliceStable(states, func(i, j int) bool { return states[i].index < states[j].index })
	for _, s := range states {
		w := windows[s.window]
		if w == nil {
			w = &mapper.Window{Key: s.tab.windowKey(s.window), Minimized: s.state == stateMinimized}
			windows[s.window] = w
			order = append(order, s.window)
		}
		t := &mapper.Tab{Key: s.tab.key(), Title: s.title, URL: s.url, Active: s.active, Problem: s.problem}
		if t.Title == "" && s.problem == "" {
			t.Title = s.url
		}
		if s.dialog != nil {
			t.Problem = ""
			t.Dialog = &mapper.Dialog{Type: s.dialog.Type, Message: s.dialog.Message, URL: s.dialog.URL}
		}
		if s.reading != nil {
			t.Document = s.document
			r.OmittedFrames += s.reading.OmittedFrames
		}
		if t.Document != nil && s.problem == ProblemPDF {
			t.Document = pdf(t.Document, s)
		}
		w.Tabs = append(w.Tabs, t)
		switch {
		case s.order > 0 && s.order > latest:
			focused, latest = s.window, s.order
		case s.order == 0 && latest < 0 && s.focus && s.active:
			focused = s.window
		}
	}
	if focused < 0 {
		focused = last
		if windows[focused] == nil && len(order) > 0 {
			focused = order[len(order)-1]
		}
	}
	p.mu.Lock()
	p.lastWindow = focused
	p.mu.Unlock()
	sort.SliceStable(order, func(i, j int) bool { return order[i] < order[j] })
	for _, id := range order {
		w := windows[id]
		w.Focused = id == focused
		oneActive(w)
		r.Windows = append(r.Windows, w)
	}
	return r
}

// oneActive leaves one active tab in a window. A browser without a screen shows
// every tab; the one opened last is then in front.
func oneActive(w *mapper.Window) {
	front := -1
	for i, t := range w.Tabs {
		if t.Active {
			front = i
		}
	}
	for i, t := range w.Tabs {
		t.Active = i == front
	}
}

// lives tells whether a key still names something.
func (p *Provider) lives(key string) bool {
	doc, _, _ := strings.Cut(key, "#")
	if !strings.Contains(doc, "/") {
		return true
	}
	for _, t := range p.shared() {
		t.mu.Lock()
		ok := t.keys[doc]
		t.mu.Unlock()
		if ok {
			return true
		}
	}
	return false
}
