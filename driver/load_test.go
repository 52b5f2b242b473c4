package driver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// slowSite serves pages that are troublesome to load. Whatever hangs ends with
// the test.
func slowSite(t *testing.T) string {
	t.Helper()
	ended := make(chan struct{})
	pages := http.NewServeMux()
	page := func(path, html string) {
		pages.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", html)
		})
	}
	page("/plain", `<title>plain</title><p>x`)
	page("/load", `<title>before</title><img src=/slow.gif><script>onload = () => document.title = "after"</script>`)
	page("/hung-picture", `<title>hung</title><img src=/hang>`)
	page("/hung-script", `<title>hung</title><p>x</p><script>while (1);</script>`)
	page("/onwards", `<title>first</title><img src=/hang><script>location.replace("/plain")</script>`)
	page("/alert", `<title>dialog</title><script>alert("words")</script>`)
	page("/reload", `<title>endless</title><script>location.replace("/reload?" + Math.random())</script><img src=/hang>`)
	pages.HandleFunc("/slow.gif", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(100 * time.Millisecond)
		http.NotFound(w, nil)
	})
	pages.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	})
	pages.HandleFunc("/missing", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<title>no such page</title>")
	})
	pages.HandleFunc("/empty-error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	pages.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("Content-Disposition", "attachment; filename=x.zip")
		fmt.Fprint(w, "PK")
	})
	pages.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ended) })
	return server.URL
}

func TestLoad(t *testing.T) {
	t.Parallel()
	site := slowSite(t)
	tests := []struct {
		path, title string
		patient     bool // it takes LoadPatience, and less otherwise
	}{
		{"/plain", "plain", false},
		{"/load", "after", false},
		{"/onwards", "plain", false},
		{"/missing", "no such page", false},
		{"/empty-error", "127.0.0.1", false},
		{"/hung-picture", "hung", true},
	}
	for _, test := range tests {
		t.Run(test.path[1:], func(t *testing.T) {
			tab := open(t, Options{Window: true})
			start := time.Now()
			if err := Load(limit(t), tab.Session, site+test.path); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); test.patient && took < LoadPatience {
				t.Errorf("it took %v, want at least %v", took, LoadPatience)
			}
			expect(t, tab, "document.title", test.title)
		})
	}
}

func TestLoadOfAnEndlessScript(t *testing.T) {
	t.Parallel()
	tab := open(t, Options{Window: true})
	start := time.Now()
	if err := Load(limit(t), tab.Session, slowSite(t)+"/hung-script"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < LoadPatience {
		t.Errorf("it took %v, want at least %v", took, LoadPatience)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := Focus(ctx, tab.Session, "p")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), `focus "p": `) {
		t.Errorf("an act on it: got the error %v, want that the deadline was exceeded", err)
	}
}

func TestLoadThatFails(t *testing.T) {
	site := slowSite(t)
	tests := []struct{ name, place, want string }{
		{"no host", "http://nowhere.invalid/", "loading http://nowhere.invalid/: net::ERR_NAME_NOT_RESOLVED"},
		{"no server", "http://127.0.0.1:1/", "loading http://127.0.0.1:1/: net::ERR_UNSAFE_PORT"},
		{"a download", site + "/download", "loading " + site + "/download: it is a download, not a page"},
		{"no content", site + "/nothing", "loading " + site + "/nothing: net::ERR_ABORTED"},
		{"no file", "nowhere.html", "there is no file nowhere.html (an address needs its scheme, as in https://nowhere.html): "},
		{"no file at an address", "file:///nowhere/x.html", "loading file:///nowhere/x.html: net::ERR_FILE_NOT_FOUND"},
		{"no address", "http://", "loading http://: Page.navigate: Cannot navigate to invalid URL (-32000)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tab := open(t, Options{})
			err := Load(limit(t), tab.Session, test.place)
			if got := errorText(err); !strings.HasPrefix(got, test.want) {
				t.Errorf("\n got the error %s\nwant the error %s", got, test.want)
			}
		})
	}
}

func TestLoadInTime(t *testing.T) {
	site := slowSite(t)
	for _, path := range []string{"/hang", "/hung-picture", "/reload"} {
		t.Run(path[1:], func(t *testing.T) {
			tab := open(t, Options{Window: true})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := Load(ctx, tab.Session, site+path); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got the error %v, want that the deadline was exceeded", err)
			}
		})
	}
}

