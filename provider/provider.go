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
	ended      ended
	unshared   int // tabs whose sharing has ended
	// uncover has what somebody draws over a page taken away for a picture.
	uncover func(*Tab) (done func())

	browser *Browser

	stateKeeping
}

// New starts a provider for an app: the browser's name, such as "Chromium".
func New(app string) *Provider {
	instance := mint(instanceLength)
	return &Provider{instance: instance, app: app, ids: newIDs(instance[:prefixLength])}
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
	// Page is the tab's page; nil where it cannot be read.
	Page *cdp.Page

	readings joint // of Page
	conn     *cdp.Conn
	session  *cdp.Session
	owned    bool   // the connection ends with the sharing
	name     string // the browser's for the tab, where its page's target does not name it

	// replaced says that the tab was only mentioned, and that one by the same name whose
	// page is open has its place. The provider's mu guards it.
	replaced bool

	headless bool // its browser draws no windows on a screen

	// mu guards what was last known of it.
	mu     sync.Mutex
	window int64
	state  string // of the window: normal, minimized, maximized, fullscreen
	active bool
	place  *Place          // where it is said to be; nil: its browser is asked
	script *cdp.ScriptPage // what reads it where Page cannot; nil: nothing does
	shoot  Shoot           // what takes its picture where Page cannot; nil: nothing does
	keys   map[string]bool // of the documents last read
	late   bool            // it did not answer when it was last read
	slow   bool            // it did not answer when it was last looked at
	watch  *cdp.Watch      // while somebody watches
	told   *told           // what was last said of it

	lastView *cdp.Viewport // what it was last seen through
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
	t := &Tab{Page: page, readings: joint{read: take(page)}, conn: conn, session: session, active: true, state: stateNormal, headless: isHeadless(ctx, conn)}
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

// Unshare ends answers about a tab, at once: an answer that is being made does not
// have it any more either. Its captures end too, where its user may have ended the
// sharing.
func (p *Provider) Unshare(t *Tab) {
	t = p.leave(t)
	if _, told := t.at(); told {
		p.captures.drop(func(c *capture) bool { return c.tab == t.key() })
	}
}

// Closed ends answers about a tab that was closed while it was shared. What was captured
// of it can be asked about still.
func (p *Provider) Closed(t *Tab) { p.leave(t) }

// leave ends answers about a tab, and gives the one that there were answers about: what
// was mentioned may be attached by now.
func (p *Provider) leave(t *Tab) *Tab {
	p.mu.Lock()
	for i, other := range p.tabs {
		if other == t || t.name != "" && other.name == t.name {
			t = other
			p.tabs = append(p.tabs[:i:i], p.tabs[i+1:]...)
			p.ended.add(t)
			p.unshared++
			p.snapshots.drop(t.key())
			break
		}
	}
	p.mu.Unlock()
	t.end()
	p.changed()
	return t
}

// Unshared counts the tabs whose sharing has ended. Who makes something of an answer
// can tell by it whether the answer has grown old meanwhile.
func (p *Provider) Unshared() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unshared
}

// Close ends the provider. The tabs and their browser stay.
func (p *Provider) Close() {
	p.mu.Lock()
	tabs := p.tabs
	p.tabs = nil
	p.unshared += len(tabs)
	p.mu.Unlock()
	for _, t := range tabs {
		t.end()
	}
	p.closing.Wait()
}

// end gives up what belongs to a tab.
func (t *Tab) end() {
	if t.owned {
		// Nobody waits for a page that is not shared.
		_ = t.conn.Close()
	}
	t.unlisten()
	if t.Page != nil {
		t.Page.Close()
	}
}

// TabID gives the id by which answers call a tab.
func (p *Provider) TabID(t *Tab) string { return p.ids.id(t.key()) }

// shared gives the tabs that are shared now.
func (p *Provider) shared() []*Tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Tab{}, p.tabs...)
}

// isShared tells whether a tab is shared still. One that was only mentioned is also
// where its page can be read by now.
func (p *Provider) isShared(t *Tab) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, other := range p.tabs {
		if other == t || t.replaced && other.name == t.name {
			return true
		}
	}
	return false
}

// isGone tells whether an error says that the tab is no longer there.
func isGone(err error) bool { return errors.Is(err, cdp.ErrTargetGone) }

// isOver tells whether an error says that the connection has ended.
func isOver(err error) bool { return errors.Is(err, cdp.ErrBrowserGone) }
