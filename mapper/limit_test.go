package mapper

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
)

// letter is a page that has something on screen, something below it, and pointing
// at the end: six elements beside the document's four.
func letter() *Document {
	below := func(b branch) branch { return b.with(func(n *Node) { n.Box = nil }) }
	d := doc(
		el(roleParagraph, words("first")),
		below(el(roleParagraph, below(words("second")))),
		el(roleParagraph, words("third")),
		below(el(roleList, below(el(roleListItem,
			below(el(roleParagraph, below(words("fourth")))),
			below(el(roleParagraph, below(words("the end")))),
		)))),
	)
	for i := range d.Nodes {
		if d.Nodes[i].Text == "the end" {
			d.Selection = &Selection{Key: "1", Text: "end", Node: d.Nodes[i].Parent, From: i, To: i}
		}
	}
	return d
}

func TestLimits(t *testing.T) {
	whole := []string{
		"Text: first",
		"Text visible=false: second",
		"Text: third",
		"List visible=false",
		"  Row",
		"    Text: fourth",
		"    Text: the end",
		"      Text selected: end",
	}
	for _, c := range []struct {
		why     string
		o       Options
		want    []string
		omitted map[string]any
	}{
		{"none", Options{}, whole, nil},
		{"as many elements as there are", Options{MaxElements: 12}, whole, nil},
		{"one less: the last that is not on screen", Options{MaxElements: 11}, without(whole, 5), map[string]any{"elements": 1}},
		{"what is selected and on screen", Options{MaxElements: 10}, without(whole, 1, 5), map[string]any{"elements": 2}},
		{"what is selected and one more", Options{MaxElements: 9}, without(whole, 1, 2, 5), map[string]any{"elements": 3}},
		{"what is selected only", Options{MaxElements: 8}, without(whole, 0, 1, 2, 5), map[string]any{"elements": 4}},
		{"too few for what is selected", Options{MaxElements: 7}, []string{"Text: first", "Text visible=false: second", "Text: third"}, map[string]any{"elements": 5}},
		{"the document alone", Options{MaxElements: 4}, nil, map[string]any{"elements": 8}},

		{"as deep as it is", Options{MaxDepth: 7}, whole, nil},
		{"one level less", Options{MaxDepth: 6}, whole[:7], map[string]any{"elements": 1}},
		{"a few levels less", Options{MaxDepth: 4}, whole[:4], map[string]any{"elements": 4}},
		{"no levels but the document's", Options{MaxDepth: 3}, nil, map[string]any{"elements": 8}},

		{"as much text as there is", Options{MaxText: 5 + 6 + 5 + 6 + 7 + 3}, whole, nil},
		{"one byte less: from the last that is not on screen", Options{MaxText: 31}, replaced(whole, 6, "    Text: the en"), map[string]any{"text": 1}},
		{"what is selected and on screen", Options{MaxText: 3 + 5 + 5}, []string{
			"Text: first", "Text visible=false", "Text: third", "List visible=false", "  Row", "    Text", "    Text", "      Text selected: end",
		}, map[string]any{"text": 6 + 6 + 7}},
		{"what is selected, in part", Options{MaxText: 2}, []string{
			"Text", "Text visible=false", "Text", "List visible=false", "  Row", "    Text", "    Text", "      Text selected: en",
		}, map[string]any{"text": 30}},
		{"elements and text", Options{MaxElements: 10, MaxText: 7}, []string{
			"Text: firs", "Text", "List visible=false", "  Row", "    Text", "      Text selected: end",
		}, map[string]any{"elements": 2, "text": 5 + 7 + 1}},
	} {
		t.Run(c.why, func(t *testing.T) {
			c.o.Scope = Page
			root := mapped(t, desk(letter()), c.o)
			holdsBudgets(t, root, c.o)
			var got []string
			if tab := root.Children[0].Children[0]; len(tab.Children) > 0 {
				for _, e := range tab.Children[0].Children {
					got = append(got, sketch(e, 0)...)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(- want, + got):\n%s", d)
			}
			omitted, _ := root.Attributes["omitted"].(map[string]any)
			if d := cmp.Diff(c.omitted, omitted); d != "" {
				t.Errorf("omitted (- want, + got):\n%s", d)
			}
		})
	}
}

func without(list []string, at ...int) []string {
	var kept []string
	for i, s := range list {
		drop := false
		for _, k := range at {
			drop = drop || i == k
		}
		if !drop {
			kept = append(kept, s)
		}
	}
	return kept
}

func replaced(list []string, at int, with string) []string {
	list = append([]string{}, list...)
	list[at] = with
	return list
}

// TestLimitTextAtRunes holds that text is cut between characters, whatever is left.
func TestLimitTextAtRunes(t *testing.T) {
	const said = "añ字😀"
	for most, want := range map[int]string{1: "a", 2: "a", 3: "añ", 4: "añ", 5: "añ", 6: "añ字", 9: "añ字", 10: said, 11: said} {
		root := mapped(t, desk(doc(el(roleParagraph, words(said)))), Options{Scope: Page, MaxText: most})
		got := page(t, root).Children[0].Content[0].Text
		if got != want {
			t.Errorf("%d bytes of %q: got %q, want %q", most, said, got, want)
		}
		omitted, _ := root.Attributes["omitted"].(map[string]any)
		if left := len(said) - len(want); omitted["text"] != any(left) && left > 0 {
			t.Errorf("%d bytes of %q: got %v left out, want %d", most, said, omitted["text"], left)
		}
	}
}

// TestLimitsSelection holds that a selection of which no words are left is not told
// as one.
func TestLimitsSelection(t *testing.T) {
	d := doc(el(roleParagraph, words("😀 and more")))
	d.Selection = &Selection{Key: "1", Text: "😀", Node: 0, From: 1, To: 1}
	root := mapped(t, desk(d), Options{Scope: Pointing, MaxText: 2})
	if got := page(t, root).Children; len(got) > 0 {
		t.Errorf("got %q, want nothing", sketch(got[0], 0))
	}
}

// TestDeep holds that an answer is never deeper than a reader of JSON can follow,
// however deep the page.
func TestDeep(t *testing.T) {
	const depth = 60_000
	d := &Document{Key: "d1"}
	for i := range depth {
		d.Nodes = append(d.Nodes, Node{Parent: i - 1, Serial: int64(i + 1), Role: roleGroup, Name: fmt.Sprint("level ", i), Run: i})
	}
	d.Focus = &Focus{Node: depth - 1, Descendant: -1}
	for name, scope := range scopes {
		root := mapped(t, desk(d), Options{Scope: scope, Target: "d1#1"})
		deepest, count := 0, 0
		root.Walk(func(_, _ *elements.Element, depth int) bool {
			deepest = max(deepest, depth+1)
			count++
			return true
		})
		omitted, _ := root.Attributes["omitted"].(map[string]any)
		if deepest != elements.MaxDepth || omitted["elements"] != any(depth+4-count) {
			t.Errorf("%s scope: %d elements on the way down and %v left out of %d, want %d on the way down", name, deepest, omitted, depth+4, elements.MaxDepth)
		}
	}
}

// TestWide holds that a run of very many pieces of text is one text.
func TestWide(t *testing.T) {
	d := doc()
	d.Nodes = append(d.Nodes, Node{Parent: -1, Serial: 1, Role: roleParagraph})
	for i := range 50_000 {
		d.Nodes = append(d.Nodes, Node{Parent: 0, Serial: int64(i + 2), IsText: true, Text: "x "})
	}
	text := page(t, mapped(t, desk(d), Options{Scope: Page})).Children[0].Content[0].Text
	if want := strings.TrimSpace(strings.Repeat("x ", 50_000)); text != want {
		t.Errorf("got %d bytes, want %d", len(text), len(want))
	}
}

// TestDeepHoisted holds that what lies in elements that are none, however deep in
// one another, comes in order.
func TestDeepHoisted(t *testing.T) {
	const depth = 20_000
	d := &Document{Key: "d1"}
	var want []string
	for i := range depth {
		d.Nodes = append(d.Nodes,
			Node{Parent: 2*i - 2, Serial: int64(2*i + 1), Role: roleGenericContainer, Run: i},
			Node{Parent: 2 * i, Serial: int64(2*i + 2), IsText: true, Text: fmt.Sprint("level ", i), Run: i})
		want = append(want, fmt.Sprint("Text visible=false: level ", i))
	}
	d.Nodes[0].Parent = -1
	var got []string
	for _, e := range page(t, mapped(t, desk(d), Options{Scope: Page})).Children {
		got = append(got, sketch(e, 0)...)
	}
	if len(got) != len(want) || got[0] != want[0] || got[depth-1] != want[depth-1] {
		t.Errorf("got %d texts, from %q to %q\nwant %d, from %q to %q", len(got), got[0], got[len(got)-1], depth, want[0], want[depth-1])
	}
}

// TestRepeatedWords holds that words inside many elements that each say all that is
// in them are not said without end, and that it is told.
func TestRepeatedWords(t *testing.T) {
	const depth, length = 400, 1 << 20
	b := words(strings.Repeat("x", length))
	for range depth {
		b = el(roleHeading, b)
	}
	root := mapped(t, desk(doc(b)), Options{Scope: Page})
	said := 0
	root.Walk(func(e, _ *elements.Element, _ int) bool {
		for _, c := range e.Content {
			said += len(c.Text)
		}
		return true
	})
	omitted, _ := root.Attributes["omitted"].(map[string]any)
	left, _ := omitted["text"].(int)
	if said < maxSaid || said > maxSaid+2*length || left < length {
		t.Errorf("got %d bytes said and %v left out, want about %d said and the rest left out", said, omitted, maxSaid)
	}
}
