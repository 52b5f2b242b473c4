package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// TestNothingStale changes a page in every way that a reading could have kept
// something of, and holds each reading to one by a script that is new in the page.
func TestNothingStale(t *testing.T) {
	const start = `<!DOCTYPE html><title>Start</title><main id=main><h1 id=head>Head</h1><p id=par>Some words here</p>
		<ul id=list role=listbox aria-label=List><li role=option id=one>One<li role=option id=two>Two</ul>
		<input id=field value="field value" aria-label=Field><div id=box><span id=in>Inside the box</span></div>
		<select id=pick><option>First<option>Second</select><dialog id=ask><p>Asked</dialog>
		<article id=art><p id=by>Ada</p><p>Her words</p></article><div id=away style="height:3000px"></div><p id=end>The end</p></main>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(start))
	}))
	t.Cleanup(server.Close)
	changes := []struct{ name, script string }{
		{"nothing", `0`},
		{"text", `par.firstChild.data = "Other words"`},
		{"text by its parent", `par.textContent = "New words"`},
		{"selected by ARIA", `one.setAttribute("aria-selected", "true")`},
		{"selected by ARIA no more", `one.removeAttribute("aria-selected"); two.ariaSelected = "true"`},
		{"selected by property", `pick.multiple = true; pick.options[1].selected = true`},
		{"selected otherwise", `pick.options[1].selected = false; pick.options[0].selected = true`},
		{"owned", `list.setAttribute("aria-owns", "in")`},
		{"owned no more", `list.removeAttribute("aria-owns")`},
		{"owned by property", `list.ariaOwnsElements = [box]`},
		{"an owner moved", `document.body.append(list)`},
		{"private", `box.dataset.private = ""`},
		{"private no more", `delete box.dataset.private`},
		{"focus", `field.focus()`},
		{"value", `field.value = "typed by hand"`},
		{"a selection in a field", `field.setSelectionRange(0, 5)`},
		{"secret", `field.type = "password"`},
		{"a field in its place", `field.outerHTML = "<input id=field value=plain aria-label=Field>"`},
		{"another field", `box.innerHTML = "<input id=token value=topsecretvalue aria-label=Other><textarea>Area</textarea>"`},
		{"a field of other elements", `box.innerHTML = "<div contenteditable role=textbox id=ed aria-label=Editor>Edited</div>"; ed.focus()`},
		{"a role that makes a field", `box.innerHTML = "<div id=ed tabindex=0>Was text</div>"; ed.focus(); ed.setAttribute("role", "textbox"); ed.id = "password"`},
		{"an author", `by.setAttribute("itemprop", "author")`},
		{"another author", `by.removeAttribute("itemprop"); art.lastElementChild.setAttribute("rel", "author")`},
		{"a dialog", `ask.showModal()`},
		{"the dialog closed", `ask.close()`},
		{"a dialog made and opened", `const d = document.createElement("dialog"); d.id = "made"; d.innerHTML = "<p>Made"; document.body.append(d); d.showModal()`},
		{"a dialog removed", `made.remove()`},
		{"an open root", `box.textContent = ""; box.attachShadow({mode: "open"}).innerHTML = "<p>In the root <input value=rooted></p><p id=sel role=option>Option</p>"`},
		{"a change in a root", `box.shadowRoot.getElementById("sel").setAttribute("aria-selected", "true")`},
		{"an element in a root", `box.shadowRoot.append(Object.assign(document.createElement("input"), {type: "password", value: "verysecret"}))`},
		{"a root in a root", `const h = document.createElement("div"); box.shadowRoot.append(h); h.attachShadow({mode: "open"}).innerHTML = "<p aria-selected=true role=option>Deep"`},
		{"a host gone", `globalThis.gone = box; box.remove()`},
		{"a host that is back", `main.append(gone)`},
		{"a host moved", `document.body.prepend(box)`},
		{"something marked in what comes", `main.insertAdjacentHTML("afterbegin", "<section id=sec><p>It came <b aria-selected=true role=option>with this</b> <input value=come></section>")`},
		{"something that is not marked", `par.before(document.createElement("hr")); sec.append("words")`},
		{"what came has gone", `sec.remove()`},
		{"a root in what comes", `globalThis.came = document.createElement("section"); came.innerHTML = "<div></div>"; came.firstChild.attachShadow({mode: "open"}).innerHTML = "<p>Rooted <b aria-selected=true role=option>here</b>"; main.append(came)`},
		{"changed while it was away", `came.remove(); await new Promise((done) => setTimeout(done, 50)); came.firstChild.shadowRoot.innerHTML = "<input type=password value=awaysecret>"; main.prepend(came)`},
		{"moved in one go", `const b = came.firstChild; main.append(b); b.shadowRoot.firstChild.before(Object.assign(document.createElement("i"), {ariaSelected: "true", role: "option", textContent: "Moved"}))`},
		{"a mark lost on the way", `const m = document.createElement("p"); m.ariaSelected = "true"; m.role = "option"; m.textContent = "Lost"; main.append(m); m.remove(); m.ariaSelected = "false"; main.append(m)`},
		{"more than is followed", `for (let i = 0; i < 1000; i++) { par.before(document.createElement("wbr")); par.previousSibling.remove() } main.insertAdjacentHTML("beforeend", "<p aria-selected=true role=option>After many")`},
		{"a selection", `getSelection().selectAllChildren(head)`},
		{"a selection extended", `getSelection().extend(par.firstChild, 3)`},
		{"scrolled", `scrollTo(0, 2000)`},
		{"scrolled back", `scrollTo(0, 0)`},
		{"hidden", `head.hidden = true`},
		{"hidden by style", `head.hidden = false; par.style.display = "none"`},
		{"shown by a sheet", `document.head.append(Object.assign(document.createElement("style"), {textContent: "#par { display: block !important }"}))`},
		{"a frame", `document.body.append(Object.assign(document.createElement("iframe"), {id: "fr", srcdoc: "<p>Framed"})); await new Promise((done) => fr.onload = done)`},
		{"the frame gone", `fr.remove()`},
		{"an address of its own", `history.pushState(0, "", "/elsewhere")`},
		{"the title", `document.title = "Another"`},
		{"an element of another document", `const other = new DOMParser().parseFromString("<input value=adopted aria-label=Adopted aria-selected=true role=option>", "text/html"); document.body.append(other.body.firstChild)`},
		{"written anew", `document.open(); document.write("<title>Written</title><p>Fresh <input value=written><p role=option aria-selected=true>Chosen"); document.close()`},
		{"changed after that", `document.querySelector("[role=option]").ariaSelected = "false"; document.body.append(Object.assign(document.createElement("input"), {type: "password", value: "writtensecret"}))`},
		{"the body replaced", `const b = document.createElement("body"); b.innerHTML = "<p>Body <input value=bodied><dialog open>Open</dialog>"; document.body.replaceWith(b)`},
		{"the root replaced", `const r = document.createElement("html"); r.innerHTML = "<body><p role=option aria-selected=true>Root"; document.documentElement.replaceWith(r)`},
		{"changed below the new root", `document.querySelector("p").setAttribute("data-private", "")`},
	}
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	for i, change := range changes {
		inPage(t, ctx, p.Session, change.script)
		for _, scope := range []Scope{ScopePointing, ScopePage} {
			fresh := scriptPage(t, p.Session, fmt.Sprint("fresh", scope, i))
			want, err := fresh.Read(ctx, ReadOptions{Scope: scope})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Read(ctx, ReadOptions{Scope: scope})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := sayings(t, got.Documents[0]), sayings(t, want.Documents[0]); got != want {
				t.Errorf("%s, %s scope (- as it is, + as it was kept):\n%s", change.name, scope, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		}
	}
}

// inPage runs a script of the page's own.
func inPage(t *testing.T, ctx context.Context, s *Session, script string) {
	t.Helper()
	var got struct {
		Exception *struct {
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	err := s.Call(ctx, runtime.CommandEvaluate, map[string]any{"expression": "(async () => {" + script + "})()", "awaitPromise": true}, &got)
	if err != nil {
		t.Fatal(err)
	}
	if got.Exception != nil {
		t.Fatalf("running %s: %s", script, got.Exception.Exception.Description)
	}
}

// sayings gives all that our script said of a document, but for the numbers of nodes,
// which are each world's own, and what no accessibility tree was asked for.
func sayings(t *testing.T, d *Document) string {
	t.Helper()
	f := d.Facts
	f.Unasked, f.Plain = 0, nil
	records := f.Records
	f.Records = nil
	if f.Selection != nil {
		s := *f.Selection
		s.Key = ""
		f.Selection = &s
	}
	if f.Hover != nil {
		h := *f.Hover
		h.At, h.Frame = 0, ""
		f.Hover = &h
	}
	var b strings.Builder
	write := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	write(f)
	for _, r := range records {
		if r.Tag == "iframe" {
			continue // a script alone does not follow frames
		}
		related := map[string]int{}
		for name, list := range r.More().Related {
			related[name] = len(list)
		}
		few := *r.More()
		few.Related, few.Frame, few.Holder = nil, "", nil
		r.Serial, r.Seldom, r.AX = 0, &few, nil
		write([]any{r, related})
	}
	return b.String()
}
