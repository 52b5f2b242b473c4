package outline

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
)

var update = flag.Bool("update", false, "write the golden outlines anew")

func render(t testing.TB, a *elements.Answer) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, a, Options{Mark: "m0"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// inside returns an outline without its boundary.
func inside(t testing.TB, a *elements.Answer) string {
	t.Helper()
	text := render(t, a)
	text, ok := strings.CutPrefix(text, openingLine("m0")+"\n")
	text, too := strings.CutSuffix(text, closingLine("m0")+"\n")
	if !ok || !too {
		t.Fatalf("got an outline without its boundary: %s", text)
	}
	return text
}

func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range elements.ValidateJSON(data) {
		t.Error(v)
	}
	a, err := elements.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, a)
	if *update {
		if err := os.WriteFile("testdata/rich.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/rich.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	back, err := Parse(strings.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told(a), told(back)); diff != "" {
		t.Errorf("parsed back (-was +is):\n%s", diff)
	}
}

func text(id, words string, children ...*elements.Element) *elements.Element {
	return &elements.Element{ID: id, Role: elements.Text, Content: []elements.Block{elements.TextBlock(words)}, Children: children}
}

func link(id, words string, children ...*elements.Element) *elements.Element {
	e := text(id, words, children...)
	e.Role, e.URL = elements.Link, "a:"+id
	return e
}

func selection(id, words string, children ...*elements.Element) *elements.Element {
	e := text(id, words, children...)
	e.Selected = true
	return e
}

func image(id string) *elements.Element { return &elements.Element{ID: id, Role: elements.Image} }

func TestMarks(t *testing.T) {
	cases := []struct {
		name string
		e    *elements.Element
		want string
	}{
		{"links in order", text("t", "see a and b", link("l", "a"), link("m", "b")), `Text t: see [a](l a:l) and [b](m a:m)`},
		{"a link as a whole word", text("t", "start of art", link("l", "art")), `Text t: start of [art](l a:l)`},
		{"a link as a part of a word", text("t", "start", link("l", "art")), `Text t: st[art](l a:l)`},
		{"a link where words have no spaces", text("t", "麦粉と麦", link("l", "麦")), `Text t: [麦](l a:l)粉と麦`},
		{"the same words twice", text("t", "a a", link("l", "a"), link("m", "a")), `Text t: [a](l a:l) [a](m a:m)`},
		{"a heading that is a link", &elements.Element{ID: "h", Role: elements.Heading, Content: []elements.Block{elements.TextBlock("a")}, Children: []*elements.Element{link("l", "a")}}, `Heading h: [a](l a:l)`},
		{"links out of order", text("t", "a b", link("m", "b"), link("l", "a")), "Text t: a [b](m a:m)\n  Link l a:l: a"},
		{"words that are not there", text("t", "a b", link("l", "c"), link("m", "b")), "Text t: a [][b](m a:m)\n  Link l a:l: c"},
		{"a selection", text("t", "one two three", selection("s", "two")), `Text t: one [two](s selected) three`},
		{"a selection that could be either", text("t", "two and two", selection("s", "two")), "Text t: two and two\n  Text s selected: two"},
		{"a selection in a link", text("t", "a bc d", link("l", "bc", selection("s", "c"))), `Text t: a [b[c](s selected)](l a:l) d`},
		{"a selection across a link", text("t", "a b c", link("l", "b"), selection("s", "a b")), "Text t: a [b](l a:l) c\n  Text s selected: a b"},
		{"pictures between links", text("t", "a b", image("i"), link("l", "a"), image("j"), image("k"), link("m", "b"), image("n")),
			"Text t: [][a](l a:l) [][][b](m a:m)\n  Image i\n  Image j\n  Image k\n  Image n"},
		{"pictures in links", text("t", "a b", link("l", "a", image("i")), image("j"), link("m", "b", image("k"))),
			"Text t: [a[]](l a:l) [][b[]](m a:m)\n  Image i\n  Image j\n  Image k"},
		{"brackets", text("t", "[x](y z) [1]", link("l", "[1]")), `Text t: \[x\](y z) [\[1\]](l a:l)`},
		{"a url with parentheses", text("t", "a", &elements.Element{ID: "l", Role: elements.Link, URL: "u:(a)", Content: []elements.Block{elements.TextBlock("a")}}), `Text t: [a](l u:(a))`},
		{"a link that says nothing", text("t", "a", &elements.Element{ID: "l", Role: elements.Link}), "Text t: a\n  Link l"},
		{"two texts", &elements.Element{ID: "t", Role: elements.Text, Content: []elements.Block{elements.TextBlock("a "), elements.TextBlock(" b|")}, Children: []*elements.Element{link("l", "b")}},
			"Text t: a \\| b|\n  Link l a:l: b"},
		{"no words, and an empty text", &elements.Element{ID: "g", Role: elements.Group, Children: []*elements.Element{text("t", ""), {ID: "u", Role: elements.Text}, text("v", " ")}},
			"Group g\n  Text t:\n  Text u\n  Text v: \\s"},
		{"everything on a mark", text("t", "a", &elements.Element{ID: "l", Role: elements.Link, Subrole: "big note", Title: ") t", URL: "u:(a)) b:", Hovered: true,
			Content: []elements.Block{elements.TextBlock("a")}, Attributes: map[string]any{"k": ")"}}), `Text t: [a](l /"big note" hovered ") t" u:\(a\)\)\sb\: k=")")`},
	}
	for _, c := range cases {
		a := &elements.Answer{Protocol: elements.Version, Root: c.e}
		got := inside(t, a)
		if got != c.want+"\n" {
			t.Errorf("%s\ngot:\n%swant:\n%s", c.name, got, c.want)
		}
		roundTrip(t, a)
	}
}

