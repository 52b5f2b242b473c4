package testpages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webarea/webarea/provider"
)

// TestLongSelections holds that of a selection in very many elements an agent gets the
// beginning and a link to the rest, and by its id all of it; that words in few elements are
// told at once; and that whoever can open no link gets more.
func TestLongSelections(t *testing.T) {
	var table, cells strings.Builder
	lines := map[int]string{} // of so many rows
	for i := range 2000 {
		fmt.Fprintf(&table, "<tr><td><a href=/%d>Pear %d</a><td>Shelf %d", i, i, i%9)
		fmt.Fprintf(&cells, "Pear %d\nShelf %d\n", i, i%9)
		lines[i+1] = strings.TrimSpace(cells.String())
	}
	prose := strings.TrimSpace(strings.Repeat("The rain fell on the hills. ", 600))
	for _, c := range []struct {
		name, html string
		linked     string // what is told whoever can open a link
		alone      string // and whoever cannot
		whole      string // and by its id
	}{
		// A table and its body, and four elements a row.
		{"a large table", "<table>" + table.String() + "</table>", lines[124], lines[2000][:20_000], lines[2000]},
		{"few words", "<p>Some <b>words</b></p>", "Some words", "Some words", "Some words"},
		{"long prose", "<p>" + prose + "</p>", prose, prose, prose},
		{"words after much without", strings.Repeat("<div></div>", 1000) + "<p>At last<p>and on", "At last", "At last\nand on", "At last\nand on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openHTML(t, c.html)
			p.Eval(`getSelection().selectAllChildren(document.body)`)
			check := func(what string, q provider.Query, want string) (id string) {
				t.Helper()
				a, err := p.ask(q)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				for e := range a.All() {
					if !e.Selected {
						continue
					}
					id = e.ID
					if got := e.Content[0].Text; got != want {
						t.Errorf("%s: got %d characters, %.60q … %.60q, want %d, … %.60q", what, len(got), got, got[max(len(got)-30, 0):], len(want), want[max(len(want)-30, 0):])
					}
					isCut := want != c.whole
					if isCut != (omitted(a, "selected") > 0) || (isCut && q.Links) != (len(e.Content) == 2) {
						t.Errorf("%s: cut is %v, left out are %v, and the blocks %+v", what, isCut, a.Root.Attributes["omitted"], e.Content[1:])
					}
				}
				if id == "" {
					t.Fatalf("%s: nothing is selected:\n%s", what, Format(a.Root))
				}
				return id
			}
			id := check("with links", provider.Query{Links: true}, c.linked)
			if other := check("without links", provider.Query{}, c.alone); other != id {
				t.Errorf("the selection has the id %s and then %s", id, other)
			}
			check("by its id, with links", provider.Query{ID: id, Links: true}, c.whole)
			check("by its id", provider.Query{ID: id}, c.whole)
		})
	}
}
