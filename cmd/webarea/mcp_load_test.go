//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/mcp"
)

// inProcess is the server as the program makes it, in the test's own process, where
// its memory and goroutines can be seen.
func inProcess(t *testing.T, page string) *mcp.Server {
	t.Helper()
	shared := newShare(loopbackBrowser, "", "file://"+page, func(string) {})
	t.Cleanup(func() {
		if err := shared.close(); err != nil {
			t.Error(err)
		}
	})
	return newServer(shared, io.Discard)
}

// A pipeClient is a client of a server in the same process.
type pipeClient struct {
	in  io.WriteCloser
	out *bufio.Reader
	end func() error
}

func connectPipe(server *mcp.Server) *pipeClient {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.Background(), serverIn, serverOut) }()
	return &pipeClient{in: in, out: bufio.NewReader(out), end: func() error { in.Close(); return <-ended }}
}

func (c *pipeClient) send(id int, method, params string) error {
	_, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`+"\n", id, method, meta, params)
	return err
}

func (c *pipeClient) receive() (serverMessage, error) {
	line, err := c.out.ReadString('\n')
	m := serverMessage{line: line}
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	return m, err
}

// ask sends a request and gives the next message.
func (c *pipeClient) ask(id int, method, params string) (serverMessage, error) {
	if err := c.send(id, method, params); err != nil {
		return serverMessage{}, err
	}
	return c.receive()
}

// questions are what many clients ask, about an element of the page.
func questions(id, instance string) []struct{ method, params string } {
	return []struct{ method, params string }{
		{"tools/call", `"name":"get_elements"`},
		{"tools/call", `"name":"get_elements","arguments":{"scope":"page"}`},
		{"tools/call", fmt.Sprintf(`"name":"get_elements","arguments":{"id":%q}`, id)},
		{"tools/call", fmt.Sprintf(`"name":"locate","arguments":{"id":%q}`, id)},
		{"tools/call", `"name":"locate","arguments":{"id":"nope1"}`},
		{"tools/call", `"name":"get_elements","arguments":{"scope":"none"}`},
		{"resources/read", fmt.Sprintf(`"uri":"webarea://%s/elements"`, instance)},
		{"resources/read", fmt.Sprintf(`"uri":"webarea://%s/elements/%s/text"`, instance, id)},
		{"tools/call", fmt.Sprintf(`"name":"capture_element","arguments":{"id":%q,"format":"jpeg","max_dimension":64}`, id)},
	}
}

// selectedIn gives the id of the selection in an answer, and its instance.
func selectedIn(t *testing.T, m serverMessage) (id, instance string) {
	t.Helper()
	a := toolResultOf(t, m).answer(t)
	return find(t, a, "selection", func(e *elements.Element) bool { return e.Selected }).ID, a.Instance
}

// TestMCPManyCalls asks as often as an agent does in months. Nothing may be kept of
// it.
func TestMCPManyCalls(t *testing.T) {
	calls := 10_000
	if testing.Short() {
		calls = 500
		t.Logf("-short: %d calls instead of 10000", calls)
	}
	c := connectPipe(inProcess(t, chosenPage(t)))
	m, err := c.ask(0, "tools/call", `"name":"get_elements"`)
	if err != nil {
		t.Fatal(err)
	}
	all := questions(selectedIn(t, m))
	measure := func() (heap uint64, goroutines int) {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc, runtime.NumGoroutine()
	}
	var heap uint64
	var goroutines int
	for i := range calls {
		if i == calls/5 {
			heap, goroutines = measure()
		}
		q := all[i%len(all)]
		m, err := c.ask(i+1, q.method, q.params)
		if err != nil || m.Error != nil {
			t.Fatalf("call %d, %s: %v, %s", i, q.params, err, shorten(m.line))
		}
	}
	var after uint64
	var left int
	eventually(t, "there are no more goroutines than before", func() bool {
		after, left = measure()
		return left <= goroutines
	})
	t.Logf("after %d calls %d KB and %d goroutines, after %d %d KB and %d", calls/5, heap>>10, goroutines, calls, after>>10, left)
	// What the browser's own messages hold comes and goes.
	const tolerance = 2 << 20
	if after > heap+tolerance {
		t.Errorf("the heap has grown from %d to %d bytes", heap, after)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// Sixteen clients ask at once, and withdraw some of what they asked.
func TestMCPClientsAtOnce(t *testing.T) {
	server := inProcess(t, chosenPage(t))
	first := connectPipe(server)
	m, err := first.ask(0, "tools/call", `"name":"get_elements"`)
	if err != nil {
		t.Fatal(err)
	}
	all := questions(selectedIn(t, m))
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	var clients sync.WaitGroup
	for n := range 16 {
		clients.Go(func() {
			c := connectPipe(server)
			go func() {
				for i := range rounds * len(all) {
					q := all[(i+n)%len(all)]
					if err := c.send(i, q.method, q.params); err != nil {
						t.Error(err)
						return
					}
					if i%4 == n%4 {
						fmt.Fprintf(c.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{%s,"requestId":%d}}`+"\n", meta, i)
					}
				}
			}()
			wanted := map[any]bool{}
			for i := range rounds * len(all) {
				if i%4 != n%4 {
					wanted[float64(i)] = true
				}
			}
			for len(wanted) > 0 {
				m, err := c.receive()
				if err != nil || m.ID == nil || wanted[m.ID] && m.Error != nil {
					t.Errorf("client %d: %v, %s", n, err, shorten(m.line))
					return
				}
				delete(wanted, m.ID)
			}
			if err := c.end(); err != nil {
				t.Errorf("client %d: %v", n, err)
			}
		})
	}
	clients.Wait()
	if m, err := first.ask(1, "tools/call", `"name":"get_elements"`); err != nil || m.Error != nil {
		t.Errorf("after them: %v, %s", err, shorten(m.line))
	}
	if err := first.end(); err != nil {
		t.Error(err)
	}
}

