package oracle

import (
	"slices"

	"github.com/webarea/webarea/elements"
)

// field gives the tokens of a text field: what is in it is its value.
func (b *builder) field(n *axNode, r row, sc scope) []token {
	native := n.dom != nil && (n.dom.tag == "input" || n.dom.tag == "textarea")
	switch {
	case n.dom.attr("type") == "password" && n.dom.tag == "input":
		r = b.roles.conditional[rowPassword]
	case n.role == roleTextField && n.props["multiline"] == "true":
		r = b.roles.conditional[rowTextarea]
	}
	el := b.newElement(n, r, sc)
	el.field = true
	var inside []token
	switch {
	case b.secret(n):
	case native:
		el.Text = tidy(n.value)
	default:
		inside = b.inside(n, sc.below(el, n))
		el.Text = wordsOf(inside)
		el.Children = things(inside)
	}
	if el.nameBy(n); b.labelKeepsWords(n) {
		el.Title = ""
	}
	return place(n, el, inside)
}

// isEditingHost says whether a node is what the user types rich text in.
func (b *builder) isEditingHost(n *axNode, sc scope) bool {
	if sc.editing || n.props["editable"] == "" || n.dom == nil || n.role == roleStaticText {
		return false
	}
	return n.dom.has("contenteditable") && n.dom.attr("contenteditable") != "false"
}

// editor gives the tokens of an editing host: one Text with all its words, and
// in it what is more than a run.
func (b *builder) editor(n *axNode, sc scope) []token {
	el := b.newElement(n, b.roles.conditional[rowEditor], sc)
	below := sc.below(el, n)
	below.editing = true
	inside := b.inside(n, below)
	el.kept = true
	if !b.secret(n) {
		el.Text = wordsOf(inside)
		el.Children = things(inside)
	}
	if n.authored() {
		el.nameBy(n)
	}
	return place(n, el, inside)
}

// inline gives the tokens of what is part of a run in one place and an element
// in another.
func (b *builder) inline(n *axNode, r row, sc scope) []token {
	switch n.role {
	case roleTerm:
		if sc.role == roleDescriptionList {
			return b.container(n, r, sc, func(sc scope) []token { return b.inside(n, sc) })
		}
	case roleMark:
		if n.dom.attr("role") == "mark" || n.dom.has("aria-details") {
			return b.textual(n, row{actionMap, elements.Text, "mark"}, sc)
		}
	case roleMath, roleMathML:
		el := b.newElement(n, r, sc)
		el.Text = wordsOf(b.inside(n, sc.below(el, n)))
		if n.authored() {
			el.nameBy(n)
		}
		if el.empty() {
			return wrap(n, nil)
		}
		return place(n, el, nil)
	case roleCode:
		if n.dom.block() || n.dom != nil && n.dom.parent != nil && n.dom.parent.tag == "pre" || holdsField(n) {
			return b.codeBlock(n, r, sc)
		}
	}
	return wrap(n, b.inside(n, sc))
}

func holdsField(n *axNode) bool {
	return slices.ContainsFunc(n.kids, func(k *axNode) bool { return k.role == roleTextField || holdsField(k) })
}

// codeBlock gives the tokens of code that is no part of a run.
func (b *builder) codeBlock(n *axNode, r row, sc scope) []token {
	el := b.newElement(n, r, sc)
	inside := b.inside(n, sc.below(el, n))
	notText := func(inner *Element) bool { return !inner.Role.IsText() || inner.field }
	if slices.ContainsFunc(things(inside), notText) {
		r.element = elements.Group
		return b.container(n, r, sc, func(sc scope) []token { return b.inside(n, sc) })
	}
	return b.textual(n, r, sc)
}
