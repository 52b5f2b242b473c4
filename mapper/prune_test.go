package mapper

import (
	"fmt"
	"testing"

	"github.com/webarea/webarea/elements"
)

// rows is a list of so many entries, each with so many texts in it.
func rows(n, texts int) branch {
	list := el(roleList)
	for i := range n {
		entry := el(roleListItem)
		for k := range texts {
			entry.kids = append(entry.kids, el(roleParagraph, words(fmt.Sprintf("row %d text %d", i, k))))
		}
		list.kids = append(list.kids, entry)
	}
	return list
}

// TestSubtreeBound holds that what is selected, or ends the focus path, comes with
// 50 elements of what is in it, in order, and that the rest is told.
func TestSubtreeBound(t *testing.T) {
	for _, c := range []struct {
		why     string
		rows    int
		texts   int
		point   func(d *Document)
		inside  int
		omitted any
	}{
		{"focused, fewer", 49, 0, focusOn, 49, nil},
		{"focused, as many", 50, 0, focusOn, 50, nil},
		{"focused, one more", 51, 0, focusOn, 50, 1},
		{"focused, deeper ones counted too", 20, 2, focusOn, 50, 10},
		{"focused, cut within an entry", 10, 9, focusOn, 50, 50},
		{"selected by the page", 60, 0, func(d *Document) { d.Nodes[0].Selected = true }, 50, 10},
		{"focused and selected", 60, 0, func(d *Document) { focusOn(d); d.Nodes[0].Selected = true }, 50, 10},
		{"hovered only", 60, 0, func(d *Document) { d.Hover = &Hover{Node: 0, Piece: -1} }, 0, nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			list := rows(c.rows, c.texts)
			for i := range list.kids {
				if c.texts == 0 {
					list.kids[i].node.Name, list.kids[i].node.Named = fmt.Sprint("row ", i), true
				}
			}
			d := doc(list)
			c.point(d)
			root := mapped(t, desk(d), Options{Scope: Pointing})
			got := page(t, root).Children
			if len(got) != 1 || got[0].Role != elements.List {
				t.Fatalf("want one list, got %d elements", len(got))
			}
			inside := -1
			got[0].Walk(func(*elements.Element, *elements.Element, int) bool { inside++; return true })
			if inside != c.inside {
				t.Errorf("got %d elements in it, want %d", inside, c.inside)
			}
			omitted, _ := root.Attributes["omitted"].(map[string]any)
			if omitted["elements"] != c.omitted {
				t.Errorf("got %v elements left out, want %v", omitted["elements"], c.omitted)
			}
		})
	}
}

func focusOn(d *Document) { d.Focus = &Focus{Node: 0, Descendant: -1} }

// TestSubtreeOfEach holds that each selected element has its own bound, that one
// inside another is not counted in vain, and that what is pointed at is kept beyond
// any bound.
func TestSubtreeOfEach(t *testing.T) {
	list := rows(60, 0)
	for i := range list.kids {
		list.kids[i].node.Name, list.kids[i].node.Named = fmt.Sprint("row ", i), true
	}
	list.kids[58].node.Selected = true
	d := doc(list, rows(3, 1).called("other"))
	focusOn(d)
	other := d.in(t, "other")
	d.Nodes[other].Selected = true
	root := mapped(t, desk(d), Options{Scope: Pointing})
	lists := page(t, root).Children
	if len(lists) != 2 || len(lists[0].Children) != 51 || lists[0].Children[50].Title != "row 58" || len(lists[1].Children) != 3 {
		for _, l := range lists {
			t.Errorf("got %s with %d rows", sketch(l, 0)[0], len(l.Children))
		}
		t.Error("want a list of 50 rows and the selected one, and one of 3 rows")
	}
	omitted, _ := root.Attributes["omitted"].(map[string]any)
	if omitted["elements"] != any(9) {
		t.Errorf("got %v left out, want 9 elements", omitted)
	}
}

// TestBareRuns holds what is left of a plain Text in pointing scope: nothing, where
// it has nothing to say but what lies in it.
func TestBareRuns(t *testing.T) {
	link := el(roleLink, words("the plan")).with(func(n *Node) { n.Inline, n.URL, n.Name = true, "http://fixture/plan", "plan" })
	run := func(change func(n *Node)) *Document {
		return doc(el(roleParagraph, words("Read "), link, words(" now")).with(change))
	}
	for _, c := range []struct {
		why    string
		change func(n *Node)
		point  func(d *Document)
		want   []string
	}{
		{"hovered link", func(*Node) {}, func(d *Document) { d.Hover = &Hover{Node: 2, Piece: -1} }, []string{`Link "plan" hovered: the plan`}},
		{"hovered run", func(*Node) {}, func(d *Document) { d.Hover = &Hover{Node: 0, Piece: 1} }, []string{"Text hovered: Read the plan now"}},
		{"focused link", func(*Node) {}, func(d *Document) { d.Focus = &Focus{Node: 2, Descendant: -1} }, []string{"Text focused", `  Link "plan" focused: the plan`}},
		{"named run", func(n *Node) { n.Name, n.Named = "Advice", true }, func(d *Document) { d.Hover = &Hover{Node: 2, Piece: -1} }, []string{`Text "Advice"`, `  Link "plan" hovered: the plan`}},
		{"run with a word of its own", func(n *Node) { n.Own().Word = "advice" }, func(d *Document) { d.Hover = &Hover{Node: 2, Piece: -1} }, []string{"Text/advice", `  Link "plan" hovered: the plan`}},
	} {
		t.Run(c.why, func(t *testing.T) {
			d := run(c.change)
			c.point(d)
			expect(t, d, Pointing, c.want...)
		})
	}
}

// TestOne holds what an answer about one element has: anything that a key names.
func TestOne(t *testing.T) {
	for _, c := range []struct {
		target string
		want   []string
	}{
		{"app", []string{`Application "Chromium"`, "  Window focused", `    Window/tab "Page" focused`, `      Document "Page" focused`, "        List", `          Row "one"`}},
		{"t1", []string{`Application "Chromium"`, "  Window focused", `    Window/tab "Page" focused`, `      Document "Page" focused`, "        List", `          Row "one"`}},
		{"d1#2", []string{`Application "Chromium"`, "  Window focused", `    Window/tab "Page" focused`, `      Document "Page" focused`, "        List", `          Row "one"`}},
		{"d1#77", []string{`Application "Chromium"`}},
	} {
		d := doc(el(roleList, el(roleListItem, words("one"))))
		if c.target == "d1#2" {
			at := 1
			d.Target = &at
		}
		got := sketch(mapped(t, desk(d), Options{Scope: One, Target: c.target}), 0)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.target, got, c.want)
		}
	}
}

// TestOneInSelected holds that an ancestor that is selected by its words says them.
func TestOneInSelected(t *testing.T) {
	link := el(roleLink, words("the plan")).with(func(n *Node) { n.Inline = true })
	d := doc(el(roleParagraph, words("Read "), link, words(" now")).with(func(n *Node) { n.Selected = true }))
	at := 2
	d.Target = &at
	got := page(t, mapped(t, desk(d), Options{Scope: One, Target: "d1#3"})).Children
	if want := []string{"Text selected: Read the plan now", "  Link: the plan"}; len(got) != 1 || fmt.Sprint(sketch(got[0], 0)) != fmt.Sprint(want) {
		t.Errorf("got %d elements, the first %q, want %q", len(got), sketch(got[0], 0), want)
	}
}
