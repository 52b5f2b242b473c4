package outline

import (
	"strings"

	"github.com/webarea/webarea/elements"
)

// reading is the words of one line as they are being read.
type reading struct {
	*line
	text strings.Builder
	// cuts are where in text a block ends and the next begins.
	cuts []int
	// spans are the words of marked elements.
	spans  []span
	places []hole
}

// span is the part of the text that an element says.
type span struct {
	element  *elements.Element
	from, to int
}

// words reads the words of a line, to its end, into its element and those
// marked in them. It returns the places kept.
func (l *line) words(e *elements.Element) []hole {
	r := reading{line: l}
	r.run(e, 0)
	if !l.done() {
		l.fail("a mark that does not open")
	}
	if len(r.cuts) > 0 && len(r.spans) > 0 {
		l.fail("a mark in more than one text")
	}
	if l.err != nil {
		return nil
	}
	said := r.text.String()
	from := 0
	for _, to := range append(r.cuts, len(said)) {
		e.Content = append(e.Content, elements.TextBlock(said[from:to]))
		from = to
	}
	for _, s := range r.spans {
		s.element.Content = []elements.Block{elements.TextBlock(said[s.from:s.to])}
	}
	return r.places
}

// run reads the words of e, up to the end of the line or the mark. depth
// counts the marks that e stands in.
func (r *reading) run(e *elements.Element, depth int) {
	for !r.done() {
		switch {
		case r.take("[]"):
			e.Children = append(e.Children, nil)
			r.places = append(r.places, hole{e, len(e.Children) - 1})
		case r.take("["):
			r.mark(e, depth+1)
		case depth == 0 && r.take(`\|`):
			r.cuts = append(r.cuts, r.text.Len())
		case depth > 0 && r.s[r.at] == ']':
			return
		default:
			r.character(&r.text)
		}
	}
}

// mark reads a marked child of e, whose bracket is read.
func (r *reading) mark(e *elements.Element, depth int) {
	if depth > maxMarks {
		r.fail("too many marks in one another")
		return
	}
	child := &elements.Element{Role: elements.Link}
	from := r.text.Len()
	r.run(child, depth)
	to := r.text.Len()
	r.want("](")
	child.ID = r.wordOrQuoted()
	r.about(child)
	r.want(")")
	if from == to {
		r.fail("a mark without words")
	}
	if child.Selected {
		child.Role = elements.Text
	}
	r.spans = append(r.spans, span{child, from, to})
	e.Children = append(e.Children, child)
}
