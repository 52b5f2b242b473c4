package oracle

import (
	"fmt"
	"strings"

	"github.com/webarea/webarea/elements"
)

// A Difference is one thing that an answer says otherwise than it must.
type Difference struct {
	// Path leads to the element, by role and title, from the page's Document.
	Path string
	// What differs: "role", "subrole", "title", "url", "words", "missing" or
	// "unexpected".
	What string
	Want string
	Got  string
}

// String prints the difference for a person.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s\n    want %s\n    got  %s", d.Path, d.What, d.Want, d.Got)
}

// Compare holds an answer in page scope against what was expected of its one
// page. It compares roles, subroles, titles, urls, nesting, order and words;
// of words only the characters that are no white space, and not where one plain
// run ends and the next begins inside the same element.
func Compare(expected *Expected, answer *elements.Answer) []Difference {
	var document *elements.Element
	for e := range answer.All() {
		if e.Role == elements.Document {
			document = e
			break
		}
	}
	return CompareDocument(expected, document)
}

// CompareDocument is Compare with the page's Document; nil is none.
func CompareDocument(expected *Expected, document *elements.Element) []Difference {
	if document == nil {
		return []Difference{{"answer", "missing", expected.Document.line(), "no Document"}}
	}
	c := comparison{told: map[*shape]bool{}}
	c.pair(shapeOfExpected(expected.Document), shapeOfAnswer(document), "")
	return c.found
}

// A comparison gathers differences. told has what has been said to differ in
// its words, on both sides, so that nothing is said again of what is round it.
type comparison struct {
	found []Difference
	told  map[*shape]bool
}

func (c *comparison) add(path, what, want, got string) {
	c.found = append(c.found, Difference{path, what, want, got})
}

// pair compares two elements that stand for the same thing.
func (c *comparison) pair(want, got *shape, path string) {
	if path != "" {
		path += " > "
	}
	path += want.name()
	if want.role != got.role {
		c.add(path, "role", string(want.role), string(got.role))
	}
	if want.subrole != got.subrole {
		c.add(path, "subrole", quote(want.subrole), quote(got.subrole))
	}
	if !sameTitle(want.title, got.title) {
		c.add(path, "title", quote(want.title), quote(got.title))
		c.told[want], c.told[got] = true, true
	}
	if want.url != got.url {
		c.add(path, "url", quote(want.url), quote(got.url))
	}
	for _, m := range match(want.children, got.children) {
		switch {
		case m.got == nil:
			c.add(path, "missing", m.want.line(), "nothing")
			c.told[m.want] = true
		case m.want == nil:
			c.add(path, "unexpected", "nothing", m.got.line())
			c.told[m.got] = true
		default:
			c.pair(m.want, m.got, path)
			if squeeze(m.want.saying()) != squeeze(m.got.saying()) {
				c.told[m.want], c.told[m.got] = true, true
			}
		}
	}
	w, g := want.words(c.told), got.words(c.told)
	if squeeze(w) == squeeze(g) {
		return
	}
	w, g = around(w, g)
	c.add(path, "words", w, g)
}

// sameTitle compares titles but for white space; of two that were cut, what
// both have.
func sameTitle(want, got string) bool {
	w, g := squeeze(titled(want)), squeeze(titled(got))
	if w == g {
		return true
	}
	const cut = "…"
	if !strings.HasSuffix(w, cut) || !strings.HasSuffix(g, cut) {
		return false
	}
	w, g = strings.TrimSuffix(w, cut), strings.TrimSuffix(g, cut)
	return strings.HasPrefix(w, g) || strings.HasPrefix(g, w)
}

// shown is how many characters a difference shows of words.
const shown = 60

func quote(text string) string {
	runes := []rune(text)
	if len(runes) > shown {
		return fmt.Sprintf("%q…", string(runes[:shown]))
	}
	return fmt.Sprintf("%q", text)
}

// around gives both texts from a little before the first character that
// differs.
func around(want, got string) (string, string) {
	w, wAt := positions(want)
	g, gAt := positions(got)
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	return window(want, wAt, i), window(got, gAt, i)
}

// positions gives the characters that count, and where in the text each is.
func positions(text string) (runes []rune, at []int) {
	for i, r := range text {
		if squeeze(string(r)) != "" {
			runes, at = append(runes, r), append(at, i)
		}
	}
	return runes, at
}

func window(text string, at []int, i int) string {
	if len(at) == 0 {
		return `""`
	}
	begin := max(0, i-shown/3)
	if begin >= len(at) {
		begin = len(at) - 1
	}
	prefix := ""
	if begin > 0 {
		prefix = "…"
	}
	return prefix + quote(text[at[begin]:])
}