func TestLines(t *testing.T) {
	hidden, shown := false, true
	cases := []struct {
		name string
		e    elements.Element
		want string
	}{
		{"bare", elements.Element{ID: "e", Role: elements.Row}, `Row e`},
		{"states", elements.Element{ID: "e", Role: elements.Row, Selected: true, Focused: true, Hovered: true, Visible: &hidden}, `Row e selected focused hovered hidden`},
		{"shown", elements.Element{ID: "e", Role: elements.Row, Visible: &shown}, `Row e shown`},
		{"subrole, title, url", elements.Element{ID: "e", Role: elements.Row, Subrole: "task", Title: `say "hi"\`, URL: "https://a.example/x_(y)?a=b#c:"}, `Row/task e "say \"hi\"\\" https://a.example/x_(y)?a=b#c\:`},
		{"a url before words", elements.Element{ID: "e", Role: elements.Text, URL: "a:b", Content: []elements.Block{elements.TextBlock("x: y")}}, `Text e a:b: x: y`},
		{"a url before no words", elements.Element{ID: "e", Role: elements.Text, URL: "a:b", Content: []elements.Block{elements.TextBlock("")}}, `Text e a:b:`},
		{"a url named as a state", elements.Element{ID: "e", Role: elements.Link, URL: "selected:x"}, `Link e selected:x`},
		{"what is no url", elements.Element{ID: "e", Role: elements.Link, URL: "selected"}, `Link e @"selected"`},
		{"what is no id", elements.Element{ID: "e selected", Role: elements.Row}, `Row "e selected"`},
		{"what is no role", elements.Element{ID: "e", Role: "Gadget\n"}, `Group e`},
		{"attributes", elements.Element{ID: "e", Role: elements.Row, Attributes: map[string]any{
			"level": 2, "checked": true, "n": 1.5, "s": "plain", "t": "true", "u": "12", "v": "", "w": "two words", "a b": nil,
			"related": []map[string]any{{"relation": "details", "id": "x-1"}}, "l": []any{}, "m": map[string]any{},
		}}, `Row e "a b"=null checked=true l=[] level=2 m={} n=1.5 related=[{id:x-1,relation:details}] s=plain t="true" u="12" v="" w="two words"`},
		{"blocks", elements.Element{ID: "e", Role: elements.Image, URL: "a:b", Content: []elements.Block{
			elements.ImageBlock([]byte("x"), "image/png"), elements.LinkBlock("a:b", "n"), elements.LinkBlock("c:> d", "n"),
			{Type: elements.AudioType}, {Type: elements.ResourceType, Resource: &elements.Resource{URI: "a:c"}}, {Type: elements.ResourceType},
		}}, `Image e a:b <image/png> <link> <link c:\> d> <audio> <resource a:c> <resource>`},
		{"what cannot be seen", elements.Element{ID: "e", Role: elements.Row, Title: "a\n\r\t\x00\x1b[31m\u009b\u200b\u200d\u202e\u2066\u2028\u2029\ufeff\ufe0f\u00ad\u3164\ue000\U000e0041z é\u00a0\xff"},
			`Row e "a\n\r\t\u{0}\u{1b}[31m\u{9b}\u{200b}\u{200d}\u{202e}\u{2066}\u{2028}\u{2029}\u{feff}\u{fe0f}\u{ad}\u{3164}\u{e000}\u{e0041}z é` + "\u00a0\uFFFD" + `"`},
	}
	for _, c := range cases {
		a := &elements.Answer{Protocol: elements.Version, Root: &c.e}
		if got := inside(t, a); got != c.want+"\n" {
			t.Errorf("%s\ngot:  %swant: %s", c.name, got, c.want)
		}
		roundTrip(t, a)
	}
}

func TestDeepTreeIsNotAllSpaces(t *testing.T) {
	root := &elements.Element{ID: "e", Role: elements.Group}
	last := root
	const n = 100_000
	for range n {
		last.Children = []*elements.Element{{ID: "e", Role: elements.Group}}
		last = last.Children[0]
	}
	a := &elements.Answer{Protocol: elements.Version, Root: root}
	got := inside(t, a)
	if most := (n + 1) * (2*maxIndent + len("+100000 Group e\n")); len(got) > most {
		t.Errorf("got %d bytes, want %d at most", len(got), most)
	}
	lines := strings.Split(got, "\n")
	for depth, want := range map[int]string{0: "Group e", 2: "    Group e", 32: strings.Repeat(" ", 64) + "Group e", 35: strings.Repeat(" ", 64) + "+3 Group e"} {
		if lines[depth] != want {
			t.Errorf("depth %d\ngot:  %q\nwant: %q", depth, lines[depth], want)
		}
	}
	back, err := Parse(strings.NewReader(render(t, a)))
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	for e := back.Root; len(e.Children) == 1; e = e.Children[0] {
		depth++
	}
	if depth != n {
		t.Errorf("parsed back: got a depth of %d, want %d", depth, n)
	}
}

func TestDeepMarks(t *testing.T) {
	e := link("l", "x")
	for range 100 {
		e = link("l", "x", e)
	}
	a := &elements.Answer{Protocol: elements.Version, Root: text("t", "x", e)}
	if got := strings.Count(inside(t, a), "\n"); got != 100/(maxMarks+1)+1 {
		t.Errorf("got %d lines, want a new one after each %d marks", got, maxMarks)
	}
	roundTrip(t, a)
}

// TestSearchIsBounded has links that are not in the run until as much was
// searched as may be; even one that is there has its own line then.
func TestSearchIsBounded(t *testing.T) {
	e := text("t", strings.Repeat("a", 1_000_000)+" here")
	for range searches + 1 {
		e.Children = append(e.Children, link("l", "absent"))
	}
	e.Children = append(e.Children, link("m", "here"))
	if got, want := inside(t, &elements.Answer{Root: e}), "\n  Link m a:m: here\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got an end of %q, want %q", got[len(got)-40:], want)
	}
}

