package provider

import (
	"sync"
	"time"
)

// watchGap is the least time between two notices: four a second are as many as an
// agent can use.
const watchGap = 250 * time.Millisecond

// A watcher is one that is told of changes.
type watcher struct {
	fn   func()
	stop chan struct{}
	done chan struct{}
	due  chan struct{}
	once sync.Once
}

// Watch has fn called when what agents see of the shared tabs may have changed, at
// most four times a second and never two at once, until cancel is called; after
// that it is not called any more. The page's own events tell: nothing is polled,
// and pages are listened to only while somebody watches.
func (p *Provider) Watch(fn func()) (cancel func()) {
	w := &watcher{fn: fn, stop: make(chan struct{}), done: make(chan struct{}), due: make(chan struct{}, 1)}
	p.mu.Lock()
	p.watchers = append(p.watchers, w)
	tabs := append([]*Tab{}, p.tabs...)
	p.mu.Unlock()
	for _, t := range tabs {
		t.listen(p)
	}
	go w.run()
	return func() {
		w.once.Do(func() {
			close(w.stop)
			<-w.done
			p.endWatch(w)
		})
	}
}

func (w *watcher) run() {
	defer close(w.done)
	for {
		select {
		case <-w.stop:
			return
		case <-w.due:
			w.fn()
		}
		select {
		case <-w.stop:
			return
		case <-time.After(watchGap):
		}
	}
}

func (p *Provider) endWatch(w *watcher) {
	p.mu.Lock()
	for i, other := range p.watchers {
		if other == w {
			p.watchers = append(p.watchers[:i:i], p.watchers[i+1:]...)
			break
		}
	}
	last := len(p.watchers) == 0
	tabs := append([]*Tab{}, p.tabs...)
	p.mu.Unlock()
	if last {
		for _, t := range tabs {
			t.unlisten()
		}
	}
}

// changed tells every watcher.
func (p *Provider) changed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.watchers {
		select {
		case w.due <- struct{}{}:
		default:
		}
	}
}

// listen has the tab's page tell of its changes.
func (t *Tab) listen(p *Provider) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watch == nil && t.Page != nil {
		t.watch = t.Page.WatchChanges(p.changed)
	}
}

func (t *Tab) unlisten() {
	t.mu.Lock()
	w := t.watch
	t.watch = nil
	t.mu.Unlock()
	if w != nil {
		w.Close()
	}
}
