package testpages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
)

// disguised is a page of a bit of everything; HERE is in its form and THERE behind
// all else.
const disguised = `
<form id=form aria-label="A form">
	<h1>Heading</h1>
	<p id=p>Words and <a href="/x">a link</a>.</p>
	<label>Name <input id=field value=words></label>
	<textarea aria-label=Wishes>some</textarea>
	<ul><li>One<li aria-selected=true>Two<ul><li>Three</ul></ul>
	<table><tr><th>Head<td>Cell<tr><th>Foot<td>Cell</table>
	<select size=2 multiple><option>a<option selected>b</select>
	HERE
</form>
<div><template shadowrootmode=open><p>In a shadow <slot></slot></p></template>and <b>light</b></div>
<iframe srcdoc="<p>In a frame"></iframe>
<div contenteditable aria-label=Editor>Edited</div>
<svg role=img aria-label=Drawing width=9 height=9></svg>
<dialog open aria-label=Dialog><p>Said</dialog>
THERE`

// Names of what a reader asks of elements, of documents and of windows.
var (
	elementNames = strings.Fields(`parentNode parentElement children childNodes childElementCount firstChild lastChild
		firstElementChild nextSibling previousSibling nextElementSibling shadowRoot attachShadow attributes getAttribute
		hasAttribute hasAttributes getAttributeNames setAttribute removeAttribute innerText innerHTML outerHTML textContent
		nodeType nodeName nodeValue localName tagName namespaceURI prefix ownerDocument getBoundingClientRect getClientRects
		checkVisibility matches closest querySelector querySelectorAll getElementsByTagName contains compareDocumentPosition
		getRootNode isConnected assignedSlot slot id className classList title lang dir hidden inert style role ariaLabel
		ariaOwnsElements elements length action method submit reset target focus blur click dataset tabIndex
		isContentEditable contentEditable offsetParent offsetWidth offsetHeight offsetTop scrollTop scrollHeight scrollWidth
		clientWidth clientHeight scrollIntoView addEventListener dispatchEvent constructor __proto__ prototype toString
		valueOf toJSON hasOwnProperty then value type checked selectionStart selectionEnd labels form href data baseURI
		cloneNode append remove animate computedStyleMap computedRole computedName part popover webarea nonce`)
	documentNames = strings.Fields(`body head documentElement activeElement getSelection querySelector querySelectorAll
		getElementById getElementsByTagName createTreeWalker createRange createElement title defaultView hasFocus readyState
		visibilityState elementFromPoint elementsFromPoint fullscreenElement URL location all forms scripts nodeType children
		childNodes firstChild addEventListener cookie domain referrer webarea implementation adoptedStyleSheets
		caretPositionFromPoint pointerLockElement getRootNode contains compareDocumentPosition isConnected`)
	windowNames = strings.Fields(`webarea WeakMap WeakRef WeakSet MutationObserver Node Element HTMLElement Document Map Set
		JSON Array Object Function String getComputedStyle getSelection innerWidth innerHeight performance Date Promise
		addEventListener devicePixelRatio screenX screenY visualViewport globalThis NodeFilter ShadowRoot frames parent top
		requestAnimationFrame CharacterData HTMLInputElement Symbol Math Number RegExp Error TextEncoder`)
)