func TestBoundary(t *testing.T) {
	a := &elements.Answer{Root: &elements.Element{ID: "e", Role: elements.Row}}
	seen := map[string]bool{}
	for range 3 {
		var b strings.Builder
		if err := Render(&b, a, Options{}); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(b.String(), "\n")
		if !strings.Contains(first, "untrusted page content") || seen[first] {
			t.Errorf("got the first line %q, want a fresh one that says untrusted page content", first)
		}
		seen[first] = true
		if _, err := Parse(strings.NewReader(b.String())); err != nil {
			t.Error(err)
		}
	}
	for _, mark := range []string{"a b", "a\n", "é", "==="} {
		if err := Render(&strings.Builder{}, a, Options{Mark: mark}); err == nil {
			t.Errorf("mark %q: got no error, want one", mark)
		}
	}
	if got := inside(t, &elements.Answer{}); got != "" {
		t.Errorf("no root: got %q, want nothing", got)
	}
}

type fullWriter struct{}

var errFull = errors.New("full")

func (fullWriter) Write([]byte) (int, error) { return 0, errFull }

func TestRenderFails(t *testing.T) {
	if err := Render(fullWriter{}, &elements.Answer{}, Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}

func TestParseErrors(t *testing.T) {
	whole := func(lines string) string { return openingLine("m0") + "\n" + lines + closingLine("m0") + "\n" }
	cases := []struct{ text, want string }{
		{"", "line 1: the boundary does not close"},
		{"Row e\n", "line 1: does not open the boundary"},
		{openingLine("m0") + "\nRow e\n" + closingLine("m1") + "\n", "line 3: at byte 0: no word"},
		{openingLine("m0") + "\nRow e\n", "line 3: the boundary does not close"},
		{whole("Row e\n") + "x", "line 4: something follows the boundary"},
		{whole("Row e\nRow f\n"), "line 3: is a second root"},
		{whole("Row e\n    Row f\n"), "line 3: is deeper than a child of the line above it"},
		{whole("Gadget e\n"), "line 2: at byte 6: no role"},
		{whole("Row\n"), `line 2: at byte 3: no " "`},
		{whole("Row e busy\n"), `line 2: at byte 10: "busy" is no state`},
		{whole("Row e \"t\n"), `line 2: at byte 8: no "\""`},
		{whole("Row e k=[a,b\n"), `line 2: at byte 12: no "]"`},
		{whole("Row e k=" + strings.Repeat("[", 300) + "\n"), `line 2: at byte 209: a value too deep`},
		{whole("Text e: a \\x\n"), `line 2: at byte 12: an escape that is none`},
		{whole("Text e: a \\u{110000}\n"), `line 2: at byte 13: no code point`},
		{whole("Text e: [a](l\n"), `line 2: at byte 13: no ")"`},
		{whole("Text e: [a]b\n"), `line 2: at byte 10: no "]("`},
		{whole("Text e: [[]](l)\n"), `line 2: at byte 15: a mark without words`},
		{whole("Text e: a []\n"), `line 3: comes where a line is missing whose place is kept`},
		{whole("Text e: " + strings.Repeat("[", 20) + "\n"), `line 2: at byte 25: too many marks in one another`},
		{whole("Text e: a\\|[b](l)\n"), `line 2: at byte 17: a mark in more than one text`},
	}
	for _, c := range cases {
		_, err := Parse(strings.NewReader(c.text))
		if got, want := fmt.Sprint(err), "outline: parse "+c.want; got != want {
			t.Errorf("Parse(%q)\ngot:  %s\nwant: %s", c.text, got, want)
		}
	}
}
