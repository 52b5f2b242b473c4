package testpages

import (
	"testing"
	"time"
)

// eval gives an act of a leak test.
func eval(script string) func(*Page) { return func(p *Page) { p.Eval(script) } }

// crash has the page's renderer die, and returns when that is known.
func crash(p *Page) {
	p.session.Go(p.t.Context(), "Page.crash", nil)
	for !p.tab.Page.Crashed() {
		select {
		case <-p.t.Context().Done():
			p.t.Fatalf("the page does not crash")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestSecretRepeated has pages that repeat, somewhere else, what is in a secret
// field.
func TestSecretRepeated(t *testing.T) {
	t.Parallel()
	const field = `<label>Field <input type=password value=quartzwren></label>`
	for i, test := range []leakTest{
		{name: "in text", html: field + `<p>It is quartzwren.</p>`, said: `It is \[secret\]\.`},
		{name: "in a title", html: field + `<section aria-label="It is quartzwren"><p>x</section>`, said: `It is \[secret\]`},
		{name: "in the page's title", html: field + `<script>document.title = 'It is quartzwren'</script>`, said: `It is \[secret\]`},
		{name: "in the page's fragment", html: field, act: eval(`location.hash = 'quartzwren'`), said: `page.html#\[secret\]`},
		{name: "in the page's query", html: field, act: eval(`history.replaceState(0, '', '?word=quartzwren&more=1')`), said: `word=\[secret\]&more=1`},
		{name: "in the url of a link", html: field + `<a href="/reset/quartzwren?again=quartzwren">Reset</a>`, said: `/reset/\[secret\]\?again=\[secret\]`},
		{name: "in the user of a url", html: field + `<a href="http://me:quartzwren@fixture/">Enter</a>`, said: `Enter`},
		{name: "in the words of a link", html: field + `<p>Say <a href="/x">the quartzwren</a> now`, said: `the \[secret\]`},
		{name: "in the url of an image", html: field + `<img alt="A word" src="/word.png?of=quartzwren">`, said: `of=\[secret\]`},
		{name: "in the url of a frame", html: field + `<iframe title="A frame" src="inner.html?of=quartzwren"></iframe>`, more: []string{"inner.html", "<p>Inside"}, said: `Inside`},
		{name: "in the url of a frame of another site", html: field + `<iframe title="A frame" src="{{other-site}}/inner.html?of=quartzwren"></iframe>`, more: []string{"inner.html", "<p>Inside"}, said: `Inside`},
		{name: "in the name of an image", html: field + `<img alt="The word quartzwren" width=9 height=9 src=x.png>`, said: `The word \[secret\]`},
		{name: "in a caption", html: field + `<figure><img alt=A width=9 height=9 src=x.png><figcaption>It is quartzwren</figcaption></figure>`, said: `It is \[secret\]`},
		{name: "in a heading", html: field + `<h2>It is quartzwren</h2>`, said: `It is \[secret\]`},
		{name: "in a row", html: field + `<ul><li>It is quartzwren</ul>`, said: `It is \[secret\]`},
		{name: "in a cell", html: field + `<table><tr><th>Word<td>It is quartzwren<tr><th>More<td>x</table>`, said: `It is \[secret\]`},
		{name: "in a tree item", html: field + `<div role=tree><div role=treeitem aria-selected=true>It is quartzwren</div></div>`, said: `It is \[secret\]`},
		{name: "in an option", html: field + `<select size=3><option selected>It is quartzwren<option>x</select>`, said: `It is \[secret\]`},
		{name: "in another field", html: field + `<label>Copy <input value="It is quartzwren"></label>`, said: `It is \[secret\]`},
		{name: "in a placeholder", html: field + `<input placeholder="It is quartzwren">`, said: `It is \[secret\]`},
		{name: "in a description", html: field + `<input aria-label=Copy aria-description="It is quartzwren">`, said: `Copy`},
		{name: "in a subrole", html: field + `<section aria-label=Say aria-roledescription=quartzwren><p>x</section><section aria-label=So data-subrole="my quartzwren"><p>x</section>`, said: `Say`},
		{name: "in the language", html: field + `<script>document.documentElement.lang = 'quartzwren'</script><p>Said`, said: `Said`},
		{name: "in an author", html: field + `<article><p>By <a rel=author href="/x">quartzwren</a></article>`, said: `By \[secret\]`},
		{name: "in an id", html: field + `<input aria-label=Copy aria-describedby=quartzwren aria-controls=quartzwren><p id=quartzwren>Said`, said: `Said`},
		{name: "in generated text", html: `<style>#g::before { content: "It is quartzwren" }</style>` + field + `<p id=g>.`, said: `It is \[secret\]`},
		{name: "in a summary", html: field + `<details><summary>It is quartzwren</summary>x</details>`, said: `It is \[secret\]`},
		{name: "in a formula", html: field + `<div role=math aria-label="quartzwren squared">quartzwren</div>`, said: `\[secret\] squared`},
		{name: "in title attributes", html: field + `<section title="It is quartzwren"><h2>x</h2></section><p title=quartzwren>Words <a title=quartzwren href="/x">here</a> and <abbr title=quartzwren>there</abbr></p><iframe title="my quartzwren" srcdoc="<p>x"></iframe>`, said: `It is \[secret\]`},
		{name: "in an open dialog's page", html: field, act: func(p *Page) {
			p.Eval(`document.title = 'It is quartzwren'; history.replaceState(0, '', '?q=quartzwren'); setTimeout(() => alert('Hello'))`)
			p.untilDialog()
		}, said: `Hello`},
		{name: "in a page that loops", html: field, act: func(p *Page) {
			p.Eval(`document.title = 'It is quartzwren'; history.replaceState(0, '', '?q=quartzwren'); setTimeout(() => { for (;;); })`)
			p.timeout = time.Second
		}, said: `page_unresponsive`},
		{name: "in a page that looped later", html: field, act: func(p *Page) {
			p.Eval(`document.title = 'It is quartzwren'; history.replaceState(0, '', '?q=quartzwren')`)
			p.Elements(WholePage)
			p.Eval(`setTimeout(() => { for (;;); })`)
			p.timeout = time.Second
		}, said: `page_unresponsive`},
		{name: "in a page that crashed", html: field, act: func(p *Page) {
			p.Eval(`document.title = 'It is quartzwren'; history.replaceState(0, '', '?q=quartzwren')`)
			crash(p)
		}, said: `tab_crashed`},
		{name: "in a meter", html: field + `<meter aria-label="It is quartzwren" value=1></meter><div role=img aria-label="It is quartzwren">x</div>`, said: `It is \[secret\]`},
		{name: "in a selection", html: field + `<p id=p>It is <b>quartzwren</b>.`, act: func(p *Page) { p.Select("#p") }, said: `It is \[secret\]\.`},
		{name: "in a selection of it alone", html: field + `<p>It is <b>quartzwren</b>.`, act: func(p *Page) { p.SelectText("quartzwren") }, said: `It is \[secret\]\.`},
		{name: "in pieces", html: field + `<p>It is quar<i>tzw</i>ren.`, said: `It is \[secret\]\.`},
		{name: "in capitals by style", html: field + `<p style="text-transform: uppercase">It is quartzwren.`, said: `(?i)IT IS`},
		{name: "in a shadow root", html: field + `<div><template shadowrootmode=open><p>It is quartzwren.</template></div>`, said: `It is \[secret\]\.`},
		{name: "in a closed root", html: field + `<div><template shadowrootmode=closed><p>It is quartzwren.</template></div>`, said: `It is \[secret\]\.`},
		{name: "from a shadow root", html: `<div><template shadowrootmode=open>` + field + `</template></div><p>It is quartzwren.`, said: `It is \[secret\]\.`},
		{name: "from a closed root", html: `<div><template shadowrootmode=closed>` + field + `</template></div><p>It is quartzwren.`, said: `It is \[secret\]\.`},
		{name: "from a field that is not drawn", html: `<div hidden>` + field + `</div><p>It is quartzwren.`, said: `It is \[secret\]\.`},
		{name: "from a field in a private region", html: `<div data-private>` + field + `</div><p>It is quartzwren.`, said: `It is \[secret\]\.`},
		{name: "from an editor", html: `<div contenteditable id=secret>quartzwren</div><p>It is quartzwren.`, said: `It is \[secret\]\.`},
		{name: "by the label of its field", html: `<label>Field quartzwren <input type=password value=quartzwren></label>`, said: `Field \[secret\]`},
		{name: "by labelling with the field", html: `<input id=f type=password aria-label=Field value=quartzwren><section aria-labelledby="l f"><h2 id=l>About</h2></section>`, said: `Field`},
		{name: "by labelling with an editor", html: `<div id=f contenteditable aria-label="Field: secret">my quartzwren</div><section aria-labelledby="l f"><h2 id=l>About</h2></section>`, said: `About`},
		{name: "by a group around a field", html: `<a href="/x">Go <input type=password aria-label=Field value=quartzwren></a><ul><li>Row <input name=pin aria-label=Field value=quartzwren></ul><table><tr><td>Cell <input name=otp aria-label=Field value=quartzwren></table><h2>Heading <input name=ssn value=quartzwren></h2>`, said: `Row`},
		{name: "by a button around an editor", html: `<div role=button tabindex=0>Go <span contenteditable id=secret>quartzwren</span></div><ul role=listbox aria-label=List><li role=option>One <span contenteditable data-n=2 aria-label=secret>quartzwren</span></ul>`, said: `List`},
		{name: "after another word was typed", html: field, act: eval(`const f = document.querySelector('input'); f.value = 'other'; document.body.append('It was quartzwren')`), said: `It was \[secret\]`},
		{name: "with a space at its end", html: `<label>Field <input type=password value="quartzwren "></label><p>It is quartzwren.`, said: `It is \[secret\]`},
		{name: "with marks around it", html: `<label>Field <input type=password value="(quartzwren)!"></label><p>It is (quartzwren)!, see`, said: `It is \[secret\]`},
	} {
		test.secrets = []string{"quartzwren"}
		t.Run(test.name, func(t *testing.T) { share(t, i); test.run(t) })
	}
	for _, test := range []leakTest{
		{name: "with letters beyond ASCII", html: `<label>Field <input type=password value="käfersaft"></label><p>It is käfersaft. <a href="/?q=käfersaft">x</a>`, secrets: []string{"%C3%A4fersaft", "käfersaft"}, said: `It is \[secret\]\.`},
		{name: "with spaces", html: `<label>Field <input type=password value="red owl tea"></label><p>It is red owl tea.<a href="/?q=red owl tea">x</a> <a href="/?q=red+owl+tea">y</a>`, secrets: []string{"red owl tea", "red%20owl%20tea", "red+owl+tea"}, said: `It is \[secret\]\.`},
		{name: "with signs", html: `<label>Field <input type=password value="a&amp;b$1\d"></label><p>It is a&amp;b$1\d <a href="/?q=a%26b%241%5Cd">x</a>`, secrets: []string{`a&b$1\d`, `a&b$1\\d`, `a\u0026b$1\\d`, `a%26b%241%5Cd`}, said: `It is \[secret\]`},
		{name: "of digits", html: `<label>Field <input type=tel autocomplete=cc-number value="4111222233334444"></label><p>It is 4111222233334444, 4111 2222 3333 4444.`, secrets: []string{"4111222233334444"}, said: `It is \[secret\]`},
		{name: "a long one", html: `<label>Field <textarea name=token>` + long("quartzwren ", 30) + `</textarea></label><p>` + long("quartzwren ", 30), secrets: []string{"quartzwren quartzwren quartzwren"}, said: `Field`},
	} {
		t.Run(test.name, test.run)
	}
}

// TestPrivate has pages with a region that they call private.
func TestPrivate(t *testing.T) {
	t.Parallel()
	for i, test := range []leakTest{
		{name: "a region", html: `<div data-private aria-label="quartzwren" title="quartzwren" role=region aria-roledescription=quartzwren><h1>quartzwren</h1><p>quartzwren <a href="/quartzwren">quartzwren</a></p><img alt=quartzwren src="/quartzwren.png" width=9 height=9></div>`},
		{name: "a field", html: `<input data-private value=quartzwren aria-label=quartzwren>`},
		{name: "an image", html: `<img data-private alt=quartzwren src="/quartzwren.png" width=9 height=9>`},
		{name: "a link", html: `<a data-private href="/quartzwren">quartzwren</a>`},
		{name: "words in a paragraph", html: `<p>Say <span data-private>quartzwren</span> now`},
		{name: "words in a heading", html: `<h2>Say <span data-private>quartzwren</span> now</h2>`},
		{name: "words in a row", html: `<ul><li>Say <span data-private>quartzwren</span> now</ul>`},
		{name: "words in a link", html: `<p><a href="/x">Say <span data-private>quartzwren</span> now</a>`},
		{name: "words in an option", html: `<div role=listbox><div role=option aria-selected=true>Say <span data-private>quartzwren</span> now</div></div>`},
		{name: "an option", html: `<select size=3><option>x<option data-private selected>quartzwren</select>`},
		{name: "a row", html: `<table><tr><th>Day<th>Word<tr data-private><td>Monday<td>quartzwren<tr><td>Tuesday<td>x</table>`},
		{name: "a cell", html: `<table><tr><th>Day<th>Word<tr><td>Monday<td data-private>quartzwren</table>`},
		{name: "a caption", html: `<table><caption data-private>quartzwren</caption><tr><th>Day<th>Word<tr><td>Monday<td>x</table><figure><img alt=A width=9 height=9 src=x.png><figcaption data-private>quartzwren</figcaption></figure>`},
		{name: "a label", html: `<label data-private>quartzwren <input value=x></label><label data-private for=g>quartzwren</label><input id=g value=y>`},
		{name: "a legend", html: `<fieldset><legend data-private>quartzwren</legend><input aria-label=x></fieldset>`},
		{name: "the body", html: `<script>document.body.setAttribute('data-private', '')</script><p>quartzwren`},
		{name: "an editor", html: `<div contenteditable data-private aria-label=quartzwren>quartzwren</div><div contenteditable aria-label=Say>Around <span data-private>quartzwren</span></div>`, act: func(p *Page) { p.Focus("[aria-label=Say]") }},
		{name: "without a box", html: `<div data-private style="display: contents"><p>quartzwren</p></div>`},
		{name: "a frame", html: `<iframe data-private title=quartzwren src="quartzwren.html"></iframe>`, more: []string{"quartzwren.html", "<title>quartzwren</title><p>quartzwren"}},
		{name: "a frame inside", html: `<div data-private><iframe src="quartzwren.html"></iframe></div>`, more: []string{"quartzwren.html", "<title>quartzwren</title><p id=p tabindex=0>quartzwren<script>p.focus(); getSelection().selectAllChildren(p)</script>"}},
		{name: "a frame of another site inside", html: `<div data-private><iframe width=400 src="{{other-site}}/quartzwren.html"></iframe></div>`, more: []string{"quartzwren.html", "<title>quartzwren</title><p id=p tabindex=0>quartzwren<script>p.focus(); getSelection().selectAllChildren(p)</script>"}, act: func(p *Page) { p.Hover("div") }},
		{name: "a shadow root inside", html: `<div data-private><div><template shadowrootmode=open><p>quartzwren</template></div><div><template shadowrootmode=closed><p>quartzwren</template></div></div>`},
		{name: "a host", html: `<div data-private><template shadowrootmode=open><p>quartzwren</p><slot></slot></template><p>quartzwren</div>`},
		{name: "in a shadow root", html: `<div><template shadowrootmode=closed><p data-private>quartzwren</p></template></div>`},
		{name: "a slot", html: `<div><template shadowrootmode=open><p data-private><slot></slot></p></template>quartzwren <b>quartzwren</b></div>`},
		{name: "a slot of a closed root", html: `<div><template shadowrootmode=closed><p data-private><slot></slot></p></template>quartzwren <b>quartzwren</b></div>`},
		{name: "what is slotted elsewhere", html: `<div><template shadowrootmode=open><p>Around <slot></slot></p></template><span data-private>quartzwren</span></div>`},
		{name: "what another owns", html: `<div role=group aria-label=Owner aria-owns=p></div><div data-private><p id=p>quartzwren</p></div>`},
		{name: "an owner", html: `<div data-private role=group aria-owns=p></div><p id=p>quartzwren</p>`},
		{name: "focus inside", html: `<div data-private><input id=f value=quartzwren aria-label=quartzwren></div>`, act: func(p *Page) { p.Focus("#f") }},
		{name: "focus by descendant", html: `<div tabindex=0 id=f role=listbox aria-label=List aria-owns=o aria-activedescendant=o></div><div data-private><div role=option id=o>quartzwren</div></div>`, act: func(p *Page) { p.Focus("#f") }},
		{name: "hover inside", html: `<div data-private><p id=p>quartzwren</p></div>`, act: func(p *Page) { p.Hover("#p") }},
		{name: "selected words inside", html: `<div data-private><p>quartzwren</p></div>`, act: func(p *Page) { p.SelectText("quartzwren") }},
		{name: "selected words in a field inside", html: `<div data-private><input id=f value=quartzwren></div>`, act: func(p *Page) { p.Select("#f") }},
		{name: "selected words in a shadow root inside", html: `<div data-private><div id=h><template shadowrootmode=open><p>quartzwren</template></div></div>`, act: eval(`const p = h.shadowRoot.querySelector('p').firstChild; getSelection().setBaseAndExtent(p, 0, p, 10)`)},
		{name: "selected element inside", html: `<div data-private><div role=tree><div role=treeitem aria-selected=true>quartzwren</div></div></div>`},
		{name: "selection over it", html: `<p id=a>Before it</p><p data-private>quartzwren</p><p id=b>After it</p>`, act: eval(`getSelection().setBaseAndExtent(a.firstChild, 0, b.firstChild, 5)`), said: `Before it\\nAfter`},
		{name: "selection over it in a run", html: `<p id=a>Before <b data-private>quartzwren</b> after</p>`, act: eval(`getSelection().selectAllChildren(a)`)},
		{name: "selection into it", html: `<p id=a>Before it</p><p data-private id=b>quartzwren</p>`, act: eval(`getSelection().setBaseAndExtent(a.firstChild, 0, b.firstChild, 10)`)},
		{name: "selection out of it, backwards", html: `<p data-private id=b><i>quartzwren</i></p><p id=a>After it</p>`, act: eval(`getSelection().setBaseAndExtent(a.firstChild, 5, b.firstChild.firstChild, 0)`)},
		{name: "selection over a frame in it", html: `<p id=a>Before it</p><div data-private><iframe src="quartzwren.html"></iframe></div><p id=b>After it</p>`, more: []string{"quartzwren.html", "<p>quartzwren"}, act: eval(`getSelection().selectAllChildren(document.body)`)},
		{name: "a label for what is outside", html: `<div data-private><p id=p>quartzwren</p></div><section aria-labelledby=p><p>Inside</section><input aria-labelledby=p>`},
		{name: "a label out of several", html: `<div data-private><p id=p>quartzwren</p></div><p id=q>Public</p><section aria-labelledby="q p"><p>Inside</section>`},
		{name: "a label in it for a field outside", html: `<div data-private><label for=f>quartzwren</label></div><input id=f value=x>`},
		{name: "a part of what is a label", html: `<p id=p>Public <b data-private>quartzwren</b></p><section aria-labelledby=p><p>Inside</section><figure aria-labelledby=p><img alt=A width=9 height=9 src=x.png></figure>`},
		{name: "a description", html: `<div data-private><p id=p>quartzwren</p></div><input aria-label=Say aria-describedby=p aria-details=p aria-errormessage=p>`},
		{name: "an author", html: `<article><p data-private>By <a rel=author href="/x">quartzwren</a></p><p>Words</article>`},
		{name: "an author of part", html: `<article><p>By <a rel=author href="/x">Ann <i data-private>quartzwren</i></a></p></article>`},
		{name: "made private later", html: `<div id=d><p>quartzwren</p></div>`, act: func(p *Page) { p.Elements(WholePage); p.Eval(`d.setAttribute('data-private', '')`) }},
		{name: "generated text", html: `<style>#d::before, #p::after { content: "quartzwren" }</style><div data-private id=d><p id=p>x</p></div>`},
		{name: "a dialog", html: `<dialog id=d data-private aria-label=quartzwren><p>quartzwren<button autofocus>quartzwren</button></dialog><script>d.showModal()</script>`, said: "private"},
		{name: "a popover", html: `<div popover id=d data-private>quartzwren</div><script>d.showPopover()</script>`},
		{name: "details", html: `<details open data-private><summary>quartzwren</summary>quartzwren</details><details open><summary data-private>quartzwren</summary>x</details>`},
		{name: "drawings", html: `<svg data-private role=img aria-label=quartzwren width=9 height=9><text>quartzwren</text></svg><svg width=9 height=9><g data-private><title>quartzwren</title><a href="/quartzwren"><text>quartzwren</text></a></g></svg>`},
		{name: "media", html: `<video data-private src="/quartzwren.webm" title=quartzwren></video><audio controls data-private src="/quartzwren.wav" title=quartzwren></audio>`},
		{name: "a tab and its panel", html: `<div role=tablist><div role=tab id=t aria-controls=p aria-selected=true data-private>quartzwren</div></div><div role=tabpanel id=p aria-labelledby=t>Panel</div>`},
		{name: "an empty value, a false one", html: `<p data-private=false>quartzwren</p><p data-private="">quartzwren</p>`},
	} {
		test.secrets = []string{"quartzwren"}
		test.html = `<h1>Top</h1>` + test.html
		if test.said == "" && test.name != "the body" {
			test.said = "Top"
		}
		t.Run(test.name, func(t *testing.T) { share(t, i); test.run(t) })
	}
}
