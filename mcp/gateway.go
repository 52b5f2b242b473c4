package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// Hosts are the hosts that run for a user, one for each browser profile, by the
// instances of their providers. Their methods may be called from any goroutine.
type Hosts interface {
	// List gives those that there are, that whose browser was used last first. It
	// asks none of them: one that has died may be among them until Sweep.
	List() ([]string, error)

	// Sweep takes those that have died off the list.
	Sweep(ctx context.Context) error

	// Watch calls changed, one call after the other, once it has begun and when List
	// may give something else since. It returns when ctx ends.
	Watch(ctx context.Context, changed func()) error

	// Dial connects to a host, with which messages are exchanged a line each. The
	// error is ErrNoHost where there is none any more.
	Dial(ctx context.Context, instance string) (io.ReadWriteCloser, error)
}

// ErrNoHost is the error of connecting to a host that has ended.
var ErrNoHost = errors.New("the host has ended")

// GatewayOptions say what a gateway serves.
type GatewayOptions struct {
	Hosts Hosts

	// Version is that of the program, for clients to show.
	Version string

	// Files lets agents have pictures written to files; see Options.
	Files bool

	// Log takes what goes wrong in the gateway itself; never what a page says. nil:
	// nothing is told.
	Log *slog.Logger
}

// A Gateway offers what the hosts of a user offer as one server. It is a client of
// each, from the first question that is for it, and passes on what they answer as it
// is. Its methods may be called from any goroutine.
type Gateway struct {
	hosts   Hosts
	log     *slog.Logger
	version string
	files   files
	sdk     *sdk.Server
	notices *notices
	idle    time.Duration // how long an agent that asks nothing stays connected to a host

	ctx     context.Context // of everything below
	stop    context.CancelFunc
	begin   func()
	running sync.WaitGroup

	// refreshing is held while what there is is compared with what was.
	refreshing sync.Mutex

	// mu guards what is known of the hosts.
	mu       sync.Mutex
	listed   []string // those that there are, used last first
	known    map[string]*upstream
	answered string // the one that answered a question for no certain one last
}

// NewGateway makes a gateway. It connects to nothing.
func NewGateway(o GatewayOptions) *Gateway {
	g := &Gateway{hosts: o.Hosts, log: o.Log, version: o.Version, files: files(o.Files), idle: idlePatience, known: map[string]*upstream{}}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.notices = newNotices(g)
	g.begin = sync.OnceFunc(func() {
		g.running.Go(g.notices.send)
		g.running.Go(g.watch)
	})
	g.sdk = sdk.NewServer(&sdk.Implementation{Name: "webarea", Title: "Webarea", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions + " Each running browser is a resource; where you name none, the one used last is asked.",
		Capabilities: &sdk.ServerCapabilities{
			Tools:     &sdk.ToolCapabilities{},
			Resources: &sdk.ResourceCapabilities{Subscribe: true, ListChanged: true},
			Prompts:   &sdk.PromptCapabilities{},
		},
		SubscribeHandler:   g.notices.subscribe,
		UnsubscribeHandler: g.notices.unsubscribe,
		SetCacheable:       func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	for i := range tools {
		g.sdk.AddTool(tools[i].declare(), g.calling)
	}
	g.addResources()
	g.sdk.AddPrompt(&look, g.looking)
	g.sdk.AddReceivingMiddleware(g.upToDate)
	// Each host has turns of its own: of one that is slow only its own questions wait.
	g.sdk.AddReceivingMiddleware(guard{log: g.log}.middleware)
	return g
}

// Serve answers one client, that writes a message a line to in and reads one a line
// from out, until it ends its side or ctx ends. Both are closed then.
func (g *Gateway) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	g.begin()
	return serveLines(ctx, g.sdk, in, out, g.notices.drop)
}

// Close ends all connections to hosts. Nobody may be served any more.
func (g *Gateway) Close() {
	g.stop()
	g.mu.Lock()
	known := g.known
	g.known = map[string]*upstream{}
	g.mu.Unlock()
	for _, u := range known {
		u.end()
	}
	// A client that takes no bytes may keep a notice from being sent.
	waitBounded(&g.running)
}

// waitBounded waits until all have ended, or a while.
func waitBounded(all *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(closePatience):
	}
}

// calling answers what calls a tool.
func (g *Gateway) calling(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	result, err := g.answer(ctx, saysWho(request), request.Params.Name, request.Params.Arguments)
	var told *provider.Error
	if !errors.As(err, &told) {
		return result, err
	}
	r, err := failure(told)
	if err != nil {
		return nil, err
	}
	return r.wire(), nil
}

