package mcp

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// A diary is what an observer was told, a line each.
type diary chan string

// Came implements Observer.
func (d diary) Came(a Agent) { d <- fmt.Sprintf("came %d %s %s", a.ID, a.Name, a.Version) }

// Went implements Observer.
func (d diary) Went(a Agent) { d <- fmt.Sprintf("went %d %s", a.ID, a.Name) }

// Read implements Observer.
func (d diary) Read(r Read) {
	size := "nothing"
	if r.Bytes > 0 {
		size = "something"
	}
	if r.Begun.IsZero() || r.Took < 0 {
		size = "no time"
	}
	d <- fmt.Sprintf("%d %s: %s %q: %s, %s", r.Agent.ID, r.Agent.Name, r.Tool, r.What, size, r.Outcome)
}

func TestObserver(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			d := make(diary, 100)
			s := newServer(Options{Provider: provider.New("Test"), Observer: d}, tools)
			own := "webarea://" + s.provider.Instance()
			func() {
				serverIn, in := io.Pipe()
				out, serverOut := io.Pipe()
				ended := make(chan error, 1)
				go func() { ended <- s.Serve(context.Background(), serverIn, serverOut) }()
				o := &sdk.ClientSessionOptions{}
				if era.legacy {
					o.ProtocolVersion = "2025-11-25"
				}
				c, err := sdk.NewClient(&sdk.Implementation{Name: "a \n" + strings.Repeat("long ", 40), Version: "v7"}, nil).
					Connect(t.Context(), &sdk.IOTransport{Reader: out, Writer: in}, o)
				if err != nil {
					t.Fatal(err)
				}
				call := func(tool string, args map[string]any) {
					if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args}); err != nil {
						t.Errorf("%s: %v", tool, err)
					}
				}
				call("get_elements", map[string]any{"scope": "page"})
				call("get_elements", map[string]any{})
				call("locate", map[string]any{"id": "nothing"})
				if _, err := c.ListTools(t.Context(), nil); err != nil {
					t.Error(err)
				}
				for _, path := range []string{"/elements", "/elements/nothing/text"} {
					_, _ = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: own + path})
				}
				if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "look"}); err != nil {
					t.Error(err)
				}
				c.Close()
				<-ended
			}()
			name := ("a " + strings.Repeat("long ", 40))[:maxName]
			want := []string{
				"came 1 " + name + " v7",
				"1 " + name + `: get_elements "page": something, ok`,
				"1 " + name + `: get_elements "pointing": something, ok`,
				"1 " + name + `: locate "nothing": something, unknown_id`,
				"1 " + name + `: elements "": something, ok`,
				"1 " + name + `: element-text "nothing": nothing, unknown_id`,
				"1 " + name + `: look "pointing": something, ok`,
				"went 1 " + name,
			}
			for _, w := range want {
				if got := <-d; got != w {
					t.Errorf("\n got %s\nwant %s", got, w)
				}
			}
			if len(d) > 0 {
				t.Errorf("got %s too", <-d)
			}
		})
	}
}

// What a provider said is not told when a tab in it was unshared before it was
// written: it is asked anew.
func TestSettled(t *testing.T) {
	p := provider.New("Test")
	tab := p.Mention("1.1", provider.Place{Window: 1, Title: "Mine", URL: "https://secret.example/", Problem: provider.ProblemReduced})
	asked := 0
	slow := answering("slow", func(context.Context) (*Result, error) {
		asked++
		a, err := p.Elements(t.Context(), provider.Query{})
		if err != nil {
			return nil, err
		}
		text, err := outlined(a)
		if asked == 1 {
			p.Unshare(tab)
		}
		return &Result{Structured: []byte("{}"), Text: text}, err
	})
	w := dial(t, newServer(Options{Provider: p}, []tool{slow}))
	m := w.ask(1, "tools/call", `"name":"slow"`)
	if m.Error != nil || strings.Contains(string(m.Result), "secret.example") || asked != 2 {
		t.Errorf("asked %d times, got %s\nwant it asked again, and nothing of the tab", asked, m.Result)
	}
}
