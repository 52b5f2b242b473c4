package mapper

import "testing"

// TestFrameVisible holds what is on screen of a page in a frame: what is drawn of
// the frame, in the page's own coordinates, however deep frames lie in frames.
func TestFrameVisible(t *testing.T) {
	for _, c := range []struct {
		why  string
		box  *Rect // what is drawn of the frame
		all  Rect  // the whole frame
		text Rect  // in the frame's page
		want bool
	}{
		{"all of the frame", &Rect{100, 100, 300, 150}, Rect{100, 100, 300, 150}, Rect{0, 0, 50, 20}, true},
		{"below what is drawn", &Rect{100, 100, 300, 50}, Rect{100, 100, 300, 150}, Rect{0, 60, 50, 20}, false},
		{"partly below it", &Rect{100, 100, 300, 50}, Rect{100, 100, 300, 150}, Rect{0, 45, 50, 20}, true},
		{"at its edge", &Rect{100, 100, 300, 50}, Rect{100, 100, 300, 150}, Rect{0, 50, 50, 20}, false},
		{"above what is drawn, with the frame scrolled half out", &Rect{100, 0, 300, 75}, Rect{100, -75, 300, 150}, Rect{0, 10, 50, 20}, false},
		{"in what is drawn of it", &Rect{100, 0, 300, 75}, Rect{100, -75, 300, 150}, Rect{0, 100, 50, 20}, true},
		{"nothing of the frame", nil, Rect{100, 900, 300, 150}, Rect{0, 0, 50, 20}, false},
	} {
		for depth := 1; depth <= 2; depth++ {
			inner := doc(el(roleParagraph, words("inside")))
			inner.Key = "d2"
			inner.Nodes[0].Box, inner.Nodes[1].Box = &c.text, &c.text
			d := frameOf(inner, c.box, c.all)
			if depth == 2 {
				// The outer frame shows all of its page.
				d.Key = "d3"
				d = frameOf(d, &Rect{0, 0, 1280, 800}, Rect{0, 0, 1280, 800})
			}
			root := mapped(t, desk(d), Options{Scope: Page})
			e, shown := root, true
			for {
				if e.Visible != nil {
					shown = *e.Visible
				}
				if len(e.Children) == 0 {
					break
				}
				e = e.Children[0]
			}
			if shown != c.want {
				t.Errorf("%s, %d frames deep: visible is %v, want %v", c.why, depth, shown, c.want)
			}
		}
	}
}

func frameOf(in *Document, box *Rect, all Rect) *Document {
	frame := el(roleIframe).with(func(n *Node) { n.Tag, n.Own().Frame, n.Box, n.Own().FrameBox = "iframe", in, box, &all })
	return doc(frame)
}

// TestVisibleSaid holds that visible is said where it differs from the parent's,
// and that what is around something on screen is on screen.
func TestVisibleSaid(t *testing.T) {
	off := func(b branch) branch { return b.with(func(n *Node) { n.Box = nil }) }
	for _, c := range []struct {
		why  string
		page branch
		want []string
	}{
		{"all on screen", el(roleMain, el(roleHeading, words("a"))), []string{"Group/main", "  Heading: a"}},
		{"none on screen", off(el(roleMain, off(el(roleHeading, off(words("a")))))), []string{"Group/main visible=false", "  Heading: a"}},
		{"a part is not", el(roleMain, off(el(roleHeading, off(words("a")))), el(roleHeading, words("b"))), []string{"Group/main", "  Heading visible=false: a", "  Heading: b"}},
		{"only what is inside is", off(el(roleMain, off(el(roleArticle, el(roleHeading, words("a")), off(el(roleHeading, off(words("b")))))))), []string{"Group/main", "  Group/article", "    Heading: a", "    Heading visible=false: b"}},
	} {
		t.Run(c.why, func(t *testing.T) { expect(t, doc(c.page), Page, c.want...) })
	}
}
