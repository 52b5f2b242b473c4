package mapper

import (
	"fmt"
	"testing"
)

// largePage is a reading of so many nodes: a table of rows with a link and words in
// their cells, one of its links with the focus, words of another selected.
func largePage(b *testing.B, nodes int) *Document {
	link := func(s string) branch {
		return el(roleLink, words(s)).with(func(n *Node) { n.Inline, n.URL = true, "http://fixture/"+s })
	}
	table := el(167)
	const perRow = 9
	for i := range nodes / perRow {
		table.kids = append(table.kids, el(roleRow,
			el(roleCell, link(fmt.Sprint("link", i))),
			el(roleCell, words(fmt.Sprint("entry ", i))),
			el(roleCell, words("some words about "), words("it")),
		))
	}
	d := doc(table)
	for i := range d.Nodes {
		if i > 40 {
			// About one screen of it is drawn.
			d.Nodes[i].Box = nil
		}
	}
	at := d.in(b, "entry 2")
	d.Selection = &Selection{Key: "1", Text: "entry", Node: d.Nodes[at].Parent, From: at, To: at}
	d.Focus = &Focus{Node: d.Nodes[d.in(b, "link1")].Parent, Descendant: -1}
	return d
}

func BenchmarkMap(b *testing.B) {
	for _, nodes := range []int{130, 2_900, 30_000} {
		r := desk(largePage(b, nodes))
		for _, scope := range []string{"pointing", "visible", "page"} {
			b.Run(fmt.Sprintf("%s/%d", scope, nodes), func(b *testing.B) {
				b.ReportAllocs()
				id := ids()
				for b.Loop() {
					Map(r, Options{Scope: scopes[scope], ID: id})
				}
			})
		}
	}
}
