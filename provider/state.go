package provider

import (
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/tree"
)

// CodeNothing is the code of a question about a window that asks for nothing.
const CodeNothing Code = "nothing_to_return"

// Why a window is told without its tree, in State.DegradedReason.
const (
	DegradedLaunching  = "ax_app_launching"     // its tab could not be attached to in time
	DegradedUnresolved = "ax_window_unresolved" // its tab's tree is out of reach
	DegradedEmpty      = "ax_tree_empty"        // there is nothing in it
)

// The words for why a tree stops early.
const (
	TruncatedNodes        = "node_budget"
	TruncatedTime         = "timeout"
	TruncatedDepth        = "depth_limit"
	TruncatedLookup       = "app_lookup_timeout"
	TruncatedUnresponsive = "page_unresponsive"
)

// What is told of a page besides the problems of its tab, in State.DegradedDetail.
const (
	DetailLoading = "page_loading"
	DetailChanged = "page_changed" // it went to another document while it was read, twice
)

// stateKeeping is what a provider remembers for the window state tools, each part
// guarded by itself.
type stateKeeping struct {
	browsers  browsers
	snapshots snapshots
	captures  captures
	closing   sync.WaitGroup // watches that end, of pages that may not answer
}

// A StateQuery asks for the state of a window.
type StateQuery struct {
	WindowAddress
	Tree        bool
	MaxElements int // nodes walked; 0: no bound
	MaxDepth    int // levels of rows; 0: no bound
	Timeout     time.Duration
	InOrder     bool   // the budget is spent in the order of the document
	Query       string // only rows that have these words, and those that they are in
	Picture     bool
	// Most is the long edge of the picture, pixels; 0: as it is.
	Most int
}

// A State is a tab's page as it was at one moment, as rows and as a picture.
type State struct {
	SnapshotID   string   `json:"snapshot_id,omitempty"`
	Invalidated  []string `json:"invalidated_snapshot_ids,omitempty"`
	PID          int64    `json:"pid"`
	WindowID     int64    `json:"window_id"`
	TabID        string   `json:"tab_id"`
	AppName      string   `json:"app_name"`
	WindowTitle  string   `json:"window_title"`
	WindowBounds *Rect    `json:"window_bounds"`
	Viewport     *View    `json:"viewport,omitempty"`

	*Tree
	Degraded    string       `json:"degraded_reason,omitempty"`
	Detail      string       `json:"degraded_detail,omitempty"`
	Unreachable []string     `json:"unreachable_frames,omitempty"`
	Dialog      *StateDialog `json:"dialog,omitempty"`
	*Screenshot
	PictureError *PictureError `json:"screenshot_error,omitempty"`

	// PNG is the picture, nil where there is none.
	PNG []byte `json:"-"`
	// Told says what may not be said in one line of it.
	told *forest
}

// A Tree is what is told of a window's accessibility tree.
type Tree struct {
	ElementCount  int            `json:"element_count"`
	FilteredCount *int           `json:"filtered_element_count,omitempty"`
	Markdown      string         `json:"tree_markdown"`
	Elements      []StateElement `json:"elements"`
	Truncated     bool           `json:"truncated"`
	Reason        string         `json:"truncation_reason,omitempty"`
	Visited       int            `json:"nodes_visited"`
	Pending       *int           `json:"nodes_pending"` // nil: not known
	ElapsedMS     int64          `json:"walk_elapsed_ms"`
	Complete      bool           `json:"elements_complete"`
}

// A StateElement is an indexed row.
type StateElement struct {
	Index       int      `json:"element_index"`
	Token       string   `json:"element_token"`
	ElementID   string   `json:"element_id"`
	Role        string   `json:"role"`
	Subrole     string   `json:"subrole,omitempty"`
	Label       string   `json:"label,omitempty"`
	Value       string   `json:"value,omitempty"`
	Description string   `json:"description,omitempty"`
	States      *States  `json:"states,omitempty"`
	Actions     []string `json:"actions,omitempty"`
	Frame       *Box     `json:"frame,omitempty"` // CSS px of the tab's viewport
	Pictured    *Box     `json:"screenshot_frame,omitempty"`
	Visible     bool     `json:"visible"`
	HiddenBy    string   `json:"hidden_by,omitempty"` // covered or clipped
	URL         string   `json:"url,omitempty"`
	ParentIndex *int     `json:"parent_index,omitempty"`
	Depth       int      `json:"depth"`
}

