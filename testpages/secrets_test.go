package testpages

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// secretFields has a field of each kind whose value must not leave. ID is for an
// id of its own, where its kind is not in the id, and VALUE for its value. Each
// has the class f, and says Field somewhere in its name.
var secretFields = map[string]string{
	"password":              `<label>Field <input class=f id=ID type=password value=VALUE></label>`,
	"text security":         `<label>Field <input class=f id=ID style="-webkit-text-security: disc" value=VALUE></label>`,
	"text security around":  `<label for=ID>Field</label> <div style="-webkit-text-security: square"><textarea class=f id=ID>VALUE</textarea></div>`,
	"cc-number":             `<label>Field <input class=f id=ID autocomplete=cc-number value=VALUE></label>`,
	"cc-exp in capitals":    `<label>Field <input class=f id=ID autocomplete="section-1 billing CC-EXP" value=VALUE></label>`,
	"one-time-code":         `<label>Field <input class=f id=ID autocomplete=one-time-code value=VALUE></label>`,
	"current-password":      `<label>Field <input class=f id=ID autocomplete=current-password value=VALUE></label>`,
	"new-password webauthn": `<label>Field <input class=f id=ID autocomplete="new-password webauthn" value=VALUE></label>`,
	"text area by name":     `<label>Field <textarea class=f id=ID name=apiKey>VALUE</textarea></label>`,
	"name":                  `<label>Field <input class=f id=ID name=user-passwd value=VALUE></label>`,
	"id":                    `<label>Field <input class=f id=OTPCode value=VALUE></label>`,
	"name with digits":      `<label>Field <input class=f id=ID name=pin2 value=VALUE></label>`,
	"label for":             `<label for=ID>Your passphrase, Field</label><input class=f id=ID value=VALUE>`,
	"label around":          `<label>Field: SSN <input class=f id=ID value=VALUE></label>`,
	"aria-label":            `<input class=f id=ID aria-label="Field security code" value=VALUE>`,
	"aria-labelledby":       `<p id=ID-l>Field for the CVV</p><input class=f id=ID aria-labelledby=ID-l value=VALUE>`,
	"placeholder":           `<input class=f id=ID placeholder="Field: card number" value=VALUE>`,
	"title":                 `<input class=f id=ID title="Field of the secret" value=VALUE>`,
	"telephone":             `<label>Field <input class=f id=ID type=tel name=cvc value=VALUE></label>`,
	"search":                `<label>Field <input class=f id=ID type=search name=token value=VALUE></label>`,
	"email":                 `<label>Field <input class=f id=ID type=email name=token value=VALUE></label>`,
	"url":                   `<label>Field <input class=f id=ID type=url name=token value=VALUE></label>`,
	"unknown type":          `<label>Field <input class=f id=ID type=wishful name=token value=VALUE></label>`,
	"editor by label":       `<div class=f id=ID contenteditable aria-label="Field: password">VALUE</div>`,
	"plain editor by id":    `<div class=f id=secret contenteditable=plaintext-only aria-label=Field>VALUE</div>`,
	"editor of blocks":      `<div class=f id=ID contenteditable aria-label="Field: passcode"><p><i>VALUE</i></p><ul><li>VALUE<li><a href="/VALUE">VALUE</a></ul></div>`,
	"editor text security":  `<div class=f id=ID contenteditable aria-label=Field style="-webkit-text-security: circle">VALUE</div>`,
	"text box by label":     `<div class=f id=ID tabindex=0 role=textbox aria-label="Field: password">VALUE</div>`,
	"text box by id":        `<div class=f id=userPin tabindex=0 role=textbox aria-label=Field>VALUE</div>`,
	"search box":            `<div class=f id=ID tabindex=0 role=searchbox aria-label="Field: token">VALUE</div>`,
}

// secretPlaces are where fields may stand. FIELDS is them; inner.html has them too.
var secretPlaces = map[string]string{
	"document":        `FIELDS`,
	"open root":       `<x-host id=host></x-host><template id=t>FIELDS</template><script>root = host.attachShadow({mode: 'open'}); root.append(t.content.cloneNode(true))</script>`,
	"closed root":     `<div id=host></div><template id=t>FIELDS</template><script>root = host.attachShadow({mode: 'closed'}); root.append(t.content.cloneNode(true))</script>`,
	"declared root":   `<section id=host><template shadowrootmode=open>FIELDS</template></section><script>root = host.shadowRoot</script>`,
	"root in a root":  `<div id=host></div><template id=t>FIELDS</template><script>const inner = document.createElement('div'); host.attachShadow({mode: 'closed'}).append(inner); root = inner.attachShadow({mode: 'closed'}); root.append(t.content.cloneNode(true))</script>`,
	"slot":            `<x-host id=host><div>FIELDS</div></x-host><script>host.attachShadow({mode: 'closed'}).innerHTML = '<p>Around <slot></slot></p>'</script>`,
	"frame":           `<iframe width=900 height=700 src="inner.html"></iframe>`,
	"other site":      `<iframe width=900 height=700 src="{{other-site}}/inner.html"></iframe>`,
	"srcdoc":          `<iframe width=900 height=700 id=frame></iframe><template id=t>FIELDS</template><script>frame.srcdoc = '<!doctype html><script src=/point.js></' + 'script>' + t.innerHTML</script>`,
	"sandboxed frame": `<iframe width=900 height=700 sandbox=allow-scripts src="inner.html"></iframe>`,
	"owned":           `<div role=group aria-label=Owner aria-owns=wrap></div><div id=wrap>FIELDS</div>`,
	"table":           `<table><tr><th>Say<td>FIELDS</table>`,
	"list":            `<ul><li>FIELDS</ul>`,
	"dialog":          `<dialog id=d>FIELDS</dialog><script>d.showModal()</script>`,
	"written later":   `<script>addEventListener('load', () => { document.open(); document.write('<!doctype html><title>Page</title>' + fields); document.close() }); fields = FIELDS_JS</script>`,
}

