package oracle

import (
	"slices"
	"strings"
	"unicode"

	"github.com/webarea/webarea/elements"
)

// A token is one step of what is drawn, in order, before it is known which
// words are one run.
type token struct {
	kind tokenKind
	text string   // of a word or an ordinal
	el   *Element // of a thing
}

type tokenKind int

const (
	// word is a piece of words of the run that is under way.
	word tokenKind = iota
	// edge is where a block begins or ends, and a run with it.
	edge
	// ordinal is the number of a list's entry: part of the first words after it.
	ordinal
	// thing is an element that may lie in a run.
	thing
	// wall is an element that ends the run before it and lies in none.
	wall
)

// wrap puts edges round the tokens of a node that is laid out as a block.
func wrap(n *axNode, tokens []token) []token {
	if !n.dom.block() {
		return tokens
	}
	return slices.Concat([]token{{kind: edge}}, tokens, []token{{kind: edge}})
}

// place gives the token of a node's element. What has blocks inside lies in no
// run, nor does what is no part of a text.
func place(n *axNode, el *Element, inside []token) []token {
	inRun := el.Role.IsText() && el.Role != elements.Heading || el.Role == elements.Image || el.Role == elements.Group
	if inRun && !n.dom.block() && !slices.ContainsFunc(inside, func(t token) bool { return t.kind == edge || t.kind == wall }) {
		return []token{{kind: thing, el: el}}
	}
	if inRun {
		return []token{{kind: edge}, {kind: thing, el: el}, {kind: edge}}
	}
	return []token{{kind: wall, el: el}}
}

// things are the elements among tokens.
func things(tokens []token) []*Element {
	var found []*Element
	for _, t := range tokens {
		if t.el != nil {
			found = append(found, t.el)
		}
	}
	return found
}

// wordsOf are all the words of the tokens, those of elements included, with a
// newline between two blocks.
func wordsOf(tokens []token) string {
	var b strings.Builder
	for _, t := range numbered(tokens) {
		switch t.kind {
		case word:
			b.WriteString(t.text)
		case edge:
			b.WriteString("\n")
		case thing:
			b.WriteString(t.el.words())
		case wall:
			b.WriteString("\n" + t.el.words() + "\n")
		}
	}
	return tidy(b.String())
}

// assemble makes the children of a container: the words between two edges are
// one Text, with what lies among them inside; a run that is exactly one element
// is that one, and a run without words is what lies in it.
func assemble(tokens []token) []*Element {
	var children []*Element
	var run []token
	end := func() {
		children = append(children, endRun(run)...)
		run = nil
	}
	for _, t := range numbered(tokens) {
		switch t.kind {
		case edge:
			end()
		case wall:
			end()
			children = append(children, t.el)
		default:
			run = append(run, t)
		}
	}
	end()
	return children
}

func endRun(run []token) []*Element {
	inside := things(run)
	text := wordsOf(run)
	if text == "" || len(inside) == 1 && squeeze(inside[0].words()) == squeeze(text) {
		return inside
	}
	return []*Element{{Role: elements.Text, Text: text, Children: inside}}
}

// numbered puts each ordinal before the first words after it.
func numbered(tokens []token) []token {
	at := slices.IndexFunc(tokens, func(t token) bool { return t.kind == ordinal })
	if at < 0 {
		return tokens
	}
	out := slices.Clone(tokens[:at])
	rest := numbered(tokens[at+1:])
	number := token{kind: word, text: tokens[at].text}
	for i, t := range rest {
		switch {
		case t.kind == word && tidy(t.text) != "", t.kind == thing && runsWith(t.el):
			return slices.Concat(out, rest[:i], []token{number}, rest[i:])
		case t.el != nil && t.el.number(number.text):
			return append(out, rest...)
		case t.el != nil && t.el.words() != "":
			return append(out, rest...)
		}
	}
	return append(out, rest...)
}

// runsWith says whether words before the element are in one run with it.
func runsWith(el *Element) bool {
	return el.words() != "" && (el.Role == elements.Link || el.Role == elements.Text)
}

// number puts an ordinal before the element's first words and says whether it
// could: the words of an entry inside have their own, and those of a link are
// where it leads and no more, so that the two are a run.
func (e *Element) number(ordinal string) bool {
	switch {
	case e.field || e.Role == elements.List || e.Role == elements.Table || isEntry(e.Role):
		return false
	case e.Role.IsText():
		if e.Text == "" {
			return false
		}
		e.Text = tidy(ordinal + e.Text)
		return true
	}
	for i, kid := range e.Children {
		if kid.Role == elements.Link && kid.Text != "" {
			e.Children[i] = &Element{Role: elements.Text, Text: tidy(ordinal + kid.Text), Children: []*Element{kid}}
			return true
		}
		if kid.number(ordinal) {
			return true
		}
		if kid.words() != "" {
			return false
		}
	}
	return false
}

// tidy gives words as they are compared and printed: white space is one space,
// at most one newline stands between two lines, and what is no word is gone.
func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(strings.Map(dropNoWord, text)) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// squeeze leaves only the characters of the words, in order.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return dropNoWord(r)
	}, text)
}

// dropNoWord drops what is drawn but says nothing (the private use areas, where
// icon fonts live) and what is not drawn: controls, soft hyphens and other
// marks of where a line may break.
func dropNoWord(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return r
	case unicode.Is(unicode.Co, r), unicode.IsControl(r):
		return -1
	case r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff' || r == '\ufffc':
		return -1
	}
	return r
}

// maxTitle is the longest title, in characters.
const maxTitle = 200

// titled makes one line of a name, cut where it is too long.
func titled(name string) string {
	line := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return dropNoWord(r)
	}, name)), " ")
	if runes := []rune(line); len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return line
}
