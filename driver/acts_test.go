package driver

import (
	"context"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
)

// An actOn is what all acts look like.
type actOn func(ctx context.Context, s *cdp.Session, target string) error

func TestActs(t *testing.T) {
	const shadow = `<div id=host></div><script>
		const root = host.attachShadow({mode: "open"})
		root.innerHTML = "%s"
	</script>`
	tests := []struct {
		name   string
		html   string
		act    actOn
		target string
		script string
		want   any
	}{
		{"focus a button", `<button id=b onclick="document.title='pressed'">go</button>`, Focus, "button",
			"[document.activeElement.id, b.matches(':focus-visible'), document.title, document.hasFocus()]", "[b true  true]"},
		{"focus a field", `<input id=a><input id=b>`, Focus, "#b",
			"[document.activeElement.id, b.matches(':focus-visible')]", "[b true]"},
		{"focus what has a tabindex", `<div id=d tabindex=-1>x</div>`, Focus, "#d",
			"[document.activeElement.id, d.matches(':focus-visible')]", "[d true]"},
		{"focus in a shadow root", strings.Replace(shadow, "%s", "<button>x</button>", 1), Focus, "button",
			"[document.activeElement.id, root.activeElement.localName, root.activeElement.matches(':focus-visible')]", "[host button true]"},
		{"focus a host that delegates", `<div id=host></div><script>host.attachShadow({mode:"open",delegatesFocus:true}).innerHTML="<input>"</script>`, Focus, "#host",
			"[document.activeElement.id, host.shadowRoot.activeElement.localName]", "[host input]"},
		{"focus in a frame", `<iframe srcdoc="<input id=in>"></iframe>`, Focus, "#in",
			"[document.activeElement.localName, frames[0].document.activeElement.id, frames[0].document.activeElement.matches(':focus-visible')]", "[iframe in true]"},

		{"select a paragraph", `<p>one</p><p id=p>two <b>three</b></p>`, Select, "#p", "getSelection().toString()", "two three"},
		{"select a field", `<input id=f value="some words">`, Select, "#f",
			"[document.activeElement.id, f.selectionStart, f.selectionEnd, getSelection().toString()]", "[f 0 10 some words]"},
		{"select a textarea", "<textarea id=f>a\nb</textarea>", Select, "#f", "[f.selectionStart, f.selectionEnd]", "[0 3]"},
		{"select a picture", `<p>a<img id=i src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9>b</p>`, Select, "img",
			"getSelection().getRangeAt(0).cloneContents().firstElementChild.id", "i"},
		{"select in an editor", `<div contenteditable id=e>words</div>`, Select, "#e",
			"[document.activeElement.id, getSelection().toString()]", "[e words]"},
		{"select in a shadow root", strings.Replace(shadow, "%s", "<p>deep words</p>", 1), Select, "p", "getSelection().toString()", "deep words"},
		{"select in a frame", `<iframe srcdoc="<p id=p>framed words</p>"></iframe>`, Select, "#p",
			"[document.activeElement.localName, frames[0].getSelection().toString()]", "[iframe framed words]"},

		{"words", `<p>one two three</p>`, SelectText, "two", "getSelection().toString()", "two"},
		{"words across elements", `<p>one <b>two</b> <i>thr</i>ee</p>`, SelectText, "e two  three", "getSelection().toString()", "e two three"},
		{"words across blocks", "<p>one\n two</p><p>three</p>", SelectText, "two three", "getSelection().toString()", "two\n\nthree"},
		{"words in spread white space", "<p>one\n\t two</p>", SelectText, "one two", "getSelection().toString()", "one two"},
		{"words over a line break", `<p>one<br>two`, SelectText, "one two", "getSelection().toString()", "one\ntwo"},
		{"words with hyphens that do not show", `<p>hyphen&shy;ation`, SelectText, "hyphenation", "getSelection().toString().length", 12},
		{"words in another case", `<p style="text-transform:uppercase">shout it`, SelectText, "SHOUT", "getSelection().anchorOffset", 0},
		{"words with signs", `<p>what? (a.b) $1/2 - [x]`, SelectText, "(a.b) $1/2 - [x]", "getSelection().toString()", "(a.b) $1/2 - [x]"},
		{"the first words that are drawn", `<p hidden>two<p style="visibility:hidden">two<p style="opacity:0">two
			<p style="position:absolute;width:1px;height:1px;overflow:hidden">two<details><p>two</p></details>
			<p style="user-select:none">two<p id=p>two`, SelectText, "two", "getSelection().anchorNode.parentElement.id", "p"},
		{"words below the fold", `<div style="height:3000px">x</div><p id=p>two`, SelectText, "two",
			"[getSelection().anchorNode.parentElement.id, scrollY]", "[p 0]"},
		{"words in a field", `<input id=f value="some  words">`, SelectText, "me words",
			"[document.activeElement.id, f.selectionStart, f.selectionEnd]", "[f 2 11]"},
		{"words in a textarea", "<textarea id=f>one\ntwo</textarea>", SelectText, "one two", "[f.selectionStart, f.selectionEnd]", "[0 7]"},
		{"words in a shadow root", strings.Replace(shadow, "%s", "<p>deep words</p>", 1), SelectText, "deep", "getSelection().toString()", "deep"},
		{"words in a slot", `<div id=host><span slot=a>second</span><span>first</span></div>
			<script>host.attachShadow({mode:"open"}).innerHTML="<slot></slot> <slot name=a></slot>"</script>`, SelectText, "first second",
			"[getSelection().anchorNode.data, getSelection().focusNode.data]", "[first second]"},
		{"words across a shadow boundary", `<p>light <span id=host></span></p><script>host.attachShadow({mode:"open"}).innerHTML="shade"</script>`, SelectText, "light shade",
			"JSON.stringify(getSelection().getComposedRanges({shadowRoots: [host.shadowRoot]}).map(r => [r.startContainer.data, r.endContainer.data, r.endOffset]))", `[["light ","shade",5]]`},
		{"words in a frame", `<iframe srcdoc="<p>framed words</p>"></iframe>`, SelectText, "framed", "frames[0].getSelection().toString()", "framed"},
		{"words of 800 nested elements", `<body><script>let at=document.body;for(let i=0;i<800;i++){at=at.appendChild(document.createElement("div"))}at.append("deep words")</script>`,
			SelectText, "deep words", "getSelection().toString()", "deep words"},

		{"scroll", `<div style="height:3000px"></div><p id=p>here</p><div style="height:3000px"></div>`, ScrollTo, "#p",
			"Math.abs(p.getBoundingClientRect().top - innerHeight / 2) < 30", true},
		{"scroll to what is tall", `<div style="height:3000px"></div><p id=p style="height:2000px">here</p><div style="height:3000px"></div>`, ScrollTo, "#p",
			"Math.round(p.getBoundingClientRect().top)", 0},
		{"scroll in a frame", `<div style="height:3000px"></div><iframe srcdoc="<div style='height:3000px'></div><p id=p>here"></iframe>`, ScrollTo, "#p",
			"[scrollY > 2000, frames[0].scrollY > 2000]", "[true true]"},

		{"hover", `<button id=b>x</button>`, Hover, "#b", "b.matches(':hover')", true},
		{"hover a link's largest line", `<p style="width:9em">some words and <a id=a href="#">a link that breaks its line over here</a>`, Hover, "a", "a.matches(':hover')", true},
		{"hover what has no box", `<span id=s style="display:contents">bare words</span>`, Hover, "#s", "s.matches(':hover')", true},
		{"hover what is half covered", `<div id=d style="position:absolute;left:0;top:0;width:200px;height:100px">x</div>
			<div style="position:absolute;left:0;top:0;width:190px;height:100px;background:red"></div>`, Hover, "#d", "d.matches(':hover')", true},
		{"hover what is clipped", `<div style="width:100px;height:50px;overflow:hidden"><p id=p style="margin:0;width:900px;height:900px">x</p></div>`, Hover, "#p",
			"p.matches(':hover')", true},
		{"hover without scrolling", `<div id=d style="height:5000px">x</div>`, Hover, "#d", "[d.matches(':hover'), scrollY]", "[true 0]"},
		{"hover what is below the fold", `<div style="height:3000px"></div><p id=p>x</p>`, Hover, "#p", "[p.matches(':hover'), scrollY > 0]", "[true true]"},
		{"hover in a shadow root", strings.Replace(shadow, "%s", "<button>x</button>", 1), Hover, "button",
			"root.querySelector('button').matches(':hover')", true},
		{"hover in a frame", `<p style="height:50px"></p><iframe style="border:7px solid;padding:20px;transform:scale(.8)" srcdoc="<button id=b style='margin:30px'>x"></iframe>`, Hover, "#b",
			"frames[0].document.getElementById('b').matches(':hover')", true},
		{"hover in a frame that is half in sight", `<div style="height:550px"></div><iframe height=400 srcdoc="<body style=margin:0><div id=d style='height:400px'>x"></iframe>`, Hover, "#d",
			"[frames[0].document.getElementById('d').matches(':hover'), scrollY]", "[true 0]"},

		{"wait for what is there", `<p id=p>x`, WaitFor, "#p", "1", 1},
		{"wait for what comes", `<script>setTimeout(() => document.body.append(document.createElement("main")), 50)</script>`, WaitFor, "main", "document.querySelectorAll('main').length", 1},
		{"wait for an attribute", `<p id=p>x<script>setTimeout(() => p.dataset.ready = "", 50)</script>`, WaitFor, "[data-ready]", "p.hasAttribute('data-ready')", true},
		{"wait in a shadow root", strings.Replace(shadow, "%s", "<p>x</p>", 1) + `<script>setTimeout(() => root.append(document.createElement("main")), 50)</script>`, WaitFor, "main",
			"root.querySelectorAll('main').length", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tab := show(t, "<!doctype html><title></title>"+test.html)
			if err := test.act(limit(t), tab.Session, test.target); err != nil {
				t.Fatalf("got the error: %v", err)
			}
			expect(t, tab, test.script, test.want)
		})
	}
}

