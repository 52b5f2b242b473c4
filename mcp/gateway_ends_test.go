package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// waiting is get_elements that answers only when it is let to.
func waiting(asked chan<- string, name string, let <-chan struct{}) tool {
	hold := getElements
	hold.run = func(ctx context.Context, s *Server, arguments []byte) (*Result, error) {
		asked <- name
		select {
		case <-let:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return getElements.run(ctx, s, arguments)
	}
	return hold
}

// holdingHost has a host move in that answers when it is let to.
func (s *street) holdingHost(title string, asked chan<- string, let <-chan struct{}) *neighbour {
	p := provider.New(title)
	p.Mention("1.1", provider.Place{Window: 1, Title: title, URL: "https://example.com/", Problem: provider.ProblemReduced, Active: true})
	return s.move(newServer(Options{Provider: p}, []tool{waiting(asked, title, let), locate, captureElement}), p.Instance())
}

// Who asked about something that went with its browser is told how to have another.
func TestGatewayTellsWhatToAsk(t *testing.T) {
	for _, c := range []struct {
		name string
		of   target
		want string
	}{
		{"an element", targetIn([]byte(`{"id":"a1"}`)), "ask get_elements anew"},
		{"a capture", targetIn([]byte(`{"capture_id":"a1"}`)), "call get_window_state for a new one"},
		{"a window", targetIn([]byte(`{"pid":1,"window_id":2}`)), "call get_accessibility_tree"},
		{"nothing", targetIn([]byte(`{}`)), "ask get_elements anew"},
	} {
		if got := c.of.again(); !strings.Contains(got, c.want) {
			t.Errorf("%s of a browser that ended before: got %q, want %q", c.name, got, c.want)
		}
		if got := c.of.mended(errHostDied, "a", []string{"a"}).Error(); c.of.of != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s of a browser that ended meanwhile: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A host that dies while it is asked fails its own questions at once, with what to
// do; others go on, and the next question is answered by one that lives.
func TestGatewayHostDies(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s := newStreet(t)
			asked, let := make(chan string), make(chan struct{})
			one, two := s.holdingHost("One", asked, let), s.holdingHost("Two", asked, let)
			g := gatewayOf(t, s)
			type answer struct {
				text   string
				failed bool
			}
			answers := map[*neighbour]chan answer{}
			for _, n := range []*neighbour{one, two} {
				a := agentOf(t, g, n.instance, era.legacy)
				answers[n] = make(chan answer, 1)
				go func() {
					r, err := a.CallTool(context.Background(), &sdk.CallToolParams{Name: "get_elements", Arguments: map[string]any{"instance": n.instance}})
					if err != nil {
						answers[n] <- answer{err.Error(), false}
						return
					}
					answers[n] <- answer{r.Content[0].(*sdk.TextContent).Text, r.IsError}
				}()
				<-asked
			}
			s.kill(two)
			if got := <-answers[two]; !got.failed || !strings.HasPrefix(got.text, "browser_gone: ") {
				t.Errorf("the one that died: got %+v, want browser_gone", got)
			}
			close(let)
			if got := <-answers[one]; got.failed || !strings.Contains(got.text, `"One"`) {
				t.Errorf("the other: got %+v, want its answer", got)
			}
			a := agentOf(t, g, "after", era.legacy)
			go func() { <-asked }()
			a.expect(`{}`, false, `"One"`)
			a.expect(fmt.Sprintf(`{"instance":%q}`, two.instance), true, "unknown_instance", one.instance)
			list, err := a.ListResources(t.Context(), nil)
			if err != nil || len(list.Resources) != 2 {
				t.Errorf("got %+v, %v, want the current and one host", list, err)
			}
		})
	}
}

// A host that had died before it was asked is passed over.
func TestGatewayPassesOverTheDead(t *testing.T) {
	s := newStreet(t)
	s.sharing("One")
	two := s.sharing("Two")
	a := agentOf(t, gatewayOf(t, s), "test", false)
	s.kill(two)
	a.expect(`{}`, false, `"One"`)
}

