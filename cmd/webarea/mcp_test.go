//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
)

// chosen is a page whose words are selected by itself.
const chosen = `<!doctype html><title>Chosen</title><main><h1>Bread</h1><p>Take <b>rye flour</b> and salt &lt;now>.</p>
<p><svg style="position:absolute;left:200px;top:200px" width=40 height=30 role=img aria-label=Loaf tabindex=0><rect width=40 height=30 fill="red"/></svg></p></main>
<script>getSelection().selectAllChildren(document.querySelector("b"))</script>`

// chosenPage is the path of that page.
func chosenPage(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chosen.html")
	if err := os.WriteFile(path, []byte(chosen), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (r toolResult) answer(t *testing.T) *elements.Answer {
	t.Helper()
	if r.IsError {
		t.Fatalf("got the failure %s, want an answer", r.StructuredContent)
	}
	return decode(t, r.StructuredContent)
}

// find gives the one element that the condition is true of.
func find(t *testing.T, a *elements.Answer, what string, is func(*elements.Element) bool) *elements.Element {
	t.Helper()
	for e := range a.All() {
		if is(e) {
			return e
		}
	}
	t.Fatalf("the answer has no %s", what)
	return nil
}

// Nothing is launched for a client that only asks what there is, and all is ended
// with one that asks more.
func TestMCPLaunchesWhenAsked(t *testing.T) {
	t.Parallel()
	needProc(t)
	for _, launch := range [][]string{{"--launch"}, {"--launch", chosenPage(t)}, {"--launch=" + chosenPage(t)}} {
		s := startServer(t, launch...)
		var temp string
		for _, v := range s.c.Env {
			if after, ok := strings.CutPrefix(v, "TMPDIR="); ok {
				temp = after
			}
		}
		for _, method := range []string{"server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
			if m := s.ask(method, ""); m.Error != nil {
				t.Errorf("%s: got %s", method, m.line)
			}
		}
		if found := processesWith(temp); len(found) > 0 {
			t.Errorf("before the first question there are the processes %v", found)
		}
		s.expectSaid("webarea: shared: all tabs of a browser that is launched at the first question.*\n")
		a := s.call("get_elements", `{}`).answer(t)
		if a.Root.Title != "Chromium" && a.Root.Title != "Google Chrome" {
			t.Errorf("got the app %q, want the name of the browser that was launched", a.Root.Title)
		}
		title := find(t, a, "tab", func(e *elements.Element) bool { return e.Subrole == "tab" }).Title
		if want := map[bool]string{true: "about:blank", false: "Chosen"}[len(launch) == 1 && launch[0] == "--launch"]; title != want {
			t.Errorf("got the tab %q, want %q", title, want)
		}
		if code := s.end(); code != 0 {
			t.Errorf("got exit %d, want 0\n%s", code, s.stderr)
		}
	}
}

// The three tools, the resources and the prompt about one page, in both eras.
func TestMCPAnswers(t *testing.T) {
	t.Parallel()
	page := chosenPage(t)
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			s := startServer(t, "--launch", page)
			if era == "legacy" {
				s.handshake()
			}
			r := s.call("get_elements", `{}`)
			a := r.answer(t)
			if got, want := pointed(a), `selected Text "rye flour"`; !strings.Contains(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
			if parsed, err := outline.Parse(strings.NewReader(r.Content[0].Text)); err != nil || pointed(parsed) != pointed(a) {
				t.Errorf("the text is no outline of the answer: %v\n%s", err, r.Content[0].Text)
			}
			chosen := find(t, a, "selection", func(e *elements.Element) bool { return e.Selected })

			whole := s.call("get_elements", `{"scope":"page"}`).answer(t)
			words := find(t, whole, "paragraph", func(e *elements.Element) bool {
				return len(e.Content) > 0 && strings.HasPrefix(e.Content[0].Text, "Take")
			})
			if got, want := words.Content[0].Text, "Take rye flour and salt <now>."; got != want {
				t.Errorf("got the words %q, want %q", got, want)
			}
			picture := find(t, whole, "image", func(e *elements.Element) bool { return e.Role == elements.Image })
			one := s.call("get_elements", fmt.Sprintf(`{"id":%q}`, words.ID)).answer(t)
			find(t, one, "element that was asked for", func(e *elements.Element) bool { return e.ID == words.ID })

			located := s.call("locate", fmt.Sprintf(`{"id":%q,"instance":%q}`, chosen.ID, a.Instance))
			var place struct {
				ID         string
				Rectangles []struct{ X, Y, Width, Height float64 }
				Viewport   map[string]any
			}
			if err := json.Unmarshal(located.StructuredContent, &place); err != nil {
				t.Fatal(err)
			}
			if place.ID != chosen.ID || len(place.Rectangles) != 1 || place.Rectangles[0].Width <= 0 || place.Viewport["width"] != 1280.0 {
				t.Errorf("got %s, want one rectangle in a viewport 1280 wide", located.StructuredContent)
			}
			if located.Content[0].Text != string(located.StructuredContent) {
				t.Errorf("the text is %q, want the structured answer", located.Content[0].Text)
			}

			for format, kind := range map[string]string{"png": "image/png", "jpeg": "image/jpeg"} {
				r := s.call("capture_element", fmt.Sprintf(`{"id":%q,"format":%q}`, picture.ID, format))
				if len(r.Content) != 2 || r.Content[0].Type != "text" || r.Content[1].Type != "image" || r.Content[1].MIMEType != kind {
					t.Fatalf("got %+v, want a text and an image as %s", r.Content, kind)
				}
				checkPicture(t, r.Content[1].Data, format, 40, 30)
			}

			own := "webarea://" + a.Instance + "/"
			for _, c := range []struct{ path, kind, words string }{
				{"elements", "application/json", "rye flour"},
				{"elements/" + words.ID, "application/json", "and salt"},
				{"elements/" + words.ID + "/text", "text/plain", "Take rye flour and salt <now>.\n"},
				{"locate/" + words.ID, "application/json", `"rectangles":[{`},
			} {
				got := s.read(own + c.path)
				if len(got) != 1 || got[0].URI != own+c.path || got[0].MIMEType != c.kind || !strings.Contains(got[0].Text, c.words) {
					t.Errorf("%s: got %+v\nwant %s with %q", c.path, got, c.kind, c.words)
				}
			}
			if got := s.read(own + "elements/" + picture.ID + "/image"); len(got) != 1 || got[0].MIMEType != "image/png" {
				t.Errorf("got %+v, want a PNG", got)
			} else {
				checkPicture(t, got[0].Blob, "png", 40, 30)
			}

			m := s.ask("prompts/get", `"name":"look"`)
			if m.Error != nil || !strings.Contains(m.line, "rye flour") {
				t.Errorf("got %s, want what is selected", m.line)
			}
			if code := s.end(); code != 0 {
				t.Errorf("got exit %d, want 0\n%s", code, s.stderr)
			}
		})
	}
}

