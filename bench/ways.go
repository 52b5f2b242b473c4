package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/bench/installation"
	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

// noNetwork keeps the browser from looking up any name.
const noNetwork = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// The ways to reach a page.
const (
	launched = "launched" // a browser of ours, over its pipe
	attached = "attached" // the same, over a WebSocket
	relayed  = "relayed"  // a user's, through extension, host and socket
)

var wayNames = []string{launched, attached, relayed}

// A way opens pages where they can be asked about. Its methods are for one goroutine.
type way interface {
	// open opens a page in a tab that is shared and that nobody has read.
	open(ctx context.Context, address string) (tab, error)
	close() error
}

// A tab is an open page, and who is asked about it.
type tab interface {
	// page is a session to drive the page by.
	page() *cdp.Session
	// elements asks for elements, and gives the answer as an agent reads it.
	elements(ctx context.Context, scope cdp.Scope) (text string, c cost, err error)
	// window asks for the state of the window, the tree only.
	window(ctx context.Context) (*provider.State, cost, error)
	// raw has the browser answer to calls that are sent together.
	raw(ctx context.Context, calls ...installation.Call) (cost, error)
	close() error
}

// What get_elements and get_window_state do where nothing else is asked for, and the
// most that can be asked for.
const (
	elementsDefault, depthDefault, textDefault = 1000, 25, 40_000
	elementsMost, depthMost, textMost          = 50_000, 400, 5_000_000
	nodesDefault                               = 2000
	timeoutDefault                             = time.Second
	edgeDefault                                = 1568
)

// A direct way is a connection to a browser that we launched.
type direct struct {
	conn *cdp.Conn
	ends []func() error
}

// newLaunched starts a browser, and reaches it over its pipe.
func newLaunched(ctx context.Context) (way, error) {
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork})
	if err != nil {
		return nil, err
	}
	return &direct{b.Conn, []func() error{b.Close}}, nil
}

// newAttached starts a browser with a debugging port, and reaches it over that.
func newAttached(ctx context.Context) (way, error) {
	dir, err := os.MkdirTemp("", "wb")
	if err != nil {
		return nil, err
	}
	d := &direct{ends: []func() error{func() error { return os.RemoveAll(dir) }}}
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork, Profile: dir, Args: []string{"--remote-debugging-port=0"}})
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.ends = append(d.ends, b.Close)
	address, err := debuggingAddress(ctx, dir)
	if err == nil {
		d.conn, err = cdp.Attach(ctx, address)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.ends = append(d.ends, d.conn.Close)
	return d, nil
}

// debuggingAddress waits for the file in which a browser tells its port and path.
func debuggingAddress(ctx context.Context, profile string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		text, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if port, path, found := strings.Cut(strings.TrimSpace(string(text)), "\n"); err == nil && found {
			return "ws://127.0.0.1:" + port + path, nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return "", fmt.Errorf("the browser opens no debugging port: %w", context.Cause(ctx))
		}
	}
}

func (d *direct) close() error {
	var failed []error
	for i := len(d.ends) - 1; i >= 0; i-- {
		failed = append(failed, d.ends[i]())
	}
	return errors.Join(failed...)
}

