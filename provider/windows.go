package provider

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
)

// The codes of questions about a window that there is no answer to.
const (
	CodeWindowNotFound Code = "window_id_not_found"       // no window with a shared tab has the number
	CodeWindowOwner    Code = "window_owner_pid_mismatch" // it is of another process
	CodeTabNotFound    Code = "tab_not_found"             // the tab is shared, and in another window
)

// A Desk is what there is to see: browsers, and their windows that have a shared tab.
type Desk struct {
	Browsers []DeskBrowser `json:"browsers"`
	Windows  []DeskWindow  `json:"windows"`
}

// A DeskBrowser is a browser with a shared tab.
type DeskBrowser struct {
	PID      int64  `json:"pid"`
	PIDLocal bool   `json:"pid_local"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	Instance string `json:"instance"`
}

// A DeskWindow is a browser window with a shared tab.
type DeskWindow struct {
	WindowID int64     `json:"window_id"`
	PID      int64     `json:"pid"`
	AppName  string    `json:"app_name"`
	Title    *string   `json:"title"`   // the active tab's; nil where that is not shared
	Bounds   *Rect     `json:"bounds"`  // px of the screen; nil: not known
	ZIndex   *int      `json:"z_index"` // higher had the focus later; nil: not known
	State    string    `json:"state"`   // normal, minimized, maximized, fullscreen
	OnScreen bool      `json:"is_on_screen"`
	Focused  bool      `json:"focused"`
	Tabs     []DeskTab `json:"tabs"`
}

// A DeskTab is a shared tab.
type DeskTab struct {
	TabID     string `json:"tab_id"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	Active    bool   `json:"active"`
	Pinned    *bool  `json:"pinned"` // nil, here and below: not known
	Audible   *bool  `json:"audible"`
	Loading   *bool  `json:"loading"`
	Discarded bool   `json:"discarded"`
}

// spotted is a shared tab with where it is and what it calls itself.
type spotted struct {
	tab        *Tab
	browser    Browser
	window     int64
	state      string
	bounds     *Rect
	order      int64
	index      int
	active     bool
	focus      bool
	title, url string
	loading    *bool
	problem    string
	facts      TabFacts
	gone       bool
}

// Desk tells of browsers, windows and tabs. No page is read: each is asked at most
// what it calls itself.
func (p *Provider) Desk(ctx context.Context) (*Desk, error) {
	for {
		all, err := p.spot(ctx, true)
		if err != nil {
			return nil, err
		}
		desk := p.desk(all)
		if !slices.ContainsFunc(all, func(s *spotted) bool { return !p.isShared(s.tab) }) {
			return desk, nil
		}
	}
}

// spot finds all shared tabs; captions says that each is asked what it calls itself,
// and whether it is seen.
func (p *Provider) spot(ctx context.Context, captions bool) ([]*spotted, error) {
	tabs := p.shared()
	all := make([]*spotted, len(tabs))
	var wg sync.WaitGroup
	for i, t := range tabs {
		wg.Go(func() { all[i] = p.spotTab(ctx, t, captions) })
	}
	wg.Wait()
	if len(tabs) > 0 && tabs[0].conn != nil && !tabs[0].owned && tabs[0].conn.Err() != nil {
		return nil, failure(CodeBrowserGone, tabs[0].conn.Err(), "start it again", "the browser has ended")
	}
	all = slices.DeleteFunc(all, func(s *spotted) bool { return s.gone || !p.isShared(s.tab) })
	oneInFront(all)
	return all, nil
}

// oneInFront leaves one active tab in a window that its browser does not tell of: a
// browser without a screen shows every tab, and the one opened last is then in front.
func oneInFront(all []*spotted) {
	front := map[int64]*spotted{}
	for _, s := range all {
		if !s.active {
			continue
		}
		if other := front[s.window]; other != nil {
			other.active = false
		}
		front[s.window] = s
	}
}

