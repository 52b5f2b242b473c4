package testpages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// value is a string that a script gives.
func (p *Page) value(script string) string {
	p.t.Helper()
	var v any
	p.Value(script, &v)
	return fmt.Sprint(v)
}

func TestOpen(t *testing.T) {
	t.Parallel()
	p := Open(t, "a/page.html?x=1#two", Viewport(700, 500), Scale(2), Files(files("a/page.html", `<title>{{other-site}}</title><p id=two>`)))
	for script, want := range map[string]string{
		`location.href`:       "http://fixture/a/page.html?x=1#two",
		`document.title`:      "http://other-site",
		`innerWidth`:          "700",
		`innerHeight`:         "500",
		`devicePixelRatio`:    "2",
		`isSecureContext`:     "true",
		`document.hasFocus()`: "true",
	} {
		if got := p.value(script); got != want {
			t.Errorf("%s in the page\n got: %s\nwant: %s", script, got, want)
		}
	}
}

// TestReach has a page look for whatever it can get.
func TestReach(t *testing.T) {
	t.Parallel()
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "reached")
	}))
	defer local.Close()
	port := local.URL[strings.LastIndex(local.URL, ":"):]
	p := Open(t, "page.html", Files(files("page.html", "<p>This site is not {{other-site}}", "more.txt", "reached")))
	for place, want := range map[string]string{
		"/more.txt":                 "200 reached",
		"/page.html":                "200 <p>This site is not http://other-site",
		"/nothing.html":             "404",
		"/nothing":                  "404",
		"/../open.go":               "404",
		"/..%2fopen.go":             "404",
		"http://example.com/":       "no answer",
		"https://fixture/":          "no answer",
		"http://fixture:8080/":      "no answer",
		"http://127.0.0.1" + port:   "no answer",
		"http://localhost" + port:   "no answer",
		"http://x.localhost" + port: "no answer",
		"http://[::1]" + port:       "no answer",
		"file:///etc/hosts":         "no answer",
	} {
		got := p.value(fmt.Sprintf(`fetch(%q).then(async r => r.ok ? r.status + ' ' + await r.text() : '' + r.status, () => 'no answer')`, place))
		if got != want {
			t.Errorf("the page asks for %s\n got: %s\nwant: %s", place, got, want)
		}
	}
	other := Open(t, otherOrigin+"/page.html", Files(files("page.html", "<p>This site is not {{other-site}}")))
	if got, want := other.value("document.body.innerText"), "This site is not http://fixture"; got != want {
		t.Errorf("the other site says\n got: %s\nwant: %s", got, want)
	}
}

// TestPagesApart opens two pages at a time, which share nothing.
func TestPagesApart(t *testing.T) {
	t.Parallel()
	a := Open(t, "page.html", Files(files("page.html", "<title>A</title>")))
	b := Open(t, "page.html", Files(files("page.html", "<title>B</title>")))
	a.Eval(`document.cookie = 'who=a'; localStorage.who = 'a'; new BroadcastChannel('x').postMessage(1)`)
	if got := b.value(`document.title + document.cookie + localStorage.who`); got != "Bundefined" {
		t.Errorf("the other page sees %q", got)
	}
	for _, p := range []*Page{a, b} {
		if got := p.value(`document.hasFocus() + ' ' + document.visibilityState`); got != "true visible" {
			t.Errorf("a page among others is\n got: %s\nwant: true visible", got)
		}
	}
	if a.Elements(Pointing).Instance == b.Elements(Pointing).Instance {
		t.Errorf("two pages are of one instance")
	}
}

// TestSteps has a test fail at each step, with words that say how.
func TestSteps(t *testing.T) {
	t.Parallel()
	page := Files(files("page.html", `<title>Page</title><p id=p>Words</p><input id=f value=x>`))
	for _, test := range []struct {
		name string
		test func(TB)
		want []string
	}{
		{"nothing wrong", func(t TB) {
			p := Open(t, "page.html", page)
			p.Wait("p")
			p.ScrollTo("p")
			p.SelectText("Words")
			p.Select("#f")
			p.Focus("#f")
			p.Hover("p")
		}, nil},
		{"no such words", func(t TB) { Open(t, "page.html", page).SelectText("Other") }, []string{"Other", "not drawn anywhere"}},
		{"no such element", func(t TB) { Open(t, "page.html", page).Focus("#g") }, []string{"#g", "nothing on the page matches"}},
		{"a script that throws", func(t TB) { Open(t, "page.html", page).Eval("wrong()") }, []string{"wrong is not defined"}},
		{"a value that is none", func(t TB) { var n int; Open(t, "page.html", page).Value("'x'", &n) }, []string{"decoding the script's value"}},
		{"nothing to wait for", func(t TB) { Open(t, "page.html", page, Timeout(3*time.Second)).Wait("#g") }, []string{"#g", "deadline exceeded"}},
		{"a site out of reach", func(t TB) { Open(t, "https://out-of-reach.example/", page) }, []string{"out-of-reach.example", "ERR_TUNNEL_CONNECTION_FAILED"}},
		{"the test is over", func(t TB) {
			p := Open(t, "page.html", page)
			r := t.(*recorder)
			for len(r.cleanups) > 0 {
				last := r.cleanups[len(r.cleanups)-1]
				r.cleanups = r.cleanups[:len(r.cleanups)-1]
				last()
			}
			p.Eval("1")
		}, []string{"the page is gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			expectFailure(t, test.test, test.want...)
		})
	}
}

// childMode has TestChild end this process in one of several ways.
const childMode = "TESTPAGES_CHILD"

// TestChild is what TestNothingLeft runs in a process of its own.
func TestChild(t *testing.T) {
	mode := os.Getenv(childMode)
	if mode == "" {
		t.Skip("this is a part of TestNothingLeft")
	}
	p := openHTML(t, "<p>Words")
	switch mode {
	case "panic":
		panic("a test that panics")
	case "exit":
		os.Exit(3)
	case "fail":
		p.SelectText("Other")
	case "kill":
		_ = kill(os.Getpid())
		select {}
	case "close":
		if err := Close(); err != nil {
			t.Error(err)
		}
	case "dies":
		if err := kill(shared.running.PID); err != nil {
			t.Fatal(err)
		}
		<-shared.running.Conn.Done()
		if got := openHTML(t, "<p>Words").value("document.title"); got != "Page" {
			t.Errorf("after its death the browser says %q", got)
		}
	}
}

// TestNothingLeft ends a test binary in every way that it can end: neither a
// process nor a file of the browser is left.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string]string{
		"pass": "PASS", "fail": "not drawn anywhere", "panic": "a test that panics", "exit": "", "kill": "", "close": "PASS", "dies": "PASS",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			// A longer path would be too long for the browser's socket.
			temp, err := os.MkdirTemp("", "tp")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(temp)
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
			child.Env = append(os.Environ(), childMode+"="+mode, "TMPDIR="+temp)
			out, err := child.CombinedOutput()
			if !strings.Contains(string(out), says) || says == "PASS" && err != nil {
				t.Errorf("the child ended (%v) and said\n%s\nwant: %s", err, out, says)
			}
			// The guard does its work after the process has ended, unless somebody
			// waited for it.
			deadline := time.Now().Add(defaultTimeout)
			for {
				files, _ := filepath.Glob(filepath.Join(temp, "*"))
				left := append(files, processesOf(t, temp)...)
				if len(left) == 0 {
					return
				}
				if mode == "close" || time.Now().After(deadline) {
					t.Fatalf("what is left: %q", left)
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
}
