package testpages

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
)

// TestFixtures asks about every fixture in every scope. Scopes that the fixture
// does not name must be valid and survive as an outline all the same.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			page := Open(t, f.name+".html", Files(os.DirFS("fixtures")))
			f.setUp(page)
			answers := map[cdp.Scope]*elements.Answer{}
			for _, scope := range []cdp.Scope{Pointing, WholePage, Visible} {
				a := page.Elements(scope)
				answers[scope] = a
				if want := f.Answers[scope]; want != nil {
					if d := want.differences(a); d != "" {
						t.Errorf("%s\n%s scope is not as it must be (- wanted, + answered):\n%s", f.Doc, scope, d)
					}
				}
				checkOutline(t, a)
			}
			checkRemains(t, answers, WholePage, Visible)
			checkRemains(t, answers, Visible, Pointing)
			if f.Pictures != nil {
				f.checkPictures(t, page)
			}
		})
	}
}

// checkOutline writes an answer as an outline and reads it back.
func checkOutline(t *testing.T, a *elements.Answer) {
	t.Helper()
	var text bytes.Buffer
	if err := outline.Render(&text, a, outline.Options{}); err != nil {
		t.Errorf("writing the outline: %v", err)
		return
	}
	back, err := outline.Parse(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Errorf("reading the outline back: %v\n%s", err, text.Bytes())
		return
	}
	if d := diff(lines(a.Root, nil), lines(back.Root, nil)); d != "" {
		t.Errorf("the outline says something else (- the answer, + its outline read back):\n%s\n%s", d, text.Bytes())
	}
}

// checkRemains checks that the answer in a small scope is what remains of the one in
// a large scope: the same things by the same ids, which say the same of themselves
// and lie in each other in the same way and order, though some of what is between
// them is left out.
func checkRemains(t *testing.T, answers map[cdp.Scope]*elements.Answer, large, small cdp.Scope) {
	t.Helper()
	whole := map[string]*elements.Element{}
	parents := map[string]string{}
	order := map[string]int{}
	answers[large].Root.Walk(func(e, parent *elements.Element, _ int) bool {
		whole[e.ID] = e
		order[e.ID] = len(order)
		if parent != nil {
			parents[e.ID] = parent.ID
		}
		return true
	})
	isIn := func(id, ancestor string) bool {
		for at := parents[id]; at != ""; at = parents[at] {
			if at == ancestor {
				return true
			}
		}
		return false
	}
	seen, wholeSeen := drawn(answers[small]), drawn(answers[large])
	last := -1
	answers[small].Root.Walk(func(e, parent *elements.Element, _ int) bool {
		other := whole[e.ID]
		if other == nil {
			t.Errorf("%s scope has what %s scope has not: %s", small, large, line(e, nil))
			return true
		}
		if got, want := remains(e), remains(other); got != want {
			t.Errorf("one element in two scopes\n%s: %s\n%s: %s", small, got, large, want)
		}
		if seen[e.ID] != wholeSeen[e.ID] {
			t.Errorf("visible is %t in %s scope and %t in %s scope: %s", seen[e.ID], small, wholeSeen[e.ID], large, line(e, nil))
		}
		if parent != nil && !isIn(e.ID, parent.ID) {
			t.Errorf("in %s scope, and not in %s scope, is\n   %s\nin %s", small, large, line(e, nil), line(parent, nil))
		}
		if order[e.ID] < last {
			t.Errorf("in %s scope this does not come after what is before it in %s scope: %s", large, small, line(e, nil))
		}
		last = order[e.ID]
		if len(e.Content) > 0 && !slices.EqualFunc(e.Content, other.Content, func(a, b elements.Block) bool { return a.Type == b.Type && a.Text == b.Text }) {
			t.Errorf("words in two scopes\n%s: %s\n%s: %s", small, line(e, nil), large, line(other, nil))
		}
		return true
	})
	for id, e := range whole {
		if (e.Selected || e.Hovered) && answers[small].Find(id) == nil {
			t.Errorf("%s scope lacks %s", small, line(e, nil))
		}
	}
}

// drawn tells of each element whether it is visible, as it says or its parent (5.3).
func drawn(a *elements.Answer) map[string]bool {
	out := map[string]bool{}
	a.Root.Walk(func(e, parent *elements.Element, _ int) bool {
		out[e.ID] = parent == nil || out[parent.ID]
		if e.Visible != nil {
			out[e.ID] = *e.Visible
		}
		return true
	})
	return out
}

// remains is what an element says of itself in every scope: all but its words,
// visible, which is said against the parent, and how it refers to others.
func remains(e *elements.Element) string {
	bare := *e
	bare.Content = nil
	bare.Visible = nil
	bare.Attributes = maps.Clone(e.Attributes)
	delete(bare.Attributes, "related")
	return line(&bare, nil)
}