func (p *Provider) spotTab(ctx context.Context, t *Tab, captions bool) *spotted {
	s := &spotted{tab: t}
	s.browser = p.browserOf(ctx, t)
	at, told := t.at()
	if told {
		s.window, s.state, s.active, s.order, s.index, s.problem = at.Window, at.State, at.Active, at.Order, at.Index, at.Problem
		s.facts = at.Facts
		if at.Bounds.Width > 0 {
			s.bounds = &at.Bounds
		}
	}
	var caption *cdp.Caption
	var err error
	if t.Page != nil && !told {
		select {
		case <-t.session.Detached():
			s.gone = true
			return s
		default:
		}
	}
	if t.Page != nil {
		where := t.bounded(ctx, s)
		if captions {
			caption, err = t.Page.Caption(ctx)
		}
		where()
		s.gone = s.gone || isGone(err) && !told
	}
	switch {
	case !captions:
		if !told {
			s.active = t.wasActive()
		}
		return s
	case caption != nil:
		r := mapper.NewRedactor(caption.Secrets)
		s.title, s.url = r.Words(caption.Title, false), r.Address(caption.URL)
		loading := caption.State != "complete"
		s.loading, s.focus = &loading, caption.Focus
		if !told {
			s.active = caption.Visible
		}
		if s.bounds == nil && len(caption.Outer) == 4 && caption.Outer[2] > 0 {
			s.bounds = &Rect{caption.Outer[0], caption.Outer[1], caption.Outer[2], caption.Outer[3]}
		}
	case t.Page != nil && !t.conn.RootIsPage():
		s.active = t.wasActive()
		s.title, s.url, s.loading = t.label(ctx)
	case told:
		s.title, s.url = t.disguise(at.Title, at.URL)
	}
	return s
}

func (t *Tab) wasActive() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.active
}

// label has the browser say what a page is that does not say it itself.
func (t *Tab) label(ctx context.Context) (title, url string, loading *bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), browserTimeout)
	defer cancel()
	var got target.GetTargetInfoResult
	err := t.conn.Browser().Call(ctx, target.CommandGetTargetInfo, map[string]any{"targetId": t.Page.Target}, &got)
	if err != nil || got.TargetInfo == nil {
		return "", "", nil
	}
	title, url = t.disguise(got.TargetInfo.Title, got.TargetInfo.URL)
	return title, url, nil
}

// bounded asks for the window of a tab whose browser tells, and gives what waits for
// the answer.
func (t *Tab) bounded(ctx context.Context, s *spotted) func() {
	if _, told := t.at(); told {
		return func() {}
	}
	params := map[string]any{}
	session := t.session
	if !t.conn.RootIsPage() {
		session, params["targetId"] = t.conn.Browser(), t.Page.Target
	}
	call := session.Go(ctx, cdpbrowser.CommandGetWindowForTarget, params)
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), browserTimeout)
		defer cancel()
		var got struct {
			ID     int64 `json:"windowId"`
			Bounds struct {
				Left   *float64 `json:"left"`
				Top    float64  `json:"top"`
				Width  float64  `json:"width"`
				Height float64  `json:"height"`
				State  string   `json:"windowState"`
			} `json:"bounds"`
		}
		t.mu.Lock()
		s.window, s.state = t.window, t.state
		t.mu.Unlock()
		if err := call.Wait(ctx, &got); err != nil {
			s.gone = isGone(err) || errors.Is(err, cdp.ErrTargetGone)
			return
		}
		s.window, s.state = got.ID, got.Bounds.State
		if got.Bounds.Left != nil {
			s.bounds = &Rect{*got.Bounds.Left, got.Bounds.Top, got.Bounds.Width, got.Bounds.Height}
		}
		t.mu.Lock()
		t.window, t.state = s.window, s.state
		t.mu.Unlock()
	}
}