// call has the host that a call is for answer it.
func (g *Gateway) call(ctx context.Context, who Agent, name string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	var result *sdk.CallToolResult
	err := g.route(ctx, who, targetIn(arguments), func(ctx context.Context, s *sdk.ClientSession, _ string) (bool, error) {
		r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			return false, err
		}
		structured := asItCame(r)
		result = &sdk.CallToolResult{Content: r.Content, IsError: r.IsError}
		if structured != nil {
			result.StructuredContent = structured
		}
		return !r.IsError && saysNothing(structured), nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// looking answers what gets the prompt.
func (g *Gateway) looking(ctx context.Context, request *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	r, err := g.call(ctx, saysWho(request), getElements.name, nil)
	if err != nil {
		return nil, refusal("", err)
	}
	if r.IsError {
		return nil, refusal("", failureIn(r))
	}
	messages := []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: lookWords}}}
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			messages = append(messages, &sdk.PromptMessage{Role: "user", Content: text})
			break
		}
	}
	return &sdk.GetPromptResult{Description: look.Description, Messages: messages}, nil
}

// failureIn gives the failure that a result tells of.
func failureIn(r *sdk.CallToolResult) error {
	e := &provider.Error{Code: provider.CodeFailed, Message: "the browser could not answer"}
	var said struct{ Code, Message, Suggestion string }
	if structured, ok := r.StructuredContent.(json.RawMessage); ok && json.Unmarshal(structured, &said) == nil && said.Code != "" {
		e.Code, e.Message, e.Mend = provider.Code(said.Code), said.Message, said.Suggestion
	}
	return e
}

// upToDate has the list of resources be of the hosts that there are when it is asked
// for.
func (g *Gateway) upToDate(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if method == "resources/list" || method == "resources/subscribe" || method == "subscriptions/listen" {
			g.sweep(ctx)
		}
		return next(ctx, method, request)
	}
}

// watch keeps what is known of the hosts up to date.
func (g *Gateway) watch() {
	if err := g.hosts.Watch(g.ctx, g.refresh); err != nil && g.ctx.Err() == nil {
		g.log.Error("browsers that come and go are not told of", "error", err)
	}
}

// sweep forgets the hosts that have died.
func (g *Gateway) sweep(ctx context.Context) {
	if err := g.hosts.Sweep(ctx); err != nil && ctx.Err() == nil {
		g.log.Warn("hosts that died may be listed still", "error", err)
	}
	g.refresh()
}

// refresh compares the hosts that there are with those that there were, and has it
// told if others came or went.
func (g *Gateway) refresh() {
	g.refreshing.Lock()
	defer g.refreshing.Unlock()
	now, err := g.hosts.List()
	if err != nil {
		g.log.Error("the running browsers cannot be listed", "error", err)
		return
	}
	g.mu.Lock()
	before := g.listed
	g.listed = now
	isAnother := first(before) != first(now)
	if g.answered != "" && !slices.Contains(now, g.answered) {
		g.answered, isAnother = "", true
	}
	var ended []*upstream
	for instance, u := range g.known {
		if !slices.Contains(now, instance) {
			delete(g.known, instance)
			ended = append(ended, u)
		}
	}
	g.mu.Unlock()
	for _, u := range ended {
		u.end()
	}
	for _, instance := range now {
		if !slices.Contains(before, instance) {
			g.addHost(instance)
		}
	}
	for _, instance := range before {
		if !slices.Contains(now, instance) {
			g.removeHost(instance)
			g.notices.note(elementsOf(instance))
		}
	}
	if isAnother {
		g.notices.note(elementsOf(current))
	}
	g.notices.follow(now)
}

// list gives the hosts that there are, used last first.
func (g *Gateway) list() []string {
	g.refresh()
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.listed)
}

// upstream gives the way to a host.
func (g *Gateway) upstream(instance string) *upstream {
	g.mu.Lock()
	defer g.mu.Unlock()
	u := g.known[instance]
	if u == nil {
		u = newUpstream(g, instance)
		g.known[instance] = u
	}
	return u
}

// concernsCurrent tells whether a change at a host may be one of what is answered where
// no certain one is meant. Where the browser used last is known to answer that, no
// other's does. While no host is known to be there, as of a machine that is too busy to
// tell, that of any may.
func (g *Gateway) concernsCurrent(instance string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	last := first(g.listed)
	return instance == last || last == "" || g.answered != last
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
