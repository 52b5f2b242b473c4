package mapper

import (
	"slices"
	"testing"
)

// TestPictures holds which elements have their pictures sent.
func TestPictures(t *testing.T) {
	box := &Rect{X: 1, Y: 1, W: 50, H: 50}
	for _, test := range []struct {
		name  string
		nodes []Node
		focus int
		hover int
		want  []int64
	}{
		{"a selected group", []Node{{Parent: -1, Serial: 1, Tag: "div", Role: roleGroup, Name: "Card", Selected: true, Box: box}}, -1, -1, []int64{1}},
		{"a focused group", []Node{{Parent: -1, Serial: 1, Tag: "div", Role: roleGroup, Name: "Card", Box: box}}, 0, -1, nil},
		{"a hovered image", []Node{{Parent: -1, Serial: 1, Tag: "img", Role: roleImage, Name: "Pear", Box: box}}, -1, 0, []int64{1}},
		{"an image that nobody points at", []Node{{Parent: -1, Serial: 1, Tag: "img", Role: roleImage, Name: "Pear", Box: box}}, -1, -1, nil},
		{"a hovered image that is not drawn", []Node{{Parent: -1, Serial: 1, Tag: "img", Role: roleImage, Name: "Pear"}}, -1, 0, nil},
		{"a focused canvas", []Node{{Parent: -1, Serial: 1, Tag: "canvas", Role: roleCanvas, Name: "Chart", Box: box}}, 0, -1, []int64{1}},
		{"a selected row", []Node{{Parent: -1, Serial: 1, Tag: "div", Role: roleList, Name: "L"}, {Parent: 0, Serial: 2, Tag: "div", Role: roleListItem, Name: "R", Selected: true, Box: box}}, -1, -1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &Document{Key: "d", Title: "Page", URL: "http://fixture/", Nodes: test.nodes}
			if test.focus >= 0 {
				d.Focus = &Focus{Node: test.focus, Descendant: -1}
			}
			if test.hover >= 0 {
				d.Hover = &Hover{Node: test.hover, Piece: -1}
			}
			var got []int64
			Map(&Reading{App: "Chromium", Windows: []*Window{{Key: "w", Focused: true, Tabs: []*Tab{{Key: "t", Active: true, Document: d}}}}},
				Options{ID: func(key string) string { return "i" + key }, Picture: func(p Picture) { got = append(got, p.Serial) }})
			if !slices.Equal(got, test.want) {
				t.Errorf("got pictures of %v, want %v", got, test.want)
			}
		})
	}
}
