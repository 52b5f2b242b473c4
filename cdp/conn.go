package cdp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// maxQueued bounds the bytes of commands that wait to be written. A browser that
// reads nothing while we have this much to say has hung, and a command beyond
// it fails instead of filling our memory.
const maxQueued = 256 << 20

var errQueueFull = errors.New("the browser has stopped reading commands")

// A Conn is one connection to a browser. It owns a goroutine that receives and
// one that sends; both end when the connection does. Its methods may be called
// from any goroutine.
type Conn struct {
	transport Transport
	root      *Session
	pageRoot  bool
	serial    int64

	// done is closed when the connection has ended; loops counts the two
	// goroutines.
	done  chan struct{}
	loops sync.WaitGroup

	// lastID is the number of the last command.
	lastID *atomic.Int64

	// mu guards everything below, up to the next lock.
	mu       sync.Mutex
	err      error // why the connection ended, nil while it lives
	calls    map[int64]*Pending
	sessions map[target.SessionID]*Session
	// parents has the session in which each attached session was announced:
	// when the parent goes, nobody tells us that the children went with it.
	parents map[target.SessionID]target.SessionID

	// queueMu guards the commands that wait to be written. wake holds one token
	// when there may be some.
	queueMu sync.Mutex
	queue   [][]byte
	queued  int // bytes in queue
	wake    chan struct{}
}

// NewConn makes a connection of the transport and starts to receive. The
// connection owns the transport from here on.
func NewConn(t Transport) *Conn { return newConn(t, new(atomic.Int64)) }

// lastPageID numbers the commands of all connections that NewPageConn makes.
var lastPageID atomic.Int64

// NewPageConn is NewConn where the far end is a single page and not a browser (see
// RootIsPage). Such a connection may follow another to the same page: no number of a
// command is used twice, so that an answer meant for the earlier one is not taken by
// the later.
func NewPageConn(t Transport) *Conn {
	c := newConn(t, &lastPageID)
	c.pageRoot = true
	return c
}

// lastConn numbers the connections of this process.
var lastConn atomic.Int64

func newConn(t Transport, lastID *atomic.Int64) *Conn {
	c := &Conn{
		serial:    lastConn.Add(1),
		transport: t,
		lastID:    lastID,
		done:      make(chan struct{}),
		calls:     map[int64]*Pending{},
		sessions:  map[target.SessionID]*Session{},
		parents:   map[target.SessionID]target.SessionID{},
		wake:      make(chan struct{}, 1),
	}
	c.root = newSession(c, "")
	c.loops.Add(2)
	go c.receiveLoop()
	go c.sendLoop()
	return c
}

// Browser returns the session that has no id: the browser itself, or the one
// page that the connection was made to (see RootIsPage).
func (c *Conn) Browser() *Session { return c.root }

// Serial names the connection among all of this process, from 1 on: browsers number
// their windows each for itself.
func (c *Conn) Serial() int64 { return c.serial }

// RootIsPage reports whether the far end is a single page and not a browser, as
// after Attach with the address of a page.
func (c *Conn) RootIsPage() bool { return c.pageRoot }

// Session returns the flat session with that id, the same one each time until
// it is detached. A caller that must not miss the first events of a session asks
// for it in an On callback of Target.attachedToTarget.
func (c *Conn) Session(id target.SessionID) *Session {
	if id == "" {
		return c.root
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	if s == nil {
		s = newSession(c, id)
		if c.err != nil {
			close(s.detached)
			return s
		}
		c.sessions[id] = s
	}
	return s
}

// Done returns a channel that is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended, an error that wraps ErrBrowserGone, or
// nil while it lives.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection, fails the calls that wait, and returns when both
// goroutines have ended. It must not be called from an On callback. It leaves
// the browser running.
func (c *Conn) Close() error {
	c.fail(errClosedByUs)
	c.loops.Wait()
	return nil
}

// send starts a call. It never blocks: the message is written by the sending
// goroutine.
func (c *Conn) send(ctx context.Context, s *Session, method string, params any) *Pending {
	p := &Pending{conn: c, session: s, method: method, done: make(chan struct{})}
	if ctx.Err() != nil {
		p.finish(nil, givenUp(method, ctx))
		return p
	}
	p.id = c.lastID.Add(1)
	msg, err := encodeCommand(p.id, s.id, method, params)
	if err != nil {
		p.finish(nil, fmt.Errorf("encoding the parameters of %s: %w", method, err))
		return p
	}
	if err := c.enter(ctx, s, p); err != nil {
		p.finish(nil, fmt.Errorf("%s: %w", method, err))
		return p
	}
	if err := c.enqueue(msg); err != nil {
		if c.take(p.id) != nil {
			p.finish(nil, fmt.Errorf("%s: %w", method, err))
		}
	}
	return p
}

// enter puts the call in the table and starts its deadline. Both happen under
// the lock, so that a deadline that ends at once finds the call.
func (c *Conn) enter(ctx context.Context, s *Session, p *Pending) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if s.isDetached() {
		return ErrTargetGone
	}
	cancel := func() {}
	if _, ok := ctx.Deadline(); !ok {
		ctx, cancel = context.WithTimeout(ctx, DefaultCallTimeout)
	}
	stop := context.AfterFunc(ctx, func() { c.giveUp(p, ctx) })
	p.release = func() { stop(); cancel() }
	c.calls[p.id] = p
	s.calls[p.id] = struct{}{}
	return nil
}

