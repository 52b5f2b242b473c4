package driver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// site serves pages by their path. Each may name the server's two hosts, which are
// different sites, as HERE and THERE.
func site(t testing.TB, pages map[string]string) (here, there string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		html, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title></title>", strings.NewReplacer("HERE", here, "THERE", there).Replace(html))
	}))
	t.Cleanup(server.Close)
	here = server.URL
	there = strings.Replace(here, "127.0.0.1", "localhost", 1)
	return here, there
}

// inFrames returns what a script says in each out-of-process frame, as text.
func inFrames(t *testing.T, tab Tab, script string) string {
	t.Helper()
	ctx := limit(t)
	root, err := openPlace(ctx, tab.Session, tab.Session, nil)
	if err != nil {
		t.Fatal(err)
	}
	places, release, err := framesElsewhere(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var all []string
	for _, p := range places {
		var got any
		if err := Value(ctx, p.session, script, &got); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(got))
	}
	return strings.Join(all, ", ")
}

func TestActsInFramesOfOtherProcesses(t *testing.T) {
	const inner = `<p style="margin:40px">foreign words</p><input id=f value="x"><button id=b>go</button>`
	here, _ := site(t, map[string]string{
		"/cross":  `<p>x</p><iframe width=400 height=200 style="border:5px solid;padding:10px" src="THERE/inner"></iframe>`,
		"/nested": `<iframe style="margin-top:30px" width=500 height=400 srcdoc='<iframe width=400 height=300 src="THERE/middle"></iframe>'></iframe>`,
		"/middle": `<p>y</p><iframe width=300 height=200 src="HERE/inner"></iframe>`,
		"/below":  `<div style="height:3000px">x</div><iframe src="THERE/inner"></iframe>`,
		"/inner":  inner,
		"/box":    `<iframe sandbox="allow-scripts" width=400 height=200 srcdoc='` + inner + `'></iframe>`,
		"/two":    `<button id=b>mine</button><iframe src="THERE/inner"></iframe>`,
	})
	tests := []struct {
		page   string
		act    actOn
		target string
		script string
		want   string
		inPage any // what the page says about document.activeElement

		isHover bool
	}{
		{"/cross", Focus, "#b", "[document.activeElement.id, document.hasFocus(), b.matches(':focus-visible')]", "[b true true]", "iframe", false},
		{"/cross", Select, "#f", "[document.activeElement.id, f.selectionEnd, document.hasFocus()]", "[f 1 true]", "iframe", false},
		{"/cross", SelectText, "foreign words", "getSelection().toString()", "foreign words", "iframe", false},
		{"/cross", Hover, "#b", "b.matches(':hover')", "true", "body", true},
		{"/cross", ScrollTo, "#b", "1", "1", "body", false},
		{"/nested", Focus, "#b", "document.activeElement.localName", "iframe, button", "iframe", false},
		{"/nested", Hover, "#b", "document.querySelector(':hover:not(:has(:hover))')?.localName", "iframe, button", "body", true},
		{"/below", Hover, "#b", "b.matches(':hover')", "true", "body", true},
		{"/box", Hover, "#b", "b.matches(':hover')", "true", "body", true},
		{"/box", SelectText, "foreign", "getSelection().toString()", "foreign", "iframe", false},
		{"/two", Focus, "#b", "document.activeElement.localName", "body", "button", false},
	}
	for i, test := range tests {
		t.Run(fmt.Sprintf("%s %s %d", test.page[1:], test.target, i), func(t *testing.T) {
			tab := open(t, Options{Width: 800, Height: 600, Window: true})
			if err := Load(limit(t), tab.Session, here+test.page); err != nil {
				t.Fatal(err)
			}
			if err := test.act(limit(t), tab.Session, test.target); err != nil {
				t.Fatalf("got the error: %v", err)
			}
			if got := inFrames(t, tab, test.script); got != test.want {
				t.Errorf("%s in the frames\n got: %s\nwant: %s", test.script, got, test.want)
			}
			expect(t, tab, "document.activeElement.localName", test.inPage)
			if test.isHover {
				expect(t, tab, "document.querySelector('iframe').matches(':hover')", true)
			}
		})
	}

	t.Run("nowhere", func(t *testing.T) {
		tab := open(t, Options{})
		if err := Load(limit(t), tab.Session, here+"/cross"); err != nil {
			t.Fatal(err)
		}
		err := Focus(limit(t), tab.Session, "#none")
		if got, want := errorText(err), `focus "#none": nothing on the page matches, in shadow roots and frames neither (if it comes later, wait for it)`; got != want {
			t.Errorf("got the error  %s\nwant the error %s", got, want)
		}
	})
}

func TestActsLeaveNoSessions(t *testing.T) {
	here, _ := site(t, map[string]string{"/": `<iframe src="THERE/inner"></iframe>`, "/inner": `<button>go</button>`})
	tab := open(t, Options{Window: true})
	if err := Load(limit(t), tab.Session, here); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := Focus(limit(t), tab.Session, "button"); err != nil {
			t.Fatal(err)
		}
	}
	targets, err := cdproto.Call(limit(t), shared.Conn.Browser(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range targets.TargetInfos {
		if info.Type == "iframe" && info.Attached {
			t.Errorf("the frame %s is still attached to", info.URL)
		}
	}
}