// contents are those of a resource.
type contents struct {
	URI, MIMEType, Text string
	Blob                []byte
}

// read reads a resource, which must be there.
func (s *stdioClient) read(uri string) []contents {
	s.t.Helper()
	m := s.ask("resources/read", fmt.Sprintf(`"uri":%q`, uri))
	var r struct{ Contents []contents }
	if m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
		s.t.Fatalf("reading %s: got %s", uri, shorten(m.line))
	}
	return r.Contents
}

// checkPicture checks the form and size of a picture, and that it is red in the middle.
func checkPicture(t *testing.T, data []byte, format string, width, height int) {
	t.Helper()
	img, kind, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("a picture cannot be read: %v", err)
	}
	size := img.Bounds()
	r, g, b, _ := img.At(size.Dx()/2, size.Dy()/2).RGBA()
	if kind != format || size.Dx() != width || size.Dy() != height || r < 0xf000 || g > 0x1000 || b > 0x1000 {
		t.Errorf("got a %s of %d × %d, %x %x %x in the middle, want a %s of %d × %d, red", kind, size.Dx(), size.Dy(), r>>8, g>>8, b>>8, format, width, height)
	}
}

// With a browser's address all its tabs are shared, as they come and go; with a
// page's that page.
func TestMCPAttach(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	address := serve(t)
	var first tab
	b.ask(t, http.MethodPut, "/json/new?"+url.QueryEscape(address+"/"), &first)
	b.tabAt(t, address+"/")

	s := startServer(t, "--attach", b.address)
	tabs := func() int {
		n := 0
		for e := range s.call("get_elements", `{}`).answer(t).All() {
			if e.Subrole == "tab" {
				n++
			}
		}
		return n
	}
	open := len(b.tabs(t))
	if n := tabs(); n != open {
		t.Errorf("got %d tabs, want %d", n, open)
	}
	var second tab
	b.ask(t, http.MethodPut, "/json/new?about:blank", &second)
	eventually(t, "the new tab is shared", func() bool { return tabs() == open+1 })
	b.ask(t, http.MethodGet, "/json/close/"+second.ID, nil)
	eventually(t, "the closed tab is gone", func() bool { return tabs() == open })
	s.expectSaid("webarea: shared: all tabs of the browser at " + b.address + "\n")
	if code := s.end(); code != 0 {
		t.Errorf("got exit %d, want 0", code)
	}
	b.expectTabs(t, open)

	s = startServer(t, "--attach", first.Socket)
	if n := tabs(); n != 1 {
		t.Errorf("attached to a page: got %d tabs, want 1", n)
	}
	s.expectSaid("webarea: shared: the page at " + first.Socket + "\n")
}