func (d *direct) open(ctx context.Context, address string) (tab, error) {
	t := &directTab{provider: provider.New("Chromium")}
	var err error
	if t.tab, err = driver.Open(ctx, d.conn, driver.Options{Width: 1280, Height: 800, Scale: 1, Window: true}); err == nil {
		_, err = t.provider.Share(ctx, d.conn, t.tab.Target)
	}
	if err == nil {
		err = driver.Load(ctx, t.tab.Session, address)
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

type directTab struct {
	tab      driver.Tab
	provider *provider.Provider
	address  *provider.WindowAddress
}

func (t *directTab) page() *cdp.Session { return t.tab.Session }

func (t *directTab) elements(ctx context.Context, scope cdp.Scope) (string, cost, error) {
	q := provider.Query{Scope: scope, MaxElements: elementsMost, MaxDepth: depthMost, MaxText: textMost, Links: true}
	if scope == provider.Pointing {
		q.MaxElements, q.MaxDepth, q.MaxText = elementsDefault, depthDefault, textDefault
	}
	begin := time.Now()
	answer, stats, err := t.provider.ElementsStats(ctx, q)
	if err != nil {
		return "", cost{}, err
	}
	var text strings.Builder
	err = outline.Render(&text, answer, outline.Options{})
	return text.String(), cost{time: time.Since(begin), trips: stats.Trips, bytes: text.Len()}, err
}

func (t *directTab) window(ctx context.Context) (*provider.State, cost, error) {
	address, err := t.find(ctx)
	if err != nil {
		return nil, cost{}, err
	}
	begin := time.Now()
	state, err := t.provider.State(ctx, provider.StateQuery{WindowAddress: address, Tree: true, MaxElements: nodesDefault, MaxDepth: depthDefault, Timeout: timeoutDefault})
	if err != nil {
		return nil, cost{}, err
	}
	return state, cost{time: time.Since(begin), bytes: len(state.Markdown)}, nil
}

// find gives the window that the tab is in.
func (t *directTab) find(ctx context.Context) (provider.WindowAddress, error) {
	if t.address == nil {
		desk, err := t.provider.Desk(ctx)
		if err != nil {
			return provider.WindowAddress{}, err
		}
		if len(desk.Windows) != 1 {
			return provider.WindowAddress{}, fmt.Errorf("there are %d windows, not one", len(desk.Windows))
		}
		t.address = &provider.WindowAddress{PID: desk.Windows[0].PID, Window: desk.Windows[0].WindowID}
	}
	return *t.address, nil
}

func (t *directTab) raw(ctx context.Context, calls ...installation.Call) (cost, error) {
	answers := make([]jsonv2.Value, len(calls))
	begin := time.Now()
	pending := make([]*cdp.Pending, len(calls))
	for i, c := range calls {
		pending[i] = t.tab.Session.Go(ctx, c.Method, c.Params)
	}
	for i, p := range pending {
		if err := p.Wait(ctx, &answers[i]); err != nil {
			return cost{}, err
		}
	}
	c := cost{time: time.Since(begin), trips: 1}
	for _, a := range answers {
		c.bytes += len(a)
		c.nodes += bytes.Count(a, []byte(`"ignored":`))
	}
	return c, nil
}

func (t *directTab) close() error {
	t.provider.Close()
	if t.tab.Session == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	return t.tab.Close(ctx)
}

// A userBrowser is a browser as a user has it.
type userBrowser struct{ *installation.Installation }

func newRelayed(ctx context.Context, s *site) (way, error) {
	i, err := installation.Start(ctx, installation.Options{Source: moduleRoot(ctx), URL: s.URL + "/start", HostRules: noNetwork})
	if err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return &userBrowser{i}, nil
}

// moduleRoot is the folder of the module; the one we are in where that is not known.
func moduleRoot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "."
	}
	return strings.TrimSpace(string(out))
}

func (u *userBrowser) close() error { return u.Close() }

func (u *userBrowser) open(ctx context.Context, address string) (tab, error) {
	if err := u.Open(ctx, address); err != nil {
		return nil, err
	}
	session, err := u.Page(ctx)
	if err != nil {
		return nil, err
	}
	return &relayedTab{browser: u, session: session}, nil
}

type relayedTab struct {
	browser *userBrowser
	session *cdp.Session
	address map[string]any
}

func (t *relayedTab) page() *cdp.Session { return t.session }

func (t *relayedTab) elements(ctx context.Context, scope cdp.Scope) (string, cost, error) {
	arguments := map[string]any{"scope": scope, "images": "none"}
	if scope != provider.Pointing {
		arguments["max_elements"], arguments["max_depth"], arguments["max_text"] = elementsMost, depthMost, textMost
	}
	result, c, err := t.call(ctx, "get_elements", arguments)
	return textOf(result), c, err
}

func (t *relayedTab) window(ctx context.Context) (*provider.State, cost, error) {
	if t.address == nil {
		var desk provider.Desk
		result, _, err := t.call(ctx, "get_accessibility_tree", map[string]any{})
		if err == nil {
			err = structured(result, &desk)
		}
		if err != nil {
			return nil, cost{}, err
		}
		if len(desk.Windows) != 1 {
			return nil, cost{}, fmt.Errorf("there are %d windows, not one", len(desk.Windows))
		}
		t.address = map[string]any{"pid": desk.Windows[0].PID, "window_id": desk.Windows[0].WindowID, "include_screenshot": false}
	}
	result, c, err := t.call(ctx, "get_window_state", t.address)
	if err != nil {
		return nil, c, err
	}
	var state provider.State
	return &state, c, structured(result, &state)
}

// call calls a tool, and measures how long it takes until the agent has the answer.
func (t *relayedTab) call(ctx context.Context, name string, arguments map[string]any) (*mcp.CallToolResult, cost, error) {
	begin := time.Now()
	result, err := t.browser.Agent.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	c := cost{time: time.Since(begin), bytes: len(textOf(result))}
	if err != nil {
		return nil, c, fmt.Errorf("%s: %w", name, err)
	}
	if result.IsError {
		return nil, c, fmt.Errorf("%s: %.300s", name, textOf(result))
	}
	return result, c, nil
}

// structured decodes what a tool answers for programs.
func structured(result *mcp.CallToolResult, into any) error {
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// textOf gives what a tool answers for who reads.
func textOf(r *mcp.CallToolResult) string {
	if r == nil {
		return ""
	}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

func (t *relayedTab) raw(ctx context.Context, calls ...installation.Call) (cost, error) {
	answer, err := t.browser.Raw(ctx, calls...)
	return cost{time: answer.Time, trips: 1, bytes: answer.Bytes, nodes: answer.Nodes}, err
}

// close leaves the tab to the next that is opened: a browser without one would end.
func (t *relayedTab) close() error { return nil }
