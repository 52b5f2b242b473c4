package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// Options say what a new tab is like.
type Options struct {
	// Width and Height are the size of the viewport in CSS pixels. Where they are
	// 0 the tab has whatever size the browser gives it.
	Width, Height int

	// Scale is the number of device pixels to a CSS pixel, the browser's own if 0.
	Scale float64

	// Background opens the tab behind the active one of the window that was used
	// last. Where there is no window, it gets one and is active after all.
	Background bool

	// Window opens the tab in a window of its own. In a browser that is ours this
	// lets several tabs be active at once, and the viewport have its size without
	// emulation; a browser that is somebody's is better left with one window.
	Window bool
}

// A Tab is a tab that we opened.
type Tab struct {
	// Session is attached to the tab's page.
	Session *cdp.Session

	// Target is the page's target.
	Target target.ID

	// emulated is the screen that the page sees instead of a real one; nil where it
	// sees that.
	emulated *emulation.SetDeviceMetricsOverrideParams
}

// Open opens an empty tab and attaches to it. Its viewport has the size and the
// scale of the options by the time Open returns. The caller closes it.
func Open(ctx context.Context, conn *cdp.Conn, opts Options) (Tab, error) {
	if conn.RootIsPage() {
		return Tab{}, errors.New("no tab can be opened over a connection to a single page: attach to the browser's address instead")
	}
	root := conn.Browser()
	params := target.CreateTargetParams{URL: "about:blank"}
	if opts.Background {
		params.Background = &opts.Background
	} else if opts.Window {
		params.NewWindow = &opts.Window
		params.Width, params.Height = int64(opts.Width), int64(opts.Height)
	}
	created, err := cdproto.Call(ctx, root, target.CreateTarget, params)
	if err != nil {
		return Tab{}, fmt.Errorf("opening a tab: %w", err)
	}
	tab, err := attachTo(ctx, conn, created.TargetID)
	if err != nil {
		return Tab{}, errors.Join(err, closeTarget(ctx, root, created.TargetID))
	}
	if err := tab.resize(ctx, opts); err != nil {
		return Tab{}, errors.Join(fmt.Errorf("giving the new tab its size: %w", err), tab.Close(ctx))
	}
	return tab, nil
}

const (
	// closePatience bounds the closing of a tab. A page whose script loops is
	// closed without it in about a second.
	closePatience = 10 * time.Second

	// closeAgain is when to ask once more: a browser that is asked to close a tab
	// in the very moment in which it commits a document says yes and forgets.
	closeAgain = 500 * time.Millisecond
)

// Close closes the tab, whatever its page says to that, and returns when it is
// gone.
func (t Tab) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closePatience)
	defer cancel()
	t.endDialog(ctx)
	again := time.NewTicker(closeAgain)
	defer again.Stop()
	for {
		err := closeTarget(ctx, t.Session.Conn().Browser(), t.Target)
		select {
		case <-t.Session.Detached():
			return nil
		default:
		}
		if err != nil {
			return err
		}
		select {
		case <-t.Session.Detached():
			return nil
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("closing the tab: it stays open: %w", context.Cause(ctx))
		}
	}
}

func closeTarget(ctx context.Context, root *cdp.Session, id target.ID) error {
	if _, err := cdproto.Call(ctx, root, target.CloseTarget, target.CloseTargetParams{TargetID: id}); err != nil {
		return fmt.Errorf("closing the tab: %w", err)
	}
	return nil
}

// resize gives the viewport its size: for real where the window is ours alone,
// and by emulation for what that does not reach.
func (t *Tab) resize(ctx context.Context, opts Options) error {
	sized := opts.Width > 0 && opts.Height > 0
	if sized && opts.Window && !opts.Background {
		if err := t.resizeWindow(ctx, opts); err != nil {
			return err
		}
	}
	width, height, scale, err := t.settle(ctx, opts)
	if err != nil {
		return err
	}
	if (!sized || width == opts.Width && height == opts.Height) && (opts.Scale == 0 || scale == opts.Scale) {
		return nil
	}
	return t.emulate(ctx, opts)
}

func (t Tab) resizeWindow(ctx context.Context, opts Options) error {
	root := t.Session.Conn().Browser()
	window, err := cdproto.Call(ctx, root, browser.GetWindowForTarget, browser.GetWindowForTargetParams{TargetID: t.Target})
	if err != nil {
		return err
	}
	_, err = cdproto.Call(ctx, root, browser.SetContentsSize, browser.SetContentsSizeParams{
		WindowID: window.WindowID,
		Width:    int64(opts.Width),
		Height:   int64(opts.Height),
	})
	var refused *cdp.CallError
	if errors.As(err, &refused) {
		// A browser that does not know the command has emulation.
		return nil
	}
	return err
}

// settled has the size and the scale of the viewport, once the tab has the focus:
// a new window gets it a moment after it was opened, or never where the desktop is
// busy with something else.
const settled = `new Promise((done) => {
	const tell = () => done([innerWidth, innerHeight, devicePixelRatio]);
	if (document.hasFocus()) return tell();
	addEventListener("focus", tell, { once: true });
	setTimeout(tell, 500);
})`

// settle waits until the tab is what it will be and returns its size and scale.
func (t Tab) settle(ctx context.Context, opts Options) (width, height int, scale float64, err error) {
	script := settled
	if opts.Background {
		script = "[innerWidth, innerHeight, devicePixelRatio]"
	}
	var seen []float64
	if err := Value(ctx, t.Session, script, &seen); err != nil {
		return 0, 0, 0, err
	}
	if len(seen) != 3 {
		return 0, 0, 0, errors.New("the tab does not know its size")
	}
	return int(seen[0]), int(seen[1]), seen[2], nil
}

func (t *Tab) emulate(ctx context.Context, opts Options) error {
	t.emulated = &emulation.SetDeviceMetricsOverrideParams{
		Width:             int64(opts.Width),
		Height:            int64(opts.Height),
		DeviceScaleFactor: opts.Scale,
	}
	return t.Agree(ctx, t.Session)
}

// Agree has another session of the tab's page emulate the screen that the tab has,
// where it is not a real one: the pictures that Chrome takes for a session are of the
// screen that this session knows of.
func (t Tab) Agree(ctx context.Context, s *cdp.Session) error {
	if t.emulated == nil {
		return nil
	}
	_, err := cdproto.Call(ctx, s, emulation.SetDeviceMetricsOverride, *t.emulated)
	return err
}

// endDialog ends an open dialog: a Chromium that closes a tab while a frame in it
// shows one dies.
func (t Tab) endDialog(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closeAgain)
	defer cancel()
	// Mostly there is none, which is an error to Chrome and not to us.
	_ = t.Session.Call(ctx, page.CommandHandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}, nil)
}
