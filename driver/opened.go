package driver

import (
	"context"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// openedAgain is how often it is looked whether a window has come and has loaded:
// while it changes its document nothing in it tells.
const openedAgain = 20 * time.Millisecond

// Opened waits for the window or tab that a page has opened, by a script or a link,
// at an address, attaches to it, and returns when its page has loaded. The caller
// closes it, unless its browser context is disposed of.
func Opened(ctx context.Context, conn *cdp.Conn, opener target.ID, address string) (Tab, error) {
	again := time.NewTicker(openedAgain)
	defer again.Stop()
	var tab Tab
	for {
		if tab.Target == "" {
			id, err := openedBy(ctx, conn.Browser(), opener, address)
			if err != nil {
				return Tab{}, err
			}
			if id != "" {
				if tab, err = attachTo(ctx, conn, id); err != nil {
					return Tab{}, err
				}
			}
		}
		if tab.Session != nil && loadedAt(ctx, tab.Session, address) {
			return tab, nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return Tab{}, fmt.Errorf("waiting for the window with %s to be opened: %w", address, context.Cause(ctx))
		}
	}
}

// openedBy finds the page that another has opened at an address; "" where there is
// none yet.
func openedBy(ctx context.Context, root *cdp.Session, opener target.ID, address string) (target.ID, error) {
	all, err := cdproto.Call(ctx, root, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return "", fmt.Errorf("looking for an opened window: %w", err)
	}
	for _, t := range all.TargetInfos {
		if t.OpenerID == opener && t.Type == "page" && t.URL == address {
			return t.TargetID, nil
		}
	}
	return "", nil
}

// loadedAt tells whether a tab shows the page of an address, all of it. An error is
// the answer of a document that is just being left.
func loadedAt(ctx context.Context, s *cdp.Session, address string) bool {
	var at string
	err := Value(ctx, s, `document.readyState === "complete" ? location.href : ""`, &at)
	return err == nil && at == address
}

// attachTo attaches to a page that is there.
func attachTo(ctx context.Context, conn *cdp.Conn, id target.ID) (Tab, error) {
	flat := true
	attached, err := cdproto.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: id, Flatten: &flat})
	if err != nil {
		return Tab{}, fmt.Errorf("attaching to a tab: %w", err)
	}
	return Tab{Session: conn.Session(attached.SessionID), Target: id}, nil
}
