package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

const (
	// connectPatience is how long a host may take to be connected to: a moment, unless
	// it stands still.
	connectPatience = 5 * time.Second

	// upstreamPatience is how long a host may take for an answer: what it allows
	// itself, inside the 60 s that clients commonly wait.
	upstreamPatience = readyPatience + answerPatience + 2*time.Second

	// pingPause is how long a host is waited for before it is asked whether it is
	// alive, and how long it may then take: its answers are slow where a page is, but
	// this one is not.
	pingPause = 5 * time.Second

	// idlePatience is how long an agent that asks nothing stays connected to a host.
	idlePatience = 10 * time.Minute

	// maxNames is how many agents by name may be connected to a host at once, of the
	// connections that it takes; more come under the gateway's own name.
	maxNames = 8

	// maxAsked is how many questions to one host are under way at once; more wait.
	maxAsked = 64

	// upstreamVersion is the protocol's version in which hosts are talked to: one in
	// which a connection has a subscription for each resource.
	upstreamVersion = "2025-11-25"
)

// An upstream is a host as a gateway sees it: connected to when it is asked, once for
// each agent that asks, so that its user sees who that is.
type upstream struct {
	gateway  *Gateway
	instance string
	turns    chan struct{} // has a token for each question under way

	// mu guards the connections, by who asks.
	mu    sync.Mutex
	links map[Agent]*link
	ended bool
}

// A link is a connection to a host.
type link struct {
	who   Agent
	ready chan struct{} // closed when it is connected, or is not going to be
	over  chan struct{} // closed when it has ended

	// These are there once it is ready.
	session *sdk.ClientSession
	conn    io.Closer
	err     error
	stuck   atomic.Bool // it was ended because the host stood still

	// The upstream's mu guards these.
	users int
	idle  *time.Timer // ends it; nil while it is used
}

func newUpstream(g *Gateway, instance string) *upstream {
	return &upstream{gateway: g, instance: instance, turns: make(chan struct{}, maxAsked), links: map[Agent]*link{}}
}

// ask asks the host. The error is a *provider.Error where an agent can be told it,
// or one of the protocol as the host gave it, or ErrNoHost.
func (u *upstream) ask(ctx context.Context, who Agent, do func(context.Context, *sdk.ClientSession) error) error {
	select {
	case u.turns <- struct{}{}:
		defer func() { <-u.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l, err := u.borrow(ctx, who)
	if err != nil {
		return err
	}
	defer u.giveBack(l)
	bounded, cancel := context.WithTimeout(ctx, upstreamPatience)
	defer cancel()
	u.gateway.running.Go(func() { l.attend(bounded) })
	return l.told(ctx, do(bounded, l.session))
}

// told gives an error of a question in an agent's words.
func (l *link) told(ctx context.Context, err error) error {
	var coded *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case l.stuck.Load():
		return errHostStuck
	case errors.Is(err, context.DeadlineExceeded):
		return tooLong
	case errors.As(err, &coded) && !errors.Is(err, sdk.ErrConnectionClosed):
		return coded
	}
	return errHostDied
}

// attend ends the connection if the host stands still before ctx ends.
func (l *link) attend(ctx context.Context) {
	pause := time.NewTicker(pingPause)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-l.over:
			return
		case <-ctx.Done():
			return
		}
		bounded, cancel := context.WithTimeout(ctx, pingPause)
		err := l.session.Ping(bounded, nil)
		cancel()
		if err != nil && ctx.Err() == nil {
			l.stuck.Store(true)
			_ = l.conn.Close()
			return
		}
	}
}

// browserPID gives the process id of the host's browser; 0 where it is not known.
func (u *upstream) browserPID(ctx context.Context, who Agent) int {
	l, err := u.borrow(ctx, who)
	if err != nil {
		return 0
	}
	defer u.giveBack(l)
	said, err := json.Marshal(l.session.InitializeResult().Capabilities.Experimental[ownCapability])
	var facts browserFacts
	if err != nil || json.Unmarshal(said, &facts) != nil {
		return 0
	}
	return facts.PID
}

// borrow gives the connection of an agent, which is given back in the end.
func (u *upstream) borrow(ctx context.Context, who Agent) (*link, error) {
	who.ID = 0
	u.mu.Lock()
	if u.ended || u.gateway.ctx.Err() != nil {
		u.mu.Unlock()
		return nil, ErrNoHost
	}
	if u.links[who] == nil && len(u.links) >= maxNames {
		who = Agent{}
	}
	l := u.links[who]
	if l == nil {
		l = &link{who: who, ready: make(chan struct{}), over: make(chan struct{})}
		u.links[who] = l
		u.gateway.running.Go(func() { u.keep(l) })
	}
	l.users++
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
	u.mu.Unlock()
	select {
	case <-l.ready:
	case <-ctx.Done():
		u.giveBack(l)
		return nil, ctx.Err()
	}
	if l.err != nil {
		u.giveBack(l)
		return nil, l.err
	}
	return l, nil
}

