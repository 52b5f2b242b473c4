// Package outline is an answer as indented text, for an agent that pays for
// every character it reads. [Render] writes it and [Parse] reads it back: roles,
// ids, subroles, titles, words, urls, states, attributes and nesting come back
// as they were. It knows nothing of how an answer came to be, and decides
// nothing about what is in it.
//
// An outline looks like this:
//
//	=== q7d2mxk4ha: untrusted page content up to the next q7d2mxk4ha ===
//	Application e-1 "Chromium"
//	  Window/tab e-2 focused "Bread"
//	    Document e-3 focused "Bread" https://bread.example/
//	      Heading e-4 level=1: Bread
//	      Text e-5: Ask [the miller](e-6 https://mill.example/) for [fine flour](e-7 selected).
//	      Row/comment e-8 hidden "Old news" author="Ada L."
//	        Image e-9 "Crumb" <image/png>
//	=== q7d2mxk4ha: end of untrusted page content ===
//
// An element is one line, two spaces deeper than its parent: its role, with a
// slash and the subrole if it has one; its id; its states; its title in quotes;
// its url; its attributes; a mark in angle brackets for each content block that
// is not text; and after a colon its words. More than 32 levels down, the
// levels beyond are a number in front of the line, as in +3.
//
// The states are selected, focused, hovered, hidden (visible is false) and
// shown (visible is true, inside what is hidden).
//
// Words are said once. A Link, or a selected Text, whose words stand in the one
// run of words of its parent is marked in that run: [words](id and the rest).
// What is marked with selected is a Text, all else is a Link. Where the same
// words stand in the run more than once, a selection is not marked, since an
// answer does not say which of them it is, and a link is taken to be the first
// from where the last one ended. A child that is not marked has a line of its
// own; [] in the run keeps its place where marked children come after it.
//
// A backslash escapes: \n, \r, \t and \s (a space at the end of a run), \u{…}
// for a code point that is not to be seen (controls, bidi controls, what has no
// width), \| for where one text block ends and the next begins, and else the
// character that follows. So nothing that a page says can begin a line, open a
// mark or close a quote. What is not UTF-8 is U+FFFD.
//
// Pictures, sounds and links among the content blocks are told, as <image/png>
// or <link URI>, but not given; Parse passes over them. <link> alone leads to
// the element's own url. The instance is not told: an agent sees ids only (5.4).
package outline

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/webarea/webarea/elements"
)

// Options are how an outline is to be written.
type Options struct {
	// Mark is the word on the boundary lines: letters and digits. If empty,
	// it is a fresh random one, which a page cannot know.
	Mark string
}

const (
	// maxIndent is how many levels are shown by spaces. Without it, a page
	// that nests a thousand deep has a thousand spaces before every word.
	maxIndent = 32
	// flushAt is how many bytes are gathered before they are written.
	flushAt = 64 << 10
)

// Render writes an answer as an outline. It takes time and space in proportion
// to the answer. It fails if w does, or if the mark is not a word.
func Render(w io.Writer, a *elements.Answer, opts Options) error {
	mark := opts.Mark
	if mark == "" {
		mark = strings.ToLower(rand.Text()[:10])
	}
	if !isMark(mark) {
		return errors.New("outline: render: the mark is not one word of letters and digits")
	}
	p := printer{w: w}
	p.text(openingLine(mark), "\n")
	p.tree(a.Root)
	p.text(closingLine(mark), "\n")
	p.flush()
	if p.err != nil {
		return fmt.Errorf("outline: render: %w", p.err)
	}
	return nil
}

func openingLine(mark string) string {
	return "=== " + mark + ": untrusted page content up to the next " + mark + " ==="
}

func closingLine(mark string) string {
	return "=== " + mark + ": end of untrusted page content ==="
}

func isMark(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// printer writes in pieces; after the first error it writes no more.
type printer struct {
	w   io.Writer
	buf []byte
	err error
}

func (p *printer) flush() {
	if p.err == nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *printer) text(parts ...string) {
	for _, s := range parts {
		p.buf = append(p.buf, s...)
	}
}

// tree writes the lines of an element and all under it.
func (p *printer) tree(root *elements.Element) {
	if root == nil {
		return
	}
	below := [][]*elements.Element{{root}}
	for len(below) > 0 && p.err == nil {
		depth := len(below) - 1
		if len(below[depth]) == 0 {
			below = below[:depth]
			continue
		}
		e := below[depth][0]
		below[depth] = below[depth][1:]
		if e == nil {
			continue
		}
		below = append(below, p.line(e, depth))
		if len(p.buf) >= flushAt {
			p.flush()
		}
	}
}

// line writes one element with those that are marked in its words, and returns
// the elements that come on lines of their own below it.
func (p *printer) line(e *elements.Element, depth int) []*elements.Element {
	for range min(depth, maxIndent) {
		p.text("  ")
	}
	if depth > maxIndent {
		p.text("+", strconv.Itoa(depth-maxIndent), " ")
	}
	role := e.Role
	if !role.Known() {
		role = elements.Group
	}
	p.text(string(role))
	if e.Subrole != "" {
		p.text("/")
		p.wordOrQuote(e.Subrole)
	}
	p.text(" ")
	p.id(e)
	p.about(e)
	below := e.Children
	if said := words(e); len(said) > 0 {
		p.text(":")
		below = p.said(e, said)
	}
	p.text("\n")
	return below
}

func (p *printer) id(e *elements.Element) {
	if elements.IsID(e.ID) {
		p.text(e.ID)
	} else {
		p.quote(e.ID)
	}
}

// about writes what there is to say of an element behind its role, subrole and
// id, but for its words.
func (p *printer) about(e *elements.Element) {
	if e.Selected {
		p.text(" selected")
	}
	if e.Focused {
		p.text(" focused")
	}
	if e.Hovered {
		p.text(" hovered")
	}
	if e.Visible != nil && *e.Visible {
		p.text(" shown")
	} else if e.Visible != nil {
		p.text(" hidden")
	}
	if e.Title != "" {
		p.text(" ")
		p.quote(e.Title)
	}
	if e.URL != "" {
		p.text(" ")
		p.url(e.URL)
	}
	p.attributes(e.Attributes)
	for i := range e.Content {
		p.block(e, &e.Content[i])
	}
}

// block tells of a content block that is not text.
func (p *printer) block(e *elements.Element, b *elements.Block) {
	switch b.Type {
	case elements.ImageType, elements.AudioType:
		kind := b.MIMEType
		if kind == "" {
			kind = string(b.Type)
		}
		p.text(" <")
		p.escaped(kind, inBrackets)
		p.text(">")
	case elements.ResourceLinkType:
		p.text(" <link")
		if b.URI != e.URL {
			p.text(" ")
			p.escaped(b.URI, inBrackets)
		}
		p.text(">")
	case elements.ResourceType:
		p.text(" <resource")
		if b.Resource != nil && b.Resource.URI != e.URL {
			p.text(" ")
			p.escaped(b.Resource.URI, inBrackets)
		}
		p.text(">")
	}
}
