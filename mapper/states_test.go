package mapper

import (
	"slices"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// keysOf maps a page and gives the keys of all its elements, by how sketch writes
// them.
func keysOf(t *testing.T, d *Document, scope Scope) map[string]string {
	t.Helper()
	keys := map[string]string{}
	root := Map(desk(d), Options{Scope: scope, ID: func(key string) string { return key }})
	root.Walk(func(e, _ *elements.Element, _ int) bool {
		keys[sketch(e, 0)[0]] = e.ID
		return true
	})
	return keys
}

// TestKeys holds what package provider makes ids of: the same thing has the same
// key from one reading to the next and in each scope, whatever else changes.
func TestKeys(t *testing.T) {
	build := func(extra ...branch) *Document {
		link := el(roleLink, words("the plan")).with(func(n *Node) { n.Inline = true })
		kids := append([]branch{
			el(roleList, el(roleListItem, words("entry"))).called("Shopping"),
			el(roleParagraph, words("Read "), link, words(" now")),
		}, extra...)
		d := doc(kids...)
		d.Selection = &Selection{Key: "5.0.5.4", Text: "Read", Node: d.in(t, "Read ") - 1, From: d.in(t, "Read "), To: d.in(t, "Read ")}
		return d
	}
	first := keysOf(t, build(), Page)
	second := keysOf(t, build(el(roleHeading, words("new"))), Page)
	for said, key := range first {
		if second[said] != key {
			t.Errorf("%s: its key was %q and is %q", said, key, second[said])
		}
	}
	pointing := keysOf(t, build(), Pointing)
	if said := "Text selected: Read"; pointing[said] == "" || pointing[said] != first[said] {
		t.Errorf("%s: its key is %q in pointing scope, %q in page scope", said, pointing[said], first[said])
	}

	// Another selection is another thing, and none of them is what it lies in.
	other := build()
	other.Selection.Key, other.Selection.Text = "5.0.7.3", "Read the"
	if a, b := first["Text selected: Read"], keysOf(t, other, Page)["Text selected: Read the"]; a == b || b == "" {
		t.Errorf("two selections have the keys %q and %q", a, b)
	}
	var all []string
	for _, key := range first {
		if slices.Contains(all, key) {
			t.Errorf("two elements have the key %q", key)
		}
		all = append(all, key)
	}
	for _, key := range all {
		if strings.Contains(key, "Read") || strings.Contains(key, "Shopping") {
			t.Errorf("the key %q tells what the page says", key)
		}
	}
}

// TestSelectable holds that the page's own mark of selection is told of what the
// protocol lets be selected, and that a selection always has a home.
func TestSelectable(t *testing.T) {
	chosen := func(b branch) branch { return b.with(func(n *Node) { n.Selected = true }) }
	for _, c := range []struct {
		why  string
		node branch
		want []string
	}{
		{"a Row", chosen(el(roleListItem, words("a"))), []string{`Row "a" selected`}},
		{"a Group", chosen(el(roleArticle).called("a")), []string{`Group/article "a" selected`}},
		{"a Text", chosen(el(roleParagraph, words("a"))), []string{"Text selected: a"}},
		{"a Group that is all text", chosen(el(roleArticle, words("a"))), []string{"Text/article selected: a"}},
		{"an Image", chosen(el(roleImage).called("a")), []string{`Image "a" selected`}},
		{"a Heading, of which words can be selected only", chosen(el(roleHeading, words("a"))), []string{"Heading: a"}},
		{"a Link, as a Heading", chosen(el(roleLink, words("a"))), []string{"Link: a"}},
		{"an empty field", chosen(el(roleTextField).with(func(n *Node) { n.Field, n.Own().InputType = true, "text" })), []string{"Text"}},
		{"a tab", chosen(el(roleTab).called("a")), []string{`Window/tab "a"`}},
		{"a plain box that is no element", chosen(el(roleGenericContainer, words("a"))), []string{"Text: a"}},
	} {
		t.Run(c.why, func(t *testing.T) { expect(t, doc(c.node), Page, c.want...) })
	}
}

// TestSelectionHome holds where selected words stand among what is there.
func TestSelectionHome(t *testing.T) {
	page := func() *Document {
		return doc(el(roleMain,
			el(roleParagraph, words("first")),
			el(9, words("button")),
			el(roleHeading, words("second")),
			el(roleGenericContainer, el(roleParagraph, words("third"))),
		))
	}
	for _, c := range []struct {
		why            string
		node, from, to string // what they are called; empty: none
		want           []string
	}{
		{"in one run", "first", "first", "first", []string{"Group/main", "  Text: first", "    Text selected: words", "  Heading: second", "  Text: third"}},
		{"over two blocks", "", "first", "second", []string{"Group/main", "  Text: first", "  Text selected: words", "  Heading: second", "  Text: third"}},
		{"over two blocks, the second hoisted", "", "second", "third", []string{"Group/main", "  Text: first", "  Heading: second", "  Text selected: words", "  Text: third"}},
		{"beginning nowhere", "", "", "", []string{"Group/main", "  Text: first", "  Heading: second", "  Text: third", "  Text selected: words"}},
		{"in a button, which is none", "button", "", "", []string{"Group/main", "  Text: first", "  Heading: second", "  Text: third", "  Text selected: words"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			d := page()
			at := func(s string) int {
				if s == "" {
					return -1
				}
				return d.in(t, s)
			}
			d.Selection = &Selection{Key: "1", Text: "words", Node: 0, From: at(c.from), To: at(c.to)}
			if c.node != "" {
				d.Selection.Node = d.Nodes[at(c.node)].Parent
			}
			expect(t, d, Page, c.want...)
		})
	}
}
