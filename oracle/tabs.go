package oracle

import (
	"slices"

	"github.com/webarea/webarea/elements"
)

// tabbed gives the tokens of tabs: a tab and its panel are one Window, and a
// list that holds nothing but tabs is not reported.
func (b *builder) tabbed(n *axNode, r row, sc scope) []token {
	el := b.newElement(n, r, sc)
	switch n.role {
	case roleTab:
		el.Title = titled(n.name)
		el.named = true
		if panel := b.panels[n]; panel != nil {
			el.Children = assemble(b.inside(panel, sc.below(el, panel)))
		}
		return []token{{kind: wall, el: el}}
	case roleTabPanel:
		if b.owned[n] {
			return wrap(n, nil)
		}
		el.Children = assemble(b.inside(n, sc.below(el, n)))
		return []token{{kind: wall, el: el}}
	}
	inside := b.inside(n, sc.below(el, n))
	el.Children = assemble(inside)
	other := func(kid *Element) bool { return kid.Role != elements.Window || kid.Subrole != "tab" }
	if !slices.ContainsFunc(el.Children, other) {
		return wrap(n, inside)
	}
	return []token{{kind: wall, el: el}}
}
