package extension_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

const (
	fixtures   = "../testpages/fixtures"
	savedPages = "../../shared/pages"

	// someSaved is how many of the saved pages are read: every so many of them.
	someSaved = 3

	// The most that an agent may ask for.
	mostElements, mostDepth, mostText = 50_000, 400, 5_000_000
)

// TestSameAsDirect reads pages through the user's own browser and beside that as
// `webarea snapshot` does, by a connection to the same tab: the Document is the same,
// but for its ids and for links that only a server can offer.
func TestSameAsDirect(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	site := httptest.NewServer(http.HandlerFunc(servePages))
	t.Cleanup(site.Close)
	tab, direct := e.sharedTwice(site.URL + "/fixtures/article.html")
	agent := e.agent()
	for _, page := range pagesToRead(t) {
		t.Run(page.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := driver.Load(ctx, tab.session, site.URL+page.path); err != nil {
				t.Fatal(err)
			}
			for _, step := range page.setup {
				if !do(t, ctx, tab.session, step) {
					t.Skip("the fixture has more than one window, and one tab is shared here")
				}
			}
			for _, scope := range []provider.Scope{provider.Pointing, provider.Page} {
				var got, want string
				// A page may change by itself between the two.
				for try := 0; try < 3 && (try == 0 || got != want); try++ {
					a, err := direct.Elements(ctx, provider.Query{Scope: scope, Pictures: true, MaxElements: mostElements, MaxDepth: mostDepth, MaxText: mostText})
					if err != nil {
						t.Fatal(err)
					}
					want = documentOf(t, a)
					got = documentOf(t, ask(t, ctx, agent, scope))
				}
				if got != want {
					t.Errorf("%s scope (- direct, + relayed):\n%s", scope, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
				}
			}
		})
	}
}

// A pageToRead is a page with what is done on it before it is read.
type pageToRead struct {
	name, path string
	setup      []map[string]string
}

// pagesToRead are all fixtures and some of the saved pages.
func pagesToRead(t *testing.T) []pageToRead {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, "*.case.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("finding the fixtures: %d found, %v", len(files), err)
	}
	var all []pageToRead
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".case.json")
		var c struct{ Setup []map[string]string }
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pageToRead{name, "/fixtures/" + name + ".html", c.Setup})
	}
	saved, err := filepath.Glob(filepath.Join(savedPages, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(saved) == 0 {
		t.Logf("there are no saved pages in %s, so none is read", savedPages)
	}
	for i := 0; i < len(saved); i += someSaved {
		name := filepath.Base(saved[i])
		all = append(all, pageToRead{name: name, path: "/pages/" + name})
	}
	return all
}

// sharedTwice opens a page that is shared with the extension, and beside that with a
// provider that is connected to the browser itself.
func (e *installation) sharedTwice(url string) (*tab, *provider.Provider) {
	e.t.Helper()
	tab := e.openURL(url)
	tab.share()
	direct := provider.New("Chromium")
	e.t.Cleanup(direct.Close)
	if _, err := direct.Share(e.ctx, e.browser.Conn, tab.target); err != nil {
		e.t.Fatal(err)
	}
	return tab, direct
}

// servePages serves fixtures and saved pages. What is a site of its own to fixtures is
// the same server by its other name.
func servePages(w http.ResponseWriter, r *http.Request) {
	folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	dir := map[string]string{"fixtures": fixtures, "pages": savedPages}[folder]
	if dir == "" {
		http.NotFound(w, r)
		return
	}
	file := filepath.Join(dir, filepath.FromSlash(filepath.Clean("/"+name)))
	text, err := os.ReadFile(file)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if strings.HasSuffix(file, ".html") {
		_, port, err := net.SplitHostPort(r.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		text = bytes.ReplaceAll(text, []byte("{{other-site}}"), []byte("http://localhost:"+port+"/fixtures"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	_, _ = w.Write(text)
}

// do does one thing of a fixture's setup, and reports whether it can be done in one
// tab.
func do(t *testing.T, ctx context.Context, s *cdp.Session, step map[string]string) bool {
	t.Helper()
	acts := map[string]func(context.Context, *cdp.Session, string) error{
		"eval": driver.Eval, "wait": driver.WaitFor, "scroll_to": driver.ScrollTo, "focus": driver.Focus,
		"select": driver.Select, "select_text": driver.SelectText, "hover": driver.Hover,
	}
	for name, what := range step {
		if name == "window" || name == "popup" {
			return false
		}
		if err := acts[name](ctx, s, what); err != nil {
			t.Fatalf("%s %s: %v", name, what, err)
		}
	}
	return true
}

// ask has an agent ask for all there is in a scope.
func ask(t *testing.T, ctx context.Context, agent *mcp.ClientSession, scope provider.Scope) *elements.Answer {
	t.Helper()
	got, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: map[string]any{
		"scope": scope, "max_elements": mostElements, "max_depth": mostDepth, "max_text": mostText,
	}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(got.StructuredContent)
	if err == nil && got.IsError {
		err = fmt.Errorf("the failure %s", raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := elements.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// documentOf gives the Document in the one tab of an answer, a line an element, with
// ids by first appearance, without links, and pictures by what they show.
func documentOf(t *testing.T, a *elements.Answer) string {
	t.Helper()
	var document *elements.Element
	for e := range a.All() {
		if e.Subrole == "tab" && len(e.Children) == 1 {
			document = e.Children[0]
		}
	}
	if document == nil {
		return "no tab has a document"
	}
	names := map[string]string{}
	name := func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprint("id", len(names)+1)
		}
		return names[id]
	}
	document.Walk(func(e, _ *elements.Element, _ int) bool { return name(e.ID) != "" })
	var b strings.Builder
	document.Walk(func(e, _ *elements.Element, depth int) bool {
		plain := *e
		plain.ID, plain.Children, plain.Content = name(e.ID), nil, nil
		var blocks []string
		for _, c := range e.Content {
			switch c.Type {
			case elements.ResourceLinkType:
			case elements.ImageType:
				if e.Subrole == "video" {
					continue // it goes on between the two
				}
				blocks = append(blocks, c.MIMEType+" "+pixels(t, c.Data))
			default:
				blocks = append(blocks, string(c.Type)+" "+c.Text)
			}
		}
		plain.Attributes = map[string]any{}
		for key, v := range e.Attributes {
			text := fmt.Sprint(v)
			for id, n := range names {
				text = strings.ReplaceAll(text, id, n)
			}
			plain.Attributes[key] = text
		}
		line, err := json.Marshal([]any{plain.ID, plain.Role, plain.Subrole, plain.Title, plain.URL, plain.Selected, plain.Focused, plain.Visible, plain.Hovered, plain.Attributes, blocks})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Repeat(" ", depth))
		b.Write(append(line, '\n'))
		return true
	})
	return b.String()
}

// pixels stands for what a picture shows.
func pixels(t *testing.T, data []byte) string {
	t.Helper()
	img, kind, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	sum := uint32(0)
	bounds := img.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			sum = sum*31 + r + 3*g + 5*b + 7*a
		}
	}
	return fmt.Sprintf("%s %v %08x", kind, bounds, sum)
}