// giveBack ends a use of a connection.
func (u *upstream) giveBack(l *link) {
	u.mu.Lock()
	defer u.mu.Unlock()
	l.users--
	if l.users > 0 || u.links[l.who] != l {
		return
	}
	l.idle = time.AfterFunc(u.gateway.idle, func() {
		u.mu.Lock()
		unused := l.users == 0 && u.links[l.who] == l
		if unused {
			// Whoever asks from here on gets another.
			delete(u.links, l.who)
		}
		u.mu.Unlock()
		if <-l.ready; unused && l.conn != nil {
			_ = l.conn.Close()
		}
	})
}

// keep makes a connection, and forgets it when it has ended.
func (u *upstream) keep(l *link) {
	l.session, l.conn, l.err = u.connect(l.who)
	if l.err != nil {
		u.forget(l)
		close(l.over)
		close(l.ready)
		return
	}
	close(l.ready)
	stop := context.AfterFunc(u.gateway.ctx, func() { _ = l.conn.Close() })
	defer stop()
	// How it ended is told to whoever asks.
	_ = l.session.Wait()
	_ = l.conn.Close()
	u.forget(l)
	close(l.over)
	if u.gateway.ctx.Err() == nil {
		u.gateway.sweep(u.gateway.ctx)
	}
}

func (u *upstream) forget(l *link) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if l.idle != nil {
		l.idle.Stop()
	}
	if u.links[l.who] == l {
		delete(u.links, l.who)
	}
}

// connect makes a connection in an agent's name.
func (u *upstream) connect(who Agent) (*sdk.ClientSession, io.Closer, error) {
	ctx, cancel := context.WithTimeout(u.gateway.ctx, connectPatience)
	defer cancel()
	conn, err := u.gateway.hosts.Dial(ctx, u.instance)
	if err != nil {
		return nil, nil, u.unconnected(ctx, err)
	}
	once := &closeOnce{ReadWriteCloser: conn}
	client := sdk.NewClient(&sdk.Implementation{
		Name:    cmp.Or(who.Name, "webarea gateway"),
		Version: cmp.Or(who.Version, u.gateway.version, "unknown"),
	}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ResourceUpdatedHandler: func(context.Context, *sdk.ResourceUpdatedNotificationRequest) {
			u.gateway.notices.updated(u.instance)
		},
	})
	stop := context.AfterFunc(ctx, func() { _ = once.Close() })
	transport := &verbatim{&sdk.IOTransport{Reader: once, Writer: once}}
	session, err := client.Connect(context.WithoutCancel(ctx), transport, &sdk.ClientSessionOptions{ProtocolVersion: upstreamVersion})
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = once.Close()
		return nil, nil, u.unconnected(ctx, err)
	}
	return session, once, nil
}

// unconnected gives the reason why there is no connection in an agent's words.
func (u *upstream) unconnected(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, ErrNoHost) || u.gateway.ctx.Err() != nil || u.hasDied(ctx):
		return ErrNoHost
	case ctx.Err() != nil:
		return errHostStuck
	}
	u.gateway.log.Warn("a browser's host could not be connected to", "instance", u.instance, "error", err)
	return &provider.Error{Code: provider.CodeFailed, Message: "the browser could not be connected to", Mend: "ask again"}
}

// hasDied tells whether the host ended while it was connected to.
func (u *upstream) hasDied(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	conn, err := u.gateway.hosts.Dial(ctx, u.instance)
	if err == nil {
		_ = conn.Close()
	}
	return errors.Is(err, ErrNoHost)
}

// end ends all connections.
func (u *upstream) end() {
	u.mu.Lock()
	u.ended = true
	var links []*link
	for _, l := range u.links {
		links = append(links, l)
	}
	u.mu.Unlock()
	for _, l := range links {
		u.gateway.running.Go(func() {
			<-l.ready
			if l.conn != nil {
				_ = l.conn.Close()
			}
		})
	}
}

// closeOnce lets a connection be closed from several sides.
type closeOnce struct {
	io.ReadWriteCloser
	once sync.Once
	err  error
}

// Close implements io.Closer.
func (c *closeOnce) Close() error {
	c.once.Do(func() { c.err = c.ReadWriteCloser.Close() })
	return c.err
}