func TestActsThatCannotBeDone(t *testing.T) {
	tests := []struct {
		name   string
		html   string
		act    actOn
		target string
		want   string
	}{
		{"no match", `<p>x`, Focus, "#none", `focus "#none": nothing on the page matches, in shadow roots and frames neither (if it comes later, wait for it)`},
		{"no selector", `<p>x`, Hover, "p:::", `hover "p:::": this is not a valid CSS selector`},
		{"no selector to wait for", `<p>x`, WaitFor, "", `wait "": this is not a valid CSS selector`},
		{"focus what cannot", `<p id=p class="a b">x`, Focus, "p", `focus "p": p#p.a.b does not take the focus`},
		{"focus what is disabled", `<button disabled>x`, Focus, "button", `focus "button": button does not take the focus`},
		{"select nothing", `<p></p><p>x`, Select, "head", `select "head": head has nothing in it to select`},
		{"select an empty field", `<input>`, Select, "input", `select "input": input has nothing in it to select`},
		{"select a checkbox", `<input type=checkbox>`, Select, "input", `select "input": input does not let its text be selected`},
		{"words that are nowhere", `<p>x`, SelectText, "y", `select text "y": these words are not drawn anywhere on the page, or cannot be selected there`},
		{"words that are hidden", `<p hidden>y`, SelectText, "y", `select text "y": these words are not drawn anywhere on the page, or cannot be selected there`},
		{"words of a password", `<input type=password value=secretly>`, SelectText, "secretly", `select text "secretly": these words are not drawn anywhere on the page, or cannot be selected there`},
		{"no words", `<p>x`, SelectText, " ", `select text " ": these words are not drawn anywhere on the page, or cannot be selected there`},
		{"hover what is not drawn", `<p hidden>x`, Hover, "p", `hover "p": nothing of p is drawn`},
		{"hover what is covered", `<p>x<div class=veil style="position:fixed;inset:0"></div>`, Hover, "p", `hover "p": p is covered everywhere by div.veil`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tab := show(t, "<!doctype html><title></title>"+test.html)
			err := test.act(limit(t), tab.Session, test.target)
			if got := errorText(err); got != test.want {
				t.Errorf("got the error  %s\nwant the error %s", got, test.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}
