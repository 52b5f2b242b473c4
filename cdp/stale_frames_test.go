package cdp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
	gocmp "github.com/google/go-cmp/cmp"
)

// TestNothingStaleInFrames changes a page, its frames of the same and of another site,
// and closed shadow roots in every way that a reading could have kept something of, and
// goes to other pages. It holds each reading to one by a connection that is new to the
// page.
func TestNothingStaleInFrames(t *testing.T) {
	const (
		inner = `<!DOCTYPE html><title>Inner</title><h2 id=head>Inner head</h2><p id=par>Inner words</p><input id=field aria-label=Field value=inner>
			<ul role=listbox aria-label=List><li role=option id=one>One</ul><div style="height:900px"></div><p>Inner end`
		tools = `<script>
			const closed = (el, html) => { const root = el.attachShadow({mode: "closed"}); root.innerHTML = html; return root }
			onmessage = (e) => { new Function(e.data)(); requestAnimationFrame(() => e.source.postMessage("done", "*")) }
			const tell = (frame, script) => new Promise((done) => { addEventListener("message", done, {once: true}); frame.contentWindow.postMessage(script, "*") })
			const loaded = (frame) => new Promise((done) => frame.onload = done)
			</script>`
		outer = `<!DOCTYPE html><title>Outer</title>` + tools + `<h1 id=head>Outer head</h1><p id=par>Outer words</p><div id=box style="width:200px;height:60px"></div>
			<iframe id=same src=/inner title=Same></iframe><iframe id=other src="OTHER/inner" title=Other></iframe><div id=host>Light</div><div id=away style="height:3000px"></div><p id=end>End`
	)
	var otherSite string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, strings.ReplaceAll(outer, "OTHER", otherSite))
		case "/inner":
			fmt.Fprint(w, tools+inner)
		default:
			fmt.Fprintf(w, "<!DOCTYPE html>%s<title>%s</title><p>Words of %s", tools, r.URL.Path, r.URL.Path)
		}
	}))
	t.Cleanup(server.Close)
	otherSite = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	changes := []struct{ name, script string }{
		{"nothing", `0`},
		{"a closed root in a box that stays as it is", `closed(box, "<p style='margin:0'>In the box</p>")`},
		{"text in a frame", `await tell(same, 'par.textContent = "Changed inside"')`},
		{"text in a frame of another site", `await tell(other, 'par.textContent = "Changed far inside"')`},
		{"an attribute in a frame", `await tell(same, 'field.setAttribute("aria-label", "Another name")')`},
		{"ARIA in a frame", `await tell(same, 'one.setAttribute("aria-selected", "true")')`},
		{"ARIA in a frame of another site", `await tell(other, 'one.setAttribute("aria-selected", "true"); head.setAttribute("role", "note")')`},
		{"a value in a frame", `await tell(other, 'field.value = "typed"')`},
		{"a secret in a frame", `await tell(same, 'field.type = "password"')`},
		{"focus in a frame", `await tell(same, 'field.focus()')`},
		{"focus in a frame of another site", `await tell(other, 'field.focus()')`},
		{"selection in a frame", `await tell(same, 'getSelection().selectAllChildren(par)')`},
		{"selection in a frame of another site", `await tell(other, 'getSelection().selectAllChildren(head)')`},
		{"a frame scrolled", `await tell(same, 'scrollTo(0, 500)')`},
		{"a frame of another site scrolled", `await tell(other, 'scrollTo(0, 500)')`},
		{"a root in a frame", `await tell(same, 'par.attachShadow({mode: "open"}).innerHTML = "<p>Rooted inside"')`},
		{"a frame goes elsewhere", `same.src = "/second"; await loaded(same)`},
		{"a frame of another site goes elsewhere", `other.src = "` + "OTHER" + `/second"; await loaded(other)`},
		{"a frame goes to the other site", `same.src = "OTHER/third"; await loaded(same)`},
		{"a frame comes back", `same.src = "/inner"; await loaded(same)`},
		{"frames change their places", `document.body.append(head, same); await loaded(same)`},
		{"a frame written anew", `same.contentDocument.open(); same.contentDocument.write("<p>Written inside"); same.contentDocument.close()`},
		{"a frame without an address", `same.removeAttribute("src"); same.srcdoc = "<p>By itself"; await loaded(same)`},
		{"a frame gone", `other.remove()`},
		{"another frame", `const f = document.createElement("iframe"); f.id = "more"; f.src = "OTHER/inner"; document.body.append(f); await loaded(f)`},
		{"a closed root", `globalThis.root = closed(host, "<p>In the closed root <input value=closed aria-label=Closed></p><p role=option id=o>Option</p>")`},
		{"text in a closed root", `root.firstChild.firstChild.data = "Changed in the closed root"`},
		{"ARIA in a closed root", `root.lastChild.setAttribute("aria-selected", "true")`},
		{"focus in a closed root", `root.querySelector("input").focus()`},
		{"an element in a closed root", `root.append(Object.assign(document.createElement("input"), {type: "password", value: "verysecret"}))`},
		{"a closed root in a closed root", `const d = document.createElement("div"); root.append(d); closed(d, "<p>Deep in the closed")`},
		{"a closed root's host moved", `document.body.prepend(host)`},
		{"a closed root's host gone", `host.remove()`},
		{"scrolled", `scrollTo(0, 1500)`},
		{"reloaded", `location.reload()`},
		{"reloaded again", `location.reload()`},
		{"another page", `location.href = "/fourth"`},
		{"a page of another site", `location.href = "OTHER/"`},
		{"back", `history.back()`},
		{"back to a page with frames", `history.back()`},
	}
	ctx, cancel := context.WithTimeout(context.Background(), 12*patience)
	defer cancel()
	b := launchForPages(t)
	p := openForTest(t, ctx, b, server.URL+"/")
	for _, change := range changes {
		script := strings.ReplaceAll(change.script, "OTHER", otherSite)
		if strings.Contains(script, "location.") || strings.Contains(script, "history.") {
			loaded, stop := p.Session.Subscribe("Page.loadEventFired")
			inPage(t, ctx, p.Session, script)
			receiveFrom(t, loaded, "the page")
			stop()
		} else {
			inPage(t, ctx, p.Session, script)
		}
		for _, scope := range []Scope{ScopePointing, ScopeVisible, ScopePage, ScopeRows} {
			// What goes on while a page comes to rest is in one reading and not in the other.
			var got, want string
			if !eventually(func() bool {
				want = readAnew(t, ctx, b, p, scope)
				got = told(t, ctx, p, scope)
				return got == want
			}) {
				t.Errorf("%s, %s scope (- as it is, + as it was kept):\n%s", change.name, scope, gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		}
	}
}

// told reads a page, and gives what was read of all its documents.
func told(t *testing.T, ctx context.Context, p *Page, scope Scope) string {
	t.Helper()
	r, err := p.Read(ctx, ReadOptions{Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	// A page that was followed from its beginning has its frames in the order in which they came.
	slices.SortFunc(r.Documents[1:], func(a, b *Document) int { return cmp.Compare(a.Frame, b.Frame) })
	var b strings.Builder
	for _, d := range r.Documents {
		// The rest of its key is the session's.
		fmt.Fprintln(&b, d.Key[strings.LastIndexByte(d.Key, '/')+1:], d.Err)
		if d.Err == nil {
			b.WriteString(sayings(t, d))
		}
	}
	return b.String() + outlineOf(t, r)
}

// readAnew reads a page by a session that never has before.
func readAnew(t *testing.T, ctx context.Context, b *Browser, p *Page, scope Scope) string {
	t.Helper()
	var at target.AttachToTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": p.Target, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	fresh, err := OpenPage(ctx, b.Conn.Session(at.SessionID), p.Target)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		fresh.Close()
		_ = b.Conn.Browser().Call(ctx, target.CommandDetachFromTarget, map[string]any{"sessionId": at.SessionID}, nil)
	}()
	return told(t, ctx, fresh, scope)
}