// pointScript lets a test act on the fields wherever they are: script(i, what) is
// called on the i-th field, in the frame if there is one.
const pointScript = `
	var root;
	const text = f => document.createTreeWalker(f, NodeFilter.SHOW_TEXT).nextNode();
	const acts = {
		focus: f => f.focus(),
		select: f => { f.focus(); f.select ? f.select() : getSelection().setBaseAndExtent(f, 0, f, f.childNodes.length) },
		part: f => { f.focus(); f.select ? /email|number/.test(f.type) || f.setSelectionRange(0, 6) : getSelection().setBaseAndExtent(text(f), 0, text(f), 6) },
		show: f => { f.type = 'text' },
	};
	const act = (i, what) => acts[what]([...(root || document).querySelectorAll('.f')].at(i));
	addEventListener('message', e => { if (parent !== self) { act(...e.data); parent.postMessage('done', '*') } });
	const point = (i, what) => frames.length === 0 ? act(i, what) : new Promise(done => {
		addEventListener('message', done, {once: true});
		frames[0].postMessage([i, what], '*');
	});`

// secretValue makes values that have nothing in common.
func secretValue(n int) string {
	const letters = "bcdfghjklmnpqrstvwxz"
	var b strings.Builder
	x := uint32(n+1) * 2654435761
	for range 10 {
		x = x*1664525 + 1013904223
		b.WriteByte(letters[(x>>16)%uint32(len(letters))])
	}
	return b.String()
}

// placeFields gives the files of a page with fields in a place.
func placeFields(place, fields string) []string {
	head := `<!doctype html><meta charset=utf-8><title>Page</title><script src="/point.js"></script>`
	page := strings.ReplaceAll(secretPlaces[place], "FIELDS_JS", "`"+strings.ReplaceAll(fields, "</script", "<\\/script")+"`")
	return []string{
		"page.html", head + strings.ReplaceAll(page, "FIELDS", fields),
		"inner.html", head + fields,
		"point.js", pointScript,
	}
}

// TestSecretFields puts every kind of field into every kind of place, reads it,
// and reads it again with the focus and with a selection in each of them.
func TestSecretFields(t *testing.T) {
	t.Parallel()
	kinds := slices.Sorted(maps.Keys(secretFields))
	var fields strings.Builder
	for n, kind := range kinds {
		fmt.Fprintf(&fields, "<div>%s</div>\n", strings.NewReplacer("ID", fmt.Sprintf("x%d", n), "VALUE", secretValue(n)).Replace(secretFields[kind]))
	}
	for i, place := range slices.Sorted(maps.Keys(secretPlaces)) {
		t.Run(place, func(t *testing.T) {
			share(t, i)
			t.Parallel()
			p := Open(t, "page.html", Files(files(placeFields(place, fields.String())...)))
			all := tellings(t, p)
			step := 1
			if testing.Short() {
				step = 5
			}
			for i := 0; i < len(kinds); i += step {
				for _, what := range []string{"focus", "select", "part"} {
					p.Eval(fmt.Sprintf("point(%d, %q)", i, what))
					all = append(all, tellingsOf(t, p.Elements(Pointing), fmt.Sprintf("pointing scope after %s of %s", what, kinds[i]))...)
				}
			}
			for n, kind := range kinds {
				for _, leak := range leaks(all, secretValue(n)) {
					t.Errorf("%s: %s", kind, leak)
				}
			}
			whole := p.Elements(WholePage)
			said := strings.Count(Format(whole.Root), "Field")
			if said < len(kinds) {
				t.Errorf("of %d fields %d are reported:\n%s", len(kinds), said, Format(whole.Root))
			}
		})
	}
}

// beforeRead are the places of which nothing can know what was in them before the
// tab is first read: no script sees into a closed root, and the protocol is asked
// only then. The README says so.
var beforeRead = map[string]bool{"closed root": true, "root in a root": true}

// TestSecretOnce reads fields that were password fields before they were first
// read, or where that cannot be known, before they are read again.
func TestSecretOnce(t *testing.T) {
	t.Parallel()
	for i, place := range slices.Sorted(maps.Keys(secretPlaces)) {
		t.Run(place, func(t *testing.T) {
			share(t, i)
			t.Parallel()
			value := secretValue(0)
			p := Open(t, "page.html", Files(files(placeFields(place, `<label>Field <input class=f type=password value=`+value+`></label><p>It is `+value+`.</p>`)...)))
			if beforeRead[place] {
				p.Elements(WholePage)
			}
			p.Eval("point(0, 'show')")
			all := tellings(t, p)
			p.Eval("point(0, 'select')")
			all = append(all, tellings(t, p)...)
			for _, leak := range leaks(all, value) {
				t.Errorf("%q is told\n%s", value, leak)
			}
			if whole := Format(p.Elements(WholePage).Root); !strings.Contains(whole, `Text "Field"`) && !strings.Contains(whole, `Text focused "Field"`) {
				t.Errorf("the field is not reported:\n%s", whole)
			}
		})
	}
}
