package mapper

import (
	"net/url"
	"unicode"
	"unicode/utf8"
)

// A spelling is a way to read what stands in a text.
type spelling int

const (
	asWritten     spelling = iota
	unescaped              // %20 is a space
	unescapedForm          // and so is +, as forms write it
)

// folded is a text in the form in which secrets are looked for in it: in small
// letters, since a style sheet may draw capitals; with one space for each run of
// white space; without what draws nothing.
type folded struct {
	bytes []byte
	// at has for each byte, and for the end, where it stands in the text.
	at []int
}

func (f *folded) fold(s string, as spelling) {
	f.bytes, f.at = f.bytes[:0], f.at[:0]
	space := false
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if as != asWritten && (c == '%' || c == '+' && as == unescapedForm) {
			c, n = unescape(s[i:])
		}
		at := i
		i += n
		switch {
		case c == 0:
			c = utf8.RuneError
		case unwanted(c) && c != '\r' || c == '\u00ad' || c == '\u200b' || c == '\u2060' || c == '\ufeff':
			continue
		case unicode.IsSpace(c) || unicode.IsControl(c):
			if space {
				continue
			}
			c = ' '
		}
		space = c == ' '
		before := len(f.bytes)
		if c == 'ß' || c == 'ẞ' {
			f.bytes = append(f.bytes, "ss"...)
		} else {
			f.bytes = utf8.AppendRune(f.bytes, small(c))
		}
		for range len(f.bytes) - before {
			f.at = append(f.at, at)
		}
	}
	f.at = append(f.at, len(s))
}

// small gives one letter for all that differ in case only.
func small(c rune) rune {
	if c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	least := c
	for o := unicode.SimpleFold(c); o != c; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return unicode.ToLower(least)
}

// unescape gives the first character of s, which begins with an escape, and how
// many bytes it takes.
func unescape(s string) (rune, int) {
	if s[0] == '+' {
		return ' ', 1
	}
	var raw [utf8.UTFMax]byte
	for n := range raw {
		at := 3 * n
		if at+3 > len(s) || s[at] != '%' {
			break
		}
		b, err := url.PathUnescape(s[at : at+3])
		if err != nil || len(b) != 1 {
			break
		}
		raw[n] = b[0]
		if c, size := utf8.DecodeRune(raw[:n+1]); size == n+1 && c != utf8.RuneError {
			return c, 3 * (n + 1)
		}
	}
	return '%', 1
}

// wordLength is how many bytes the first word of a text has: letters and digits, or
// one of anything else.
func wordLength(text []byte) int {
	for n := 0; n < len(text); {
		c, size := utf8.DecodeRune(text[n:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			if n == 0 {
				return size
			}
			return n
		}
		n += size
	}
	return len(text)
}