// take removes a call from the table and returns it, or nil if somebody else
// did: the one who takes it finishes it.
func (c *Conn) take(id int64) *Pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.calls[id]
	if p != nil {
		delete(c.calls, id)
		delete(p.session.calls, id)
	}
	return p
}

func (c *Conn) giveUp(p *Pending, ctx context.Context) {
	if c.take(p.id) != nil {
		p.finish(nil, givenUp(p.method, ctx))
	}
}

func (c *Conn) enqueue(msg []byte) error {
	c.queueMu.Lock()
	defer c.queueMu.Unlock()
	if c.queued+len(msg) > maxQueued {
		return errQueueFull
	}
	c.queue = append(c.queue, msg)
	c.queued += len(msg)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// sendLoop writes what is queued. While one write is under way others queue up
// and go out together with the next: calls made in a row share writes, and none
// waits for company.
func (c *Conn) sendLoop() {
	defer c.loops.Done()
	for {
		select {
		case <-c.done:
			return
		case <-c.wake:
		}
		c.queueMu.Lock()
		batch := c.queue
		c.queue, c.queued = nil, 0
		c.queueMu.Unlock()
		if err := c.write(batch); err != nil {
			c.fail(fmt.Errorf("sending a command: %w", err))
			return
		}
	}
}

// write needs no deadline: a browser that does not read fails the calls by
// theirs, and Close unblocks the transport.
func (c *Conn) write(batch [][]byte) error {
	ctx := context.Background()
	if all, ok := c.transport.(batchSender); ok {
		return all.sendAll(ctx, batch)
	}
	for _, msg := range batch {
		if err := c.transport.Send(ctx, msg); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conn) receiveLoop() {
	defer c.loops.Done()
	for {
		msg, err := c.transport.Receive()
		if err != nil {
			c.fail(err)
			return
		}
		if err := c.dispatch(msg); err != nil {
			c.fail(err)
			return
		}
	}
}

// dispatch hands one message to the call or the session it is for. A message for
// neither (an answer that came too late, an event of a session nobody asked for)
// is dropped.
func (c *Conn) dispatch(msg []byte) error {
	env, err := decodeEnvelope(mendText(msg))
	if err != nil {
		return err
	}
	switch {
	case env.id != 0:
		if p := c.take(env.id); p != nil {
			c.answer(p, env)
		}
	case env.method != "":
		c.event(env)
	}
	return nil
}

func (c *Conn) answer(p *Pending, env envelope) {
	if env.failure == nil {
		p.finish(env.body, nil)
		return
	}
	p.finish(nil, &CallError{Method: p.method, Code: env.failure.Code, Message: env.failure.Message})
	if env.failure.Code == codeSessionNotFound {
		c.detach(p.session.id)
	}
}

func (c *Conn) event(env envelope) {
	switch env.method {
	case "Target.attachedToTarget":
		if id := attachmentID(env.body); id != "" {
			c.mu.Lock()
			c.parents[id] = env.session
			c.mu.Unlock()
		}
	case "Target.detachedFromTarget":
		c.detach(attachmentID(env.body))
	}
	c.mu.Lock()
	s := c.root
	if env.session != "" {
		s = c.sessions[env.session]
	}
	c.mu.Unlock()
	if s != nil {
		s.deliver(env.method, env.body)
	}
}

// attachmentID reads the session id that both attachment events carry.
func attachmentID(params jsonv2.Value) target.SessionID {
	var event struct {
		SessionID target.SessionID `json:"sessionId"`
	}
	if jsonv2.Unmarshal(params, &event, tolerant) != nil {
		return ""
	}
	return event.SessionID
}

// detach ends a session, and those below it, and fails their calls.
func (c *Conn) detach(id target.SessionID) {
	if id == "" {
		return
	}
	c.mu.Lock()
	gone := []target.SessionID{id}
	for i := 0; i < len(gone); i++ {
		for child, parent := range c.parents {
			if parent == gone[i] {
				gone = append(gone, child)
			}
		}
		delete(c.parents, gone[i])
	}
	var ended []*Session
	var failed []*Pending
	for _, id := range gone {
		s := c.sessions[id]
		if s == nil {
			continue
		}
		delete(c.sessions, id)
		ended = append(ended, s)
		for call := range s.calls {
			failed = append(failed, c.calls[call])
			delete(c.calls, call)
		}
		clear(s.calls)
		close(s.detached)
	}
	c.mu.Unlock()
	for _, p := range failed {
		p.finish(nil, fmt.Errorf("%s: %w", p.method, ErrTargetGone))
	}
	for _, s := range ended {
		s.endSubscriptions()
	}
}

// fail ends the connection for a reason: the first one counts.
func (c *Conn) fail(reason error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = fmt.Errorf("%w: %w", ErrBrowserGone, reason)
	calls := c.calls
	sessions := append(slices.Collect(maps.Values(c.sessions)), c.root)
	c.calls, c.sessions = map[int64]*Pending{}, map[target.SessionID]*Session{}
	for _, s := range sessions {
		clear(s.calls)
		close(s.detached)
	}
	c.mu.Unlock()

	for _, p := range calls {
		p.finish(nil, fmt.Errorf("%s: %w", p.method, c.err))
	}
	for _, s := range sessions {
		s.endSubscriptions()
	}
	close(c.done)
	c.transport.Close()
}
