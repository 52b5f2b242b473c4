package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// A street is hosts in this process: an implementation of Hosts.
type street struct {
	t *testing.T

	// mu guards the hosts, that which was used last first, and who is told of changes.
	mu      sync.Mutex
	hosts   []*neighbour
	changed func()
}

// A neighbour is one of them.
type neighbour struct {
	instance string
	server   *Server // nil: it stands still
	ctx      context.Context
	die      context.CancelFunc
	dead     bool // but still listed
	hangsUp  bool // and is dead from then on

	// mu guards how often it was connected to.
	mu    sync.Mutex
	dials int
}

func newStreet(t *testing.T) *street {
	return &street{t: t}
}

// move has a host with some tabs move in, as the one used last.
func (s *street) move(server *Server, instance string) *neighbour {
	n := &neighbour{server: server, instance: instance}
	n.ctx, n.die = context.WithCancel(context.Background())
	s.t.Cleanup(n.die)
	s.mu.Lock()
	s.hosts = append([]*neighbour{n}, s.hosts...)
	s.mu.Unlock()
	s.tell()
	return n
}

// sharing has a host move in that shares a tab with that title.
func (s *street) sharing(title string, more ...tool) *neighbour {
	p := provider.New(title)
	if title != "" {
		p.Mention("1.1", provider.Place{Window: 1, Title: title, URL: "https://example.com/", Problem: provider.ProblemReduced, Active: true})
	}
	server := newServer(Options{Provider: p, PID: 1000 + len(s.hosts)}, append(slices.Clone(tools), more...))
	return s.move(server, p.Instance())
}

// kill ends a host without a word.
func (s *street) kill(n *neighbour) {
	s.mu.Lock()
	n.dead = true
	s.mu.Unlock()
	n.die()
}

func (s *street) tell() {
	s.mu.Lock()
	changed := s.changed
	s.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// use makes a host the one used last.
func (s *street) use(n *neighbour) {
	s.mu.Lock()
	s.hosts = slices.DeleteFunc(s.hosts, func(other *neighbour) bool { return other == n })
	s.hosts = append([]*neighbour{n}, s.hosts...)
	s.mu.Unlock()
	s.tell()
}

// List implements Hosts.
func (s *street) List() ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, n := range s.hosts {
		all = append(all, n.instance)
	}
	return all, nil
}

// Sweep implements Hosts.
func (s *street) Sweep(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts = slices.DeleteFunc(s.hosts, func(n *neighbour) bool { return n.dead })
	return nil
}

// Watch implements Hosts.
func (s *street) Watch(ctx context.Context, changed func()) error {
	var one sync.Mutex
	s.mu.Lock()
	s.changed = func() {
		one.Lock()
		defer one.Unlock()
		if ctx.Err() == nil {
			changed()
		}
	}
	s.mu.Unlock()
	s.tell()
	<-ctx.Done()
	one.Lock()
	defer one.Unlock()
	return nil
}

// Dial implements Hosts.
func (s *street) Dial(_ context.Context, instance string) (io.ReadWriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.hosts, func(n *neighbour) bool { return n.instance == instance })
	if i < 0 {
		return nil, ErrNoHost
	}
	n := s.hosts[i]
	if n.dead {
		s.hosts = slices.Delete(s.hosts, i, i+1)
		return nil, ErrNoHost
	}
	n.mu.Lock()
	n.dials++
	n.mu.Unlock()
	theirs, ours := net.Pipe()
	if n.hangsUp {
		n.dead = true
		theirs.Close()
		return ours, nil
	}
	if n.server == nil {
		go func() {
			_, _ = io.Copy(io.Discard, theirs)
			theirs.Close()
		}()
		return ours, nil
	}
	go func() { _ = n.server.Serve(n.ctx, theirs, theirs) }()
	return ours, nil
}

func (n *neighbour) dialled() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dials
}

// gatewayOf is a gateway to a street until the test ends.
func gatewayOf(t *testing.T, s *street) *Gateway {
	t.Helper()
	g := NewGateway(GatewayOptions{Hosts: s, Version: "v0.0.0-test"})
	t.Cleanup(g.Close)
	return g
}

