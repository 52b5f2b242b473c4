package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// A setting is where a string stands, and so which of its characters would
// end it.
type setting int

const (
	// inQuotes ends at a quotation mark.
	inQuotes setting = iota
	// inRun is the words of a line, where a bracket opens a mark.
	inRun
	// inMark is the words of a mark, where a bracket closes it too.
	inMark
	// inURL ends at a space, or at a parenthesis that was not opened in it.
	inURL
	// inOddURL is a url whose parentheses are no pairs.
	inOddURL
	// inBrackets ends at an angle bracket.
	inBrackets
)

// escaped writes s as it stands in a setting.
func (p *printer) escaped(s string, in setting) {
	kept := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if (r == utf8.RuneError && size == 1) || ends(s, i, r, in) || unseen(r) {
			p.text(s[kept:i])
			p.escape(r, in)
			kept = i + size
		}
		i += size
	}
	p.text(s[kept:])
}

func (p *printer) escape(r rune, in setting) {
	switch {
	case r == utf8.RuneError:
		p.text("\uFFFD")
	case r == '\n':
		p.text(`\n`)
	case r == '\r':
		p.text(`\r`)
	case r == '\t':
		p.text(`\t`)
	case r == ' ':
		p.text(`\s`)
	case unseen(r):
		p.text(`\u{`)
		p.hex(r)
		p.text(`}`)
	default:
		p.text(`\`)
		p.buf = utf8.AppendRune(p.buf, r)
	}
}

func (p *printer) hex(r rune) {
	const digits = "0123456789abcdef"
	shift := 0
	for r>>shift >= 16 {
		shift += 4
	}
	for ; shift >= 0; shift -= 4 {
		p.buf = append(p.buf, digits[r>>shift&15])
	}
}

// ends says whether r, which stands in s at i, would end the string there or
// be taken for something else.
func ends(s string, i int, r rune, in setting) bool {
	if r == '\\' {
		return true
	}
	switch in {
	case inQuotes:
		return r == '"'
	case inRun:
		// A closing bracket closes nothing here, but before a parenthesis it
		// looks as if.
		return r == '[' || r == ']' && strings.HasPrefix(s[i+1:], "(")
	case inMark:
		return r == '[' || r == ']'
	case inURL:
		return r == ' ' || r == ':' && i == len(s)-1
	case inOddURL:
		return r == '(' || r == ')' || ends(s, i, r, inURL)
	case inBrackets:
		return r == '>'
	}
	return false
}

// unseen says whether r shows nothing by itself, or changes how what stands
// round it is shown: controls, bidi controls, what has no width, line and
// paragraph separators, private and unassigned code points.
func unseen(r rune) bool {
	if r >= ' ' && r < 0x7f {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// quote writes s in quotes.
func (p *printer) quote(s string) {
	p.text(`"`)
	p.escaped(s, inQuotes)
	p.text(`"`)
}

// wordOrQuote writes s as it is if it is a plain word, else in quotes.
func (p *printer) wordOrQuote(s string) {
	if isWord(s) {
		p.text(s)
	} else {
		p.quote(s)
	}
}

// isWord says whether s can stand without quotes.
func isWord(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '+'
}

// url writes an address as it is; what is none is quoted, after an at sign.
func (p *printer) url(s string) {
	switch {
	case !elements.IsAddress(s) || !utf8.ValidString(s):
		p.text("@")
		p.quote(s)
	case paired(s):
		p.escaped(s, inURL)
	default:
		p.escaped(s, inOddURL)
	}
}

// paired says whether each parenthesis in s has its counterpart.
func paired(s string) bool {
	opened := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			opened++
		case ')':
			opened--
		}
		if opened < 0 {
			return false
		}
	}
	return opened == 0
}
