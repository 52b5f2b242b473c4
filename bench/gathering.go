package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/bench/installation"
	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
)

// A gathering is a browser with many shared tabs, and agents that may ask about them.
type gathering struct {
	agents     []*mcp.ClientSession
	selections []string // ids of what is selected, one in each tab but the first
	pages      *gatheredPages
	ends       []func() error
}

func (g *gathering) close() error {
	var errs []error
	for _, end := range slices.Backward(g.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// gather opens the tabs over a way, and has agents meet there: over HTTP at a server
// that is attached to the browser, or each by its own `webarea mcp` at the host of a
// user's browser.
func gather(ctx context.Context, way string) (*gathering, error) {
	g := &gathering{pages: newGatheredPages()}
	g.ends = append(g.ends, g.pages.close)
	ctx, cancel := context.WithTimeout(ctx, crowdWait)
	defer cancel()
	var err error
	if way == relayed {
		err = g.relay(ctx)
	} else {
		err = g.serve(ctx)
	}
	if err == nil {
		err = g.meet(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// relay has the tabs in a user's browser.
func (g *gathering) relay(ctx context.Context) error {
	i, err := installation.Start(ctx, installation.Options{Source: moduleRoot(ctx), URL: g.pages.address(0), HostRules: noNetwork})
	g.ends = append(g.ends, i.Close)
	if err != nil {
		return err
	}
	for n := 1; n < crowdTabs; n++ {
		if err := i.Add(ctx, g.pages.address(n)); err != nil {
			return fmt.Errorf("sharing tab %d: %w", n, err)
		}
	}
	g.agents = append(g.agents, i.Agent)
	for len(g.agents) < crowdAgents {
		agent, err := i.Connect(ctx)
		if err != nil {
			return fmt.Errorf("connecting an agent: %w", err)
		}
		g.agents = append(g.agents, agent)
	}
	return nil
}

// serve has the tabs in a browser of ours, and a server attached to that.
func (g *gathering) serve(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "wc")
	if err != nil {
		return err
	}
	g.ends = append(g.ends, func() error { return os.RemoveAll(dir) })
	browser, err := g.browse(ctx, dir)
	if err != nil {
		return err
	}
	url, token, err := g.start(ctx, dir, browser)
	if err != nil {
		return err
	}
	for range crowdAgents {
		client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
		shows := &http.Client{Transport: bearer{http.DefaultTransport, token}}
		// It outlives this function: what bounds the connecting would end it.
		session, err := client.Connect(context.WithoutCancel(ctx), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: shows}, nil)
		if err != nil {
			return fmt.Errorf("connecting an agent: %w", err)
		}
		g.agents = append(g.agents, session)
		g.ends = append(g.ends, session.Close)
	}
	return nil
}

// browse starts a browser with the tabs, and gives its address.
func (g *gathering) browse(ctx context.Context, dir string) (address string, err error) {
	profile := filepath.Join(dir, "profile")
	if err := os.Mkdir(profile, 0o700); err != nil {
		return "", err
	}
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork, Profile: profile, Args: []string{"--remote-debugging-port=0"}})
	if err != nil {
		return "", err
	}
	g.ends = append(g.ends, b.Close)
	for n := range crowdTabs {
		tab, err := driver.Open(ctx, b.Conn, driver.Options{Width: 1280, Height: 800, Window: true})
		if err != nil {
			return "", err
		}
		if err := driver.Load(ctx, tab.Session, g.pages.address(n)); err != nil {
			return "", err
		}
	}
	return debuggingAddress(ctx, profile)
}

// start builds the program and starts its server, and gives its address and token.
func (g *gathering) start(ctx context.Context, dir, browser string) (url, token string, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return "", "", err
	}
	g.ends = append(g.ends, p.close)
	server := exec.Command(p.ours, "serve", "--http", "127.0.0.1:0", "--attach", browser)
	server.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
	said, err := server.StderrPipe()
	if err != nil {
		return "", "", err
	}
	if err := server.Start(); err != nil {
		return "", "", fmt.Errorf("starting the server: %w", err)
	}
	g.ends = append(g.ends, func() error {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait() // it ends by a signal
		return nil
	})
	heard := &bytes.Buffer{}
	lines := bufio.NewReader(io.TeeReader(said, heard))
	for url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", "", fmt.Errorf("the server does not serve: %w: %s", err, heard)
		}
		if _, word, found := strings.Cut(line, "kept in "); found {
			_, word, _ = strings.Cut(word, ": ")
			token = strings.TrimSpace(word)
		}
		if _, at, found := strings.Cut(line, "serving MCP at "); found {
			url = strings.TrimSpace(at)
		}
	}
	// What else it says nobody wants, but it must not wait for a reader.
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return url, token, nil
}

