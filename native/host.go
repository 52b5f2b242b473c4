package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/webarea/webarea/mcp"
	"github.com/webarea/webarea/provider"
)

// ExtensionID is the id of the one extension that is answered: its manifest has the
// key that makes it so, wherever it is loaded from.
const ExtensionID = "oedpjcnlbklphmhlgngbgjgmckdipina"

// Origin is how a browser calls that extension when it starts a host.
const Origin = "chrome-extension://" + ExtensionID + "/"

// greetPatience is how long the extension may take to say hello.
const greetPatience = 30 * time.Second

// Options say what a host works with.
type Options struct {
	// Version is that of the program.
	Version string

	// In and Out are the browser's ends; both are closed in the end.
	In  io.ReadCloser
	Out io.WriteCloser

	// Dir is the folder of the socket that agents connect to; empty: that of RunDir.
	Dir string

	// Log takes what happens to the host; never what a page says.
	Log *slog.Logger
}

// A host is what a browser's extension talks to: one run of a provider whose tabs the
// extension shares, and a server of agents that ask about them.
type host struct {
	options  Options
	log      *slog.Logger
	link     *link
	relay    *relay
	requests *requests
	provider *provider.Provider
	server   *mcp.Server
	sharing  *sharing
	asking   *asking
	audience *audience
	used     used
	news     news           // of what the status tells
	hello    helloMessage   // set before agents are served
	browser  int            // its process; 0: not known
	running  sync.WaitGroup // the goroutines of the host
}

// Run is a host until the browser hangs up or ctx ends, and leaves nothing behind. The
// error is for an extension that does not keep to what was agreed.
func Run(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	h := &host{options: o, log: o.Log, link: newLink(o.In, o.Out)}
	h.provider = provider.New("Chrome")
	h.log = h.log.With("instance", h.provider.Instance())
	h.relay, h.requests = newRelay(h.link.say), newRequests(h.link.say)
	h.sharing = newSharing(ctx, h)
	h.audience = &audience{say: func(m any) { h.say(m); h.news.tell() }}
	pid, _ := parentBrowser()
	h.server = mcp.New(mcp.Options{
		Provider: h.provider, Ready: h.sharing.ready, PID: pid, Version: o.Version, Observer: h.audience,
		Log: slog.New(quietLog{h.log.Handler()}),
	})
	h.asking = newAsking(ctx, h)

	received := make(chan error, 1)
	go func() { received <- h.receive(ctx) }()
	var err error
	select {
	case err = <-received:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	stop(err)
	return h.end(err)
}

// receive takes what the extension says until it hangs up.
func (h *host) receive(ctx context.Context) error {
	if err := h.greet(ctx); err != nil {
		return err
	}
	for {
		k, message, err := h.link.receive()
		if err == nil {
			err = h.take(k, message)
		}
		// A browser that is killed hangs up in the middle of a frame.
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("listening to the extension: %w", err)
		}
	}
}

// greet answers the extension's first message, and begins to serve agents.
func (h *host) greet(ctx context.Context) error {
	late := time.AfterFunc(greetPatience, func() { _ = h.options.In.Close() })
	k, message, err := h.link.receive()
	if !late.Stop() {
		return errors.New("the extension does not say hello")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("waiting for the extension's hello: %w", err)
	}
	if k != kindHello {
		return fmt.Errorf("%w: the first is no hello", errShape)
	}
	hello, err := decodeAs[helloMessage](k, message)
	if err != nil {
		return err
	}
	if hello.Protocol != Protocol {
		what := fmt.Sprintf("the extension speaks protocol %d, this host %d: update the older of the two", hello.Protocol, Protocol)
		return errors.Join(errors.New(what), h.link.say(nil, refusedMessage{kindRefused, "protocol", what}))
	}
	if hello.Browser.Name != "" {
		h.provider.SetApp(hello.Browser.Name)
	}
	pid, here := parentBrowser()
	h.provider.SetBrowser(provider.Browser{PID: int64(pid), Local: here, Name: hello.Browser.Name, Version: hello.Browser.Version})
	h.hello, h.browser = hello, pid
	if err := h.listen(ctx); err != nil {
		return errors.Join(err, h.link.say(nil, refusedMessage{kindRefused, "socket", err.Error()}))
	}
	h.log.Info("begun", "pid", os.Getpid(), "extension", hello.Extension, "browser", hello.Browser.Version)
	return h.link.say(nil, welcomeMessage{kindWelcome, Protocol, h.options.Version, h.provider.Instance(), os.Getpid()})
}