// An agent is a client of the SDK's with what it was told.
type agent struct {
	*sdk.ClientSession
	t       *testing.T
	updated chan string // addresses
	listed  chan bool   // that the list of resources has changed
}

func agentOf(t *testing.T, g *Gateway, name string, legacy bool) *agent {
	t.Helper()
	a := &agent{t: t, updated: make(chan string, 1000), listed: make(chan bool, 1000)}
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(context.Background(), serverIn, serverOut) }()
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "v1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler:     func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { a.updated <- r.Params.URI },
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { a.listed <- true },
	})
	o := &sdk.ClientSessionOptions{}
	if legacy {
		o.ProtocolVersion = "2025-11-25"
	}
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: out, Writer: in}, o)
	if err != nil {
		t.Fatal(err)
	}
	a.ClientSession = session
	t.Cleanup(func() {
		session.Close()
		// What it has still to tell, it may tell a client that has closed.
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the gateway ended with %v", err)
		}
	})
	return a
}

// call calls a tool, and gives what an agent reads.
func (a *agent) call(name, arguments string) (string, bool) {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		a.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// expect calls get_elements and checks that the answer has the words.
func (a *agent) expect(arguments string, isError bool, words ...string) {
	a.t.Helper()
	text, failed := a.call("get_elements", arguments)
	for _, w := range words {
		if failed != isError || !strings.Contains(text, w) {
			a.t.Errorf("get_elements %s: got (error %v)\n%s\nwant (error %v) %q", arguments, failed, text, isError, w)
		}
	}
}

// idIn is the id of the tab in an answer about all.
func (a *agent) idIn(arguments string) string {
	a.t.Helper()
	text, _ := a.call("get_elements", arguments)
	_, rest, _ := strings.Cut(text, "Window/tab ")
	id, _, _ := strings.Cut(rest, " ")
	if id == "" {
		a.t.Fatalf("the answer has no tab:\n%s", text)
	}
	return id
}

// A gateway without hosts, or with one that shares nothing, answers every question
// with what to do, and lists all there is to ask.
func TestGatewayWithoutTabs(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s := newStreet(t)
			a := agentOf(t, gatewayOf(t, s), "test", era.legacy)
			list, err := a.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != len(tools) {
				t.Fatalf("got %+v, %v, want %d tools", list, err, len(tools))
			}
			for _, c := range []struct{ move, code, words string }{
				{"", "no_browser", "open that browser"},
				{"nothing", "nothing_shared", "Share this tab"},
			} {
				if c.move != "" {
					s.sharing("")
				}
				a.expect(`{}`, true, c.code+": No tab is shared", c.words)
				if _, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "look"}); err == nil || !strings.Contains(err.Error(), c.words) {
					t.Errorf("the prompt: got %v, want %q", err, c.words)
				}
				if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "webarea://current/elements"}); err == nil || !strings.Contains(err.Error(), c.words) {
					t.Errorf("the resource: got %v, want %q", err, c.words)
				}
			}
			for name, c := range map[string]struct{ arguments, code, again string }{
				"locate":               {`{"id":"zzzz1"}`, "unknown_id: ", "get_elements"},
				"capture_element":      {`{"id":"zzzz1"}`, "unknown_id: ", "get_elements"},
				"parse_visual_regions": {`{"capture_id":"zzzz-1"}`, "capture_not_found: ", "get_window_state"},
			} {
				if text, failed := a.call(name, c.arguments); !failed || !strings.HasPrefix(text, c.code) || !strings.Contains(text, c.again) {
					t.Errorf("%s: got %s, want %s and to call %s", name, text, c.code, c.again)
				}
			}
		})
	}
}

