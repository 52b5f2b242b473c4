package extension_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A telling brings a shared tab into a state, and says how an agent hears of it.
type telling struct {
	path string // of the page, or its whole address
	// bring brings the tab into the state, once it is shared.
	bring func(e *installation, page *tab)
	want  []string // in the answer
	not   []string // nowhere in it
}

// tellings are the states of a tab that agents are told of in words.
var tellings = map[string]telling{
	"crashed": {path: "/one", want: []string{`"problem":"tab_crashed"`, "Page /one"}, not: []string{"Words of /one"},
		bring: func(e *installation, page *tab) { page.session.Go(e.ctx, "Page.crash", object{}) }},
	// It goes by another number then: what was known of its secrets is not known of this.
	"discarded": {path: "/one", want: []string{`"problem":"tab_discarded"`, "/one"}, not: []string{"Words of /one"},
		bring: func(e *installation, page *tab) {
			e.open("/two")
			e.inWorker(fmt.Sprintf("await chrome.tabs.discard(%d)", page.id()), nil)
		}},
	"frozen": {path: "/one", want: []string{`"problem":"tab_frozen"`, "Page /one"},
		bring: func(e *installation, page *tab) {
			e.open("/two")
			if err := page.session.Call(e.ctx, "Page.setWebLifecycleState", object{"state": "frozen"}, nil); err != nil {
				e.t.Fatal(err)
			}
		}},
	"restricted": {path: "chrome://version/", want: []string{`"problem":"restricted_page"`, "chrome://version/"}},
	"pdf":        {path: "/x.pdf", want: []string{`"subrole":"pdf"`, `"problem":"pdf_viewer"`, "/x.pdf"}},
	"paused": {path: "/one", want: []string{`"problem":"paused"`}, not: []string{"/elsewhere", "localhost", "/one"},
		bring: func(e *installation, page *tab) {
			page.goTo(strings.Replace(e.site.URL, "127.0.0.1", "localhost", 1) + "/elsewhere")
		}},
	"closed": {path: "/one", want: []string{`"nothing_shared"`}, not: []string{"/one"},
		bring: func(_ *installation, page *tab) { page.close() }},
}

// TestTold has an agent told of each state that a shared tab can be in.
func TestTold(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	agent := e.gateway("Test agent")
	for name, c := range tellings {
		t.Run(name, func(t *testing.T) {
			r := *e.rig
			r.t = t
			e := &installation{rig: &r, program: e.program, run: e.run}
			url := c.path
			if strings.HasPrefix(url, "/") {
				url = e.site.URL + url
			}
			page := e.openURL(url)
			page.share()
			e.expectTold(agent, "shared", func(got string) bool { return !strings.Contains(got, `"nothing_shared"`) })
			if c.bring != nil {
				c.bring(e, page)
			}
			got := e.expectTold(agent, name, func(got string) bool {
				return !slices.ContainsFunc(c.want, func(words string) bool { return !strings.Contains(got, words) })
			})
			for _, words := range c.not {
				if strings.Contains(got, words) {
					t.Errorf("got %s\nwant it without %q", got, words)
				}
			}
			e.inWorker("for (const tab of await chrome.tabs.query({})) if (!tab.url.endsWith('/start')) await chrome.tabs.remove(tab.id)", nil)
			e.expectTold(agent, "with nothing shared", func(got string) bool { return strings.Contains(got, `"nothing_shared"`) })
		})
	}
}

// TestToldOfFiles has an agent told that a page of this machine may not be read.
func TestToldOfFiles(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	// It loads the extension anew, and that its host.
	e.configure("fileAccess: false")
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte("<!doctype html><title>File</title><p>Local words"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := e.openURL("file://" + file)
	page.share()
	got := e.expectTold(e.gateway("Test agent"), "a file", func(got string) bool { return strings.Contains(got, `"problem":"file_access"`) })
	if strings.Contains(got, "Local words") {
		t.Errorf("got %s\nwant it without the page's words", got)
	}
}