func TestLoadOfADialog(t *testing.T) {
	tab := open(t, Options{Window: true})
	dialog := make(chan string, 1)
	defer tab.Session.On("Page.javascriptDialogOpening", func(params jsonv2.Value) { dialog <- string(params) })()
	if err := Load(limit(t), tab.Session, slowSite(t)+"/alert"); err != nil {
		t.Fatal(err)
	}
	if got := <-dialog; !strings.Contains(got, `"message":"words"`) {
		t.Errorf("got the dialog %s, want one that says words", got)
	}
	if err := tab.Session.Call(limit(t), "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
		t.Errorf("closing the dialog: %v", err)
	}
	expect(t, tab, "document.title", "dialog")
}

func TestLoadOfAFragment(t *testing.T) {
	tab := open(t, Options{Window: true})
	site := slowSite(t)
	for _, address := range []string{site + "/plain", site + "/plain#x"} {
		if err := Load(limit(t), tab.Session, address); err != nil {
			t.Fatal(err)
		}
		expect(t, tab, "location.href", address)
	}
}

func TestLoadOfAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a page #1%.html")
	if err := os.WriteFile(path, []byte("<title>filed</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, place := range []string{path, "a page #1%.html"} {
		tab := open(t, Options{Window: true})
		if err := Load(limit(t), tab.Session, place); err != nil {
			t.Fatal(err)
		}
		expect(t, tab, "document.title", "filed")
	}
}

func TestLoadOfAPageThatGoes(t *testing.T) {
	tab, err := Open(limit(t), shared.Conn, Options{Window: true})
	if err != nil {
		t.Fatal(err)
	}
	address := slowSite(t) + "/hung-picture"
	committed, cancel := tab.Session.Subscribe("Page.frameNavigated")
	defer cancel()
	loaded := make(chan error, 1)
	go func() { loaded <- Load(limit(t), tab.Session, address) }()
	<-committed
	if err := tab.Close(limit(t)); err != nil {
		t.Fatal(err)
	}
	if err := <-loaded; err == nil || !strings.Contains(err.Error(), "the page is gone") {
		t.Errorf("got the error %v, want that the page is gone", err)
	}
}

func TestSetHTML(t *testing.T) {
	large := strings.Repeat("<p>some words of a large page</p>\n", 200_000)
	tests := []struct {
		name, html, script string
		want               any
	}{
		{"its origin", "<title>x</title>", "[location.href, isSecureContext, document.compatMode]", "[http://stdin.localhost/ true BackCompat]"},
		{"its scripts", `<script>window.at = document.readyState; onload = () => window.loaded = true</script>`, "[at, loaded]", "[loading true]"},
		{"its text", "<p>é日😀", "document.querySelector('p').textContent", "é日😀"},
		{"another encoding, declared", "<meta charset=latin1><p>\xe9", "document.querySelector('p').textContent", "é"},
		{"another encoding, marked", "\xff\xfe<\x00p\x00>\x00\xe9\x00", "document.querySelector('p').textContent", "é"},
		{"a relative address", `<script src=/app.js onerror="window.failed = true"></script>`, "failed", true},
		{"a large page", large, "document.querySelectorAll('p').length", 200_000},
		{"nothing", "", "document.documentElement.outerHTML", "<html><head></head><body></body></html>"},
		{"storage", `<script>localStorage.a = 1</script>`, "localStorage.a", "1"},
		{"NUL and half an element", "<p>a\x00b</p><div", "document.querySelector('p').textContent", "ab"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, show(t, test.html), test.script, test.want)
		})
	}
}

func TestSetHTMLAgain(t *testing.T) {
	tab := open(t, Options{Window: true})
	for _, title := range []string{"one", "two"} {
		stop, err := SetHTML(limit(t), tab.Session, []byte("<title>"+title+"</title>"))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, tab, "document.title", title)
		// The page can load itself again.
		if err := Load(limit(t), tab.Session, HTMLAddress); err != nil {
			t.Fatal(err)
		}
		expect(t, tab, "document.title", title)
		stop()
	}
}