// A bearer shows a token with each request.
type bearer struct {
	http.RoundTripper
	token string
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}

// meet waits until all tabs but the first tell what is selected in them.
func (g *gathering) meet(ctx context.Context) error {
	for {
		answer, err := elementsOf(ctx, g.agents[0], map[string]any{"images": "none"})
		if err != nil {
			return err
		}
		g.selections = g.selections[:0]
		for e := range answer.All() {
			if e.Selected {
				g.selections = append(g.selections, e.ID)
			}
		}
		if len(g.selections) == crowdTabs-1 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d tabs tell what is selected: %w", len(g.selections), crowdTabs-1, err)
		}
	}
}

// elementsOf asks an agent's server for elements.
func elementsOf(ctx context.Context, agent *mcp.ClientSession, arguments map[string]any) (*elements.Answer, error) {
	result, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: arguments})
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, fmt.Errorf("get_elements failed: %s", raw)
	}
	return elements.Decode(bytes.NewReader(raw))
}

// gatheredPages serves the tabs' pages, of some three thousand nodes each. The first has
// nothing selected, is of another site than the others, so that it has a process of its
// own, and can be stuck.
type gatheredPages struct {
	server         *httptest.Server
	stick, release chan struct{}
	stuck          chan struct{} // closed once it is
	once           sync.Once
}

func newGatheredPages() *gatheredPages {
	p := &gatheredPages{stick: make(chan struct{}), release: make(chan struct{}), stuck: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/", p.page)
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) { p.hold(r, p.stick) })
	mux.HandleFunc("/hold", func(_ http.ResponseWriter, r *http.Request) {
		p.once.Do(func() { close(p.stuck) })
		p.hold(r, p.release)
	})
	p.server = httptest.NewServer(mux)
	return p
}

// hold answers a request once that is closed.
func (p *gatheredPages) hold(r *http.Request, until chan struct{}) {
	select {
	case <-until:
	case <-p.release:
	case <-r.Context().Done():
	}
}

func (p *gatheredPages) close() error {
	close(p.release)
	p.server.CloseClientConnections()
	p.server.Close()
	return nil
}

// address is where the page of a tab is.
func (p *gatheredPages) address(tab int) string {
	if tab == 0 {
		return strings.Replace(p.server.URL, "127.0.0.1", "localhost", 1) + "/page/0"
	}
	return fmt.Sprintf("%s/page/%d", p.server.URL, tab)
}

// keepStuck has the first tab's page wait for an answer that does not come, and do nothing
// else meanwhile: it takes no time of the processor.
func (p *gatheredPages) keepStuck(ctx context.Context) error {
	close(p.stick)
	select {
	case <-p.stuck:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("having a page be stuck: %w", context.Cause(ctx))
	}
}

func (p *gatheredPages) page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Page %s</title><h1>Ledger</h1><p id=p>The sentence that is meant.</p><table>", r.URL.Path)
	for i := range 300 {
		fmt.Fprintf(w, "<tr><td>%d<td><a href=/e/%d>Entry %d</a><td>some words of it", i, i, i)
	}
	script := "getSelection().selectAllChildren(document.querySelector('#p'))"
	if strings.HasSuffix(r.URL.Path, "/0") {
		script = "fetch('/wait').then(() => { const x = new XMLHttpRequest(); x.open('GET', '/hold', false); x.send() })"
	}
	_, _ = io.WriteString(w, "</table><script>"+script+"</script>")
}
