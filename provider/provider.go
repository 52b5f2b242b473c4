package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// instanceLength makes two runs with the same instance a matter of one in two
// thousand million.
const instanceLength = 6

// A Provider is one run of a provider: an instance with its ids and shared tabs.
// Its methods may be called from any goroutine.
type Provider struct {
	instance string
	app      string
	ids      *ids

	// mu guards the shared tabs, in the order in which they were shared.
	mu       sync.Mutex
	tabs     []*Tab
	watchers []*watcher
	// lastWindow is the window that had the focus when it was last known.
	lastWindow int64
}

// New starts a provider for an app: the browser's name, such as "Chromium".
func New(app string) *Provider {
	return &Provider{instance: mint(instanceLength), app: app, ids: newIDs()}
}

// SetApp names the app, where that is known only once the browser answers.
func (p *Provider) SetApp(app string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.app = app
}

// Instance names this run.
func (p *Provider) Instance() string { return p.instance }

// A Tab is a shared tab.
type Tab struct {
	// Page is the tab's page.
	Page *cdp.Page

	conn    *cdp.Conn
	session *cdp.Session

	headless bool // its browser draws no windows on a screen

	// mu guards what was last known of it.
	mu     sync.Mutex
	window int64
	state  string // of the window: normal, minimized, maximized, fullscreen
	active bool
	keys   map[string]bool // of the documents last read
	watch  *cdp.Watch      // while somebody watches
	told   *told           // what was last said of it
}

// Share begins to answer about a tab. On a connection whose root session is a page
// (see cdp.Conn.RootIsPage) id may be empty.
func (p *Provider) Share(ctx context.Context, conn *cdp.Conn, id target.ID) (*Tab, error) {
	session := conn.Browser()
	if !conn.RootIsPage() {
		var at target.AttachToTargetResult
		err := conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": id, "flatten": true}, &at)
		if err != nil {
			return nil, fmt.Errorf("sharing a tab: %w", err)
		}
		session = conn.Session(at.SessionID)
	}
	page, err := cdp.OpenPage(ctx, session, id)
	if err != nil {
		if session != conn.Browser() {
			conn.Browser().Go(context.WithoutCancel(ctx), target.CommandDetachFromTarget, map[string]any{"sessionId": session.ID()})
		}
		return nil, fmt.Errorf("sharing a tab: %w", err)
	}
	t := &Tab{Page: page, conn: conn, session: session, active: true, state: "normal", headless: isHeadless(ctx, conn)}
	p.mu.Lock()
	p.tabs = append(p.tabs, t)
	watched := len(p.watchers) > 0
	p.mu.Unlock()
	if watched {
		t.listen(p)
		p.changed()
	}
	return t, nil
}

// Unshare ends answers about a tab.
func (p *Provider) Unshare(t *Tab) {
	p.mu.Lock()
	for i, other := range p.tabs {
		if other == t {
			p.tabs = append(p.tabs[:i:i], p.tabs[i+1:]...)
			break
		}
	}
	p.mu.Unlock()
	t.unlisten()
	t.Page.Close()
	p.changed()
}

// Close ends the provider. The tabs and their browser stay.
func (p *Provider) Close() {
	p.mu.Lock()
	tabs := p.tabs
	p.tabs = nil
	p.mu.Unlock()
	for _, t := range tabs {
		t.unlisten()
		t.Page.Close()
	}
}

// shared gives the tabs that are shared now.
func (p *Provider) shared() []*Tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Tab{}, p.tabs...)
}

func (p *Provider) isShared(t *Tab) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, other := range p.tabs {
		if other == t {
			return true
		}
	}
	return false
}

// isGone tells whether an error says that the tab is no longer there.
func isGone(err error) bool { return errors.Is(err, cdp.ErrTargetGone) }
