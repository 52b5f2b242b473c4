package testpages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// TB is what the harness needs of a test; *testing.T, *testing.B and *testing.F
// have it, and so have the substitutes that other test frameworks offer.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	// Fatalf ends the test's goroutine.
	Fatalf(format string, args ...any)
	// Cleanup has a function called when the test has ended.
	Cleanup(func())
	// Context is canceled just before the functions given to Cleanup are called.
	Context() context.Context
}

// The size of the viewport where nothing else is asked for, in CSS pixels.
const (
	defaultWidth  = 1280
	defaultHeight = 800
)

// defaultTimeout bounds one step of a test. A small machine that runs several
// browsers takes a few seconds for what otherwise takes milliseconds.
const defaultTimeout = 30 * time.Second

// closeTimeout bounds the closing of a page, which asks nothing of the page itself.
const closeTimeout = 10 * time.Second

type options struct {
	content       http.Handler
	width, height int
	scale         float64
	timeout       time.Duration
}

// An Option changes how Open opens a page.
type Option func(*options)

// Files serves the page, and what it needs, from a file system: os.DirFS of
// another folder than testdata, an embed.FS, or a fstest.MapFS that holds the HTML.
func Files(files fs.FS) Option { return func(o *options) { o.content = folder(files) } }

// Viewport sets the size of the viewport in CSS pixels; it is 1280 × 800 otherwise.
func Viewport(width, height int) Option {
	return func(o *options) { o.width, o.height = width, height }
}

// Scale sets how many device pixels there are to a CSS pixel; it is 1 otherwise.
func Scale(factor float64) Option { return func(o *options) { o.scale = factor } }

// Timeout bounds each step: the loading, one act, one answer. It is 30 s otherwise.
func Timeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

func choose(opts []Option) options {
	o := options{content: folder(os.DirFS("testdata")), width: defaultWidth, height: defaultHeight, scale: 1, timeout: defaultTimeout}
	for _, set := range opts {
		set(&o)
	}
	return o
}

// A Page is a page that is open in a tab of its own until its test ends. Its
// methods are for the test's own goroutine: what does not work ends the test.
type Page struct {
	t        TB
	timeout  time.Duration
	session  *cdp.Session
	provider *provider.Provider
	tab      *provider.Tab
}

// Open opens a page and returns when it has loaded. page is the path of its file,
// with a query and a fragment if need be, such as "cart.html?items=3#total". It may
// also be a whole address at one of the two origins, or about:blank.
//
// The page is closed when the test has ended.
func Open(t TB, page string, opts ...Option) *Page {
	t.Helper()
	o := choose(opts)
	p := &Page{t: t, timeout: o.timeout}
	if err := p.open(o); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	if err := p.load(page); err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

// limit bounds one step.
func (p *Page) limit() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.t.Context(), p.timeout)
}

func (p *Page) load(page string) error {
	ctx, cancel := p.limit()
	defer cancel()
	return driver.Load(ctx, p.session, address(page))
}

// address makes the address of a page out of what a test calls it.
func address(page string) string {
	if at, err := url.Parse(page); err == nil && at.Scheme != "" {
		return page
	}
	return origin + "/" + strings.TrimPrefix(page, "/")
}

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
	p.undo("the page", func(ctx context.Context) error {
		_, err := cdproto.Call(ctx, root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: made.BrowserContextID})
		return err
	})
	// Each tab has a window of its own, so that each is the active one.
	window := true
	tab, err := cdproto.Call(ctx, root, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: made.BrowserContextID, NewWindow: &window,
	})
	if err != nil {
		return fmt.Errorf("making a tab: %w", err)
	}
	flat := true
	attached, err := cdproto.Call(ctx, root, target.AttachToTarget, target.AttachToTargetParams{TargetID: tab.TargetID, Flatten: &flat})
	if err != nil {
		return fmt.Errorf("attaching to the tab: %w", err)
	}
	p.session = running.Conn.Session(attached.SessionID)
	_, err = cdproto.Call(ctx, p.session, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(o.width), Height: int64(o.height), DeviceScaleFactor: o.scale,
	})
	if err != nil {
		return fmt.Errorf("giving the tab its size: %w", err)
	}
	p.provider = provider.New(appName)
	p.undo("the provider", func(context.Context) error { p.provider.Close(); return nil })
	p.tab, err = p.provider.Share(ctx, running.Conn, tab.TargetID)
	if err != nil {
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