// A question goes to the host that it names, or whose id it has, or whose browser has
// the process id, else to the one used last that shares a tab.
func TestGatewayRoutes(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s := newStreet(t)
			one, two := s.sharing("One"), s.sharing("Two")
			a := agentOf(t, gatewayOf(t, s), "test", era.legacy)
			if one.dialled()+two.dialled() > 0 {
				t.Error("it connected before it was asked")
			}
			a.expect(`{}`, false, `"Two"`)
			s.use(one)
			a.expect(`{}`, false, `"One"`)
			s.sharing("")
			a.expect(`{}`, false, `"One"`)
			inTwo := fmt.Sprintf(`{"instance":%q}`, two.instance)
			a.expect(inTwo, false, `"Two"`)
			id := a.idIn(inTwo)
			a.expect(fmt.Sprintf(`{"id":%q}`, id), false, `"Two"`)
			a.expect(fmt.Sprintf(`{"id":%q,"instance":%q}`, id, one.instance), true, "unknown_id")
			a.expect(`{"instance":"nobody"}`, true, "unknown_instance", one.instance, two.instance)
			a.expect(`{"id":"zzzz9"}`, true, "unknown_id", "zzzz9")
			a.expect(`{"max_depth":0}`, true, "invalid")
			a.expect(`{"element_token":"s00000000:0"}`, true, "invalid", "element_token")

			read := func(uri, words string) {
				t.Helper()
				r, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
				if err != nil || len(r.Contents) != 1 || r.Contents[0].URI != uri || !strings.Contains(r.Contents[0].Text, words) {
					t.Errorf("%s: got %+v, %v, want %s", uri, r, err, words)
				}
			}
			read("webarea://"+two.instance+"/elements", `"Two"`)
			read("webarea://current/elements", `"One"`)
			read("webarea://current/elements/"+id, `"Two"`)
			read("webarea://"+two.instance+"/elements/"+id+"/text", "\n")
			for _, uri := range []string{"webarea://nobody/elements", "webarea://current/elements/zzzz1", "webarea://" + one.instance + "/elements/" + id, "webarea://current/none"} {
				r, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
				var coded *jsonrpc.Error
				if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams {
					t.Errorf("%s: got %+v, %v, want -32602", uri, r, err)
				}
			}
			prompt, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "look"})
			if err != nil || len(prompt.Messages) != 2 || !strings.Contains(prompt.Messages[1].Content.(*sdk.TextContent).Text, `"One"`) {
				t.Errorf("the prompt: got %+v, %v", prompt, err)
			}
		})
	}
}

func TestGatewayRoutesByPID(t *testing.T) {
	s := newStreet(t)
	one, two := s.sharing("One"), s.sharing("Two")
	s.move(nil, "stuckk") // it keeps nobody waiting
	g := gatewayOf(t, s)
	for pid, want := range map[int]*neighbour{1000: one, 1001: two} {
		got, err := g.fitting(t.Context(), Agent{}, target{pid: pid}, g.list())
		if err != nil || len(got) != 1 || got[0] != want.instance {
			t.Errorf("pid %d: got %v, %v, want %s", pid, got, err, want.instance)
		}
	}
}

// What a host answers is passed on as it is: numbers of 64 bits, the order of
// members, pictures, failures.
func TestGatewayPassesOn(t *testing.T) {
	const structured = `{"z":9007199254740993,"a":[1.0,1e2,{"b":null,"a":"<&>é\u0001"}],"m":-9223372036854775808}`
	picture := []byte{0, 1, 2, 254, 255}
	odd := tool{
		name: "locate", title: "x", description: "x", input: schemaOf(`{"type":"object"}`), output: schemaOf(`{"type":"object"}`),
		run: func(_ context.Context, _ *Server, arguments []byte) (*Result, error) {
			return &Result{Structured: []byte(structured), Text: "a\u2028b<>&\x00", Pictures: []Picture{{"image/png", picture}}, Failed: true}, nil
		},
	}
	s := newStreet(t)
	p := provider.New("Odd")
	s.move(newServer(Options{Provider: p}, []tool{odd}), p.Instance())
	w := dialServing(t, gatewayOf(t, s))
	m := w.ask(1, "tools/call", `"name":"locate","arguments":{}`)
	got := result[struct {
		Content []struct {
			Type, Text, MIMEType string
			Data                 []byte
		}
		StructuredContent json.RawMessage
		IsError           bool
	}](t, m)
	if sameText(t, got.StructuredContent) != sameText(t, []byte(structured)) || !got.IsError || len(got.Content) != 2 ||
		got.Content[0].Text != "a\u2028b<>&\x00" || string(got.Content[1].Data) != string(picture) {
		t.Errorf("got  %s\nwant %s, and what goes with it", m.Result, structured)
	}
}

