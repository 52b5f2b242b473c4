package cdp

import (
	"context"
	"slices"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// A Session is one target (a page, an out-of-process frame, the browser itself)
// on a connection. It is a cdproto session, so cdproto's typed commands and
// events run on it. Its methods may be called from any goroutine.
type Session struct {
	conn     *Conn
	id       target.SessionID
	detached chan struct{} // closed under conn.mu, once

	// calls has the ids of the calls that wait, guarded by conn.mu.
	calls map[int64]struct{}

	// mu guards the listeners. The slices are replaced, never changed, so that
	// they can be walked without the lock.
	mu            sync.Mutex
	handlers      map[string][]*handler
	subscriptions map[string][]*subscription
}

var _ cdproto.Session = (*Session)(nil)

type handler struct{ fn func(params jsonv2.Value) }

func newSession(c *Conn, id target.SessionID) *Session {
	return &Session{
		conn:          c,
		id:            id,
		detached:      make(chan struct{}),
		calls:         map[int64]struct{}{},
		handlers:      map[string][]*handler{},
		subscriptions: map[string][]*subscription{},
	}
}

// ID returns the session's id, empty for the root session of a connection.
func (s *Session) ID() target.SessionID { return s.id }

// Conn returns the connection that the session travels on.
func (s *Session) Conn() *Conn { return s.conn }

// Detached returns a channel that is closed when the session is over: its target
// was closed or detached, or the connection ended.
func (s *Session) Detached() <-chan struct{} { return s.detached }

func (s *Session) isDetached() bool {
	select {
	case <-s.detached:
		return true
	default:
		return false
	}
}

// Call sends a command, waits for the answer and decodes it into result. See
// Pending.Wait for result and for the errors. A context without a deadline gets
// DefaultCallTimeout.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.Go(ctx, method, params).Wait(ctx, result)
}

// Go sends a command at once and does not wait, so that many can travel
// together; their order is kept. It never blocks. The call ends with ctx, or
// after DefaultCallTimeout where ctx has no deadline, whether or not anybody
// waits for it. params may be nil, or a jsonv2.Value to be sent as it is.
func (s *Session) Go(ctx context.Context, method string, params any) *Pending {
	return s.conn.send(ctx, s, method, params)
}

// On has fn called with the parameters of each event of the method, in the order
// in which they arrive and before any answer that came after them is handed out.
// fn runs on the connection's receiving goroutine: it must not block nor wait
// for a call, but may use Go. It may keep params. After cancel has returned, no
// further call of fn begins.
func (s *Session) On(method string, fn func(params jsonv2.Value)) (cancel func()) {
	h := &handler{fn: fn}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[method] = with(s.handlers[method], h)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.handlers[method] = without(s.handlers[method], h)
	}
}

// Subscribe buffers the events of the method from now on and returns the channel
// that they arrive on. The channel is closed after cancel, after the session's
// last event, or when nobody reads and maxBuffered is exceeded. The caller must
// call cancel.
func (s *Session) Subscribe(method string) (events <-chan jsonv2.Value, cancel func()) {
	sub := newSubscription()
	s.mu.Lock()
	s.subscriptions[method] = with(s.subscriptions[method], sub)
	s.mu.Unlock()
	if s.isDetached() {
		sub.end()
	}
	return sub.events, func() {
		s.mu.Lock()
		s.subscriptions[method] = without(s.subscriptions[method], sub)
		s.mu.Unlock()
		sub.cancel()
	}
}

// deliver hands an event to whoever listens. It runs on the receiving goroutine
// only.
func (s *Session) deliver(method string, params jsonv2.Value) {
	s.mu.Lock()
	handlers, subscriptions := s.handlers[method], s.subscriptions[method]
	s.mu.Unlock()
	for _, h := range handlers {
		h.fn(params)
	}
	for _, sub := range subscriptions {
		sub.put(params)
	}
}

func (s *Session) endSubscriptions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, subs := range s.subscriptions {
		for _, sub := range subs {
			sub.end()
		}
	}
}

func with[T any](list []T, item T) []T {
	return append(slices.Clip(list), item)
}

func without[T comparable](list []T, item T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(other T) bool { return other == item })
}
