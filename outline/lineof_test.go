package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

func TestLineOf(t *testing.T) {
	deep := &elements.Element{ID: "e9", Role: elements.Text, Title: "=== not a boundary"}
	for i := range 40 {
		deep = &elements.Element{ID: fmt.Sprint("g", i), Role: elements.Group, Children: []*elements.Element{deep}}
	}
	tab := &elements.Element{ID: "e2", Role: elements.Window, Subrole: "tab", Title: "A \"tab\"\nof two lines", Children: []*elements.Element{deep}}
	a := &elements.Answer{Protocol: elements.Version, Root: &elements.Element{ID: "e1", Role: elements.Application, Children: []*elements.Element{tab}}}
	var b strings.Builder
	if err := Render(&b, a, Options{Mark: "x"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	var want []string
	a.Root.Walk(func(e, _ *elements.Element, depth int) bool {
		want = append(want, fmt.Sprint(e.ID, " ", e.Role, " ", e.Subrole, " ", depth))
		return true
	})
	if len(lines) != len(want)+2 {
		t.Fatalf("got %d lines for %d elements and a boundary", len(lines), len(want))
	}
	for i, line := range lines {
		e, depth, ok := LineOf(line)
		if boundary := i == 0 || i == len(lines)-1; ok == boundary {
			t.Errorf("%q: got %v, want %v", line, ok, !boundary)
		} else if got := fmt.Sprint(e.ID, " ", e.Role, " ", e.Subrole, " ", depth); !boundary && got != want[i-1] {
			t.Errorf("%q\n got %s\nwant %s", line, got, want[i-1])
		}
	}
}