// So is one that dies while it is connected to.
func TestGatewayPassesOverTheDying(t *testing.T) {
	s := newStreet(t)
	s.sharing("One")
	s.move(nil, "dyingg").hangsUp = true
	a := agentOf(t, gatewayOf(t, s), "test", false)
	a.expect(`{}`, false, `"One"`)
}

// A host that stands still fails only what it is asked itself.
func TestGatewayHostStandsStill(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes as long as a host may take to be connected to")
	}
	s := newStreet(t)
	one := s.sharing("One")
	s.move(nil, "stuckk")
	g := gatewayOf(t, s)
	stuck, other := agentOf(t, g, "stuck", true), agentOf(t, g, "other", true)
	var waiting sync.WaitGroup
	waiting.Go(func() { stuck.expect(`{}`, true, "timeout: the browser does not answer", one.instance) })
	other.expect(fmt.Sprintf(`{"instance":%q}`, one.instance), false, `"One"`)
	waiting.Wait()
}

// A host that stands still while it answers is noticed long before its answer would
// be late.
func TestGatewayHostStopsAnswering(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes as long as a host may take to say that it is alive")
	}
	s := newStreet(t)
	asked := make(chan string, 1)
	p := provider.New("Stops")
	n := s.move(newServer(Options{Provider: p}, []tool{waiting(asked, "", nil)}), p.Instance())
	g := gatewayOf(t, s)
	stopping := &stoppable{street: s, stop: make(chan struct{})}
	g.hosts = stopping
	a := agentOf(t, g, "test", true)
	begun := time.Now()
	var waiting sync.WaitGroup
	waiting.Go(func() {
		a.expect(fmt.Sprintf(`{"instance":%q}`, n.instance), true, "timeout: the browser does not answer")
	})
	<-asked
	close(stopping.stop)
	waiting.Wait()
	if took := time.Since(begun); took > upstreamPatience/2 {
		t.Errorf("it took %v, about as long as an answer may", took)
	}
}

// stoppable are hosts whose words no longer come through once they are stopped.
type stoppable struct {
	*street
	stop chan struct{}
}

// Dial implements Hosts.
func (s *stoppable) Dial(ctx context.Context, instance string) (io.ReadWriteCloser, error) {
	c, err := s.street.Dial(ctx, instance)
	if err != nil {
		return nil, err
	}
	return &muted{ReadWriteCloser: c, stop: s.stop, closed: make(chan struct{})}, nil
}

type muted struct {
	io.ReadWriteCloser
	stop, closed chan struct{}
}

func (m *muted) Read(p []byte) (int, error) {
	n, err := m.ReadWriteCloser.Read(p)
	select {
	case <-m.stop:
		<-m.closed
		return 0, io.EOF
	default:
		return n, err
	}
}

func (m *muted) Close() error {
	close(m.closed)
	return m.ReadWriteCloser.Close()
}

// An agent that withdraws a question ends it at the host.
func TestGatewayWithdrawn(t *testing.T) {
	s := newStreet(t)
	asked, stopped := make(chan string), make(chan struct{})
	hold := getElements
	hold.run = func(ctx context.Context, _ *Server, _ []byte) (*Result, error) {
		asked <- ""
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	}
	p := provider.New("Held")
	s.move(newServer(Options{Provider: p}, []tool{hold}), p.Instance())
	w := dialServing(t, gatewayOf(t, s))
	w.send(request(7, "tools/call", `"name":"get_elements","arguments":{}`))
	<-asked
	w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{%s,"requestId":7}}`, meta))
	<-stopped
}

// A gateway ends also where its client takes no bytes, and a notice waits for it.
func TestGatewayEndsWithADeafClient(t *testing.T) {
	s := newStreet(t)
	g := NewGateway(GatewayOptions{Hosts: s})
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(ctx, serverIn, unclosed{serverOut}) }()
	read := bufio.NewReader(out)
	io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"deaf","version":"0"}}}`+"\n")
	if _, err := read.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"webarea://current/elements"}}`+"\n")
	if _, err := read.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	s.sharing("One")
	if _, err := read.Peek(1); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-ended
	g.Close()
	out.Close()
}

// unclosed is a writer whose closing is somebody else's, as standard output is.
type unclosed struct{ io.Writer }

// Close implements io.Closer.
func (unclosed) Close() error { return nil }
