package driver

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

func TestEval(t *testing.T) {
	tab := show(t, `<script>var mine = "main world"</script>`)
	tests := []struct{ name, script, want string }{
		{"a value", "mine", "none"},
		{"a node", "document.body", "none"},
		{"nothing", "undefined", "none"},
		{"a circle", "const c = {}; c.c = c; c", "none"},
		{"a promise", "new Promise(done => setTimeout(() => { window.waited = true; done(document.body) }, 20))", "none"},
		{"an exception", "null.x", "the script failed: TypeError: Cannot read properties of null (reading 'x')"},
		{"another exception", "throw 'words'", `the script failed: "words"`},
		{"an object as exception", "throw {a: 1}", `the script failed: Object`},
		{"no script", "this is none", "the script failed: SyntaxError: Unexpected identifier 'is'"},
		{"a rejected promise", "Promise.reject(new RangeError('far'))", "the script failed: RangeError: far"},
		{"a promise rejected with words", "Promise.reject('words')", `the script failed: (in promise) "words"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := errorText(Eval(limit(t), tab.Session, test.script)); got != test.want {
				t.Errorf("running %s\n got the error %s\nwant the error %s", test.script, got, test.want)
			}
		})
	}
	expect(t, tab, "waited", true)
}

func TestEvalInTime(t *testing.T) {
	tab := show(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := Eval(ctx, tab.Session, "new Promise(() => {})"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got the error %v, want that the deadline was exceeded", err)
	}
}

func TestDialogsEndActs(t *testing.T) {
	const html = `<input id=f onfocus="prompt('who?')"><button id=b onmousemove="confirm('sure?')">x</button>`
	acts := map[string]func(ctx context.Context, tab Tab) error{
		"eval":  func(ctx context.Context, tab Tab) error { return Eval(ctx, tab.Session, "alert('hello')") },
		"focus": func(ctx context.Context, tab Tab) error { return Focus(ctx, tab.Session, "#f") },
		"hover": func(ctx context.Context, tab Tab) error { return Hover(ctx, tab.Session, "#b") },
	}
	for name, act := range acts {
		t.Run(name, func(t *testing.T) {
			tab := show(t, html)
			opened := make(chan struct{})
			defer tab.Session.On("Page.javascriptDialogOpening", func(jsonv2.Value) { close(opened) })()
			if err := act(limit(t), tab); err != nil {
				t.Errorf("got the error %v, want none", err)
			}
			<-opened
		})
	}
}
