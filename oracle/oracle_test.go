package oracle

import (
	"strings"
	"testing"
)

// handPages are small pages whose elements were written by hand from the rules.
var handPages = []struct {
	name string
	html string
	want string // without the Document's own line
}{
	{
		"runs end at blocks and hold what is inline",
		`<div>Bare <b>words</b> <a href="/l">link</a><div>block</div>after</div><p><a href="/only">only</a></p><p>a<br>b</p>`,
		`
  Text = "Bare words link"
    Link = "link" <page:/l>
  Text = "block"
  Text = "after"
  Link = "only" <page:/only>
  Text = "a\nb"`,
	}, {
		"a heading or link with a picture has both, an empty heading is nothing",
		`<h2></h2><h2><img alt="logo"></h2><h3><button>Section</button></h3><h3><button>Open</button> all</h3><a href="/x"><button>Go</button></a>`,
		`
  Heading "logo"
    Image "logo"
  Heading "Section"
  Heading "Open all" = "all"
  Link "Go" <page:/x>`,
	}, {
		"a label's words are said once",
		`<div><label>Name <input></label></div><div><label>Name <a href="/h">help</a> <input></label></div><div><label>Q <img alt="pic"> <input></label></div>` +
			`<div><label><input type="checkbox"> Buy nails</label></div><div><input type="checkbox" id="c"><label for="c">Foo <b>bar</b></label></div>` +
			`<div><label><input type="checkbox"> agree to <a href="/t">terms</a></label></div><div><label>loose</label></div>` +
			`<div><input aria-label="over" id="o"><label for="o">said</label></div><h3><label for="s">Search</label></h3><div><input id="s"></div>`,
		`
  Text "Name"
  Text = "Name help"
    Link = "help" <page:/h>
    Text
  Image "pic"
  Text "Q pic"
  Text = "Buy nails"
  Text = "Foo bar"
  Text = "agree to terms"
    Link = "terms" <page:/t>
  Text = "loose"
  Text = "said"
    Text "over"
  Text "Search"`,
	}, {
		"captions title what they caption, if they are only words",
		`<table border="1"><caption>Plain</caption><tr><th>a<td>b</table><table border="1"><caption>Cap <a href="/l">l</a></caption><tr><th>a<td>b</table>` +
			`<table border="1" aria-label="L"><caption>C2</caption><tr><th>a<td>b</table>` +
			`<figure><p>one</p><p>two</p><figcaption><p>three</p><p>four</p></figcaption></figure><figure aria-label="F"><img alt="i"><figcaption>fc</figcaption></figure>` +
			`<fieldset><legend>Leg</legend>t</fieldset><fieldset><legend>L <a href="/x">x</a></legend>t</fieldset>`,
		`
  Table "Plain"
    Row
      Cell/rowheader "a"
      Cell "b"
  Table
    Text/caption = "Cap l"
      Link = "l" <page:/l>
    Row
      Cell/rowheader "a"
      Cell "b"
  Table "L"
    Text/caption = "C2"
    Row
      Cell/rowheader "a"
      Cell "b"
  Group/figure "three four"
    Text = "one"
    Text = "two"
  Group/figure "F"
    Image "i"
    Text/figcaption = "fc"
  Text "Leg" = "t"
  Group
    Text = "L x"
      Link = "x" <page:/x>
    Text = "t"`,
	}, {
		"a summary titles its details",
		`<details open><summary>S <img alt="p"></summary>body</details><details open><summary><a href="/l">l</a></summary>body</details><details open aria-label="D"><summary>S</summary><p>a<p>b</details>`,
		`
  Group/details "S p"
    Image "p"
    Text = "body"
  Group/details
    Link = "l" <page:/l>
    Text = "body"
  Group/details "D"
    Text = "S"
    Text = "a"
    Text = "b"`,
	}, {
		"numbers are part of the first words, bullets are not",
		`<ol><li><a href="/x">two</a><li><h3>head</h3>t<li><img alt="i"> pic<li><img alt="j"><li><ul><li>in</ul><li><div><p>deep</div><li><input aria-label="f" value="v"> after<li><b></b><li><article><a href="/y">three</a> <p>more</p></article></ol>` +
			`<ol type="i" start="4"><li value="7">seven</ol><ul role="listbox"><li role="option">o</ul>`,
		`
  List
    Row
      Text = "1. two"
        Link = "two" <page:/x>
    Row
      Heading = "2. head"
      Text = "t"
    Row
      Text = "3. pic"
        Image "i"
    Row
      Image "j"
    Row
      List
        Row "in"
    Row "6. deep"
    Row
      Text = "7. after"
        Text "f" = "v"
    Row
      Group/article
        Text = "9. three"
          Link = "three" <page:/y>
        Text = "more"
  List
    Row "vii. seven"
  List/listbox
    Row/option "o"`,
	}, {
		"named boxes, in a run and alone",
		`<p><span title="tip">z</span> <span aria-label="nm">q</span> <span data-subrole="k">kk</span> tail</p><p aria-label="np">para</p><div role="group" aria-label="g">text</div><div role="group" aria-label="g2"><p>a</p><p>b</p></div>`,
		`
  Text = "z q kk tail"
    Text "nm" = "q"
    Text/k = "kk"
  Text "np" = "para"
  Text "g" = "text"
  Group "g2"
    Text = "a"
    Text = "b"`,
	}, {
		"private regions say nothing, wherever they are",
		`<p>Name <span data-private>Ada</span> is</p><div data-private><img alt=""></div><ul><li data-private>x</li><li>y</li></ul>`,
		`
  Text = "Name is"
    Group/private
  Group/private
  List
    Group/private
    Row "y"`,
	}, {
		"pictures with words inside are groups, and so may be texts",
		`<div><span role="img" aria-label="star">*</span></div><svg><text>A</text><text x="20">B</text></svg><svg role="img"><title>st</title><path d="M0 0h9v9"/></svg><div><canvas></canvas></div><div style="visibility:hidden"><canvas></canvas></div><div aria-hidden="true"><canvas></canvas></div>`,
		`
  Text "star" = "*"
  Group/svg
    Text = "A"
    Text = "B"
  Image "st"
  Image/canvas`,
	}, {
		"icon glyphs are no words",
		`<style>i::before{content:"\e001"}</style><p><i></i></p><p><a href="/" aria-label="Home"><i></i></a></p><p><i></i> Save</p>`,
		`
  Link "Home" <page:/>
  Text = "Save"`,
	}, {
		"terms and code are elements in one place and words in another",
		`<dl><div><dt>a</dt><dd>b</dd></div><dt><dfn>c</dfn><dd><p>d<p>e</dl><p><dfn>t</dfn> is <code>x</code></p><pre><code>a <a href="/l">l</a></code></pre><div role="code"><p>a</p><img alt="i"></div>`,
		`
  List/definitions
    Row/term "a"
    Row/definition "b"
    Row/term "c"
    Row/definition
      Text = "d"
      Text = "e"
  Text = "t is x"
  Text/code = "a l"
    Link = "l" <page:/l>
  Group/code
    Text = "a"
    Image "i"`,
	}, {
		"an editing host says all its words and holds what is rich",
		`<div contenteditable aria-label="E"><p>one <a href="/l">l</a></p><table border="1"><tr><th>a<td>b</table></div><p>Type <input aria-label="in" value="5"> here</p><input value="unnamed"><input>`,
		`
  Text/editor "E" = "one l\na\nb"
    Link = "l" <page:/l>
    Table
      Row
        Cell/rowheader "a"
        Cell "b"
  Text = "Type here"
    Text "in" = "5"
  Text = "unnamed"
  Text`,
	}, {
		"tabs have their panel's content and no url",
		`<div role="tablist" aria-label="TL"><a role="tab" href="#a" aria-selected="true" aria-controls="a">A</a><button role="tab">B</button></div><div role="tabpanel" id="a"><p>in a</p></div>` +
			`<div role="tablist"><div role="tab"><img alt="ic">icon</div> words</div>`,
		`
  Window/tab "A"
    Text = "in a"
  Window/tab "B"
  Window/tabs
    Window/tab "ic icon"
    Text = "words"`,
	}, {
		"frames are documents where they stand",
		`<p>a <iframe srcdoc="<p>hi" title="F"></iframe> b</p><object data="data:text/html,<p>obj"></object><iframe role="none" srcdoc="text <b>in</b>"></iframe><object data="/y.bin">fallback <a href="/l">l</a></object>`,
		`
  Text = "a"
  Document/iframe "F" <about:srcdoc>
    Text = "hi"
  Text = "b"
  Document/object
    Text = "obj"
  Text = "text in"
  Group/object <page:/y.bin>
    Text = "fallback l"
      Link = "l" <page:/l>`,
	}, {
		"slots and shadow roots are read as they are drawn",
		`<x-a><template shadowrootmode="closed"><div>in <slot name="q"></slot></div><slot></slot></template>light <b slot="q">bold</b></x-a><div><svg width="9" height="9"><defs><symbol id="s"><text y="9">used</text></symbol></defs><use href="#s"/></svg></div>`,
		`
  Text = "in bold"
  Text = "light"
  Text/svg = "used"`,
	},
}

// TestByHand holds the oracle against the pages by hand.
func TestByHand(t *testing.T) {
	for _, test := range handPages {
		t.Run(test.name, func(t *testing.T) {
			want := strings.TrimSpace("Document \"T\" <page:/>" + test.want)
			if got := strings.TrimSpace(expectPage(t, test.html)); got != want {
				t.Errorf("%s\n got:\n%s\n want:\n%s", test.html, got, want)
			}
		})
	}
}

// TestByHandAnswers holds answers about the pages by hand against the oracle.
func TestByHandAnswers(t *testing.T) {
	for _, test := range handPages {
		t.Run(test.name, func(t *testing.T) { compareAnswer(t, servePage(t, test.html), fixtureCase{}) })
	}
}
