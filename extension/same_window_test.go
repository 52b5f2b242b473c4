package extension_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// composedPage has what is read by more than a page's own elements: the parts of the
// browser's own controls, and what style sheets make.
const composedPage = `<!doctype html><meta charset=utf-8><title>Composed</title><style>b::before{content:"Made "}i::after{content:"\f015"}li::marker{content:"→ "}</style>
<input type=date aria-label=Day value=2026-03-04><video controls width=300 height=80></video><b>words</b><i aria-label=Home></i><ul><li>entry</ul>
<iframe srcdoc="<style>p::before{content:'Framed '}</style><p>words" width=300 height=60></iframe>`

// TestSameWindow reads pages by the window state tools through the user's own browser,
// and beside that by a connection to the same tab: rows and regions are the same.
func TestSameWindow(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/composed" {
			servePages(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(composedPage))
	}))
	t.Cleanup(site.Close)
	tab, direct := e.sharedTwice(site.URL + "/composed")
	agent := e.agent()
	const enough = 20 * time.Second
	for _, path := range []string{"/composed", "/fixtures/article.html", "/fixtures/fields.html", "/fixtures/listbox.html", "/fixtures/links.html"} {
		t.Run(path, func(t *testing.T) {
			if err := driver.Load(t.Context(), tab.session, site.URL+path); err != nil {
				t.Fatal(err)
			}
			desk, err := direct.Desk(t.Context())
			if err != nil || len(desk.Windows) != 1 {
				t.Fatalf("got %+v, %v", desk, err)
			}
			q := provider.StateQuery{WindowAddress: provider.WindowAddress{PID: desk.Windows[0].PID, Window: desk.Windows[0].WindowID}, Tree: true, Picture: true, Timeout: enough, Most: 1568}
			want, err := direct.State(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var got provider.State
			e.structured(agent, "get_window_state", with(e.window(agent), object{"timeout_ms": enough.Milliseconds(), "max_elements": 100_000, "max_depth": 1000}), &got)
			if got.Tree == nil || want.Tree == nil || got.Screenshot == nil || want.Screenshot == nil {
				t.Fatalf("got %+v, %v, directly %+v, %v; want a tree and a picture of both", got, got.PictureError, want, want.PictureError)
			}
			if diff := cmp.Diff(strings.Split(want.Markdown, "\n"), strings.Split(got.Markdown, "\n")); diff != "" {
				t.Errorf("the rows (-direct +relayed)\n%s", diff)
			}
			if !got.Complete || !want.Complete || got.Truncated {
				t.Errorf("got complete %v, truncated for %q; directly complete %v", got.Complete, got.Reason, want.Complete)
			}
			ours, err := direct.Regions(t.Context(), provider.RegionQuery{Capture: want.CaptureID})
			if err != nil {
				t.Fatal(err)
			}
			var theirs provider.Regions
			e.structured(agent, "parse_visual_regions", object{"capture_id": got.CaptureID}, &theirs)
			if diff := cmp.Diff(wordsAndBounds(ours), wordsAndBounds(&theirs)); diff != "" {
				t.Errorf("the regions (-direct +relayed)\n%s", diff)
			}
		})
	}
}

type placedWords struct {
	Words  string
	Bounds provider.PixelsRect
}

func wordsAndBounds(r *provider.Regions) []placedWords {
	var all []placedWords
	for _, region := range r.Regions {
		if region.Source != provider.SourceLayout {
			continue
		}
		words := region.Label
		if region.Text != nil {
			words = *region.Text
		}
		all = append(all, placedWords{words, region.Bounds})
	}
	return all
}
