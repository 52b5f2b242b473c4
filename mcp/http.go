package mcp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// HTTPPath is where the protocol is spoken.
	HTTPPath = "/mcp"

	// modernVersion is the first version without sessions.
	modernVersion = "2026-07-28"

	// sessionPatience is how long a client with a session may say nothing.
	sessionPatience = 10 * time.Minute

	// maxSessions is how many clients with sessions there may be at once: more than a
	// person runs.
	maxSessions = 128
)

// HTTPOptions say how a server is offered over HTTP.
type HTTPOptions struct {
	// Token is what clients have to show, as Authorization: Bearer.
	Token string

	// IsOwn tells whether a name or an address, without a port, is one by which the
	// server may be called. Others have been led here.
	IsOwn func(host string) bool

	// TLS is what connections are encrypted by. nil: they are not.
	TLS *tls.Config
}

// An HTTP offers a server over Streamable HTTP, in both eras of the protocol at one
// address.
type HTTP struct {
	sdk    *sdk.Server
	left   func(*sdk.ServerSession)
	tls    *tls.Config
	server *http.Server

	modern, legacy http.Handler

	// stopping ends what would last as long as the client: streams of notices.
	stopping context.Context
	stop     context.CancelFunc

	// mu guards the sessions whose end is waited for, and how many questions are under
	// way.
	mu       sync.Mutex
	awaited  map[*sdk.ServerSession]bool
	asked    int
	draining bool          // no more are taken
	drained  chan struct{} // closed when then none is under way any more
}

// HTTP offers the server over HTTP.
func (s *Server) HTTP(o HTTPOptions) *HTTP {
	// Who asks from elsewhere writes nothing here.
	s.files = false
	return newHTTP(s.sdk, s.left, o)
}

// HTTP offers the gateway over HTTP.
func (g *Gateway) HTTP(o HTTPOptions) *HTTP {
	g.begin()
	g.files = false
	return newHTTP(g.sdk, g.notices.drop, o)
}

func newHTTP(server *sdk.Server, left func(*sdk.ServerSession), o HTTPOptions) *HTTP {
	h := &HTTP{sdk: server, left: left, tls: o.TLS, awaited: map[*sdk.ServerSession]bool{}, drained: make(chan struct{})}
	h.stopping, h.stop = context.WithCancel(context.Background())
	get := func(*http.Request) *sdk.Server { return server }
	h.modern = sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxLine, DisableLocalhostProtection: true,
	})
	h.legacy = sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		SessionTimeout: sessionPatience, MaxRequestBodyBytes: maxLine, DisableLocalhostProtection: true,
	})
	server.AddReceivingMiddleware(h.awaitSubscribers)
	h.server = newHTTPServer(newGate(o, http.HandlerFunc(h.route)))
	return h
}

// Serve answers whoever connects until ctx ends, then those whose questions are under
// way, and closes the listener.
func (h *HTTP) Serve(ctx context.Context, listener net.Listener) error {
	defer h.stop()
	bounded := net.Listener(newBoundedListener(listener))
	if h.tls != nil {
		bounded = tls.NewListener(bounded, h.tls)
	}
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(bounded) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving MCP over HTTP: %w", err)
	case <-ctx.Done():
	}
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainPatience)
	defer cancel()
	// Streams end after what was asked has been answered: a client that loses one may
	// give up the other too.
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		h.drain(patient)
		h.stop()
	}()
	err := h.server.Shutdown(patient)
	<-drained
	if err != nil {
		err = errors.Join(fmt.Errorf("ending to serve MCP over HTTP: %w", err), h.server.Close())
	}
	h.endSessions()
	<-ended
	return errors.Join(context.Cause(ctx), err)
}

// drain takes no more questions, and returns when those that were asked are answered.
func (h *HTTP) drain(ctx context.Context) {
	h.mu.Lock()
	h.draining = true
	if h.asked == 0 {
		close(h.drained)
	}
	h.mu.Unlock()
	select {
	case <-h.drained:
	case <-ctx.Done():
	}
}

// begin notes that a question is under way, if it is taken.
func (h *HTTP) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining {
		return false
	}
	h.asked++
	return true
}

// done notes that a question has been answered.
func (h *HTTP) done() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked--
	if h.draining && h.asked == 0 {
		close(h.drained)
	}
}

// endSessions ends the sessions of clients, and waits for that only a while: one whose
// question is under way ends with its answer.
func (h *HTTP) endSessions() {
	var all sync.WaitGroup
	for s := range h.sdk.Sessions() {
		all.Go(func() { _ = s.Close() })
	}
	waitBounded(&all)
}

// route has a request answered in its era.
func (h *HTTP) route(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != HTTPPath {
		http.Error(w, "MCP is spoken at "+HTTPPath, http.StatusNotFound)
		return
	}
	if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(h.stopping, cancel)()
		r = r.WithContext(ctx)
	} else {
		if !h.begin() {
			http.Error(w, "the server is ending", http.StatusServiceUnavailable)
			return
		}
		defer h.done()
	}
	if r.Header.Get("Mcp-Protocol-Version") >= modernVersion {
		h.modern.ServeHTTP(w, r)
		return
	}
	if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" && h.sessions() >= maxSessions {
		http.Error(w, "too many clients have sessions: end one first", http.StatusServiceUnavailable)
		return
	}
	h.legacy.ServeHTTP(w, r)
}

func (h *HTTP) sessions() int {
	n := 0
	for range h.sdk.Sessions() {
		n++
	}
	return n
}

// awaitSubscribers notes when a client that subscribed to something has gone: nobody
// else is told by the SDK.
func (h *HTTP) awaitSubscribers(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		session, ok := request.GetSession().(*sdk.ServerSession)
		if !ok || method != "resources/subscribe" {
			return next(ctx, method, request)
		}
		h.mu.Lock()
		known := h.awaited[session]
		h.awaited[session] = true
		h.mu.Unlock()
		if !known {
			go func() {
				_ = session.Wait()
				h.mu.Lock()
				delete(h.awaited, session)
				h.mu.Unlock()
				h.left(session)
			}()
		}
		return next(ctx, method, request)
	}
}