// A Box is a rectangle.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// A View is what boxes are measured in; see Viewport.
type View struct {
	Width            float64  `json:"width"`
	Height           float64  `json:"height"`
	DevicePixelRatio float64  `json:"device_pixel_ratio"`
	PageZoom         float64  `json:"page_zoom"`
	VisualScale      float64  `json:"visual_scale"`
	ScrollX          float64  `json:"scroll_x"`
	ScrollY          float64  `json:"scroll_y"`
	ScreenX          *float64 `json:"screen_x"`
	ScreenY          *float64 `json:"screen_y"`
	ScreenExact      bool     `json:"screen_exact"`
}

// A StateDialog is a JavaScript dialog that keeps a page from answering.
type StateDialog struct {
	Type string `json:"type"`
	Text string `json:"text"`
	URL  string `json:"url"`
}

const (
	// stateGrace is how much later than its time an answer may come, with what is left
	// to do once the time is over; answers promise half a second.
	stateGrace = 300 * time.Millisecond

	// scriptPart is the part of the time that the page's script may take for one
	// document.
	scriptPart = 0.45
)

// State tells of a window, and makes what it tells of its tree the snapshot of its
// tab, if nothing kept it from being told. The error is an *Error.
func (p *Provider) State(ctx context.Context, q StateQuery) (*State, error) {
	if !q.Tree && !q.Picture {
		return nil, failure(CodeNothing, nil, "ask for the tree or for the picture", "neither the accessibility tree nor a screenshot was asked for")
	}
	begun := time.Now()
	ctx, cancel := context.WithDeadline(ctx, begun.Add(q.Timeout+stateGrace))
	defer cancel()
	walk, stop := context.WithDeadline(ctx, begun.Add(q.Timeout))
	defer stop()
	ahead := p.lookAhead(walk, q)
	defer ahead.end()
	at, err := p.tabAt(ctx, q.WindowAddress)
	if err != nil {
		return nil, err
	}
	at.tab = p.attached(walk, at.tab)
	s := &State{PID: at.browser.PID, WindowID: at.window, TabID: p.TabID(at.tab), AppName: at.browser.Name, WindowBounds: at.bounds}
	shot := p.beginPicture(ctx, at.tab, q)
	seen := ahead.of(at.tab)
	if seen == nil {
		seen = at.tab.look(walk, q)
	}
	p.tell(ctx, s, at, seen, q, begun)
	shot.into(s)
	if !p.isShared(at.tab) {
		if s.Screenshot != nil {
			p.captures.drop(func(c *capture) bool { return c.id == s.CaptureID })
		}
		return nil, notShared()
	}
	if s.told != nil {
		p.publish(at, seen, s)
	}
	s.finish(q)
	return s, nil
}

// attachLook is how often it is looked whether a tab has been attached to. It asks
// nobody: being told of it would have every shared page listen meanwhile.
const attachLook = 20 * time.Millisecond

// attached gives a tab once its page can be read, waiting for one that is being
// attached to for as long as ctx lasts.
func (p *Provider) attached(ctx context.Context, t *Tab) *Tab {
	look := time.NewTicker(attachLook)
	defer look.Stop()
	for {
		if at, _ := t.at(); t.Page != nil || at.Problem != ProblemAttaching {
			return t
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return t
		}
		for _, other := range p.shared() {
			if other.name == t.name {
				t = other
			}
		}
	}
}

// seen is what was read of a tab.
type seen struct {
	reading *cdp.Reading
	err     error
	view    *cdp.Viewport
	moved   bool
}

