package testpages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// patience is how long one answer about a hostile page may take. The largest take
// a few seconds where nothing else runs.
const patience = time.Minute

// graceful is how much later than its time is up an answer may come: what was read
// is still mapped, and the browser asked about a page that does not answer.
const graceful = 40 * time.Second

// A hostileTest is a page made to take a reader down.
type hostileTest struct {
	name string
	// slow pages take seconds for Chrome alone, and are left out in short mode.
	slow bool
	html string
	act  func(p *Page)
	// check looks at the answer in each scope.
	check func(t *testing.T, scope cdp.Scope, a *elements.Answer)
}

func (test hostileTest) run(t *testing.T) {
	t.Helper()
	if test.slow && testing.Short() {
		t.Skip("Chrome alone takes seconds for this page")
	}
	t.Parallel()
	page := "<!doctype html><meta charset=utf-8><title>Page</title><body>" + test.html
	o := choose([]Option{Files(files("page.html", page)), Timeout(patience)})
	p := &Page{t: t, timeout: o.timeout}
	if err := p.open(o); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	if err := p.load("page.html"); err != nil {
		// There is an answer about such a page all the same.
		t.Logf("%v", err)
	}
	if test.act != nil {
		test.act(p)
	}
	for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
		begun := time.Now()
		a := p.Elements(scope)
		took := time.Since(begun)
		t.Logf("%s scope took %v", scope, took.Round(time.Millisecond))
		if took > patience+graceful {
			t.Errorf("%s scope took %v", scope, took)
		}
		checkOutline(t, a)
		checkPlain(t, a)
		test.check(t, scope, a)
		if t.Failed() {
			t.Logf("%s scope:\n%.3000s", scope, Format(a.Root))
			return
		}
	}
}

// checkPlain checks what holds of every answer, whatever the page: its strings are
// UTF-8, and titles and urls are as short as they are said to be.
func checkPlain(t *testing.T, a *elements.Answer) {
	t.Helper()
	const longURL = 64 << 10
	for e := range a.All() {
		for _, s := range []string{e.Title, e.Subrole, e.URL} {
			if !utf8.ValidString(s) {
				t.Errorf("not UTF-8: %.200q", s)
			}
		}
		if n := utf8.RuneCountInString(e.Title); n > 200 {
			t.Errorf("a title of %d characters: %.100q", n, e.Title)
		}
		if n := utf8.RuneCountInString(e.Subrole); n > 200 {
			t.Errorf("a subrole of %d characters: %.100q", n, e.Subrole)
		}
		if strings.HasPrefix(e.URL, "data:") || strings.HasPrefix(e.URL, "javascript:") || len(e.URL) > longURL {
			t.Errorf("a url of %d bytes: %.100q", len(e.URL), e.URL)
		}
		for _, r := range e.Title + e.Subrole {
			if unicode.Is(unicode.Cc, r) || r == '\u2028' || r == '\u2029' {
				t.Errorf("%U in the title %.200q or subrole %.200q", r, e.Title, e.Subrole)
				break
			}
		}
	}
}

// omitted is how many of something the answer says were left out. Elements count
// also where the page was not read to its end.
func omitted(a *elements.Answer, what string) float64 {
	left, _ := a.Root.Attributes["omitted"].(map[string]any)
	var n float64
	if _, unread := left["unread"]; unread && what == "elements" {
		what = "unread"
	}
	_, _ = fmt.Sscan(fmt.Sprint(left[what]), &n)
	return n
}

// problem is what the answer says is wrong with the tab.
func problem(a *elements.Answer) string {
	if tab := tabOf(a); tab != nil && tab.Attributes["problem"] != nil {
		return fmt.Sprint(tab.Attributes["problem"])
	}
	return ""
}

// says tells whether the answer has these words, as a title or in them.
func says(a *elements.Answer, words string) bool {
	for e := range a.All() {
		if strings.Contains(e.Title, words) || slices.ContainsFunc(e.Content, func(b elements.Block) bool { return strings.Contains(b.Text, words) }) {
			return true
		}
	}
	return false
}

