package oracle

import (
	"strings"

	"github.com/webarea/webarea/elements"
)

// A shape is an element, expected or answered, as it is compared. Plain runs
// are no shapes: which words lie in one run only layout knows, so their words
// count for the element round them, and what lies in them is its child.
type shape struct {
	role     elements.Role
	subrole  string
	title    string
	url      string
	text     string // its own text block
	parts    []part // what is in it, in order
	children []*shape
}

// A part is a piece of the words in an element: a plain run, or what a child
// says.
type part struct {
	text string
	kid  *shape // nil for a run
}

func shapeOfExpected(e *Element) *shape {
	s := &shape{role: e.Role, subrole: e.Subrole, title: e.Title, url: e.URL, text: e.Text}
	for _, kid := range e.Children {
		s.adopt(shapeOfExpected(kid))
	}
	return s
}

func shapeOfAnswer(e *elements.Element) *shape {
	s := &shape{role: e.Role, subrole: e.Subrole, title: e.Title, url: e.URL}
	for _, block := range e.Content {
		if block.Type == elements.TextType {
			s.text += block.Text
		}
	}
	for _, kid := range e.Children {
		if kid.Role == elements.Text && kid.Selected && len(kid.Children) == 0 && kid.Title == "" && kid.Subrole == "" {
			continue // a selection says words of its surroundings again
		}
		s.adopt(shapeOfAnswer(kid))
	}
	return s
}

// adopt takes a child, or what is in it if it is a plain run.
func (s *shape) adopt(kid *shape) {
	if kid.run() {
		s.parts = append(s.parts, part{text: kid.text})
		s.children = append(s.children, kid.children...)
		return
	}
	s.parts = append(s.parts, part{kid.saying(), kid})
	s.children = append(s.children, kid)
}

func (s *shape) run() bool {
	return s.role == elements.Text && s.subrole == "" && s.title == "" && s.url == "" && s.text != ""
}

// words are all words that the element says, but for those of children that are
// in told; if it is there itself, its title.
func (s *shape) words(told map[*shape]bool) string {
	if s.role.IsText() {
		return s.text
	}
	var all []string
	if isEntry(s.role) && !told[s] {
		all = append(all, s.title)
	}
	for _, p := range s.parts {
		if p.kid == nil || !told[p.kid] {
			all = append(all, p.text)
		}
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

// saying is what the element says for what is round it: a frame or a field to
// type in says nothing there, nor what is known only by its title.
func (s *shape) saying() string {
	switch s.role {
	case elements.Document:
		return ""
	case elements.Text:
		switch s.subrole {
		case "textarea", "password", "searchbox", "combobox", "number", "editor":
			return ""
		case "":
			if s.title != "" {
				return ""
			}
		}
	}
	return s.words(nil)
}

func (s *shape) line() string {
	e := Element{Role: s.role, Subrole: s.subrole, Title: s.title, URL: s.url, Text: s.text}
	return e.line()
}

// name is how a person would point at the element.
func (s *shape) name() string {
	name := string(s.role)
	if s.subrole != "" {
		name += "/" + s.subrole
	}
	switch {
	case s.title != "":
		name += " " + quote(s.title)
	case s.role.IsText() && s.text != "":
		name += " " + quote(s.text)
	}
	return name
}
