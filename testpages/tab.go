package testpages

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

// closeTimeout bounds the closing of a page, which asks nothing of the page itself.
const closeTimeout = 10 * time.Second

// open opens an empty tab and shares it. What it has made so far is undone at the
// end of the test, also when it fails half-way.
func (p *Page) open(o options) error {
	ctx, cancel := p.limit()
	defer cancel()
	running, started, err := shared.get(ctx)
	if err != nil {
		return err
	}
	if started {
		for _, notice := range running.Notices {
			p.t.Logf("%s", notice)
		}
	}
	s, err := newSite(o.content)
	if err != nil {
		return err
	}
	p.undo("the server of pages", func(context.Context) error { return s.close() })

	root := running.Conn.Browser()
	// A context has a proxy, and cookies and storage that no other test sees. The
	// bypass that is taken back would lead past the proxy to this machine.
	made, err := cdproto.Call(ctx, root, target.CreateBrowserContext, target.CreateBrowserContextParams{
		ProxyServer:     s.proxy,
		ProxyBypassList: "<-loopback>",
	})
	if err != nil {
		return fmt.Errorf("making a browser context: %w", err)
	}
	p.apart = made.BrowserContextID
	p.undo("the page", func(ctx context.Context) error {
		_, err := cdproto.Call(ctx, root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: p.apart})
		return err
	})
	p.screen = emulation.SetDeviceMetricsOverrideParams{Width: int64(o.width), Height: int64(o.height), DeviceScaleFactor: o.scale}
	p.provider = provider.New(appName)
	p.undo("the provider", func(context.Context) error { p.provider.Close(); return nil })
	return p.openWindow(ctx, running.Conn)
}

// openWindow opens an empty tab and shares it. Each tab has a window of its own, so
// that each is the active one.
func (p *Page) openWindow(ctx context.Context, conn *cdp.Conn) error {
	window := true
	tab, err := cdproto.Call(ctx, conn.Browser(), target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: p.apart, NewWindow: &window,
	})
	if err != nil {
		return fmt.Errorf("making a tab: %w", err)
	}
	flat := true
	attached, err := cdproto.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: tab.TargetID, Flatten: &flat})
	if err != nil {
		return fmt.Errorf("attaching to the tab: %w", err)
	}
	p.session = conn.Session(attached.SessionID)
	if _, err = cdproto.Call(ctx, p.session, emulation.SetDeviceMetricsOverride, p.screen); err != nil {
		return fmt.Errorf("giving the tab its size: %w", err)
	}
	if err := p.share(ctx, conn, tab.TargetID); err != nil {
		return err
	}
	// Pictures have the size of the screen that the session which asks for them has set.
	if _, err = cdproto.Call(ctx, p.tab.Page.Session, emulation.SetDeviceMetricsOverride, p.screen); err != nil {
		return fmt.Errorf("giving the tab its size: %w", err)
	}
	return nil
}

// share has answers tell of a tab.
func (p *Page) share(ctx context.Context, conn *cdp.Conn, id target.ID) (err error) {
	if p.tab, err = p.provider.Share(ctx, conn, id); err != nil {
		return err
	}
	p.undo("the page's dialogs", p.closeDialogs)
	return nil
}

// maxDialogs is how many dialogs are closed one after another; a page that opens
// more of them would not stop.
const maxDialogs = 20

// closeDialogs closes what dialogs the page has open, since Chromium dies of a
// tab that is closed while a frame in it shows one.
func (p *Page) closeDialogs(ctx context.Context) error {
	for range maxDialogs {
		if p.tab.Page.Dialog() == nil {
			return nil
		}
		_, err := cdproto.Call(ctx, p.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
		var refused *cdp.CallError
		if err != nil && !errors.As(err, &refused) {
			return fmt.Errorf("closing a dialog of the page: %w", err)
		}
	}
	return nil
}

// appName is what answers call the browser, whichever it is.
const appName = "Chromium"

// undo has something undone at the end of the test.
func (p *Page) undo(what string, how func(context.Context) error) {
	p.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if err := how(ctx); err != nil && !isGone(err) {
			p.t.Errorf("closing %s: %v", what, err)
		}
	})
}

// isGone tells whether there is nothing left to close.
func isGone(err error) bool {
	return errors.Is(err, cdp.ErrBrowserGone) || errors.Is(err, cdp.ErrTargetGone)
}