// take does what a message says.
func (h *host) take(k kind, message []byte) error {
	switch k {
	case kindCDP:
		m, err := decodeAs[cdpMessage](k, message)
		if err != nil {
			return err
		}
		if len(m.M) == 0 || m.M.Kind() != '{' {
			return fmt.Errorf("%w: %s", errShape, k)
		}
		h.relay.deliver(m.Tab, m.M)
	case kindTabs:
		m, err := decodeAs[tabsMessage](k, message)
		if err != nil {
			return err
		}
		h.used.see(m.Windows)
		defer h.news.tell()
		return h.sharing.update(m)
	case kindAnswer:
		m, err := decodeAs[repliedMessage](k, message)
		if err != nil {
			return err
		}
		h.requests.answer(m)
	case kindAsk:
		m, err := decodeAs[askMessage](k, message)
		if err != nil {
			return err
		}
		h.asking.answer(m)
	case kindWatch:
		m, err := decodeAs[watchMessage](k, message)
		if err != nil {
			return err
		}
		h.asking.watch(m.On)
	case kindHello:
		return fmt.Errorf("%w: a second hello", errShape)
	}
	return nil
}

// say says something to the extension, if it is still there.
func (h *host) say(message any) {
	if err := h.link.say(nil, message); err != nil && !errors.Is(err, errHungUp) {
		h.log.Error("a message could not be sent", "error", err)
	}
}

// listen begins to serve agents on the socket.
func (h *host) listen(ctx context.Context) error {
	dir := h.options.Dir
	if dir == "" {
		var err error
		if dir, err = RunDir(); err != nil {
			return err
		}
	}
	if err := sweep(ctx, dir); err != nil {
		h.log.Warn("sockets of other hosts could not be looked at", "error", err)
	}
	listener, path, err := listenOn(dir, h.provider.Instance())
	if err != nil {
		return err
	}
	h.used.at(path)
	h.running.Go(func() {
		<-ctx.Done()
		_ = os.Remove(path)
		_ = listener.Close()
	})
	h.running.Go(func() { h.accept(ctx, listener) })
	return nil
}

// accept serves each agent that connects, until the listener is closed.
func (h *host) accept(ctx context.Context, listener *net.UnixListener) {
	places := make(chan struct{}, maxClients)
	for {
		c, err := listener.AcceptUnix()
		if err != nil {
			if ctx.Err() == nil {
				h.log.Error("agents can connect no longer", "error", err)
			}
			return
		}
		if err := checkPeer(c); err != nil {
			h.log.Warn("somebody was not let in", "error", err)
			_ = c.Close()
			continue
		}
		select {
		case places <- struct{}{}:
		default:
			h.log.Warn("an agent was not let in: there are too many")
			_, _ = io.WriteString(c, tooManyClients)
			_ = c.Close()
			continue
		}
		h.running.Go(func() {
			defer func() { <-places }()
			h.attend(ctx, c)
		})
	}
}

const (
	// maxClients is how many agents may be connected at once: more than a person
	// runs, few enough that one that connects again and again brings nothing down.
	maxClients = 32

	// tooManyClients is what a client beyond them is told.
	tooManyClients = `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"too many agents are connected to this browser: end one first"}}` + "\n"
)

// end takes everything down. Who asks something gets no more answers.
func (h *host) end(why error) error {
	h.sharing.end()
	h.relay.endAll(reasonHungUp)
	h.asking.end()
	err := h.link.close()
	_ = h.options.In.Close() // ends who reads it, where the system lets that be
	h.running.Wait()
	h.provider.Close()
	if why != nil {
		h.log.Error("ended", "reason", why)
		return why
	}
	h.log.Info("ended, since the browser hung up")
	if err != nil {
		h.log.Debug("the browser was gone", "error", err)
	}
	return nil
}
