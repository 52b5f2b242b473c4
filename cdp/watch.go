package cdp

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// changeBinding is how our script calls us; it exists in our world alone.
const changeBinding = "webareaChanged"

// watchTimeout bounds setting up or ending a watch in a page that is busy.
const watchTimeout = 5 * time.Second

// A Watch has the changes of a page told, from WatchChanges until Close.
type Watch struct {
	page *Page
	fn   func()
	stop context.CancelFunc
	done chan struct{}
	// cancels end our listening to each session, until Close; the page's mu guards them.
	cancels map[*Session][]func()
	// again asks for the documents to be told to listen once more.
	again chan struct{}
}

// WatchChanges has fn called whenever what an agent sees of the page may have
// changed: selection, focus, what the pointer is over, title, address, a dialog; and
// once the page's documents have been told to listen. It is called often, and from
// goroutines of the page's own: it must not block. Nothing is polled.
func (p *Page) WatchChanges(fn func()) *Watch {
	ctx, stop := context.WithCancel(p.ctx)
	w := &Watch{page: p, fn: fn, stop: stop, done: make(chan struct{}), cancels: map[*Session][]func(){}, again: make(chan struct{}, 1)}
	p.mu.Lock()
	p.watchers = append(p.watchers, w)
	sessions := make([]*Session, 0, len(p.sessions))
	for s := range p.sessions {
		sessions = append(sessions, s)
	}
	p.mu.Unlock()
	for _, s := range sessions {
		w.follow(s)
	}
	go w.run(ctx)
	w.renew()
	return w
}

// Close ends the watch.
func (w *Watch) Close() {
	w.stop()
	<-w.done
	p := w.page
	p.mu.Lock()
	for i, other := range p.watchers {
		if other == w {
			p.watchers = append(p.watchers[:i:i], p.watchers[i+1:]...)
			break
		}
	}
	last := len(p.watchers) == 0
	cancels := w.cancels
	w.cancels = nil
	p.mu.Unlock()
	for _, all := range cancels {
		for _, c := range all {
			c()
		}
	}
	if last {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), watchTimeout)
		defer cancel()
		p.tellListeners(ctx, "")
	}
}

// follow hears a session's changes.
func (w *Watch) follow(s *Session) {
	on := func(method string, fn func(jsonv2.Value)) {
		c := s.On(method, fn)
		w.page.mu.Lock()
		defer w.page.mu.Unlock()
		if w.cancels == nil { // it was closed meanwhile
			c()
			return
		}
		w.cancels[s] = append(w.cancels[s], c)
	}
	// Of what else is called the payload may be large.
	on(runtime.BindingCalled.Method, note(func(e struct {
		Name string `json:"name"`
	}) {
		if e.Name == changeBinding {
			w.fn()
		}
	}))
	for _, method := range []string{page.NavigatedWithinDocument.Method, page.FrameDetached.Method, page.JavascriptDialogOpening.Method, page.JavascriptDialogClosed.Method} {
		on(method, func(jsonv2.Value) { w.fn() })
	}
	for _, method := range []string{page.FrameNavigated.Method, page.DomContentEventFired.Method, page.LoadEventFired.Method} {
		on(method, func(jsonv2.Value) { w.renew(); w.fn() })
	}
}

// renew has documents that came since told to listen.
func (w *Watch) renew() {
	select {
	case w.again <- struct{}{}:
	default:
	}
}

func (w *Watch) run(ctx context.Context) {
	defer close(w.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.again:
			tell, cancel := context.WithTimeout(ctx, watchTimeout)
			w.page.tellListeners(tell, changeBinding)
			cancel()
			// What changed before they listened nobody told.
			w.fn()
		}
	}
}

// tellListeners has every document listen, or stop. One that does not answer is
// told again when it next changes.
func (p *Page) tellListeners(ctx context.Context, binding string) {
	if p.settle(ctx) != nil {
		return
	}
	visits, err := p.prepareQuietly(ctx)
	if err != nil {
		return
	}
	// A binding is in the worlds there are; one that came later lacks it.
	told := map[*Session]bool{}
	for _, v := range visits {
		if binding != "" && !told[v.session] {
			told[v.session] = true
			v.session.Go(ctx, runtime.CommandAddBinding, map[string]any{"name": changeBinding, "executionContextName": worldName})
		}
	}
	var sent []answer
	for _, v := range visits {
		if v.world != 0 {
			sent = append(sent, link{v.id, v.session, v.world}.ask(ctx, "listen", binding))
		}
	}
	for _, a := range sent {
		_ = a.value(ctx, nil)
	}
}
