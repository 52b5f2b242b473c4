package visit

import (
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"

	"github.com/webarea/webarea/cdp"
)

// What keeps a page from answering for good, in words that begin a sentence.
var (
	errDialog  = errors.New("a dialog is open")
	errCrashed = errors.New("the page has crashed")
)

// A watch follows what decides whether a page that is being driven can still be
// driven, and whether there is anything to read of it yet.
type watch struct {
	stop func()

	// committed is closed when the page's first document is there.
	committed chan struct{}

	// deaf is closed when the page answers no more; why then says the reason.
	deaf chan struct{}
	why  error

	// mu guards the dialog that is open now, by the frame that opened it.
	mu     sync.Mutex
	dialog bool
	frame  string
}

// watchPage begins to watch a page that nothing was loaded into yet. That the
// events of the page domain come is up to who loads.
func watchPage(ctx context.Context, s *cdp.Session) *watch {
	w := &watch{committed: make(chan struct{}), deaf: make(chan struct{})}
	var committed, deaf sync.Once
	deafen := func(why error) { deaf.Do(func() { w.why = why; close(w.deaf) }) }
	stops := []func(){
		s.On("Page.javascriptDialogOpening", func(params jsonv2.Value) { w.opens(params); deafen(errDialog) }),
		s.On("Page.javascriptDialogClosed", func(jsonv2.Value) { w.closes() }),
		s.On("Inspector.targetCrashed", func(jsonv2.Value) { deafen(errCrashed) }),
		s.On("Page.frameNavigated", func(params jsonv2.Value) {
			if isMainFrame(params) {
				committed.Do(func() { close(w.committed) })
			}
		}),
	}
	w.stop = func() {
		for _, stop := range stops {
			stop()
		}
	}
	s.Go(ctx, inspector.CommandEnable, nil)
	return w
}

func isMainFrame(params jsonv2.Value) bool {
	var event struct {
		Frame struct {
			Parent string `json:"parentId"`
		} `json:"frame"`
	}
	return jsonv2.Unmarshal(params, &event, jsonv2.AllowInvalidUTF8(true)) == nil && event.Frame.Parent == ""
}

func (w *watch) opens(params jsonv2.Value) {
	var event struct {
		Frame string `json:"frameId"`
	}
	// A browser that does not tell the frame leaves it empty.
	_ = jsonv2.Unmarshal(params, &event, jsonv2.AllowInvalidUTF8(true))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dialog, w.frame = true, event.Frame
}

func (w *watch) closes() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dialog, w.frame = false, ""
}

// openDialog returns the frame that shows a dialog now, if one does.
func (w *watch) openDialog() (frame string, open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.frame, w.dialog
}

// isDeaf tells whether the page answers no more.
func (w *watch) isDeaf() bool { return isClosed(w.deaf) }

// hasBegun tells whether there is something to read.
func (w *watch) hasBegun() bool { return isClosed(w.committed) || w.isDeaf() }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// untilDeaf gives a context that ends as soon as the page answers no more. stop
// must be called.
func (w *watch) untilDeaf(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-w.deaf:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(); <-done }
}
