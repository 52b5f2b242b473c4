//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/native"
)

// An agent is a client of the SDK's, of a program of its own.
type agent struct {
	*sdk.ClientSession
	t       *testing.T
	c       *exec.Cmd
	updated chan string
	listed  chan bool
}

// startAgent starts `webarea mcp` for an agent, and ends it with the test.
func startAgent(t *testing.T, env, name string, legacy bool) *agent {
	t.Helper()
	a := &agent{t: t, c: command(t, "mcp"), updated: make(chan string, 1000), listed: make(chan bool, 1000)}
	a.c.Env = append(a.c.Env, env)
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "v1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler:     func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { a.updated <- r.Params.URI },
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { a.listed <- true },
	})
	o := &sdk.ClientSessionOptions{}
	if legacy {
		o.ProtocolVersion = "2025-11-25"
	}
	var err error
	if a.ClientSession, err = client.Connect(t.Context(), &sdk.CommandTransport{Command: a.c}, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// An outcome is what became of a call.
type outcome struct {
	answer *elements.Answer // nil: none
	code   string           // of a failure
	text   string
	err    error
}

func (o outcome) String() string {
	return fmt.Sprintf("code %q, error %v, %s", o.code, o.err, shorten(o.text))
}

// ask calls a tool. It may be called from any goroutine.
func (a *agent) ask(tool, arguments string) outcome {
	r, err := a.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return outcome{err: err}
	}
	o := outcome{text: r.Content[0].(*sdk.TextContent).Text}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		return outcome{err: err}
	}
	if r.IsError {
		var f struct{ Code string }
		o.err = json.Unmarshal(structured, &f)
		o.code = f.Code
		return o
	}
	if tool == "get_elements" {
		o.answer, o.err = elements.Decode(bytes.NewReader(structured))
	}
	return o
}

// about checks that there is an answer of a host about a page with that title.
func (a *agent) about(o outcome, h *testHost, title string) bool {
	a.t.Helper()
	if o.answer == nil || o.answer.Instance != h.instance || !strings.Contains(o.text, fmt.Sprintf("%q", title)) {
		a.t.Errorf("got %v\nwant an answer of %s about %q", o, h.instance, title)
		return false
	}
	return true
}

// tabIn is the id of the tab in an answer.
func tabIn(o outcome) string {
	for e := range o.answer.All() {
		if e.Subrole == "tab" {
			return e.ID
		}
	}
	return ""
}

func titled(title string) string {
	return fmt.Sprintf("<!doctype html><title>%s</title><p>Words of %s.", title, title)
}

// Without a browser every question is answered with what to do.
func TestGatewayAlone(t *testing.T) {
	t.Parallel()
	env, _ := runtimeFolder(t)
	for _, legacy := range []bool{true, false} {
		a := startAgent(t, env, "alone", legacy)
		if list, err := a.ListTools(t.Context(), nil); err != nil || len(list.Tools) < 3 {
			t.Errorf("got %+v, %v, want the tools", list, err)
		}
		if list, err := a.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 1 || list.Resources[0].URI != "webarea://current/elements" {
			t.Errorf("got %+v, %v, want the current browser", list, err)
		}
		for _, tool := range []string{"get_elements", "locate", "capture_element"} {
			if o := a.ask(tool, `{"id":"abcd1"}`); o.code != "no_browser" || !strings.Contains(o.text, "No tab is shared") || !strings.Contains(o.text, "Share this tab") {
				t.Errorf("%s: got %v, want what to do", tool, o)
			}
		}
	}
}