func count(a *elements.Answer, role elements.Role) int {
	n := 0
	for e := range a.All() {
		if e.Role == role {
			n++
		}
	}
	return n
}

// readOrDied is for pages that Chrome itself may not survive.
func readOrDied(t *testing.T, a *elements.Answer, read func() bool) {
	t.Helper()
	if problem(a) == "tab_crashed" {
		t.Logf("Chrome's renderer did not survive this page")
		return
	}
	if p := problem(a); p != "" || !read() {
		t.Errorf("neither read nor died: problem %q", p)
	}
}

func TestHostileSize(t *testing.T) {
	t.Parallel()
	for _, test := range []hostileTest{
		{name: "5,000 nested boxes", html: `<p>Top</p><script>let at = document.body; for (let i = 0; i < 5000; i++) { const d = document.createElement('div'); at.append(d); at = d } at.textContent = 'Bottom'</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool {
					return scope == Pointing || says(a, "Top") && (says(a, "Bottom") || omitted(a, "elements") > 0)
				})
			}},
		{name: "50,000 nested boxes", slow: true, html: `<p>Top</p><script>let at = document.body; for (let i = 0; i < 50000; i++) { const d = document.createElement('div'); at.append(d); at = d } at.textContent = 'Bottom'</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool {
					return scope == Pointing || says(a, "Top") && (says(a, "Bottom") || omitted(a, "elements") > 0)
				})
			}},
		{name: "6,000 nested groups", slow: true, html: `<p>Top</p><script>let at = document.body; for (let i = 0; i < 6000; i++) { const d = document.createElement('section'); d.ariaLabel = 'g'; at.append(d); at = d } at.textContent = 'Bottom'</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool { return scope == Pointing || says(a, "Top") && omitted(a, "elements") > 0 })
			}},
		{name: "focus under 1,000 nested groups", slow: true, html: `<p>Top</p><script>let at = document.body; for (let i = 0; i < 1000; i++) { const d = document.createElement('section'); d.ariaLabel = 'g'; at.append(d); at = d } at.innerHTML = '<input aria-label=Bottom>'</script>`, act: func(p *Page) { p.Focus("input") },
			check: func(t *testing.T, _ cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool { return says(a, "Bottom") || omitted(a, "elements") > 0 })
			}},
		{name: "a title of 5 MB", html: `<p>Words</p><script>document.title = 'title '.repeat(900000)</script>`,
			check: func(t *testing.T, _ cdp.Scope, a *elements.Answer) {
				if got := tabOf(a).Title; !strings.HasPrefix(got, "title title") || !strings.HasSuffix(got, "…") {
					t.Errorf("the title is %q", got)
				}
			}},
		{name: "names of 3 MB", html: `<script>for (let i = 0; i < 5; i++) { const s = document.createElement('section'); s.ariaLabel = 'name '.repeat(600000); s.setAttribute('data-subrole', 'word '.repeat(600000)); s.innerHTML = '<p>Words</p><p>More</p>'; s.lang = 'x'.repeat(3e6); document.body.append(s) }</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope != Pointing && count(a, elements.Group) != 5 {
					t.Errorf("%d groups", count(a, elements.Group))
				}
				if n := len(Format(a.Root)); n > 100_000 {
					t.Errorf("%d bytes", n)
				}
			}},
		{name: "a selected text of 5 MB", html: `<p id=p></p><script>p.textContent = 'words '.repeat(850000); getSelection().selectAllChildren(p)</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				n, said := 0, 0
				for e := range a.All() {
					if e.Selected {
						n++
						said = len(e.Content[0].Text)
					}
				}
				if n != 1 || said < 10_000 || said < 5_000_000 && omitted(a, "selected") < 1 {
					t.Errorf("%d selected, with %d bytes, and omitted %v", n, said, a.Root.Attributes)
				}
				if scope == Pointing && said > 100_000 {
					t.Errorf("%d bytes in pointing scope", said)
				}
			}},
		{name: "a selected value of 5 MB", html: `<textarea id=p></textarea><script>p.value = 'words '.repeat(850000); p.focus(); p.select()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "words words") {
					t.Errorf("nothing is said")
				}
				if n := len(Format(a.Root)); scope == Pointing && n > 200_000 && omitted(a, "text") == 0 {
					t.Errorf("%d bytes in pointing scope", n)
				}
			}},
		{name: "5 MB in an editor", html: `<div contenteditable id=p></div><script>p.innerHTML = '<p>words '.repeat(30000); p.focus(); getSelection().selectAllChildren(p)</script>`, slow: true,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "words\nwords") {
					t.Errorf("nothing is said")
				}
			}},
		{name: "data urls of 3 MB", html: `<p id=p>Top</p><script>
			const data = 'data:text/html,' + 'x'.repeat(3e6), image = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--' + 'x'.repeat(3e6) + '--></svg>';
			document.body.innerHTML += '<a id=a>Link</a><img id=i alt=Image><iframe id=f title=Frame></iframe><video controls id=v></video><object id=o></object>';
			a.href = data; i.src = image; f.src = data; v.src = data; o.data = image; p.style.background = 'url("' + image + '")'; document.body.style.setProperty('--x', data);
			a.focus(); getSelection().selectAllChildren(document.body)</script>`, act: func(p *Page) { p.Hover("#i") },
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope != Pointing && !(says(a, "Link") && says(a, "Image")) {
					t.Errorf("the link or the image is missing")
				}
				if n := len(Format(a.Root)); n > 100_000 {
					t.Errorf("%d bytes", n)
				}
			}},
		{name: "links of 3 MB", html: `<script>for (let i = 0; i < 3; i++) { const a = document.createElement('a'); a.href = '/' + 'x'.repeat(3e6); a.textContent = 'Link' + i; document.body.append(a) } document.querySelector('a').focus()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope != Pointing && !says(a, "Link2") {
					t.Errorf("a link is missing")
				}
			}},
		{name: "10,000 frames", slow: true, html: `<p>Top</p><script>for (let i = 0; i < 10000; i++) document.body.append(document.createElement('iframe'))</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool {
					return (scope == Pointing || says(a, "Top")) && (count(a, elements.Document) > 5000 || omitted(a, "frames") > 0)
				})
			}},
		{name: "40 nested frames", html: `<p>Top</p><script>let w = window; for (let i = 0; i < 40; i++) { const f = w.document.createElement('iframe'); f.width = f.height = 2000; w.document.body.append(f); w = f.contentWindow; w.document.body.innerHTML = '<p>Level ' + i } w.document.body.innerHTML += '<input aria-label=Deepest>'; w.document.querySelector('input').focus()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "Deepest") && omitted(a, "frames") == 0 {
					t.Errorf("the deepest frame is neither read nor told to be left out")
				}
			}},
		{name: "1,000 nested shadow roots", html: `<script>let at = document.body; for (let i = 0; i < 1000; i++) { const d = document.createElement('div'); at.append(d); at = d.attachShadow({mode: 'open'}) } at.innerHTML = '<input aria-label=Deepest>'; at.querySelector('input').focus()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				readOrDied(t, a, func() bool { return scope == Pointing || says(a, "Deepest") || omitted(a, "elements") > 0 })
			}},
		{name: "100 nested closed roots", html: `<p>Top</p><script>let at = document.body; for (let i = 0; i < 100; i++) { const d = document.createElement('x-d'); d.style.display = 'block'; at.append(d); at = d.attachShadow({mode: 'closed'}); at.innerHTML = '<p>Level ' + i }</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope != Pointing && !says(a, "Level 5") {
					t.Errorf("not even the first few levels are read")
				}
				if scope == WholePage && !says(a, "Level 99") && a.Root.Attributes["omitted"] == nil {
					t.Errorf("what is not read is not told to be left out")
				}
			}},
		{name: "100,000 options", slow: true, html: `<select size=5 id=s></select><select id=q></select><script>let h = ''; for (let i = 0; i < 100000; i++) h += '<option>o' + i; s.innerHTML = h; q.innerHTML = h; s.selectedIndex = 99999; s.focus()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "o99999") && omitted(a, "elements") == 0 {
					t.Errorf("the selected option is missing")
				}
				if n := count(a, elements.Row); scope == Pointing && n > 100 {
					t.Errorf("%d rows in pointing scope", n)
				}
			}},
		{name: "100,000 paragraphs", slow: true, html: `<script>let h = ''; for (let i = 0; i < 100000; i++) h += '<p>p' + i; document.body.innerHTML = h</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope == WholePage && !says(a, "p99999") && omitted(a, "elements") == 0 {
					t.Errorf("the last paragraph is neither there nor told to be left out")
				}
				if n := count(a, elements.Text); scope != WholePage && n > 200 {
					t.Errorf("%d texts", n)
				}
			}},
		{name: "100,000 selected rows", slow: true, html: `<div role=listbox id=s aria-multiselectable=true></div><script>let h = ''; for (let i = 0; i < 100000; i++) h += '<div role=option aria-selected=true>o' + i + '</div>'; s.innerHTML = h</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				n := count(a, elements.Row)
				if n == 0 || n < 100000 && a.Root.Attributes["omitted"] == nil {
					t.Errorf("%d rows, left out: %v", n, a.Root.Attributes)
				}
			}},
		{name: "a table of 100,000 cells", slow: true, html: `<table border=1 id=t></table><script>let h = '<thead><tr><th>a<th>b</thead>'; for (let i = 0; i < 1000; i++) { h += '<tr>'; for (let k = 0; k < 100; k++) h += '<td>c' + i + '.' + k } t.innerHTML = h</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope == WholePage && !says(a, "c999.99") && omitted(a, "elements") == 0 {
					t.Errorf("the last cell is neither there nor told to be left out")
				}
			}},
		{name: "100,000 pieces of one run", slow: true, html: `<p id=p></p><script>let h = ''; for (let i = 0; i < 100000; i++) h += '<b>x</b>'; p.innerHTML = h + ' end'; getSelection().selectAllChildren(p)</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "xxxx") {
					t.Errorf("the run is not there")
				}
			}},
		{name: "10,000 links in one run", html: `<p id=p></p><script>let h = ''; for (let i = 0; i < 10000; i++) h += '<a href="/' + i + '">x</a> '; p.innerHTML = h; getSelection().selectAllChildren(p)</script>`, slow: true,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if !says(a, "x x x") {
					t.Errorf("the run is not there")
				}
			}},
		{name: "ids by the thousand", html: `<script>const ids = Array.from({length: 5000}, (_, i) => 'i' + i), list = ids.join(' '); document.body.innerHTML = ids.map(i => '<p id=' + i + '>' + i).join(''); for (let i = 0; i < 20; i++) { const s = document.createElement('input'); s.type = 'text'; for (const a of ['labelledby', 'describedby', 'controls', 'owns', 'flowto', 'details', 'errormessage', 'activedescendant']) s.setAttribute('aria-' + a, list); document.body.append(s) } document.querySelector('input').focus()</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope == WholePage && !says(a, "i10") {
					t.Errorf("the paragraphs are missing")
				}
			}},
		{name: "5,000 fields", slow: true, html: `<script>let h = ''; for (let i = 0; i < 6000; i++) h += '<input aria-label=f' + i + ' name=password' + i + ' value=quartzwren' + i + '>'; document.body.innerHTML = h</script>`,
			check: func(t *testing.T, scope cdp.Scope, a *elements.Answer) {
				if scope == WholePage && !says(a, "f5999") && omitted(a, "elements") == 0 {
					t.Errorf("the last field is neither there nor told to be left out")
				}
				if says(a, "quartzwren") {
					t.Errorf("a secret is told")
				}
			}},
	} {
		t.Run(test.name, test.run)
	}
}