// Several programs serve one browser's tabs at once, and what was asked about a tab
// that is closed meanwhile is gone.
func TestMCPServersOfOneBrowser(t *testing.T) {
	t.Parallel()
	servers := 16
	if testing.Short() {
		servers = 3
		t.Logf("-short: %d servers instead of 16", servers)
	}
	b := startBrowser(t)
	var opened tab
	b.ask(t, http.MethodPut, "/json/new?about:blank", &opened)
	conn, err := cdp.Attach(t.Context(), opened.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	page := driven{t, conn.Browser()}
	page.act("the page", driver.Load, chosenPage(t))

	type asked struct {
		*stdioClient
		id string
	}
	var all []asked
	for range servers {
		s := startServer(t, "--attach", b.address)
		s.request("tools/call", `"name":"get_elements"`)
		all = append(all, asked{stdioClient: s})
	}
	for i := range all {
		all[i].id, _ = selectedIn(t, all[i].receive())
	}
	for _, s := range all {
		for range 5 {
			s.request("tools/call", fmt.Sprintf(`"name":"locate","arguments":{"id":%q}`, s.id))
		}
	}
	for _, s := range all {
		for range 5 {
			if r := toolResultOf(t, s.receive()); r.IsError {
				t.Errorf("got %s, want a place", r.StructuredContent)
			}
		}
	}
	for _, s := range all {
		s.request("tools/call", `"name":"get_elements","arguments":{"scope":"page"}`)
	}
	b.ask(t, http.MethodGet, "/json/close/"+opened.ID, nil)
	for _, s := range all {
		if r := toolResultOf(t, s.receive()); r.IsError {
			t.Errorf("asked while the tab was closed: got %s, want an answer", r.StructuredContent)
		}
	}
	for _, s := range all {
		for _, tool := range []string{"locate", "capture_element", "get_elements"} {
			if r := s.call(tool, fmt.Sprintf(`{"id":%q}`, s.id)); r.failure() != "gone" {
				t.Errorf("%s after the tab was closed: got %s, want gone", tool, r.StructuredContent)
			}
		}
		if a := s.call("get_elements", `{}`).answer(t); strings.Contains(pointed(a), "rye") {
			t.Errorf("the closed tab is still told: %s", pointed(a))
		}
	}
}

// A page that never answers costs its own line in the answer, and in time.
func TestMCPPageThatHangs(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	page := b.drive(t, serve(t)+"/")
	s := startServer(t, "--attach", b.address)
	a := s.call("get_elements", `{"scope":"page"}`).answer(t)
	id := find(t, a, "heading", func(e *elements.Element) bool { return e.Role == elements.Heading }).ID
	page.act("hanging", driver.Eval, `setTimeout(() => { for (;;); })`)
	tools := []string{"locate", "capture_element"}
	if testing.Short() {
		tools = nil
		t.Log("-short: only get_elements is asked")
	}
	for _, tool := range tools {
		begin := time.Now()
		if r := s.call(tool, fmt.Sprintf(`{"id":%q}`, id)); r.failure() != "page_unresponsive" {
			t.Errorf("%s: got %s, want page_unresponsive", tool, r.StructuredContent)
		}
		t.Logf("%s: told after %v", tool, time.Since(begin).Round(time.Second))
	}
	a = s.call("get_elements", `{}`).answer(t)
	find(t, a, "tab that does not answer", func(e *elements.Element) bool { return e.Attributes["problem"] == "page_unresponsive" })
}
