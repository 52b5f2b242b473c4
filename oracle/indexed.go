package oracle

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// An Indexed is an element that a person could act on, as Chrome's raw tree has it.
type Indexed struct {
	Role, Name string
	// Secret says that its name may hold what must not be told.
	Secret bool
}

// String gives a line.
func (x Indexed) String() string { return fmt.Sprintf("%s %q", x.Role, x.Name) }

// acted are the roles that a person acts on whether or not the keyboard reaches them.
var acted = strings.Fields("button link textbox searchbox combobox checkbox radio switch slider spinbutton option tab menuitem menuitemcheckbox " +
	"menuitemradio treeitem listbox Date DateTime InputTime ColorWell DisclosureTriangle DisclosureTriangleGrouped")

// ExpectIndexed says which elements of a page and of its frames are indexed, in the
// order of the document.
func ExpectIndexed(ctx context.Context, conn *cdp.Conn, id target.ID) ([]Indexed, error) {
	page, err := read(ctx, conn, id)
	if err != nil {
		return nil, fmt.Errorf("reading the raw trees: %w", err)
	}
	var all []Indexed
	var visit func(f *frame, n *axNode, atRoot bool)
	visit = func(f *frame, n *axNode, atRoot bool) {
		if n == nil || n.dom.has("data-private") {
			return
		}
		if !n.ignored && !atRoot && n.props["disabled"] != "true" && (n.props["focusable"] == "true" || isActed(n.word)) {
			all = append(all, Indexed{Role: n.word, Name: strings.Join(strings.Fields(n.name), " "), Secret: secretNode(n.dom) || saysSecret(n.name)})
		}
		if inner := f.inner[n.backend]; inner != nil && inner != f {
			visit(inner, inner.root, true)
		}
		for _, k := range n.kids {
			visit(f, k, false)
		}
	}
	visit(page, page.root, true)
	return all, nil
}

func isActed(word string) bool {
	for _, w := range acted {
		if w == word {
			return true
		}
	}
	return false
}
