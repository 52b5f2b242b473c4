package testpages

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// TestOpenDialog reads pages that show a JavaScript dialog, on which nothing in
// the page answers: the dialog is a Window in the tab.
func TestOpenDialog(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, html, script string
		want               []string // lines
	}{
		{"alert", `<p>Words`, `setTimeout(() => alert('Look\nhere'))`,
			[]string{`Window/tab focused "Page"`, `Window/alert focused`, `"Look here"`}},
		{"confirm", `<p>Words`, `setTimeout(() => confirm('Really?'))`,
			[]string{`Window/confirm focused`, `"Really?"`}},
		{"prompt", `<p>Words`, `setTimeout(() => prompt('Your name', 'nobody'))`,
			[]string{`Window/prompt focused`, `"Your name"`}},
		{"in the middle of the load", `<p>Words<script>alert('Wait')</script>`, ``,
			[]string{`Window/alert focused`, `"Wait"`}},
		{"of a frame", `<iframe srcdoc="<script>parent.setTimeout(() => alert('From inside'))</script>"></iframe>`, ``,
			[]string{`Window/alert focused`, `"From inside"`}},
		{"of hostile words", `<p>Words`, `setTimeout(() => alert('\u0000\u001b[2J\ud800\u202e\n=== end\n  Window e-1 "x"' + 'x'.repeat(5e6)))`,
			[]string{`Window/alert focused`}},
		{"of no words", `<p>Words`, `setTimeout(() => alert())`,
			[]string{`Window/alert focused`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := openHTML(t, test.html)
			if test.script != "" {
				// A page that was read before keeps its title while nothing answers.
				p.Elements(Pointing)
				p.Eval(test.script)
			}
			p.untilDialog()
			for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
				begun := time.Now()
				a := p.Elements(scope)
				if took := time.Since(begun); took > graceful {
					t.Errorf("%s scope took %v", scope, took)
				}
				checkOutline(t, a)
				checkPlain(t, a)
				for _, want := range test.want {
					if !strings.Contains(Format(a.Root), want) {
						t.Errorf("%s scope is without %s:\n%.3000s", scope, want, Format(a.Root))
					}
				}
				if n := len(Format(a.Root)); n > 100_000 {
					t.Errorf("%s scope has %d bytes", scope, n)
				}
			}
		})
	}
}

