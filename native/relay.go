package native

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

const (
	// maxWaiting is how many bytes of a tab's messages may wait to be taken, besides
	// one that is longer. They are taken as fast as they can be parsed: so many wait
	// only where something is wrong with that tab, and others must not pay for it.
	maxWaiting = 128 << 20

	// messageShell is what a message costs besides its bytes.
	messageShell = 100
)

// An endReason says why a tab's messages have ended.
type endReason string

// The reasons that are the host's own. Others are the extension's, such as closed or
// canceled_by_user.
const (
	reasonUnshared endReason = "unshared"         // the extension told of it no longer
	reasonOverflow endReason = "too_much_at_once" // its messages came faster than they were taken
	reasonClosed   endReason = "closed_by_us"     // nobody here needs it any more
	reasonHungUp   endReason = "extension_gone"   // the extension itself has gone
)

// A tabEnded is the error of a tab's connection that has ended.
type tabEnded struct{ reason endReason }

// Error gives the reason.
func (e *tabEnded) Error() string { return fmt.Sprintf("the way to the tab has ended (%s)", e.reason) }

// A relay carries the messages of several tabs over the one connection to the
// extension. Its methods may be called from any goroutine.
type relay struct {
	// say sends one message to the extension. It blocks while there is no room, or
	// until stop is closed, and no longer needs the message when it returns.
	say func(stop <-chan struct{}, message any) error

	most int // bytes that may wait of a tab

	// mu guards the ways that there are.
	mu   sync.Mutex
	ways map[string]*way
}

func newRelay(say func(stop <-chan struct{}, message any) error) *relay {
	return &relay{say: say, most: maxWaiting, ways: map[string]*way{}}
}

// open begins a way to the tab with that key, in place of one that there may be.
func (r *relay) open(tab string) *way {
	w := &way{relay: r, tab: tab, ready: make(chan struct{}, 1), ended: make(chan struct{})}
	r.mu.Lock()
	was := r.ways[tab]
	r.ways[tab] = w
	r.mu.Unlock()
	if was != nil {
		was.end(reasonClosed)
	}
	return w
}

// deliver hands over a message that came for a tab. One for a tab without a way is
// dropped: it was underway when that ended. It never blocks.
func (r *relay) deliver(tab string, message []byte) {
	r.mu.Lock()
	w := r.ways[tab]
	r.mu.Unlock()
	if w != nil {
		w.put(message)
	}
}

// end ends the way to a tab, if there is one.
func (r *relay) end(tab string, reason endReason) {
	r.mu.Lock()
	w := r.ways[tab]
	r.mu.Unlock()
	if w != nil {
		w.end(reason)
	}
}

// endAll ends all.
func (r *relay) endAll(reason endReason) {
	r.mu.Lock()
	var all []*way
	for _, w := range r.ways {
		all = append(all, w)
	}
	r.mu.Unlock()
	for _, w := range all {
		w.end(reason)
	}
}

// A way is the messages of one tab: a cdp.Transport.
type way struct {
	relay *relay
	tab   string

	ready chan struct{} // holds a token when there may be messages
	ended chan struct{} // closed when it has ended

	// mu guards what waits to be taken, and why there will be no more.
	mu      sync.Mutex
	waiting [][]byte
	size    int // bytes of waiting
	reason  endReason
}

func (w *way) put(message []byte) {
	w.mu.Lock()
	if w.reason != "" {
		w.mu.Unlock()
		return
	}
	if w.size > 0 && w.size+len(message)+messageShell > w.relay.most {
		w.mu.Unlock()
		w.end(reasonOverflow)
		return
	}
	w.waiting = append(w.waiting, message)
	w.size += len(message) + messageShell
	w.mu.Unlock()
	select {
	case w.ready <- struct{}{}:
	default:
	}
}

// end ends it for a reason: the first one counts. What waits is not taken any more.
func (w *way) end(reason endReason) {
	w.mu.Lock()
	if w.reason != "" {
		w.mu.Unlock()
		return
	}
	w.reason = reason
	w.waiting, w.size = nil, 0
	w.mu.Unlock()
	close(w.ended)
	r := w.relay
	r.mu.Lock()
	if r.ways[w.tab] == w {
		delete(r.ways, w.tab)
	}
	r.mu.Unlock()
}

func (w *way) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &tabEnded{w.reason}
}

// Send implements cdp.Transport.
func (w *way) Send(_ context.Context, msg []byte) error {
	select {
	case <-w.ended:
		return w.err()
	default:
	}
	return w.relay.say(w.ended, cdpMessage{kindCDP, w.tab, jsonv2.Value(msg)})
}

// Receive implements cdp.Transport.
func (w *way) Receive() ([]byte, error) {
	for {
		w.mu.Lock()
		if len(w.waiting) > 0 {
			message := w.waiting[0]
			w.waiting[0] = nil
			w.waiting = w.waiting[1:]
			w.size -= len(message) + messageShell
			w.mu.Unlock()
			return message, nil
		}
		w.mu.Unlock()
		select {
		case <-w.ready:
		case <-w.ended:
			return nil, w.err()
		}
	}
}

// Close implements cdp.Transport.
func (w *way) Close() error {
	w.end(reasonClosed)
	return nil
}