// Two browsers and three agents at once: each question gets the answer of the browser
// that it is for.
func TestGatewayTwoBrowsersThreeAgents(t *testing.T) {
	t.Parallel()
	env, sockets := runtimeFolder(t)
	one, two := startTestHost(t, sockets, titled("Apples")), startTestHost(t, sockets, titled("Pears"))
	one.use(sockets, time.Hour)
	two.use(sockets, time.Minute)
	const rounds = 5
	var all sync.WaitGroup
	for i, legacy := range []bool{true, false, true} {
		a := startAgent(t, env, fmt.Sprintf("agent %d", i), legacy)
		all.Go(func() {
			for range rounds {
				if !a.about(a.ask("get_elements", `{}`), two, "Pears") {
					return
				}
				first := a.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, one.instance))
				if !a.about(first, one, "Apples") {
					return
				}
				tab := tabIn(first)
				a.about(a.ask("get_elements", fmt.Sprintf(`{"id":%q}`, tab)), one, "Apples")
				var document string
				for e := range first.answer.All() {
					if e.Role == elements.Document {
						document = e.ID
					}
				}
				if o := a.ask("locate", fmt.Sprintf(`{"id":%q}`, document)); o.code != "" || !strings.Contains(o.text, document) {
					t.Errorf("locate: got %v", o)
				}
				r, err := a.CallTool(context.Background(), &sdk.CallToolParams{Name: "capture_element", Arguments: map[string]any{"id": document}})
				if err != nil || r.IsError || len(r.Content) != 2 || len(r.Content[1].(*sdk.ImageContent).Data) < 100 {
					t.Errorf("capture_element: got %+v, %v, want a picture", r, err)
				}
			}
		})
	}
	all.Wait()
	a := startAgent(t, env, "fourth", false)
	one.use(sockets, 0)
	a.about(a.ask("get_elements", `{}`), one, "Apples")
	list, err := a.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Fatalf("got %+v, %v, want the current browser and two", list, err)
	}
	for _, r := range list.Resources {
		read, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || len(read.Contents) != 1 || read.Contents[0].URI != r.URI || !strings.Contains(read.Contents[0].Text, `"Document"`) {
			t.Errorf("%s: got %+v, %v", r.URI, read, err)
		}
	}
	came := map[string]bool{}
	for len(came) < 3 {
		came[one.expect("came agent ")] = true
	}
}

// looping is a page that answers nothing once it is there.
const looping = `<!doctype html><title>Loop</title><p>before<script>addEventListener("load", () => setTimeout(() => { for (;;); }))</script>`

// A host that is killed while it is asked fails that question at once, and nobody
// else's; the next is answered by one that lives, also by the same browser's next.
func TestGatewayHostKilled(t *testing.T) {
	t.Parallel()
	env, sockets := runtimeFolder(t)
	one, two := startTestHost(t, sockets, titled("Apples")), startTestHost(t, sockets, looping)
	one.use(sockets, time.Hour)
	asking, other := startAgent(t, env, "asking", true), startAgent(t, env, "other", false)
	other.about(other.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, one.instance)), one, "Apples")
	// This has the browser brought up. The next question waits for the page, and while it
	// does the host dies.
	if o := asking.ask("locate", fmt.Sprintf(`{"id":"%.4szz"}`, two.instance)); o.code != "unknown_id" {
		t.Fatalf("got %v, want unknown_id", o)
	}
	two.expect("asked")
	answer := make(chan outcome, 1)
	go func() { answer <- asking.ask("get_elements", `{"scope":"page"}`) }()
	two.expect("asked")
	other.about(other.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, one.instance)), one, "Apples")
	two.kill()
	if o := <-answer; o.code != "browser_gone" || !strings.Contains(o.text, "ended while it was asked") {
		t.Errorf("the question under way: got %v, want browser_gone", o)
	}
	for _, a := range []*agent{asking, other} {
		a.about(a.ask("get_elements", `{}`), one, "Apples")
		if o := a.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, two.instance)); o.code != "unknown_instance" {
			t.Errorf("the host that died: got %v, want unknown_instance", o)
		}
	}
	again := startTestHost(t, sockets, titled("Pears"))
	for _, a := range []*agent{asking, other} {
		a.about(a.ask("get_elements", `{}`), again, "Pears")
	}
}

// A host that stands still keeps only those waiting who ask it, and not for long; when
// it goes on it answers again.
func TestGatewayHostStopped(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: it takes as long as a host may take to say that it is alive")
	}
	env, sockets := runtimeFolder(t)
	one, two := startTestHost(t, sockets, titled("Apples")), startTestHost(t, sockets, titled("Pears"))
	one.use(sockets, time.Hour)
	asking, other := startAgent(t, env, "asking", true), startAgent(t, env, "other", false)
	asking.about(asking.ask("get_elements", `{}`), two, "Pears")
	if err := two.c.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	answer := make(chan outcome, 1)
	go func() { answer <- asking.ask("get_elements", `{}`) }()
	for range 3 {
		other.about(other.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, one.instance)), one, "Apples")
		asking.about(asking.ask("get_elements", fmt.Sprintf(`{"instance":%q}`, one.instance)), one, "Apples")
	}
	if o := <-answer; o.code != "timeout" || !strings.Contains(o.text, one.instance) {
		t.Errorf("the host that stands still: got %v, want timeout, and the other's instance", o)
	}
	if err := two.c.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it answers again", func() bool { return asking.ask("get_elements", `{}`).answer != nil })
}

