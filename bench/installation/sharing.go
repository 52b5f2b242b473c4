package installation

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// Open opens a page in a new tab, shares it by a click in the popup, and closes the tab
// that was shared before. Nobody has read it.
func (i *Installation) Open(ctx context.Context, url string) error {
	before, was := i.tap.tab(), i.tab
	if err := i.show(ctx, url); err != nil {
		return err
	}
	if was != "" {
		if err := i.Browser.Conn.Browser().Call(ctx, target.CommandCloseTarget, target.CloseTargetParams{TargetID: was}, nil); err != nil {
			return fmt.Errorf("closing the tab before: %w", err)
		}
	}
	if err := i.share(ctx); err != nil {
		return fmt.Errorf("sharing: %w", err)
	}
	if err := until(ctx, func() bool { t := i.tap.tab(); return t != "" && t != before }); err != nil {
		return fmt.Errorf("the host is not told of the tab: %w", err)
	}
	return nil
}

// Add opens a page in a new tab and shares it by a click in the popup, beside those that
// are shared. The host may learn of it a little later.
func (i *Installation) Add(ctx context.Context, url string) error {
	if err := i.show(ctx, url); err != nil {
		return err
	}
	if err := i.share(ctx); err != nil {
		return fmt.Errorf("sharing: %w", err)
	}
	return nil
}

// show opens a page in a new tab in front.
func (i *Installation) show(ctx context.Context, url string) error {
	root := i.Browser.Conn.Browser()
	var made target.CreateTargetResult
	if err := root.Call(ctx, target.CommandCreateTarget, target.CreateTargetParams{URL: "about:blank"}, &made); err != nil {
		return fmt.Errorf("opening a tab: %w", err)
	}
	s, err := i.attach(ctx, made.TargetID)
	if err != nil {
		return err
	}
	if err := driver.Load(ctx, s, url); err != nil {
		return err
	}
	i.tab = made.TargetID
	if err := root.Call(ctx, target.CommandActivateTarget, target.ActivateTargetParams{TargetID: i.tab}, nil); err != nil {
		return fmt.Errorf("bringing the tab in front: %w", err)
	}
	return nil
}

// Page gives a session of our own with the shared tab, to drive it by.
func (i *Installation) Page(ctx context.Context) (*cdp.Session, error) { return i.attach(ctx, i.tab) }

func (i *Installation) attach(ctx context.Context, id target.ID) (*cdp.Session, error) {
	var at target.AttachToTargetResult
	err := i.Browser.Conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": id, "flatten": true}, &at)
	if err != nil {
		return nil, fmt.Errorf("attaching to a tab: %w", err)
	}
	return i.Browser.Conn.Session(at.SessionID), nil
}

// share opens the popup over the tab in front and clicks on its button.
func (i *Installation) share(ctx context.Context) error {
	worker, err := i.awaitTarget(ctx, "service_worker", "worker.js")
	if err != nil {
		return err
	}
	var opened bool
	if err := until(ctx, func() bool {
		err := driver.Value(ctx, worker, "chrome.action.openPopup().then(() => true, () => false)", &opened)
		return err == nil && opened
	}); err != nil {
		return fmt.Errorf("the popup does not open: %w", err)
	}
	popup, err := i.awaitTarget(ctx, "page", "popup/popup.html")
	if err != nil {
		return err
	}
	// Where the button is; nothing while there is none.
	const place = `(() => {
		const b = document.querySelector("#share")
		if (document.body?.dataset.ready !== "yes" || !b?.checkVisibility()) return null
		const r = b.getBoundingClientRect()
		return [r.x + r.width / 2, r.y + r.height / 2]
	})()`
	var at []float64
	if err := until(ctx, func() bool { return driver.Value(ctx, popup, place, &at) == nil && len(at) == 2 }); err != nil {
		return fmt.Errorf("the popup has no button: %w", err)
	}
	for _, event := range []string{"mousePressed", "mouseReleased"} {
		click := map[string]any{"type": event, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}
		// A click that closes the popup has no answer.
		if err := popup.Call(ctx, input.CommandDispatchMouseEvent, click, nil); err != nil && !errors.Is(err, cdp.ErrTargetGone) {
			return fmt.Errorf("the mouse: %w", err)
		}
	}
	const shared = `!document.querySelector("#share")?.checkVisibility()`
	var done bool
	return until(ctx, func() bool {
		err := driver.Value(ctx, popup, shared, &done)
		if err == nil && done {
			_ = driver.Eval(ctx, popup, "window.close()")
		}
		return err == nil && done || errors.Is(err, cdp.ErrTargetGone)
	})
}

// awaitTarget waits for one of the extension's own pages, and attaches to it.
func (i *Installation) awaitTarget(ctx context.Context, kind, path string) (*cdp.Session, error) {
	var found target.ID
	if err := until(ctx, func() bool {
		var all target.GetTargetsResult
		filter := map[string]any{"filter": []map[string]any{{}}}
		if i.Browser.Conn.Browser().Call(ctx, target.CommandGetTargets, filter, &all) != nil {
			return false
		}
		for _, t := range all.TargetInfos {
			if t.Type == kind && t.URL == origin+path {
				found = t.TargetID
			}
		}
		return found != ""
	}); err != nil {
		return nil, fmt.Errorf("there is no %s: %w", path, err)
	}
	return i.attach(ctx, found)
}
