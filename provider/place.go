package provider

import (
	"context"
	"fmt"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
)

// The states of windows that make a difference here, in the browser's words.
const (
	stateNormal    = "normal"
	stateMinimized = "minimized"
)

// A Place says where a tab is, for one whose connection leads to its page alone and
// cannot tell (see cdp.Conn.RootIsPage).
type Place struct {
	Window int64  // names the browser window
	State  string // of the window: normal, minimized, maximized, fullscreen
	Order  int64  // of the window: higher had the focus later
	Index  int    // in the window, from the left
	Active bool   // it is the tab that its window shows

	Bounds Rect     // of the window, px of the screen; empty: not known
	Facts  TabFacts // what only the browser knows of the tab

	// Problem is the word for what keeps the page from being read, or from being
	// read in full; empty where nothing does.
	Problem string

	// Title and URL are the browser's words for the page. They are told only where
	// the page itself was never asked, and then without what may hold a secret.
	Title, URL string
}

// TabFacts are what a browser says of a tab.
type TabFacts struct {
	Told                                bool // the others are known
	Pinned, Audible, Loading, Discarded bool
}

// Mention begins to tell of a shared tab whose page cannot be read, or not yet. name
// is the browser's for the tab, [A-Za-z0-9._-], and never names another.
func (p *Provider) Mention(name string, at Place) *Tab {
	t := &Tab{name: name, place: &at}
	p.mu.Lock()
	p.tabs = append(p.tabs, t)
	p.mu.Unlock()
	p.changed()
	return t
}

// Attach begins to answer about the page of a mentioned tab, by a connection to that
// page, which belongs to the tab from here on, also where there is an error: it ends
// with the sharing. The tab that is returned takes the place of the mentioned one.
func (p *Provider) Attach(ctx context.Context, mentioned *Tab, conn *cdp.Conn) (*Tab, error) {
	page, err := cdp.OpenPage(ctx, conn.Browser(), "")
	if err != nil {
		_ = conn.Close() // it has no error to give
		return nil, fmt.Errorf("sharing a tab: %w", err)
	}
	t := &Tab{Page: page, readings: joint{read: take(page)}, name: mentioned.name, conn: conn, session: conn.Browser(), owned: true}
	mentioned.mu.Lock()
	t.place, t.keys = mentioned.place, mentioned.keys
	mentioned.mu.Unlock()
	p.mu.Lock()
	shared, watched := false, len(p.watchers) > 0
	for i, other := range p.tabs {
		if other == mentioned {
			p.tabs[i], shared = t, true
			mentioned.replaced = true
		}
	}
	p.mu.Unlock()
	if !shared {
		t.end()
		return nil, failure(CodeNotShared, nil, "", "the tab is not shared any more")
	}
	if watched {
		t.listen(p)
	}
	p.changed()
	return t, nil
}

// SetPlace notes that a tab is elsewhere, or is read otherwise, than was said.
func (p *Provider) SetPlace(t *Tab, at Place) {
	t.mu.Lock()
	same := t.place != nil && *t.place == at
	t.place = &at
	t.mu.Unlock()
	if !same {
		p.changed()
	}
}

// at gives the place that was last said of a tab, and whether any was.
func (t *Tab) at() (Place, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.place == nil {
		return Place{}, false
	}
	return *t.place, true
}

// placed completes what was read of a tab with where it is said to be.
func (t *Tab) placed(s *tabState) {
	at, ok := t.at()
	if !ok {
		return
	}
	s.window, s.state, s.active, s.order, s.index = at.Window, at.State, at.Active, at.Order, at.Index
	if s.reading != nil && s.reading.Documents[0].Facts.Visible && s.state == stateMinimized {
		// The browser does not tell of every window that comes back; the page knows.
		s.state = stateNormal
	}
	if s.err != nil && (isGone(s.err) || isOver(s.err)) {
		// The sharing goes on; the way to the page has ended.
		s.err, s.problem = nil, ProblemUnreachableTab
	}
	if at.Problem != "" && s.dialog == nil {
		s.problem = at.Problem
	}
	if s.problem == ProblemPDF && s.title == "" {
		s.title = at.Title
	}
	if s.reading == nil && s.title == "" && s.url == "" {
		s.title, s.url = t.disguise(at.Title, at.URL)
	}
}

// pdf gives the document of a tab that shows a PDF: what is in it is out of reach, and
// what else is in the page is the viewer's own.
func pdf(page *mapper.Document, s *tabState) *mapper.Document {
	return &mapper.Document{Key: page.Key, Title: s.title, URL: page.URL, Subrole: "pdf"}
}
