package native

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
)

// One browser serves all tests that need one.
var browser struct {
	once sync.Once
	it   *cdp.Browser
	site *httptest.Server
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.it != nil {
		if err := browser.it.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the browser:", err)
			code = 1
		}
		browser.site.Close()
	}
	os.Exit(code)
}

// story is a page with what is selected, a field that is secret, and a frame of
// another site.
const story = `<!doctype html><html lang=en><title>Bread at home</title><main><h1>Bread</h1>
<p>Take <b>rye flour</b> and <a href="/mill">some salt</a>.</p><ul><li>one<li>two</ul>
<label>Password <input type=password value=hunter2hunter2></label>
<table><tr><th>a<th>b<tr><td>1<td>2</table>
<iframe src="OTHER/inner" width=300 height=100></iframe></main>
<script>getSelection().selectAllChildren(document.querySelector("b"))</script>`

func servePage(w http.ResponseWriter, q *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch q.URL.Path {
	case "/inner":
		fmt.Fprint(w, `<!doctype html><title>Inside</title><p>Words of the frame.</p>`)
	case "/long":
		fmt.Fprintf(w, `<!doctype html><title>Long</title><p>%s</p>`, strings.Repeat("many words ", 20_000))
	default:
		_, port, _ := net.SplitHostPort(q.Host)
		fmt.Fprint(w, strings.ReplaceAll(story, "OTHER", "http://localhost:"+port))
	}
}

// open opens a page in a window of its own, and closes it with the test.
func open(t *testing.T, path string) driver.Tab {
	t.Helper()
	browser.once.Do(func() {
		browser.it, browser.err = cdp.Launch(context.Background(), cdp.LaunchOptions{HostRules: "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"})
		browser.site = httptest.NewServer(http.HandlerFunc(servePage))
	})
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tab, err := driver.Open(ctx, browser.it.Conn, driver.Options{Width: 1000, Height: 700, Window: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := tab.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	if err := driver.Load(ctx, tab.Session, browser.site.URL+path); err != nil {
		t.Fatal(err)
	}
	return tab
}

// socket is the path of the host's socket.
func (e *stub) socket() string {
	e.t.Helper()
	found, _ := filepath.Glob(filepath.Join(e.dir, "*"+socketEnd))
	if len(found) != 1 {
		e.t.Fatalf("got the sockets %v, want one", found)
	}
	return found[0]
}

// An agent is a client of the host by the SDK that others use, and all bytes that it
// was sent.
type agent struct {
	*sdk.ClientSession
	t       *testing.T
	conn    net.Conn
	updates chan string
}

// connect connects an agent to the host.
func (e *stub) connect(name string) *agent {
	e.t.Helper()
	c, err := net.Dial("unix", e.socket())
	if err != nil {
		e.t.Fatal(err)
	}
	a := &agent{t: e.t, conn: c, updates: make(chan string, 100)}
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "v7"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { a.updates <- r.Params.URI },
	})
	if a.ClientSession, err = client.Connect(e.t.Context(), &sdk.IOTransport{Reader: c, Writer: c}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"}); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { a.Close() })
	return a
}

// call calls a tool and gives the structured answer, and the code of a failure.
func (a *agent) call(tool string, arguments map[string]any) (answer json.RawMessage, code string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), patience)
	defer cancel()
	r, err := a.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	answer, err = json.Marshal(r.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	if r.IsError {
		var failed struct{ Code string }
		_ = json.Unmarshal(answer, &failed)
		return answer, failed.Code
	}
	return answer, ""
}

// elements gives the answer of get_elements.
func (a *agent) elements(scope string) *elements.Answer {
	a.t.Helper()
	text, code := a.call("get_elements", map[string]any{"scope": scope, "images": "none"})
	if code != "" {
		a.t.Fatalf("get_elements: got %s", text)
	}
	answer, err := elements.Decode(strings.NewReader(string(text)))
	if err != nil {
		a.t.Fatalf("%v in %s", err, text)
	}
	return answer
}

// await asks until the answer is as it should come to be.
func (a *agent) await(what string, is func(*elements.Answer) bool) *elements.Answer {
	a.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		answer := a.elements("pointing")
		if is(answer) {
			return answer
		}
		if time.Now().After(deadline) {
			text, _ := elements.Marshal(answer)
			a.t.Fatalf("it does not come to be that %s:\n%s", what, text)
		}
	}
}

// documentOf is the page of the first tab of an answer, ids by their first appearance
// and links to resources left out, to be compared with another.
func documentOf(t *testing.T, a *elements.Answer) string {
	t.Helper()
	for e := range a.All() {
		if e.Role == elements.Document {
			part := elements.Answer{Protocol: a.Protocol, Instance: "i", Root: e}
			for inside := range part.All() {
				kept := inside.Content[:0]
				for _, b := range inside.Content {
					if b.Type != elements.ResourceLinkType {
						kept = append(kept, b)
					}
				}
				inside.Content = kept
			}
			text, err := json.MarshalIndent(e, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]string{}
			for id := range part.All() {
				names[id.ID] = fmt.Sprintf("id-%d", len(names))
			}
			return regexp.MustCompile(`"[A-Za-z0-9_-]+"`).ReplaceAllStringFunc(string(text), func(word string) string {
				if name := names[strings.Trim(word, `"`)]; name != "" {
					return `"` + name + `"`
				}
				return word
			})
		}
	}
	text, _ := elements.Marshal(a)
	t.Fatalf("the answer has no page: %s", text)
	return ""
}

// problemOf is the problem of the first tab of an answer.
func problemOf(a *elements.Answer) any {
	for e := range a.All() {
		if e.Subrole == "tab" {
			return e.Attributes["problem"]
		}
	}
	return "no tab"
}

// lines reads what a plain client of the socket is sent.
func lines(t *testing.T, c net.Conn) *bufio.Reader {
	t.Helper()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(c)
}
