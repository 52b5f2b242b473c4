package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

// connect connects a client of the SDK's; legacy has it begin with a handshake.
func connect(t *testing.T, s *Server, legacy bool) *sdk.ClientSession {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	ctx := context.Background()
	go func() { ended <- s.Serve(ctx, serverIn, serverOut) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v0"}, nil)
	var o *sdk.ClientSessionOptions
	if legacy {
		o = &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	session, err := client.Connect(ctx, &sdk.IOTransport{Reader: out, Writer: in}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

var eras = []struct {
	name   string
	legacy bool
}{{"legacy", true}, {"modern", false}}

func TestAnswersInBothEras(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			ctx := t.Context()
			s := serverWith()
			c := connect(t, s, era.legacy)

			got, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "get_elements"})
			if err != nil {
				t.Fatal(err)
			}
			structured, _ := json.Marshal(got.StructuredContent)
			if v := elements.ValidateJSON(structured); len(v) > 0 {
				t.Errorf("the structured answer breaks rules: %v\n%s", v, structured)
			}
			text := got.Content[0].(*sdk.TextContent).Text
			if parsed, err := outline.Parse(strings.NewReader(text)); err != nil || parsed.Root.Title != "Test" {
				t.Errorf("the text is no outline of the answer: %v\n%s", err, text)
			}

			list, err := c.ListResources(ctx, nil)
			if err != nil || len(list.Resources) != 1 || list.CacheScope != "private" {
				t.Fatalf("got resources %+v, %v, want one, private", list, err)
			}
			uri := list.Resources[0].URI
			if want := "webarea://" + s.provider.Instance() + "/elements"; uri != want {
				t.Errorf("got %s, want %s", uri, want)
			}
			read, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
			if err != nil || read.CacheScope != "private" {
				t.Fatalf("got %+v, %v, want contents, private", read, err)
			}
			if v := elements.ValidateJSON([]byte(read.Contents[0].Text)); len(v) > 0 || read.Contents[0].MIMEType != "application/json" {
				t.Errorf("got %s, which breaks %v", read.Contents[0].Text, v)
			}

			templates, err := c.ListResourceTemplates(ctx, nil)
			if err != nil || len(templates.ResourceTemplates) != len(resources)-1 {
				t.Fatalf("got %+v, %v, want %d templates", templates, err, len(resources)-1)
			}
			for _, r := range templates.ResourceTemplates {
				if r.Description == "" || r.Title == "" || !strings.HasPrefix(r.URITemplate, uri[:len(uri)-len("elements")]) {
					t.Errorf("got template %+v", r)
				}
			}

			prompt, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "look"})
			if err != nil || len(prompt.Messages) != 2 || !strings.Contains(prompt.Messages[1].Content.(*sdk.TextContent).Text, "untrusted page content") {
				t.Errorf("got %+v, %v", prompt, err)
			}
		})
	}
}

// What is said of the server is what it does, and no more.
func TestCapabilities(t *testing.T) {
	w := dial(t, serverWith())
	got := result[struct {
		Capabilities map[string]any
		Instructions string
		CacheScope   string
	}](t, w.ask(1, "server/discover", ""))
	said, _ := json.Marshal(got.Capabilities)
	if want := `{"prompts":{},"resources":{"subscribe":true},"tools":{}}`; string(said) != want {
		t.Errorf("got capabilities %s, want %s", said, want)
	}
	if got.CacheScope != "private" || got.Instructions == "" {
		t.Errorf("got %+v, want instructions and a private scope", got)
	}
}

func TestResourcesThatAreNotThere(t *testing.T) {
	s := serverWith()
	own := "webarea://" + s.provider.Instance() + "/"
	w := dial(t, s)
	for _, c := range []struct{ uri, code string }{
		{own + "elements/nope1", "unknown_id"},
		{own + "elements/nope1/text", "unknown_id"},
		{own + "elements/nope1/image", "unknown_id"},
		{own + "locate/nope1", "unknown_id"},
		{own + "elements/", ""},
		{own + "elements/a/b", ""},
		{own, ""},
		{"webarea://other/elements", ""},
		{"file:///etc/passwd", ""},
	} {
		m := w.ask(1, "resources/read", `"uri":"`+c.uri+`"`)
		if m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%s: got error %+v, result %s, want -32602", c.uri, m.Error, m.Result)
			continue
		}
		if got := decode[struct{ URI, Code string }](t, string(m.Error.Data)); got.URI != c.uri || got.Code != c.code {
			t.Errorf("%s: got data %s, want the uri and code %q", c.uri, m.Error.Data, c.code)
		}
	}
}

// Nothing is brought up before the first question that needs it; what cannot be is
// told to who asked.
func TestReadyWhenAsked(t *testing.T) {
	asked := 0
	s := New(Options{
		Provider: provider.New("Test"),
		Ready: func(context.Context) error {
			if asked++; asked == 1 {
				return &provider.Error{Code: "no_browser", Message: "there is none", Mend: "install one"}
			}
			return nil
		},
	})
	w := dial(t, s)
	for i, method := range []string{"server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		result[any](t, w.ask(i, method, ""))
	}
	if asked != 0 {
		t.Errorf("it was asked %d times to be ready by lists", asked)
	}
	m := w.ask("a", "tools/call", `"name":"get_elements"`)
	if got := result[struct{ IsError bool }](t, m); !got.IsError || !strings.Contains(string(m.Result), "no_browser: there is none: install one") {
		t.Errorf("got %s, want the reason", m.Result)
	}
	m = w.ask("b", "tools/call", `"name":"get_elements"`)
	if got := result[struct{ IsError bool }](t, m); got.IsError || asked != 2 {
		t.Errorf("got %s after %d tries, want an answer at the second", m.Result, asked)
	}
}

// When it is told to end, it does so also while it answers and the client takes no
// bytes.
func TestEnd(t *testing.T) {
	hold, asked, _ := holding()
	serverIn, in := io.Pipe()
	_, serverOut := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serverWith(hold).Serve(ctx, serverIn, serverOut) }()
	io.WriteString(in, request(1, "tools/call", `"name":"hold"`)+"\n"+request(2, "tools/list", "")+"\n")
	<-asked
	reason := errors.New("enough")
	cancel(reason)
	if err := <-ended; !errors.Is(err, reason) {
		t.Errorf("got %v, want %v", err, reason)
	}
}
