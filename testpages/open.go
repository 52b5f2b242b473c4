package testpages

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

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

// verifyTimeout bounds waiting for a page to be as expected.
const verifyTimeout = 10 * time.Second

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
	apart    cdproto.BrowserContextID // what it shares with no other test
	screen   emulation.SetDeviceMetricsOverrideParams
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
