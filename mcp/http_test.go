package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// testToken is what clients show in tests.
const testToken = "correct-horse-battery-staple"

// A site is a server over HTTP until the test ends.
type site struct {
	t       *testing.T
	address string // host and port
	url     string
	stop    context.CancelCauseFunc
	ended   chan error
}

var errEnough = errors.New("enough")

// serveHTTP serves over HTTP on this machine.
func serveHTTP(t *testing.T, h *HTTP) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(context.Background())
	s := &site{t: t, address: listener.Addr().String(), url: "http://" + listener.Addr().String() + HTTPPath, stop: stop, ended: make(chan error, 1)}
	go func() { s.ended <- h.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop(errEnough)
		if err := <-s.ended; !errors.Is(err, errEnough) {
			t.Errorf("it ended with %v", err)
		}
	})
	return s
}

func httpOptions() HTTPOptions {
	return HTTPOptions{Token: testToken, IsOwn: func(host string) bool {
		return host == "localhost" || host == "127.0.0.1"
	}}
}

// shown has a client show the token.
type shown struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s shown) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return s.RoundTripper.RoundTrip(r)
}

// client connects a client of the SDK's.
func (s *site) client(legacy bool, updated func(string)) *sdk.ClientSession {
	s.t.Helper()
	transport := &http.Transport{}
	s.t.Cleanup(transport.CloseIdleConnections)
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated(r.Params.URI) },
	})
	o := &sdk.ClientSessionOptions{}
	if legacy {
		o.ProtocolVersion = "2025-11-25"
	}
	session, err := c.Connect(s.t.Context(), &sdk.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: shown{transport}}}, o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { session.Close() })
	return session
}

// Clients of both eras are answered, and told of changes, at one address.
func TestHTTPBothEras(t *testing.T) {
	p := provider.New("Test")
	server := newServer(Options{Provider: p}, tools)
	s := serveHTTP(t, server.HTTP(httpOptions()))
	own := "webarea://" + p.Instance() + "/elements"
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			updated := make(chan string, 100)
			c := s.client(era.legacy, func(uri string) { updated <- uri })
			if got := c.ID() != ""; got != era.legacy {
				t.Errorf("got the session %q", c.ID())
			}
			if list, err := c.ListTools(t.Context(), nil); err != nil || len(list.Tools) != len(tools) {
				t.Errorf("got %+v, %v, want %d tools", list, err, len(tools))
			}
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_elements"})
			if err != nil || !strings.Contains(r.Content[0].(*sdk.TextContent).Text, `Application`) {
				t.Errorf("got %+v, %v, want an answer", r, err)
			}
			if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: own}); err != nil {
				t.Fatal(err)
			}
			telling := func(clients int) func() bool {
				return func() bool {
					server.updates.mu.Lock()
					defer server.updates.mu.Unlock()
					return len(server.updates.sessions) == clients
				}
			}
			eventually(t, "it is subscribed", telling(1))
			// Also who is told with the next change only by a stream that opens late.
			eventually(t, "it is told of a change", func() bool {
				p.Unshare(p.Mention("1."+era.name, provider.Place{Window: 1, URL: "https://example.com/", Problem: provider.ProblemReduced}))
				p.Mention("2."+era.name, provider.Place{Window: 1, URL: "https://example.com/", Problem: provider.ProblemReduced})
				select {
				case uri := <-updated:
					return uri == own
				default:
					return false
				}
			})
			c.Close()
			eventually(t, "nobody is told any more", telling(0))
		})
	}
}

// When it is told to end, it answers what was asked, ends streams of notices, and
// takes no new questions.
func TestHTTPEnds(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			asked, let := make(chan string), make(chan struct{})
			server := newServer(Options{Provider: provider.New("Test")}, []tool{waiting(asked, "", let)})
			s := serveHTTP(t, server.HTTP(httpOptions()))
			c := s.client(era.legacy, func(string) {})
			listener := s.client(era.legacy, func(string) {})
			if err := listener.Subscribe(t.Context(), &sdk.SubscribeParams{URI: server.address(elementsPath)}); err != nil {
				t.Fatal(err)
			}
			answered := make(chan error, 1)
			go func() {
				_, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "get_elements"})
				answered <- err
			}()
			<-asked
			s.stop(errEnough)
			eventually(t, "no new question is taken", func() bool {
				conn, err := net.Dial("tcp", s.address)
				if err == nil {
					conn.Close()
				}
				return err != nil
			})
			close(let)
			if err := <-answered; err != nil {
				t.Errorf("what was asked before: got %v, want its answer", err)
			}
		})
	}
}

// No more clients have sessions at once than may.
func TestHTTPSessions(t *testing.T) {
	s := serveHTTP(t, serverWith().HTTP(httpOptions()))
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`
	for i := range maxSessions + 1 {
		want := http.StatusOK
		if i == maxSessions {
			want = http.StatusServiceUnavailable
		}
		if got, words := s.post(initialize, nil); got != want {
			t.Fatalf("session %d: got %d %s, want %d", i, got, words, want)
		}
	}
	if got, words := s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`, meta), modern("tools/list")); got != http.StatusOK {
		t.Errorf("a client without a session: got %d %s, want it answered", got, words)
	}
}

// modern are the headers of a request of the modern era.
func modern(method string) map[string]string {
	return map[string]string{"Mcp-Protocol-Version": modernVersion, "Mcp-Method": method}
}

// post sends a message as a client would, but for the headers that are given, and
// gives what comes back.
func (s *site) post(body string, headers map[string]string) (int, string) {
	s.t.Helper()
	return s.send(http.MethodPost, HTTPPath, strings.NewReader(body), headers)
}

func (s *site) send(method, path string, body io.Reader, headers map[string]string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.address+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+testToken)
	for name, value := range headers {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	words, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(words)
}