// A gateway that is killed while it asks takes nothing with it: its host and other
// gateways go on, and the agent's next one is answered.
func TestGatewayKilled(t *testing.T) {
	t.Parallel()
	env, sockets := runtimeFolder(t)
	one := startTestHost(t, sockets, titled("Apples"))
	dying, other := startAgent(t, env, "dying", true), startAgent(t, env, "other", false)
	other.about(other.ask("get_elements", `{}`), one, "Apples")
	ended := make(chan outcome, 1)
	go func() {
		for {
			if o := dying.ask("get_elements", `{"scope":"page"}`); o.answer == nil {
				ended <- o
				return
			}
		}
	}()
	one.expect("came dying")
	one.expect("asked")
	if err := dying.c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if o := <-ended; o.err == nil {
		t.Errorf("the agent of the gateway that died: got %v, want an error", o)
	}
	one.expect("went dying")
	other.about(other.ask("get_elements", `{}`), one, "Apples")
	next := startAgent(t, env, "next", true)
	next.about(next.ask("get_elements", `{}`), one, "Apples")
}

// Agents are told of browsers that come and go, and of what changes in them.
func TestGatewayTells(t *testing.T) {
	t.Parallel()
	env, sockets := runtimeFolder(t)
	const current = "webarea://current/elements"
	for _, legacy := range []bool{true, false} {
		a := startAgent(t, env, "told", legacy)
		wait := func(what string) {
			t.Helper()
			for late := time.After(runLimit / 2); ; {
				select {
				case uri := <-a.updated:
					if uri == what {
						return
					}
				case <-a.listed:
					if what == "list" {
						return
					}
				case <-late:
					t.Fatalf("legacy %v: nothing is told of %s", legacy, what)
				}
			}
		}
		if legacy {
			if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: current}); err != nil {
				t.Fatal(err)
			}
		}
		h := startTestHost(t, sockets, `<title>Ticks</title><script>let n = 0; setInterval(() => document.title = "Ticks " + ++n, 300)</script>`)
		if legacy {
			wait("list")
			wait(current)
		} else {
			eventually(t, "the host can be subscribed to", func() bool {
				return a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "webarea://" + h.instance + "/elements"}) == nil
			})
		}
		for range 3 {
			wait("webarea://" + map[bool]string{true: "current", false: h.instance}[legacy] + "/elements")
		}
		h.kill()
		if legacy {
			wait("list")
		}
		eventually(t, "the list is without the host that died", func() bool {
			list, err := a.ListResources(t.Context(), nil)
			return err == nil && len(list.Resources) == 1
		})
	}
}

// Of the hosts that browsers start, that is asked whose browser's window gained the
// focus last.
func TestGatewayAsksTheBrowserUsedLast(t *testing.T) {
	t.Parallel()
	// Both have their sockets in one folder.
	one := startHost(t, native.Origin)
	two := startHostIn(t, one.runtime, native.Origin)
	shares := func(h *hostProcess, order int, focused bool) {
		t.Helper()
		h.say(fmt.Sprintf(`{"kind":"tabs","windows":[{"window":1,"order":%d,"focused":%v,"state":"normal"}],"gone":[],"tabs":[{"tab":"1.1","window":1,"index":0,"state":"unreachable","problem":"debugger_busy","active":true,"title":"Mine","url":"https://a.example/","zoom":1}]}`, order, focused))
	}
	instances := map[*hostProcess]string{}
	for _, h := range []*hostProcess{one, two} {
		h.say(hello)
		instances[h] = h.next()["instance"].(string)
		shares(h, 1, false)
	}
	a := startAgent(t, "XDG_RUNTIME_DIR="+one.runtime, "asking", false)
	for i, h := range []*hostProcess{one, two, one} {
		shares(h, i+2, true)
		eventually(t, "the browser used last is asked", func() bool {
			o := a.ask("get_elements", `{}`)
			return o.answer != nil && o.answer.Instance == instances[h]
		})
	}
}
