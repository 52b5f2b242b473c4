package mapper

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
)

// A branch is a node with what is in it, to write a reading by hand.
type branch struct {
	node Node
	kids []branch
}

// el is an element of a role that Chrome numbers, drawn at the top of the page.
func el(role int, kids ...branch) branch {
	return branch{node: Node{Role: role, Tag: "div", Box: &Rect{0, 0, 100, 20}}, kids: kids}
}

// with changes a node.
func (b branch) with(change func(n *Node)) branch {
	change(&b.node)
	return b
}

func (b branch) called(name string) branch {
	return b.with(func(n *Node) { n.Name, n.Named = name, true })
}

func words(s string) branch {
	return branch{node: Node{IsText: true, Text: s, Box: &Rect{0, 0, 100, 20}}}
}

// doc is a page of these branches. Nodes are numbered from 1 in order, and a block
// ends the run of text it stands beside.
func doc(kids ...branch) *Document {
	d := &Document{Key: "d1", Title: "Page", URL: "http://fixture/page.html"}
	run := 0
	var add func(b branch, parent int)
	add = func(b branch, parent int) {
		n := b.node
		n.Parent, n.Serial = parent, int64(len(d.Nodes)+1)
		block := !n.IsText && !n.Inline
		if block {
			run++
		}
		n.Run = run
		at := len(d.Nodes)
		d.Nodes = append(d.Nodes, n)
		for _, k := range b.kids {
			add(k, at)
		}
		if block {
			run++
		}
	}
	for _, k := range kids {
		add(k, -1)
	}
	return d
}

// in is the number in Nodes of the first piece of text that says s, or the first
// element of that name.
func (d *Document) in(t testing.TB, s string) int {
	t.Helper()
	for i := range d.Nodes {
		if n := &d.Nodes[i]; n.IsText && n.Text == s || !n.IsText && n.Name == s {
			return i
		}
	}
	t.Fatalf("nothing in the reading is called %q", s)
	return -1
}

// desk is a browser with one window and one tab, which shows the page.
func desk(d *Document) *Reading {
	return &Reading{App: "Chromium", Windows: []*Window{{Key: "w1", Focused: true, Tabs: []*Tab{{Key: "t1", Title: d.Title, URL: d.URL, Active: true, Document: d}}}}}
}

// expect maps a page in a scope and compares what is in its Document with lines, as
// sketch writes them.
func expect(t *testing.T, d *Document, scope Scope, want ...string) {
	t.Helper()
	root := mapped(t, desk(d), Options{Scope: scope})
	var got []string
	for _, e := range page(t, root).Children {
		got = append(got, sketch(e, 0)...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

// sketch writes an element and what is in it in short: role, subrole, title in
// quotes, words after a colon, states, attributes; two spaces to a level.
func sketch(e *elements.Element, depth int) []string {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", depth) + string(e.Role))
	if e.Subrole != "" {
		b.WriteString("/" + e.Subrole)
	}
	if e.Title != "" {
		fmt.Fprintf(&b, " %q", e.Title)
	}
	for state, is := range map[string]bool{"focused": e.Focused, "hovered": e.Hovered, "selected": e.Selected} {
		if is {
			b.WriteString(" " + state)
		}
	}
	if e.Visible != nil {
		fmt.Fprintf(&b, " visible=%v", *e.Visible)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Attributes)) {
		said, err := json.Marshal(e.Attributes[name])
		if err != nil {
			said = []byte(err.Error())
		}
		fmt.Fprintf(&b, " %s=%s", name, said)
	}
	for _, c := range e.Content {
		b.WriteString(": " + c.Text)
	}
	list := []string{b.String()}
	for _, k := range e.Children {
		list = append(list, sketch(k, depth+1)...)
	}
	return list
}