// A browser that is not there yet is no reason to end: who asks is told what to do.
func TestMCPWithoutABrowser(t *testing.T) {
	t.Parallel()
	s := startServer(t, "--attach", "http://127.0.0.1:1")
	for range 2 {
		r := s.call("get_elements", `{}`)
		if r.failure() != "no_browser" || !strings.Contains(r.Content[0].Text, "--remote-debugging-port") {
			t.Errorf("got %+v, want no_browser and how to start one", r)
		}
	}
	s = startServer(t, "--launch", "http://127.0.0.1:1/")
	if r := s.call("get_elements", `{}`); r.failure() != "load_failed" {
		t.Errorf("got %+v, want load_failed", r)
	}
}

// A browser that has ended is launched again for the next question.
func TestMCPBrowserThatDied(t *testing.T) {
	t.Parallel()
	needProc(t)
	s := startServer(t, "--launch", chosenPage(t))
	before := s.call("get_elements", `{}`).answer(t)
	if err := syscall.Kill(waitForBrowser(t, s.c), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is an answer again", func() bool { return !s.call("get_elements", `{}`).IsError })
	after := s.call("get_elements", `{}`).answer(t)
	if pointed(after) != pointed(before) || after.Instance != before.Instance {
		t.Errorf("got %s of %s, want %s of %s", pointed(after), after.Instance, pointed(before), before.Instance)
	}
	old := find(t, before, "selection", func(e *elements.Element) bool { return e.Selected }).ID
	if r := s.call("locate", fmt.Sprintf(`{"id":%q}`, old)); r.failure() != "gone" {
		t.Errorf("an element of the browser that died: got %s, want gone", r.StructuredContent)
	}
}

func TestMCPSignal(t *testing.T) {
	t.Parallel()
	s := startServer(t, "--launch", chosenPage(t))
	s.call("get_elements", `{}`)
	if err := s.c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	if code := s.c.ProcessState.ExitCode(); code != signalCode+int(syscall.SIGTERM) {
		t.Errorf("got exit %d, want %d\n%s", code, signalCode+int(syscall.SIGTERM), s.stderr)
	}
}

func TestMCPUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		words string
	}{
		{[]string{"--browser", "/bin/true"}, "--launch URL or --attach URL"},
		{[]string{"--launch", "--attach", "http://127.0.0.1:1"}, "do not go together"},
		{[]string{"--attach", "http://127.0.0.1:1", "--browser", "/bin/true"}, "--browser"},
		{[]string{"--attach", "127.0.0.1:1"}, "address"},
		{[]string{"--attach"}, "--attach"},
		{[]string{"--launch", "missing.html"}, "no such file"},
		{[]string{"--launch="}, "must not be empty"},
		{[]string{"--launch", "-"}, "standard input"},
		{[]string{"--launch", "form.html", "form.html"}, "one argument too many"},
		{[]string{"form.html", "--launch"}, "one argument too many"},
		{[]string{"--bogus"}, "--bogus"},
	} {
		webarea(t, append([]string{"mcp"}, c.args...)...).expectError(t, exitUsage, c.words)
	}
}

// An answer has the beginning of long words, and the address that it links to has all.
func TestMCPLongWords(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("word after word ", 12_000))
	page := filepath.Join(t.TempDir(), "long.html")
	if err := os.WriteFile(page, []byte("<!doctype html><title>Long</title><p>"+long), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--launch", page)
	a := s.call("get_elements", `{"scope":"page"}`).answer(t)
	words := find(t, a, "paragraph", func(e *elements.Element) bool { return e.Role == elements.Text })
	if n := len(words.Content[0].Text); n == 0 || n >= len(long) {
		t.Fatalf("the answer has %d of %d bytes, want a part", n, len(long))
	}
	link := words.Content[len(words.Content)-1].URI
	got := s.read(link)
	if len(got) != 1 || got[0].Text != long+"\n" {
		t.Errorf("%s has %d bytes, want all %d", link, len(got[0].Text), len(long)+1)
	}
}