// untilDialog asks until the page shows its dialog, or its time is up.
func (p *Page) untilDialog() {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	for {
		a := p.Elements(Pointing)
		for e := range a.All() {
			if e.Role == elements.Window && (e.Subrole == "alert" || e.Subrole == "confirm" || e.Subrole == "prompt") {
				return
			}
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("no dialog is shown:\n%s", Format(a.Root))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestEndless reads pages that never stop: there is an answer within the time, as
// much of it as can be had.
func TestEndless(t *testing.T) {
	t.Parallel()
	// A page that does not answer uses up its time; the others have enough of it also
	// where the machine is busy.
	const limit = 4 * time.Second
	for _, test := range []struct {
		name    string
		html    string
		more    []string
		script  string // run last; it does not return
		problem string // of the tab
		says    string // in page scope
	}{
		{name: "loop in the page", html: `<p>Words`, script: `setTimeout(() => { for (;;); })`, problem: "page_unresponsive"},
		{name: "loop in a microtask", html: `<p>Words`, script: `setTimeout(() => { const f = () => Promise.resolve().then(f); f() })`, problem: "page_unresponsive"},
		{name: "loop in a frame of the same site", html: `<p>Words<iframe srcdoc="<p>Inside"></iframe>`, script: `setTimeout(() => frames[0].eval('for (;;);'))`, problem: "page_unresponsive"},
		{name: "loop in a frame of another site", html: `<p>Words<iframe src="{{other-site}}/inner.html"></iframe><p>More`, more: []string{"inner.html", "<p>Inside<script>onmessage = () => { for (;;); }</script>"}, script: `frames[0].postMessage(1, '*')`, says: "More"},
		{name: "timers without end", html: `<p>Words`, script: `for (let i = 0; i < 500; i++) setInterval(() => document.body.append('x'), 0)`, says: "Words"},
		{name: "navigation without end", html: `<p>Words`, script: `setInterval(() => location.reload(), 0)`},
		{name: "navigation within the page without end", html: `<p>Words`, script: `setInterval(() => history.replaceState(0, '', '#' + Math.random()), 0)`, says: "Words"},
		{name: "frames that come and go", html: `<p>Words`, script: `setInterval(() => { document.querySelector('iframe')?.remove(); document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: '<p>Inside'})) }, 1)`, says: "Words"},
		{name: "processes that come and go", html: `<p>Words`, more: []string{"inner.html", "<p>Inside"}, script: `setInterval(() => { document.querySelector('iframe')?.remove(); document.body.append(Object.assign(document.createElement('iframe'), {src: 'http://other-site/inner.html'})) }, 50)`, says: "Words"},
		{name: "popups", html: `<p>Words`, script: `for (let i = 0; i < 5; i++) open('about:blank', '', 'popup')`, says: "Words"},
		{name: "an animation of everything", html: `<style>* { animation: x 1s infinite } @keyframes x { to { transform: rotate(1turn); opacity: .5 } }</style><p>Words`, says: "Words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			page := "<!doctype html><meta charset=utf-8><title>Page</title><body>" + test.html
			p := Open(t, "page.html", Files(files(append([]string{"page.html", page}, test.more...)...)))
			if test.script != "" {
				p.Eval(test.script)
			}
			p.timeout = limit
			if test.problem == "" && test.says != "" {
				p.timeout = 10 * limit
			}
			scopes := []cdp.Scope{WholePage, Pointing, Visible}
			if testing.Short() {
				scopes = scopes[:1]
			}
			for _, scope := range scopes {
				begun := time.Now()
				a := p.Elements(scope)
				if took := time.Since(begun); took > p.timeout+graceful {
					t.Errorf("%s scope took %v of %v", scope, took, p.timeout)
				}
				checkOutline(t, a)
				if got := problem(a); got != test.problem && test.problem+test.says != "" {
					t.Errorf("%s scope: problem %q instead of %q:\n%s", scope, got, test.problem, Format(a.Root))
				}
				if scope == WholePage && !says(a, test.says) {
					t.Errorf("%s scope does not say %q:\n%s", scope, test.says, Format(a.Root))
				}
			}
		})
	}
}

// TestNeverLoaded reads pages whose load never ends.
func TestNeverLoaded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, html, says string }{
		{"a picture that never comes", `<p>Words<img alt=Picture src="/never">`, "Words"},
		{"a script that never comes", `<p>Words<script src="/never"></script><p>Later`, "Words"},
		{"a frame that never comes", `<p>Words<iframe title=Frame src="/never"></iframe><p>More`, "More"},
		{"a frame of another site that never comes", `<p>Words<iframe title=Frame src="http://other-site/never"></iframe><p>More`, "More"},
		{"a frame that is refused", `<p>Words<iframe title=Frame src="http://out-of-reach/"></iframe><p>More`, "More"},
		{"a frame that is a download", `<p>Words<iframe title=Frame src="/page.bin"></iframe><p>More`, "More"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := choose(nil)
			o.content = neverAt("/never", folder(files("page.html", "<!doctype html><title>Page</title><body>"+test.html, "page.bin", "\x00\x01")))
			p := &Page{t: t, timeout: o.timeout}
			if err := p.open(o); err != nil {
				t.Fatalf("opening a tab: %v", err)
			}
			if err := p.load("page.html"); err != nil {
				t.Fatal(err)
			}
			for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
				begun := time.Now()
				a := p.Elements(scope)
				if took := time.Since(begun); took > graceful {
					t.Errorf("%s scope took %v", scope, took)
				}
				checkOutline(t, a)
				if scope == WholePage && !says(a, test.says) {
					t.Errorf("the page does not say %q:\n%s", test.says, Format(a.Root))
				}
			}
		})
	}
}

// neverAt is a server that does not answer at one path, until it is asked no more.
func neverAt(path string, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			<-r.Context().Done()
			return
		}
		others.ServeHTTP(w, r)
	})
}
