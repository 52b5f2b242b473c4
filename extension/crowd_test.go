package extension_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/target"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A wire keeps all that goes between an agent and the host.
type wire struct {
	mu   sync.Mutex
	said bytes.Buffer
}

// Write implements io.Writer.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.Write(p)
}

// take gives what was said since it was last taken.
func (w *wire) take() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	said := w.said.String()
	w.said.Reset()
	return said
}

// overheard connects an agent whose every message is kept.
func (e *installation) overheard(name string) (*mcp.ClientSession, *wire) {
	e.t.Helper()
	if !eventually(func() bool { return len(e.sockets()) == 1 }) {
		e.t.Fatalf("the sockets are %q, want one", e.sockets())
	}
	w := &wire{}
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	transport := &mcp.CommandTransport{Command: exec.Command(e.program, "mcp", "--socket", e.sockets()[0])}
	session, err := client.Connect(ctx, &mcp.LoggingTransport{Transport: transport, Writer: w}, nil)
	if err != nil {
		e.t.Fatalf("connecting an agent: %v", err)
	}
	e.t.Cleanup(func() { _ = session.Close() })
	return session, w
}

// inWindow opens a tab in a window of its own.
func (r *rig) inWindow(path string) *tab {
	r.t.Helper()
	var made struct {
		ID target.ID `json:"targetId"`
	}
	url := r.site.URL + path
	if err := r.browser.Conn.Browser().Call(r.ctx, "Target.createTarget", object{"url": url, "newWindow": true}, &made); err != nil {
		r.t.Fatal(err)
	}
	t := &tab{rig: r, session: r.attach(made.ID), target: made.ID, url: url}
	r.awaitTarget("page "+url, func(i target.Info) bool { return i.TargetID == made.ID && i.URL == url })
	return t
}

// everything has an agent ask all that can be asked, of the ids that it met too, and
// gives what it was answered.
func everything(ctx context.Context, agent *mcp.ClientSession, known []string) (answers []string, ids []string, err error) {
	keep := func(v any, failed error) {
		if failed != nil {
			answers = append(answers, failed.Error())
			return
		}
		raw, bad := json.Marshal(v)
		if bad != nil {
			err = bad
		}
		answers = append(answers, string(raw))
	}
	call := func(tool string, arguments object) {
		keep(agent.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments}))
	}
	for _, scope := range []string{"pointing", "visible", "page"} {
		call("get_elements", object{"scope": scope})
	}
	for _, a := range answers {
		for _, id := range regexp.MustCompile(`"id":"(\w+)"`).FindAllStringSubmatch(a, -1) {
			if !slices.Contains(ids, id[1]) {
				ids = append(ids, id[1])
			}
		}
	}
	for _, id := range append(slices.Clone(ids), known...) {
		call("get_elements", object{"id": id})
		call("locate", object{"id": id})
	}
	for _, id := range known {
		call("capture_element", object{"id": id})
	}
	list, failed := agent.ListResources(ctx, nil)
	keep(list, failed)
	if failed == nil {
		for _, r := range list.Resources {
			keep(agent.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI}))
			for _, id := range known {
				for _, path := range []string{"/" + id, "/" + id + "/text", "/" + id + "/image"} {
					keep(agent.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI + path}))
				}
			}
		}
	}
	keep(agent.GetPrompt(ctx, &mcp.GetPromptParams{Name: "look"}))
	return answers, ids, err
}

// TestCrowd shares some of the tabs of two windows with several agents at once: they
// are told of those, and of no other in any byte; and of none once all are unshared.
func TestCrowd(t *testing.T) {
	whole(t)
	const each = 5
	e := install(t, rigOptions{})
	for i := range each {
		open := e.open
		if i == 2 {
			open = e.inWindow
		}
		open(fmt.Sprintf("/shown%d", i)).share()
		e.open(fmt.Sprintf("/covert%d", i))
	}
	var agents []*mcp.ClientSession
	var wires []*wire
	for i := range 3 {
		agent, w := e.overheard(fmt.Sprint("Agent ", i))
		agents, wires = append(agents, agent), append(wires, w)
	}
	// atOnce has all agents ask everything at the same time.
	known := make([][]string, len(agents))
	atOnce := func() [][]string {
		answers := make([][]string, len(agents))
		var asking sync.WaitGroup
		for i, agent := range agents {
			asking.Go(func() {
				ctx, cancel := context.WithTimeout(e.ctx, 10*patience)
				defer cancel()
				got, ids, err := everything(ctx, agent, known[i])
				if err != nil {
					t.Error(err)
				}
				answers[i], known[i] = got, ids
			})
		}
		asking.Wait()
		return answers
	}
	for i, answers := range atOnce() {
		for n := range each {
			if want := fmt.Sprintf("Words of /shown%d", n); !strings.Contains(answers[2], want) {
				t.Errorf("agent %d is not told %q:\n%s", i, want, answers[2])
			}
		}
		said := wires[i].take()
		// Windows are two spaces in, in the outline.
		if windows := strings.Count(answers[2], `\n  Window `); !strings.Contains(said, "shown0") || windows != 2 {
			t.Errorf("agent %d is told of %d windows, want 2:\n%s", i, windows, answers[2])
		}
		if at := strings.Index(said, "covert"); at >= 0 {
			t.Errorf("agent %d is told of a tab that is not shared: …%s…", i, said[max(0, at-200):min(len(said), at+100)])
		}
	}

	p := e.popup()
	p.click("#everything")
	p.awaitText("This tab is not shared.")
	p.close()
	for _, w := range wires {
		w.take()
	}
	for i, answers := range atOnce() {
		for _, said := range []string{strings.Join(answers, "\n"), wires[i].take()} {
			for _, word := range []string{"covert", "shown", "Words of"} {
				if at := strings.Index(said, word); at >= 0 {
					t.Errorf("agent %d is told %q although nothing is shared any more: …%s…", i, word, said[max(0, at-200):min(len(said), at+100)])
				}
			}
		}
	}
}
