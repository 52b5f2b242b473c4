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
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
)

// The crowd: how many agents ask one server at once, about how many tabs.
const (
	crowdAgents = 16
	crowdTabs   = 50
)

// crowdTime is how long each question is asked, by one agent and by all.
const crowdTime = 10 * time.Second

// crowdWait bounds what has to happen before: launching, loading, answering at all.
const crowdWait = 3 * time.Minute

// A crowdCost is what answers took that so many agents asked for at once.
type crowdCost struct {
	question string
	agents   int
	took     []time.Duration // sorted
	whole    time.Duration   // from the first question to the last answer
}

// measureCrowd has agents ask a real server, over HTTP, about the tabs of a browser that
// it has attached to.
func measureCrowd(ctx context.Context, r *run) (_ []section, err error) {
	c := &crowding{}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	each := crowdTime
	if r.plan.rounds == 1 {
		each = 0
	}
	var costs []crowdCost
	for _, q := range []struct {
		name string
		of   func(n int) map[string]any
	}{
		{"what is pointed at, in all tabs", func(int) map[string]any { return map[string]any{"images": "none"} }},
		{"what is selected in one tab, by its id", func(n int) map[string]any { return map[string]any{"id": c.selections[n%len(c.selections)]} }},
	} {
		for _, agents := range []int{1, crowdAgents} {
			cost, err := c.ask(ctx, c.agents[:agents], each, q.of)
			if err != nil {
				return nil, fmt.Errorf("asking for %s: %w", q.name, err)
			}
			cost.question = q.name
			costs = append(costs, cost)
		}
	}
	return []section{crowdSection(costs)}, nil
}

func crowdSection(costs []crowdCost) section {
	s := section{
		title: "Many at once",
		words: fmt.Sprintf("%d agents ask one server over HTTP, with %d shared tabs of some three thousand nodes each and a sentence selected in each. Each agent asks again as soon as it has an answer.", crowdAgents, crowdTabs),
		head:  []string{"question", "agents", "answers a second", "median, ms", "p99, ms"},
	}
	for _, c := range costs {
		at := func(part int) string { return ms(c.took[(len(c.took)-1)*part/100]) }
		s.rows = append(s.rows, []string{c.question, fmt.Sprint(c.agents), times(float64(len(c.took)) / c.whole.Seconds()), at(50), at(99)})
	}
	return s
}

// A crowding is a browser with many tabs, a server of them and its agents.
type crowding struct {
	agents     []*mcp.ClientSession
	selections []string // ids of what is selected, one in each tab
	ends       []func() error
}

func (c *crowding) close() error {
	var errs []error
	for _, end := range slices.Backward(c.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

func (c *crowding) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, crowdWait)
	defer cancel()
	dir, err := os.MkdirTemp("", "wc")
	if err != nil {
		return err
	}
	c.ends = append(c.ends, func() error { return os.RemoveAll(dir) })
	browser, err := c.browse(ctx, dir)
	if err != nil {
		return err
	}
	url, token, err := c.serve(ctx, dir, browser)
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
		c.agents = append(c.agents, session)
		c.ends = append(c.ends, session.Close)
	}
	return c.meet(ctx)
}

// browse starts a browser with the tabs, and gives its address.
func (c *crowding) browse(ctx context.Context, dir string) (address string, err error) {
	profile := filepath.Join(dir, "profile")
	if err := os.Mkdir(profile, 0o700); err != nil {
		return "", err
	}
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork, Profile: profile, Args: []string{"--remote-debugging-port=0"}})
	if err != nil {
		return "", err
	}
	c.ends = append(c.ends, b.Close)
	site := httptest.NewServer(http.HandlerFunc(crowdPage))
	c.ends = append(c.ends, func() error { site.Close(); return nil })
	for i := range crowdTabs {
		tab, err := driver.Open(ctx, b.Conn, driver.Options{Width: 1280, Height: 800, Window: true})
		if err != nil {
			return "", err
		}
		if err := driver.Load(ctx, tab.Session, fmt.Sprintf("%s/%d", site.URL, i)); err != nil {
			return "", err
		}
	}
	return debuggingAddress(ctx, profile)
}

// crowdPage is a page of some three thousand nodes with a sentence selected.
func crowdPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Page %s</title><h1>Ledger</h1><p id=p>The sentence that is meant.</p><table>", r.URL.Path)
	for i := range 300 {
		fmt.Fprintf(w, "<tr><td>%d<td><a href=/e/%d>Entry %d</a><td>some words of it", i, i, i)
	}
	_, _ = io.WriteString(w, "</table><script>getSelection().selectAllChildren(document.querySelector('#p'))</script>")
}

// serve builds the program and starts its server, and gives its address and token.
func (c *crowding) serve(ctx context.Context, dir, browser string) (url, token string, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return "", "", err
	}
	c.ends = append(c.ends, p.close)
	server := exec.Command(p.ours, "serve", "--http", "127.0.0.1:0", "--attach", browser)
	server.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
	said, err := server.StderrPipe()
	if err != nil {
		return "", "", err
	}
	if err := server.Start(); err != nil {
		return "", "", fmt.Errorf("starting the server: %w", err)
	}
	c.ends = append(c.ends, func() error {
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

// meet waits until all tabs tell what is selected in them.
func (c *crowding) meet(ctx context.Context) error {
	for {
		answer, err := elementsOf(ctx, c.agents[0], map[string]any{"images": "none"})
		if err != nil {
			return err
		}
		c.selections = c.selections[:0]
		for e := range answer.All() {
			if e.Selected {
				c.selections = append(c.selections, e.ID)
			}
		}
		if len(c.selections) == crowdTabs {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d tabs tell what is selected: %w", len(c.selections), crowdTabs, err)
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

// ask has agents ask for a time, each one question after another.
func (c *crowding) ask(ctx context.Context, agents []*mcp.ClientSession, each time.Duration, question func(n int) map[string]any) (crowdCost, error) {
	cost := crowdCost{agents: len(agents)}
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	begun := time.Now()
	for i, agent := range agents {
		all.Go(func() {
			for n := i; n == i || time.Since(begun) < each; n += len(agents) {
				asked := time.Now()
				result, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: question(n)})
				took := time.Since(asked)
				if err == nil && result.IsError {
					err = fmt.Errorf("get_elements failed: %v", result.StructuredContent)
				}
				mu.Lock()
				if err != nil {
					errs = append(errs, err)
				} else {
					cost.took = append(cost.took, took)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	cost.whole = time.Since(begun)
	slices.Sort(cost.took)
	return cost, errors.Join(errs...)
}