// desk puts tabs into their windows.
func (p *Provider) desk(all []*spotted) *Desk {
	d := &Desk{Browsers: []DeskBrowser{}, Windows: []DeskWindow{}}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *spotted) int { return cmp.Or(cmp.Compare(a.window, b.window), cmp.Compare(a.index, b.index)) })
	order := map[int64]int64{}
	for _, s := range all {
		if !slices.ContainsFunc(d.Browsers, func(b DeskBrowser) bool { return b.PID == s.browser.PID }) {
			d.Browsers = append(d.Browsers, DeskBrowser{s.browser.PID, s.browser.Local, s.browser.Name, s.browser.Version, p.instance})
		}
		i := slices.IndexFunc(d.Windows, func(w DeskWindow) bool { return w.WindowID == s.window && w.PID == s.browser.PID })
		if i < 0 {
			i = len(d.Windows)
			d.Windows = append(d.Windows, DeskWindow{WindowID: s.window, PID: s.browser.PID, AppName: s.browser.Name, State: s.state, OnScreen: s.state != "minimized"})
		}
		w := &d.Windows[i]
		if w.Bounds == nil || s.active && s.bounds != nil {
			w.Bounds = s.bounds
		}
		if s.active {
			title := s.title
			w.Title = &title
		}
		order[s.window] = max(order[s.window], s.order)
		w.Tabs = append(w.Tabs, p.deskTab(s))
	}
	p.stack(d, order, all)
	return d
}

func (p *Provider) deskTab(s *spotted) DeskTab {
	t := DeskTab{TabID: p.TabID(s.tab), Title: s.title, URL: s.url, Active: s.active, Loading: s.loading, Discarded: s.problem == ProblemDiscarded}
	if f := s.facts; f.Told {
		t.Pinned, t.Audible, t.Loading, t.Discarded = &f.Pinned, &f.Audible, &f.Loading, f.Discarded || t.Discarded
	}
	return t
}

// stack says which windows had the focus later, where that is known.
func (p *Provider) stack(d *Desk, order map[int64]int64, all []*spotted) {
	p.mu.Lock()
	last := p.lastWindow
	p.mu.Unlock()
	for _, s := range all {
		if s.order == 0 && s.focus && s.active {
			last = s.window
		}
	}
	byOrder := slices.Clone(d.Windows)
	slices.SortStableFunc(byOrder, func(a, b DeskWindow) int { return cmp.Compare(order[a.WindowID], order[b.WindowID]) })
	for i := range d.Windows {
		w := &d.Windows[i]
		switch {
		case order[w.WindowID] > 0:
			z := slices.IndexFunc(byOrder, func(b DeskWindow) bool { return b.WindowID == w.WindowID })
			w.ZIndex, w.Focused = &z, z == len(byOrder)-1
		case w.WindowID == last || len(d.Windows) == 1:
			z := len(d.Windows) - 1
			w.ZIndex, w.Focused = &z, true
		}
	}
}

// A WindowAddress names a window, and a tab of it.
type WindowAddress struct {
	PID    int64
	Window int64
	Tab    string // empty: the active one
}

// tabAt finds the tab that is asked about. The error is an *Error.
func (p *Provider) tabAt(ctx context.Context, at WindowAddress) (*spotted, error) {
	all, err := p.spot(ctx, false)
	if err != nil {
		return nil, err
	}
	in := inWindow(all, at.Window)
	if at.Tab == "" && len(in) > 1 && in[0].order == 0 {
		// Which of them is in front only they can tell.
		if all, err = p.spot(ctx, true); err != nil {
			return nil, err
		}
		in = inWindow(all, at.Window)
	}
	const again = "call get_accessibility_tree to see what there is now"
	if len(in) == 0 {
		return nil, failure(CodeWindowNotFound, nil, again, "no window %d has a shared tab", at.Window)
	}
	if owner := in[0].browser.PID; owner != at.PID {
		e := failure(CodeWindowOwner, nil, "ask again with this pid", "window %d belongs to the process %d", at.Window, owner)
		e.More = map[string]any{"owner_pid": owner}
		return nil, e
	}
	if at.Tab == "" {
		for _, s := range in {
			if s.active {
				return s, nil
			}
		}
		return nil, notShared()
	}
	for _, s := range all {
		if p.TabID(s.tab) != at.Tab {
			continue
		}
		if s.window != at.Window {
			e := failure(CodeTabNotFound, nil, "ask again with this window_id", "the tab is in the window %d", s.window)
			e.More = map[string]any{"window_id": s.window}
			return nil, e
		}
		return s, nil
	}
	return nil, notShared()
}

func inWindow(all []*spotted, window int64) []*spotted {
	return slices.DeleteFunc(slices.Clone(all), func(s *spotted) bool { return s.window != window })
}
