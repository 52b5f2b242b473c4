package mapper

import "testing"

// TestRules holds the rules that go with the role table, where a fixture does not
// show them or a page could be built against them.
func TestRules(t *testing.T) {
	inline := func(b branch) branch { return b.with(func(n *Node) { n.Inline = true }) }
	frame := func(name string) branch {
		in := doc(el(roleParagraph, words("inside")))
		in.Key, in.Title = "d2", name
		return el(roleIframe).with(func(n *Node) {
			n.Tag, n.Own().Frame, n.Own().FrameBox = "iframe", in, &Rect{0, 0, 100, 20}
		})
	}
	for _, c := range []struct {
		why  string
		page []branch
		want []string
	}{
		{"a role that is not known yet, with a name, is a Group", []branch{el(999, el(roleHeading, words("a"))).called("New")}, []string{`Group "New"`, "  Heading: a"}},
		{"or a Text, where it is all text", []branch{el(999, words("a")).called("New")}, []string{`Text "New": a`}},
		{"without one it is no element", []branch{el(999, words("a"))}, []string{"Text: a"}},
		{"a dropped one takes all that is in it", []branch{el(9, el(roleHeading, words("a")), el(roleLink, words("b")))}, nil},
		{"a Group round one element is that", []branch{el(roleGroup, el(roleGroup, el(roleLink, words("a"))))}, []string{"Link: a"}},
		{"but not one with a name", []branch{el(roleGroup, el(roleLink, words("a"))).called("b")}, []string{`Group "b"`, "  Link: a"}},
		{"what says nothing is no element", []branch{el(roleGroup), el(roleList), el(roleListItem), el(roleArticle), el(roleParagraph), el(roleHeading)}, nil},
		{"but a Cell is, and a field", []branch{el(167, el(roleRow, el(roleCell), el(roleCell, words("a")))), el(roleTextField)}, []string{"Table", "  Row", "    Cell", `    Cell "a"`, "Text"}},
		{"two runs in a Row are two Texts", []branch{el(roleListItem, el(roleParagraph, words("a")), el(roleParagraph, words("b")))}, []string{"Row", "  Text: a", "  Text: b"}},
		{"a run that is a link is that link", []branch{el(roleParagraph, inline(el(roleLink, words("a"))))}, []string{"Link: a"}},
		{"a run of two links is a Text", []branch{el(roleParagraph, inline(el(roleLink, words("a"))), words(" "), inline(el(roleLink, words("b"))))}, []string{"Text: a b", "  Link: a", "  Link: b"}},
		{"white space alone is no run", []branch{words("  "), el(roleHeading, words("a")), words("\u00a0")}, []string{"Heading: a"}},
		{"a frame in a tab list", []branch{el(roleTabList, el(roleTab).called("One"), frame("Framed"))}, []string{"Window/tabs", `  Window/tab "One" visible=false`, `  Document/iframe "Framed"`, "    Text: inside"}},
		{"a frame in a label", []branch{
			el(roleTextField).with(func(n *Node) { n.Field, n.Own().InputType, n.Name = true, "text", "Street" }),
			el(roleLabelText, words("Street"), frame("Framed")).with(func(n *Node) { n.Own().Related = []Relation{{Name: "for", Serial: 1}} }),
		}, []string{`Text "Street"`, `Document/iframe "Framed"`, "  Text: inside"}},
		{"a private part is one bare Group, whatever it is and holds", []branch{
			el(167, el(roleRow, words("a"))).with(func(n *Node) {
				n.Private, n.Name, n.Own().Word, n.URL, n.Own().Value = true, "b", "c", "http://fixture/d", "e"
			}),
		}, []string{"Group/private"}},
		{"a name that may repeat a secret is no title", []branch{el(roleArticle, el(roleHeading, words("a")), words("b")).called("hunter22").with(func(n *Node) { n.Tainted = true })}, []string{"Group/article", "  Heading: a", "  Text: b"}},
		{"an Application is the root only", []branch{el(4).called("Drawing")}, []string{`Group/application "Drawing"`}},
		{"a tab is the panel it controls", []branch{
			el(roleTabList, el(roleTab).called("One").with(func(n *Node) { n.Selected, n.Own().Related = true, []Relation{{Name: "controls", Serial: 3}} })),
			el(roleTabPanel, el(roleHeading, words("a"))),
		}, []string{`Window/tab "One"`, "  Heading: a"}},
	} {
		t.Run(c.why, func(t *testing.T) { expect(t, doc(c.page...), Page, c.want...) })
	}
}
