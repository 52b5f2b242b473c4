package visit

import (
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/webarea/webarea/cdp"
)

// errDialog is the cause of an act that ends because the page shows a dialog.
var errDialog = errors.New("a JavaScript dialog is open")

// A watch follows what decides whether a page that is being driven can still be
// driven, and whether there is anything to read of it yet.
type watch struct {
	stop func()

	// dialog is closed when the first dialog opens, committed when the first
	// document of the page does.
	dialog, committed chan struct{}
}

func watchPage(s *cdp.Session) *watch {
	w := &watch{dialog: make(chan struct{}), committed: make(chan struct{})}
	var dialogOnce, commitOnce sync.Once
	stopDialog := s.On("Page.javascriptDialogOpening", func(jsonv2.Value) { dialogOnce.Do(func() { close(w.dialog) }) })
	stopCommit := s.On("Page.frameNavigated", func(params jsonv2.Value) {
		var event struct {
			Frame struct {
				Parent string `json:"parentId"`
			} `json:"frame"`
		}
		if jsonv2.Unmarshal(params, &event, jsonv2.AllowInvalidUTF8(true)) == nil && event.Frame.Parent == "" {
			commitOnce.Do(func() { close(w.committed) })
		}
	})
	w.stop = func() { stopDialog(); stopCommit() }
	return w
}

// hasDialog tells whether a dialog has opened.
func (w *watch) hasDialog() bool { return isClosed(w.dialog) }

// hasCommitted tells whether there is a document.
func (w *watch) hasCommitted() bool { return isClosed(w.committed) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// untilDialog gives a context that ends as soon as a dialog opens, with errDialog
// for its cause. stop must be called.
func (w *watch) untilDialog(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-w.dialog:
			cancel(errDialog)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); <-done }
}
