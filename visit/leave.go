package visit

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/driver"
)

const (
	// leavePatience bounds the closing of a tab, which a page cannot delay for long.
	leavePatience = 10 * time.Second

	// leaveAgain is how long a tab may take to be gone before it is closed again: a
	// browser forgets about it where the page was about to be replaced.
	leaveAgain = time.Second
)

// leave closes the tab. What cannot be closed is gone, or goes with its browser.
func (v *Visitor) leave(ctx context.Context, tab driver.Tab, w *watch, r *Result) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leavePatience)
	defer cancel()
	if v.Ours {
		// With the dialog that may be open in it.
		_ = tab.Close(ctx)
		return
	}
	if frame, open := w.openDialog(); open && frame != string(tab.Target) {
		// A Chromium that closes a tab while a frame in it shows a dialog dies, and
		// here it is somebody's. The main frame has the tab's own id.
		r.Notes = append(r.Notes, "its tab is left open, because a frame in it shows a dialog that is not ours to answer")
		return
	}
	closeUnanswered(ctx, tab)
}

// closeUnanswered closes a tab, with a dialog that its main frame may show, without
// an answer to that.
func closeUnanswered(ctx context.Context, tab driver.Tab) {
	again := time.NewTicker(leaveAgain)
	defer again.Stop()
	for {
		_ = tab.Session.Conn().Browser().Call(ctx, target.CommandCloseTarget, map[string]any{"targetId": tab.Target}, nil)
		select {
		case <-tab.Session.Detached():
			return
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}
