package elements

import (
	"fmt"
	"strings"
	"testing"
)

func family() *Answer {
	return &Answer{Version, "i", &Element{ID: "a", Role: Application, Children: []*Element{
		{ID: "b", Role: Window, Children: []*Element{{ID: "c", Role: List, Children: []*Element{{ID: "d", Role: Row}}}, nil, {ID: "e", Role: Text}}},
		{ID: "f", Role: Window},
	}}}
}

func TestWalk(t *testing.T) {
	var got strings.Builder
	family().Root.Walk(func(e, parent *Element, depth int) bool {
		under := "nothing"
		if parent != nil {
			under = parent.ID
		}
		fmt.Fprintf(&got, "%d %s in %s\n", depth, e.ID, under)
		return e.ID != "c"
	})
	want := "0 a in nothing\n1 b in a\n2 c in b\n2 e in b\n1 f in a\n"
	if got.String() != want {
		t.Errorf("got:\n%swant:\n%s", got.String(), want)
	}
	(*Element)(nil).Walk(func(*Element, *Element, int) bool {
		t.Error("nil was visited")
		return true
	})
}

func TestAllStops(t *testing.T) {
	var got []string
	for e := range family().All() {
		if e.ID == "e" {
			break
		}
		got = append(got, e.ID)
	}
	if want := "[a b c d]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestFind(t *testing.T) {
	a := family()
	for id, want := range map[string]Role{"a": Application, "d": Row, "e": Text} {
		if got := a.Find(id); got == nil || got.Role != want {
			t.Errorf("Find(%q): got %v, want a %s", id, got, want)
		}
	}
	if got := a.Find("x"); got != nil {
		t.Errorf("Find(x): got %v, want nil", got)
	}
	if got := (&Answer{}).Find("a"); got != nil {
		t.Errorf("Find in an empty answer: got %v, want nil", got)
	}
}
