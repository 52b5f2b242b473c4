package outline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// Parse reads an outline as [Render] writes it: the boundary, and what is
// inside. The answer it returns has no instance and no content blocks but text,
// for an outline does not say them. It fails, with the number of the line, on
// anything that Render would not write.
func Parse(r io.Reader) (*elements.Answer, error) {
	p := parser{in: bufio.NewReader(r), answer: &elements.Answer{Protocol: elements.Version}}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("outline: parse line %d: %w", p.n, err)
	}
	return p.answer, nil
}

// parser reads lines, and keeps the elements on the way to the last of them.
type parser struct {
	in     *bufio.Reader
	n      int
	answer *elements.Answer
	way    []open
}

// open is an element that lines below it may yet belong to.
type open struct {
	element *elements.Element
	// places are kept in its words for children on lines of their own, in
	// order.
	places []hole
}

// hole is a child that is still to come.
type hole struct {
	of    *elements.Element
	index int
}

func (p *parser) parse() error {
	first, err := p.next()
	if err != nil {
		return err
	}
	mark, _, _ := strings.Cut(strings.TrimPrefix(first, "=== "), ":")
	if !isMark(mark) || first != openingLine(mark) {
		return errors.New("does not open the boundary")
	}
	for {
		text, err := p.next()
		if err != nil {
			return err
		}
		if text == closingLine(mark) {
			break
		}
		if err := p.line(text); err != nil {
			return err
		}
	}
	if err := p.close(0); err != nil {
		return err
	}
	if _, err := p.in.ReadByte(); err != io.EOF {
		p.n++
		return errors.New("something follows the boundary")
	}
	return nil
}

func (p *parser) next() (string, error) {
	p.n++
	text, err := p.in.ReadString('\n')
	if err == io.EOF {
		return "", errors.New("the boundary does not close")
	}
	if err != nil {
		return "", err
	}
	return text[:len(text)-1], nil
}

func (p *parser) line(text string) error {
	l := line{s: text}
	depth := l.indent()
	e := &elements.Element{}
	places := l.element(e)
	if l.err != nil {
		return fmt.Errorf("at byte %d: %w", l.at, l.err)
	}
	if depth > len(p.way) {
		return errors.New("is deeper than a child of the line above it")
	}
	if err := p.close(depth); err != nil {
		return err
	}
	switch {
	case depth > 0:
		p.way[depth-1].add(e)
	case p.answer.Root != nil:
		return errors.New("is a second root")
	default:
		p.answer.Root = e
	}
	p.way = append(p.way, open{e, places})
	return nil
}

// close closes the elements at depth and below it.
func (p *parser) close(depth int) error {
	for ; len(p.way) > depth; p.way = p.way[:len(p.way)-1] {
		if len(p.way[len(p.way)-1].places) > 0 {
			return errors.New("comes where a line is missing whose place is kept")
		}
	}
	return nil
}

func (o *open) add(child *elements.Element) {
	if len(o.places) == 0 {
		o.element.Children = append(o.element.Children, child)
		return
	}
	place := o.places[0]
	o.places = o.places[1:]
	place.of.Children[place.index] = child
}

// line is one line being read; after the first error it reads nothing more.
type line struct {
	s   string
	at  int
	err error
}

func (l *line) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
}

func (l *line) done() bool { return l.err != nil || l.at == len(l.s) }

// take reads s if it comes next.
func (l *line) take(s string) bool {
	if l.err != nil || !strings.HasPrefix(l.s[l.at:], s) {
		return false
	}
	l.at += len(s)
	return true
}

func (l *line) want(s string) {
	if !l.take(s) {
		l.fail("no %q", s)
	}
}

// word reads a plain word.
func (l *line) word() string {
	start := l.at
	for !l.done() && isWordByte(l.s[l.at]) {
		l.at++
	}
	if start == l.at {
		l.fail("no word")
	}
	return l.s[start:l.at]
}

func (l *line) wordOrQuoted() string {
	if l.take(`"`) {
		return l.quoted()
	}
	return l.word()
}

// quoted reads to the end of a quotation, whose opening mark is read.
func (l *line) quoted() string {
	s := l.until(func(c byte) bool { return c == '"' })
	l.want(`"`)
	return s
}