// look reads a tab: its rows, if they are asked for, and what it is seen through.
func (t *Tab) look(ctx context.Context, q StateQuery) *seen {
	s := &seen{}
	t.mu.Lock()
	script := t.script
	t.mu.Unlock()
	opts := cdp.ReadOptions{Scope: cdp.ScopeRows, Records: q.MaxElements, Time: time.Duration(scriptPart * float64(q.Timeout)), InOrder: q.InOrder}
	if t.Page == nil {
		if script != nil && q.Tree {
			s.reading, s.err = script.Read(ctx, opts)
		}
		return s
	}
	if q.Tree {
		opts.View = true
		moves := t.Page.Moves()
		s.reading, s.err = t.Page.Read(ctx, opts)
		// A reading that met one is taken again.
		s.moved = t.Page.Moves() > moves+1
		if s.reading != nil {
			s.view = s.reading.View
		}
	} else if view, err := t.Page.View(ctx); err == nil {
		s.view = view
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.view == nil {
		s.view = t.lastView
	} else {
		t.lastView = s.view
	}
	if s.reading != nil {
		t.keys = map[string]bool{}
		for _, d := range s.reading.Documents {
			t.keys[d.Key] = true
		}
	}
	return s
}

// tell says what was read.
func (p *Provider) tell(ctx context.Context, s *State, at *spotted, seen *seen, q StateQuery, begun time.Time) {
	t := at.tab
	if seen.view != nil {
		v := View(t.viewport(seen.view))
		s.Viewport = &v
		if s.WindowBounds == nil && seen.view.OuterWidth > 0 {
			s.WindowBounds = &Rect{seen.view.ScreenX, seen.view.ScreenY, seen.view.OuterWidth, seen.view.OuterHeight}
		}
	}
	s.WindowTitle = p.titleOf(ctx, t, seen)
	if !q.Tree {
		return
	}
	s.Tree = &Tree{Elements: []StateElement{}}
	defer func() { s.ElapsedMS = time.Since(begun).Milliseconds() }()
	place, _ := t.at()
	if seen.reading == nil {
		p.tellUnread(s, t, place.Problem, seen.err)
		return
	}
	f := grow(seen.reading, growth{most: q.MaxElements, inOrder: q.InOrder, words: maxWords})
	f.limit(q.MaxDepth)
	s.Visited, s.Pending, s.Complete = f.visited, f.pending, f.whole
	s.Unreachable = f.unreached
	switch f.cut {
	case "records":
		s.Truncated, s.Reason = true, TruncatedNodes
	case "time":
		s.Truncated, s.Reason = true, TruncatedTime
	case "depth":
		s.Truncated, s.Reason = true, TruncatedDepth
	}
	main := seen.reading.Documents[0]
	switch {
	case place.Problem != "":
		s.Detail = place.Problem
	case seen.moved:
		s.Detail, s.Complete = DetailChanged, false
	case f.pdf:
		s.Detail = ProblemPDF
	case len(f.unreached) > 0:
		s.Detail = ProblemUnreachable
	case main.Facts.State == "loading":
		s.Detail, s.Complete = DetailLoading, false
	case main.Facts.State != "complete":
		s.Detail = DetailLoading
	}
	if len(f.rows) <= 1 && f.cut == "" {
		s.Degraded = DegradedEmpty
	}
	s.told = f
}

// tellUnread says why there is no tree.
func (p *Provider) tellUnread(s *State, t *Tab, problem string, err error) {
	s.Degraded = DegradedUnresolved
	switch {
	case errors.Is(err, cdp.ErrDialog):
		s.Detail = ProblemDialog
		if d := t.Page.Dialog(); d != nil {
			s.Dialog = &StateDialog{Type: d.Type, Text: clip(d.Message, maxWords), URL: clip(d.URL, maxWords)}
		}
	case errors.Is(err, cdp.ErrCrashed):
		s.Detail = ProblemCrashed
	case problem == ProblemAttaching:
		s.Degraded, s.Detail, s.Truncated, s.Reason = DegradedLaunching, problem, true, TruncatedLookup
	case problem != "":
		s.Detail = problem
	case errors.Is(err, cdp.ErrUnresponsive):
		s.Detail, s.Truncated, s.Reason = ProblemUnresponsive, true, TruncatedUnresponsive
	case err != nil && (isGone(err) || isOver(err)):
		s.Detail = ProblemUnreachableTab
	default:
		s.Detail = ProblemUnread
	}
}

// titleOf gives the title of a tab without its secrets.
func (p *Provider) titleOf(ctx context.Context, t *Tab, seen *seen) string {
	if seen.reading != nil {
		g := &grower{redactor: redactorFor(seen.reading), most: maxWords}
		f := &seen.reading.Documents[0].Facts
		title := g.words(f.Title, false)
		t.mu.Lock()
		t.told = &told{title: title, url: g.redactor.Address(f.URL), ofTitle: sha256.Sum256([]byte(f.Title)), ofURL: sha256.Sum256([]byte(f.URL))}
		t.mu.Unlock()
		return title
	}
	if t.Page != nil && seen.err == nil {
		if title, ok := t.captioned(ctx); ok {
			return title
		}
	}
	if at, told := t.at(); told {
		title, _ := t.disguise(at.Title, at.URL)
		return title
	}
	if t.Page == nil || t.conn.RootIsPage() {
		return ""
	}
	title, _, _ := t.label(ctx)
	return title
}

// captioned asks a page for its title, without its secrets.
func (t *Tab) captioned(ctx context.Context) (string, bool) {
	c, err := t.Page.Caption(ctx)
	if err != nil {
		return "", false
	}
	g := &grower{redactor: redactorOf(c.Secrets), most: maxWords}
	return g.words(c.Title, false), true
}

// finish writes the rows of a state, those that were asked for.
func (s *State) finish(q StateQuery) {
	f := s.told
	if f == nil {
		return
	}
	indices := tree.Indices(f.rows)
	lines := tree.Lines(f.rows, indices)
	above, depths := tree.Above(f.rows, indices), tree.Depths(f.rows)
	for _, i := range indices {
		s.ElementCount = max(s.ElementCount, i+1)
	}
	keep := make([]bool, len(f.rows))
	for i := range keep {
		keep[i] = true
	}
	if q.Query != "" {
		keep = tree.Matching(f.rows, lines, q.Query)
	}
	for i := range f.rows {
		if keep[i] && indices[i] >= 0 {
			s.Elements = append(s.Elements, s.element(i, indices[i], above[i], depths[i]))
		}
	}
	if q.Query != "" {
		n := len(s.Elements)
		s.FilteredCount = &n
	}
	kept, places := tree.Prune(f.rows, keep)
	some := make([]string, len(kept))
	for now, was := range places {
		some[now] = lines[was]
	}
	s.Markdown = tree.Markdown(kept, some)
}

func (s *State) element(i, index, above, depth int) StateElement {
	r, d := &s.told.rows[i], &s.told.details[i]
	e := StateElement{
		Index: index, Token: token(s.SnapshotID, index), ElementID: d.id, Role: r.Role, Subrole: d.subrole, Label: r.Name, Value: r.Value,
		Description: r.Description, Actions: r.Actions, Visible: d.visible, HiddenBy: d.unseen, URL: d.url, Depth: depth,
	}
	if d.states != (States{}) {
		e.States = &d.states
	}
	if above >= 0 {
		e.ParentIndex = &above
	}
	if d.frame != nil {
		e.Frame = boxOf(*d.frame)
		if s.Screenshot != nil {
			e.Pictured = s.pictured(*d.frame)
		}
	}
	return e
}

// boxOf gives a rectangle in hundredths of a pixel, as far as anybody can use it.
func boxOf(r cdp.Rect) *Box {
	round := func(f float64) float64 { return math.Round(f*100) / 100 }
	return &Box{round(r.X), round(r.Y), round(r.Width), round(r.Height)}
}
