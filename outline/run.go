package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

const (
	// maxMarks is how many marks may stand in one another.
	maxMarks = 16
	// searches is how many times over a run is searched for the words of
	// children, at most. Children in the order of the run need it once; those
	// that are not in it, each once more, and there may be as many of them as
	// a page likes.
	searches = 8
)

// words returns the text blocks of an element.
func words(e *elements.Element) []string {
	var said []string
	for i := range e.Content {
		if e.Content[i].Type == elements.TextType {
			said = append(said, valid(e.Content[i].Text))
		}
	}
	return said
}

// valid returns s with every byte that is not UTF-8 as U+FFFD, which is what
// the encoding of an answer makes of it too.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// said writes the words of a line, and returns the elements that come on lines
// of their own below it.
func (p *printer) said(e *elements.Element, said []string) []*elements.Element {
	if len(said) == 1 {
		if said[0] != "" {
			p.text(" ")
		}
		r := run{printer: p}
		r.write(e, said[0], 0)
		return r.below
	}
	p.text(" ")
	for _, s := range said[:len(said)-1] {
		p.escaped(s, inRun)
		p.text(`\|`)
	}
	p.ending(said[len(said)-1])
	return e.Children
}

// ending writes the words at the end of a line. A space there is escaped, for
// what carries lines may strip them.
func (p *printer) ending(s string) {
	short := strings.TrimSuffix(s, " ")
	p.escaped(short, inRun)
	if len(short) < len(s) {
		p.text(`\s`)
	}
}

// run is the words of one line as they are being written.
type run struct {
	*printer
	// below are the elements that come on lines of their own, in the order
	// in which their places come in the run.
	below []*elements.Element
}

// write writes the words of e, with its children marked where they are found.
// depth counts the marks that e stands in: 0 is the element of the line.
func (r *run) write(e *elements.Element, said string, depth int) {
	in := inMark
	if depth == 0 {
		in = inRun
	}
	at, budget, unplaced := 0, searches*len(said), 0
	for _, child := range e.Children {
		if child == nil {
			continue
		}
		inner, start := "", -1
		if depth < maxMarks {
			inner, start = find(said, at, child, &budget)
		}
		if start < 0 {
			r.below = append(r.below, child)
			unplaced++
			continue
		}
		r.escaped(said[at:start], in)
		r.places(&unplaced)
		r.text("[")
		r.write(child, inner, depth+1)
		r.text("](")
		r.id(child)
		if child.Subrole != "" {
			r.text(" /")
			r.wordOrQuote(child.Subrole)
		}
		r.about(child)
		r.text(")")
		at = start + len(inner)
	}
	if depth == 0 {
		r.ending(said[at:])
		return
	}
	r.escaped(said[at:], in)
	r.places(&unplaced)
}

// places keeps the places of children that come on lines of their own.
func (r *run) places(n *int) {
	for ; *n > 0; *n-- {
		r.text("[]")
	}
}

// find looks in the words of an element, from at on, for those of a child that
// can be marked there. It returns them, and where they begin: -1 if nowhere.
// budget is how many bytes may yet be searched.
func find(said string, at int, child *elements.Element, budget *int) (string, int) {
	link := child.Role == elements.Link && !child.Selected
	selection := child.Role == elements.Text && child.Selected
	if !link && !selection || len(child.Content) != 1 || child.Content[0].Type != elements.TextType {
		return "", -1
	}
	inner := valid(child.Content[0].Text)
	if inner == "" || len(inner) > len(said)-at || *budget < 0 {
		return "", -1
	}
	start := strings.Index(said[at:], inner)
	if start < 0 {
		*budget -= len(said) - at
		return "", -1
	}
	*budget -= start + len(inner)
	start += at
	if link {
		return inner, wholeWords(said, start, inner, budget)
	}
	*budget -= len(said)
	if strings.Index(said, inner) != strings.LastIndex(said, inner) {
		return "", -1
	}
	return inner, start
}

// nearby is how many bytes further on a link's words are looked for, where
// they are first found as a part of a word.
const nearby = 256

// wholeWords returns where inner stands in said by itself and not as a part of
// a word, start or near behind it; start if nowhere.
func wholeWords(said string, start int, inner string, budget *int) int {
	end := min(len(said), start+len(inner)+nearby)
	for at := start; ; {
		if wordEnds(said, at) && wordEnds(said, at+len(inner)) {
			return at
		}
		next := strings.Index(said[at+1:end], inner)
		if next < 0 || *budget < 0 {
			return start
		}
		*budget -= next + 1
		at += 1 + next
	}
}

// wordEnds says whether no word goes on from before at to behind it. Scripts
// that write no spaces between words have an end everywhere.
func wordEnds(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return !inWord(before) || !inWord(after)
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte(byte(r)) && r != '.' && r != '-' && r != '+'
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