// until reads up to an unescaped byte that stops it, or to the end.
func (l *line) until(stops func(byte) bool) string {
	var b strings.Builder
	for !l.done() && !stops(l.s[l.at]) {
		l.character(&b)
	}
	return b.String()
}

// character reads one character, escaped or not, into b.
func (l *line) character(b *strings.Builder) {
	if !l.take(`\`) {
		b.WriteByte(l.s[l.at])
		l.at++
		return
	}
	if l.take("u{") {
		l.codePoint(b)
		return
	}
	if l.done() {
		l.fail("nothing is escaped")
		return
	}
	c := l.s[l.at]
	l.at++
	switch c {
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 's':
		c = ' '
	case '\\', '"', '[', ']', '(', ')', '>', ':':
	default:
		l.fail("an escape that is none")
	}
	b.WriteByte(c)
}

func (l *line) codePoint(b *strings.Builder) {
	end := strings.IndexByte(l.s[l.at:min(len(l.s), l.at+7)], '}')
	if end < 0 {
		l.fail("a code point that does not end")
		return
	}
	n, err := strconv.ParseUint(l.s[l.at:l.at+end], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		l.fail("no code point")
		return
	}
	b.WriteRune(rune(n))
	l.at += end + 1
}

func (l *line) indent() int {
	depth := 0
	for l.take("  ") {
		depth++
	}
	if depth == maxIndent && l.take("+") {
		n, err := strconv.Atoi(l.word())
		if err != nil || n < 1 {
			l.fail("no depth")
			return 0
		}
		depth += n
		l.want(" ")
	}
	return depth
}

// element reads a line from its role on, and returns the places kept in its
// words.
func (l *line) element(e *elements.Element) []hole {
	e.Role = elements.Role(l.word())
	if !e.Role.Known() {
		l.fail("no role")
	}
	if l.take("/") {
		e.Subrole = l.wordOrQuoted()
	}
	l.want(" ")
	e.ID = l.wordOrQuoted()
	l.about(e)
	if l.done() {
		return nil
	}
	l.want(":")
	if l.done() {
		e.Content = []elements.Block{elements.TextBlock("")}
		return nil
	}
	l.want(" ")
	return l.words(e)
}

// about reads what follows an id.
func (l *line) about(e *elements.Element) {
	for l.take(" ") {
		switch {
		case l.take("/"):
			e.Subrole = l.wordOrQuoted()
		case l.take("<"):
			l.until(func(c byte) bool { return c == '>' })
			l.want(">")
		case l.take(`@"`):
			e.URL = l.quoted()
		case l.take(`"`):
			if s := l.quoted(); l.take("=") {
				l.attribute(e, s)
			} else {
				e.Title = s
			}
		default:
			l.named(e)
		}
	}
}

func (l *line) attribute(e *elements.Element, name string) {
	if e.Attributes == nil {
		e.Attributes = map[string]any{}
	}
	e.Attributes[name] = l.value(0)
}

// named reads what begins with a word: an attribute, a url or a state.
func (l *line) named(e *elements.Element) {
	start := l.at
	word := l.word()
	if l.take("=") {
		l.attribute(e, word)
		return
	}
	if rest := l.s[l.at:]; len(rest) > 1 && rest[0] == ':' && rest[1] != ' ' {
		l.at = start
		l.url(e)
		return
	}
	shown := word == "shown"
	switch word {
	case "selected":
		e.Selected = true
	case "focused":
		e.Focused = true
	case "hovered":
		e.Hovered = true
	case "hidden", "shown":
		e.Visible = &shown
	default:
		l.fail("%q is no state", word)
	}
}

// url reads an address. A colon at its end is not its own, but begins the
// words.
func (l *line) url(e *elements.Element) {
	opened := 0
	ends := func() bool {
		rest := l.s[l.at:]
		switch rest[0] {
		case ' ':
			return true
		case '(':
			opened++
		case ')':
			opened--
		case ':':
			return rest == ":" || rest[1] == ' '
		}
		return opened < 0
	}
	var b strings.Builder
	for !l.done() && !ends() {
		l.character(&b)
	}
	e.URL = b.String()
}