// TestDisguise reads pages that hide behind the names of what a reader would ask:
// what is said of them is the same as of the same page without.
func TestDisguise(t *testing.T) {
	t.Parallel()
	named := func(pattern string, names []string) string {
		var b strings.Builder
		for _, name := range names {
			fmt.Fprintf(&b, pattern, name)
		}
		return b.String()
	}
	tests := []struct{ name, head, here, there string }{
		{name: "fields of the form", here: named("<input type=hidden name=%s>", elementNames)},
		{name: "fields of the form by id", here: named("<input type=hidden id=%s>", elementNames)},
		{name: "images of the form", here: named("<img hidden name=%s>", elementNames)},
		{name: "several fields of a name", here: named("<input type=hidden name=%[1]s><input type=hidden name=%[1]s>", elementNames)},
		{name: "images of the document", there: named("<img hidden name=%s>", documentNames)},
		{name: "forms of the document", there: named("<form hidden name=%s></form>", documentNames)},
		{name: "several forms of a name", there: named("<form hidden name=%[1]s></form><form hidden name=%[1]s></form>", documentNames)},
		{name: "objects of the document", there: named("<object hidden id=%s></object>", documentNames)},
		{name: "elements of the window", there: named("<a hidden id=%s></a>", windowNames)},
		{name: "overridden prototypes", there: `<script>
			const bad = () => { throw new Error('overridden') };
			const kinds = [Node, Element, HTMLElement, HTMLFormElement, HTMLInputElement, HTMLAnchorElement, HTMLIFrameElement, SVGElement, Document, HTMLDocument, ShadowRoot, DocumentFragment, Text, CharacterData, Range, StaticRange, Selection, NodeList, HTMLCollection, EventTarget, MutationObserver, WeakMap, WeakRef, Map, Set, Promise];
			addEventListener('load', () => setTimeout(() => {
				for (const kind of kinds) for (const name of Object.getOwnPropertyNames(kind.prototype)) {
					if (name === 'constructor') continue;
					try { Object.defineProperty(kind.prototype, name, {get: bad, set: bad, configurable: true}) } catch {}
				}
				for (const name of ['JSON', 'WeakMap', 'WeakRef', 'Map', 'Set', 'getComputedStyle', 'getSelection', 'MutationObserver', 'webarea']) window[name] = bad;
			}))</script>`},
		{name: "polluted objects", there: `<script>
			for (const name of ['toJSON', 'get', 'set', 'value', 'then', 'length', 'id', 'role', 'p', 't', 'x', 'rec', 'scope', 'records'])
				Object.defineProperty(Object.prototype, name, {get() { return 'polluted' }, set() {}, configurable: true});
			Array.prototype.toJSON = String.prototype.toJSON = () => 'polluted'</script>`},
		{name: "its own webarea", head: `<script>Object.defineProperty(window, 'webarea', {value: {read() { return ['{}', [], []] }, frame() {}, open() {}}})</script>`},
		{name: "a security policy", head: `<meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'none'; style-src 'none'; require-trusted-types-for 'script'; trusted-types x">`},
		{name: "a base address", head: `<base href="http://fixture/">`},
		{name: "a cycle of owners", here: `<div aria-owns="o2 form"><i id=o1 aria-owns=o2></i></div><div id=o2 aria-owns="o1 o2 o3"></div>`, there: `<div id=o3 aria-owns="o4 o3"></div><div id=o4 aria-owns="o3 p-of-nothing"></div>`},
		{name: "a cycle of labels", there: `<div id=l1 aria-labelledby=l2></div><div id=l2 aria-labelledby="l1 l2"></div>`},
		{name: "a cycle of the active element", there: `<div hidden id=a1 aria-activedescendant=a2></div><div hidden id=a2 aria-activedescendant=a1></div>`},
		{name: "elements in nobody's name", there: `<script>for (const ns of ['', 'urn:x', 'http://www.w3.org/1998/Math/MathML', 'http://www.w3.org/2000/svg']) for (const tag of ['input', 'a', 'form', 'slot', 'iframe', 'x-y']) document.body.append(document.createElementNS(ns, tag))</script>`},
		{name: "elements from another document", there: `<script>addEventListener('load', () => { const d = frames[0].document, x = d.createElement('i'); x.setAttribute('parentNode', 1); document.body.append(x, document.adoptNode(d.createElement('b')), new DOMParser().parseFromString('<form><input type=hidden name=firstChild></form>', 'text/html').querySelector('form')) })</script>`},
	}
	for _, act := range []string{
		`field.focus(); field.select()`,
		`field.blur(); getSelection().setBaseAndExtent(p.firstChild, 0, p.lastChild, 1)`,
	} {
		plain := openHTML(t, strings.NewReplacer("HERE", "", "THERE", "").Replace(disguised))
		plain.Eval("{" + act + "}")
		want := map[cdp.Scope]string{}
		for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
			want[scope] = Format(plain.Elements(scope).Root)
		}
		for i, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				share(t, i)
				t.Parallel()
				// The page points at something by itself, before it disguises itself.
				html := strings.NewReplacer("HERE", test.here, "THERE", `<script>addEventListener('load', () => {`+act+`})</script>`+test.there).Replace(disguised)
				p := openHTML(t, test.head+html)
				if strings.Contains(test.head, "script-src") {
					p.Focus("#field")
					p.Select("#field")
				}
				for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
					if strings.Contains(test.head, "script-src") && !strings.Contains(act, "field.select") {
						break
					}
					if d := diff(split(want[scope]), split(Format(p.Elements(scope).Root))); d != "" {
						t.Errorf("%s scope (- the plain page, + in disguise):\n%s", scope, d)
					}
				}
			})
		}
	}
}

// TestDocumentKinds reads documents that are no HTML.
func TestDocumentKinds(t *testing.T) {
	t.Parallel()
	for i, test := range []struct{ name, kind, content, says string }{
		{"xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Page</title></head><body><p>Words</p><input value="more"/></body></html>`, "Words"},
		{"xhtml that is wrong", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Words</body></html>`, ""},
		{"svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><title>Page</title><text y="20">Words</text></svg>`, ""},
		{"xml", "text/xml", `<a><b>Words</b></a>`, ""},
		{"styled xml", "text/xml", `<?xml-stylesheet href="data:text/css,b{display:block}"?><a><b>Words</b></a>`, ""},
		{"text", "text/plain", "Words\nand more", "Words"},
		{"json", "application/json", `{"a": "Words"}`, "Words"},
		{"an image", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`, ""},
		{"nothing", "text/html", ``, ""},
		{"frames", "text/html", `<frameset cols="50%,50%"><frame src="/inner.html"><frame src="/inner.html"></frameset>`, "Inside"},
		{"no root", "text/html", `<script>document.documentElement.remove()</script>`, ""},
		{"a root of nobody's", "text/html", `<script>document.replaceChild(document.createElementNS('urn:x', 'y'), document.documentElement)</script>`, ""},
		{"no body", "text/html", `<script>document.body?.remove(); document.documentElement.append('Words')</script>`, "Words"},
		{"quirks", "text/html", `<center><font size=7>Words`, "Words"},
		{"binary", "text/html", "\x00\xff\xfe\x80Words\xc3", "Words"},
		{"utf-16", "text/html", "\xff\xfeW\x00o\x00r\x00d\x00s\x00", "Words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			share(t, i)
			t.Parallel()
			o := choose(nil)
			o.content = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/inner.html" {
					_, _ = w.Write([]byte("<p>Inside"))
					return
				}
				w.Header().Set("Content-Type", test.kind)
				_, _ = w.Write([]byte(test.content))
			})
			p := &Page{t: t, timeout: o.timeout}
			if err := p.open(o); err != nil {
				t.Fatalf("opening a tab: %v", err)
			}
			if err := p.load("page"); err != nil {
				t.Fatal(err)
			}
			for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
				a := p.Elements(scope)
				checkOutline(t, a)
				checkPlain(t, a)
				if problem(a) != "" || scope == WholePage && !says(a, test.says) {
					t.Errorf("%s scope, problem %q, does not say %q:\n%s", scope, problem(a), test.says, Format(a.Root))
				}
			}
		})
	}
}
