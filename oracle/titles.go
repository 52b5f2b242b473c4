package oracle

import (
	"slices"
	"unicode"

	"github.com/webarea/webarea/elements"
)

// marker gives the tokens of a list's marker: a number is words, a bullet none.
func marker(text string) []token {
	for _, r := range text {
		if (unicode.IsLetter(r) || unicode.IsNumber(r)) && dropNoWord(r) >= 0 {
			return []token{{kind: ordinal, text: text}}
		}
	}
	return nil
}

// titling gives the tokens of what may be the title of something else: a label,
// a legend, a caption, a summary. Its words are not said twice.
func (b *builder) titling(n *axNode, sc scope) []token {
	inside := b.inside(n, sc)
	switch n.role {
	case roleLabel:
		if b.titlesField(n) && !holdsMore(n) {
			return wrap(n, slices.DeleteFunc(inside, func(t token) bool { return t.kind == word }))
		}
	case roleLegend:
		if sc.titledNode != nil && sc.titledNode.pointsTo("labelledby", n.backend) && sc.titledNode.source.native == "legend" {
			if len(things(inside)) == 0 {
				return wrap(n, nil)
			}
			sc.titled.untitle()
		}
	case roleDisclosure, roleDisclosureGrouped:
		if sc.titledNode != nil && sc.titledNode.role == roleDetails && sc.titled.Title == "" && !holdsMore(n) {
			sc.titled.Title = titled(n.name)
			sc.titled.named = true
			return wrap(n, slices.DeleteFunc(inside, func(t token) bool { return t.kind == word }))
		}
	case roleCaption:
		if sc.titledNode != nil && sc.titledNode.pointsTo("labelledby", n.backend) && sc.titledNode.source.native == "tablecaption" {
			if len(things(inside)) == 0 {
				return wrap(n, nil)
			}
			sc.titled.untitle()
		}
		return b.captioned(n, inside, "caption")
	case roleFigcaption:
		figure := sc.titledNode != nil && sc.titledNode.role == roleFigure
		if figure && sc.titled.Title == "" && len(things(inside)) == 0 {
			sc.titled.Title = titled(wordsOf(inside))
			sc.titled.named = true
			return wrap(n, nil)
		}
		return b.captioned(n, inside, "figcaption")
	}
	return wrap(n, inside)
}

func (e *Element) untitle() { e.Title, e.named = "", false }

// captioned gives the tokens of a caption that stays as a Text.
func (b *builder) captioned(n *axNode, inside []token, subrole string) []token {
	el := &Element{Role: elements.Text, Subrole: subrole, Text: wordsOf(inside), Children: things(inside)}
	if w := n.dom.word(); w != "" {
		el.Subrole = w
	}
	if el.Text == "" {
		return wrap(n, inside)
	}
	return place(n, el, inside)
}

// titlesField says whether a label names something that is reported.
func (b *builder) titlesField(n *axNode) bool {
	return slices.ContainsFunc(b.labels[n.backend], func(named *axNode) bool {
		if b.popups[named] {
			return false
		}
		if named.role == roleSpinButton {
			return named.props["editable"] != ""
		}
		return b.roles.plain[named.role].action == actionMap
	})
}

// labelKeepsWords says whether a node has its name from a label that keeps its
// words to itself, and so titles nothing.
func (b *builder) labelKeepsWords(n *axNode) bool {
	if n.source.native != "label" && n.source.native != "labelfor" && n.source.native != "labelwrapped" {
		return false
	}
	return slices.ContainsFunc(n.related["labelledby"], func(r related) bool {
		label := b.nodes[r.backend]
		return label != nil && label.role == roleLabel && holdsMore(label)
	})
}

// holdsTitling says whether a label that titles a field is inside a node.
func (b *builder) holdsTitling(n *axNode) bool {
	return slices.ContainsFunc(n.kids, func(k *axNode) bool {
		return k.role == roleLabel && b.titlesField(k) && !holdsMore(k) || b.holdsTitling(k)
	})
}

// holdsMore says whether a heading or a link is inside a node.
func holdsMore(n *axNode) bool {
	return slices.ContainsFunc(n.kids, func(k *axNode) bool {
		return !k.ignored && (k.role == roleHeading || k.role == roleLink) || holdsMore(k)
	})
}

// labelWords gives the words of a label that Chrome's tree holds only as the
// name of its check box.
func (b *builder) labelWords(n *axNode) []token {
	for _, named := range b.labels[n.backend] {
		for _, r := range named.related["labelledby"] {
			if r.backend == n.backend {
				return []token{{kind: word, text: r.text}}
			}
		}
	}
	return nil
}