// The largest answer that a host gives is passed on too.
func TestGatewayPassesOnTheLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it has 15 MB")
	}
	picture := make([]byte, maxResult/4*3-100)
	large := tool{
		name: "capture_element", title: "x", description: "x", input: schemaOf(`{"type":"object"}`), output: schemaOf(`{"type":"object"}`),
		run: func(context.Context, *Server, []byte) (*Result, error) {
			return &Result{Structured: []byte(`{}`), Pictures: []Picture{{"image/png", picture}}}, nil
		},
	}
	s := newStreet(t)
	p := provider.New("Large")
	s.move(newServer(Options{Provider: p}, []tool{large}), p.Instance())
	r, err := gatewayOf(t, s).call(t.Context(), Agent{}, "capture_element", nil)
	if err != nil || r.IsError || len(r.Content) != 2 || len(r.Content[1].(*sdk.ImageContent).Data) != len(picture) {
		t.Errorf("got error %v of %d bytes, want the picture of %d", err, maxResult, len(picture))
	}
}

// sameText gives JSON with its escapes, which may be others, as one writes them.
func sameText(t *testing.T, raw []byte) string {
	t.Helper()
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(raw))
}

// Where the host fails, the prompt does too, in the host's words.
func TestGatewayPromptFails(t *testing.T) {
	fails := getElements
	fails.run = func(context.Context, *Server, []byte) (*Result, error) {
		return nil, &provider.Error{Code: provider.CodePageUnresponsive, Message: "the page stands still", Mend: "wait"}
	}
	s := newStreet(t)
	p := provider.New("Fails")
	s.move(newServer(Options{Provider: p}, []tool{fails}), p.Instance())
	w := dialServing(t, gatewayOf(t, s))
	m := w.ask(1, "prompts/get", `"name":"look"`)
	if m.Error == nil || m.Error.Message != "the page stands still: wait" || decode[struct{ Code string }](t, string(m.Error.Data)).Code != "page_unresponsive" {
		t.Errorf("got %+v, %s, want the host's failure", m.Error, m.Result)
	}
}

// Hosts see which agent it is that asks.
func TestGatewayTellsWhoAsks(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s := newStreet(t)
			d := make(diary, 100)
			p := provider.New("Seen")
			s.move(newServer(Options{Provider: p, Observer: d}, tools), p.Instance())
			g := gatewayOf(t, s)
			for i, name := range []string{"ann", "bob"} {
				agentOf(t, g, name, era.legacy).call("get_elements", `{}`)
				for _, want := range []string{fmt.Sprintf("came %d %s v1", i+1, name), fmt.Sprintf(`%d %s: get_elements "pointing": something, ok`, i+1, name)} {
					if got := <-d; got != want {
						t.Errorf("\n got %s\nwant %s", got, want)
					}
				}
			}
		})
	}
}

// However many names agents give themselves, a host has only so many connections.
func TestGatewayConnectionsAreBounded(t *testing.T) {
	s := newStreet(t)
	n := s.sharing("One")
	g := gatewayOf(t, s)
	for i := range 3 * maxNames {
		r, err := g.call(t.Context(), Agent{Name: fmt.Sprint("agent ", i)}, "get_elements", nil)
		if err != nil || r.IsError {
			t.Fatalf("agent %d: got %+v, %v", i, r, err)
		}
	}
	if got := n.dialled(); got != maxNames+1 {
		t.Errorf("got %d connections, want %d and the gateway's own", got, maxNames)
	}
}

// An agent that asks nothing for a while is not connected to hosts, and is again when
// it asks.
func TestGatewayIdle(t *testing.T) {
	s := newStreet(t)
	d := make(diary, 100)
	p := provider.New("Idle")
	s.move(newServer(Options{Provider: p, Observer: d}, tools), p.Instance())
	g := gatewayOf(t, s)
	g.idle = time.Millisecond
	a := agentOf(t, g, "ann", true)
	for i := range 2 {
		a.call("get_elements", `{}`)
		for _, want := range []string{"came %d ann v1", `%d ann: get_elements "pointing": something, ok`, "went %d ann"} {
			if got, want := <-d, fmt.Sprintf(want, i+1); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		}
	}
}
