package cdp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestStill changes a page in every way that a reading of rows sees, and asks after each
// whether the page is still what was read; and changes it not at all.
func TestStill(t *testing.T) {
	const start = `<!DOCTYPE html><title>Start</title><style id=sheet>.moved { animation: up .1s } @keyframes up { to { margin-top: 9px } }</style>
		<h1 id=head>Head</h1><p id=par>Some words here</p><input id=field value="field value" aria-label=Field><input id=tick type=checkbox>
		<select id=pick><option>First<option>Second</select><textarea id=area>Area</textarea><dialog id=ask><p>Asked</dialog><div id=pop popover>Popped</div>
		<details id=more><summary>More</summary>Within</details><div id=box style="height:40px;overflow:auto"><p style="height:200px">Inside</p></div>
		<video id=film width=10 height=10></video><div id=host></div><late-one id=late></late-one><iframe id=framed srcdoc="<p id=p>Framed <input id=i></p>"></iframe>
		<form id=form><input id=rest value=first></form><div style="height:3000px"></div>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(start))
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	// What a change sets off comes after it (scrollend), and what is met in a reading is
	// followed from the next one on.
	read := func(before string) Marks {
		t.Helper()
		for range 50 {
			r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Stirs: true})
			if err != nil {
				t.Fatal(err)
			}
			m, still := r.Marks(), 0
			// A page has to have run since.
			for tries := 0; tries < 20 && still < 3; tries++ {
				if p.IsStill(ctx, m) {
					still++
				}
				time.Sleep(10 * time.Millisecond)
			}
			if still == 3 {
				return m
			}
		}
		t.Fatalf("before %s: it is still what was read, and said not to be", before)
		return nil
	}
	for _, c := range []struct{ name, script string }{
		{"text", `par.firstChild.data = "Other words"`},
		{"attribute", `par.title = "T"`},
		{"addition", `document.body.append(document.createElement("hr"))`},
		{"removal", `document.querySelector("hr").remove()`},
		{"value", `field.value = "other"`},
		{"area", `area.value = "other"`},
		{"ticked", `tick.checked = true`},
		{"mixed", `tick.indeterminate = true`},
		{"picked", `pick.selectedIndex = 1`},
		{"focus", `rest.value = "typed"; field.focus()`},
		{"reset", `form.reset()`},
		{"selection in a field", `field.setSelectionRange(0, 2)`},
		{"selection", `getSelection().selectAllChildren(head)`},
		{"open", `more.open = true`},
		{"a dialog", `ask.showModal()`},
		{"the dialog closed", `ask.close()`},
		{"a popover", `pop.showPopover()`},
		{"the popover gone", `pop.hidePopover()`},
		{"a rule of a sheet", `sheet.sheet.insertRule("#par { display: none }")`},
		{"a rule changed", `sheet.sheet.cssRules[0].style.display = "block"; sheet.sheet.cssRules[0].style.visibility = "hidden"`},
		{"a sheet put off", `sheet.disabled = true`},
		{"an adopted sheet", `const s = new CSSStyleSheet(); s.replaceSync("#head { opacity: 0 }"); document.adoptedStyleSheets = [s]`},
		{"scrolled", `scrollTo(0, 100)`},
		{"scrolled inside", `box.scrollTop = 20`},
		{"the title", `document.title = "Another"`},
		{"an address", `history.pushState(0, "", "/elsewhere")`},
		{"a root", `host.attachShadow({mode: "open"}).innerHTML = "<p>In the root"`},
		{"in a root", `host.shadowRoot.querySelector("p").textContent = "Changed"`},
		{"a late root", `customElements.define("late-one", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<p>Late" } })`},
		{"a player", `film.muted = true`},
		{"in a frame", `framed.contentDocument.getElementById("p").append("more")`},
		{"a value in a frame", `framed.contentDocument.getElementById("i").value = "more"`},
		{"a frame that goes elsewhere", `framed.srcdoc = "<p>Elsewhere"; await new Promise((done) => framed.onload = done)`},
		{"a frame more", `document.body.append(Object.assign(document.createElement("iframe"), {id: "other", srcdoc: "<p>Other"})); await new Promise((done) => other.onload = done)`},
		{"a frame less", `other.remove()`},
		{"changed and back", `par.firstChild.data = "A"; par.firstChild.data = "Other words"`},
		{"a value and back", `const was = area.value; area.value = "x"; area.dispatchEvent(new Event("input", {bubbles: true})); area.value = was`},
		{"an animation", `sheet.disabled = false; par.getBoundingClientRect(); par.className = "moved"; await par.getAnimations()[0]?.finished`},
		{"written anew", `document.open(); document.write("<title>Written</title><p>Fresh"); document.close()`},
		{"changed after that", `document.querySelector("p").textContent = "Changed"`},
		{"gone elsewhere", ""},
	} {
		marks := read(c.name)
		if c.script != "" {
			inPage(t, ctx, p.Session, c.script)
		} else if err := p.Session.Call(ctx, "Page.navigate", map[string]any{"url": server.URL + "/next"}, nil); err != nil {
			t.Fatal(err)
		}
		if p.IsStill(ctx, marks) {
			t.Errorf("%s: it is said to be still what was read", c.name)
		}
	}
	if p.IsStill(ctx, nil) || p.IsStill(ctx, Marks{}) {
		t.Error("a page of which nothing was read is said to be still that")
	}
}

// Several who follow a page at the same time are each told of all that was changed since
// they last asked, and one that ends it for others does not have them miss any.
func TestStirsOfSeveral(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><title>S</title><button id=a>One</button><button id=b>Two</button>`))
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	read := func(since Marks) (*Stirred, Marks) {
		t.Helper()
		r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Stirs: true, Since: &since})
		if err != nil {
			t.Fatal(err)
		}
		return r.Documents[0].Facts.Stirred, r.Marks()
	}
	_, one := read(nil)
	_, two := read(nil)
	inPage(t, ctx, p.Session, `a.textContent = "Changed"`)
	first, oneNext := read(one)
	second, _ := read(two)
	if len(first.Touched) == 0 || len(second.Touched) != len(first.Touched) {
		t.Errorf("the first was told of %v, the second of %v; want the same of both", first.Touched, second.Touched)
	}
	if again, _ := read(oneNext); again.Touched == nil || len(again.Touched) != 0 {
		t.Errorf("told of %v though nothing was changed", again.Touched)
	}
	p.EndStirs(ctx)
	inPage(t, ctx, p.Session, `b.remove()`)
	if after, _ := read(oneNext); after.Touched != nil || !after.Away {
		t.Errorf("after another ended it: told of %v, away %v; want that any may have been", after.Touched, after.Away)
	}
}
