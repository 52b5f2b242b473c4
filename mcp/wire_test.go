package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/provider"
)

// patience is how long tests wait for what must happen: far longer than it takes, so
// that a busy machine fails none.
const patience = 30 * time.Second

// meta is what every request of the modern era says of its sender.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// A wire is a client's side of a connection, line by line.
type wire struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error // what Serve returned
}

// dial has a server serve a client until the test ends.
func dial(t *testing.T, s *Server) *wire {
	t.Helper()
	return dialServing(t, s)
}

// dialServing is dial for whatever serves clients.
func dialServing(t *testing.T, s interface {
	Serve(context.Context, io.ReadCloser, io.WriteCloser) error
}) *wire {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	w := &wire{t: t, in: in, lines: make(chan string), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { w.ended <- s.Serve(ctx, serverIn, serverOut) }()
	go func() {
		defer close(w.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			select {
			case w.lines <- strings.TrimSuffix(line, "\n"):
			case <-ctx.Done():
				out.Close()
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		in.Close()
		for range w.lines {
		}
		w.waitEnd()
	})
	return w
}

// waitEnd waits until Serve has returned, and gives its error.
func (w *wire) waitEnd() error {
	w.t.Helper()
	select {
	case err := <-w.ended:
		w.ended <- err
		return err
	case <-time.After(patience):
		w.t.Error("the server does not end")
		return nil
	}
}

// send sends a line.
func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatalf("sending %.200s: %v", line, err)
	}
}

// next is the next line from the server.
func (w *wire) next() string {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatal("the server has ended the connection")
		}
		return line
	case <-time.After(patience):
		w.t.Fatal("the server says nothing")
	}
	return ""
}

// request is a request of the modern era.
func request(id any, method, params string) string {
	number, _ := json.Marshal(id)
	if params != "" {
		params = "," + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s%s}}`, number, method, meta, params)
}

// A message is one from the server.
type message struct {
	ID     any
	Method string
	Params json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
	Result json.RawMessage
}

// receive decodes the next line from the server.
func (w *wire) receive() message {
	w.t.Helper()
	return decode[message](w.t, w.next())
}

// ask sends a request and gives what comes next.
func (w *wire) ask(id any, method, params string) message {
	w.t.Helper()
	w.send(request(id, method, params))
	return w.receive()
}

// result gives the result of a request that must have one.
func result[T any](t *testing.T, m message) T {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("got error %d %q, want a result", m.Error.Code, m.Error.Message)
	}
	return decode[T](t, string(m.Result))
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("decoding %.500s: %v", text, err)
	}
	return v
}

// serverWith is a server of a provider without tabs, with further tools.
func serverWith(more ...tool) *Server {
	return newServer(Options{Provider: provider.New("Test"), Version: "v0.0.0-test"}, append(append([]tool{}, tools...), more...))
}
