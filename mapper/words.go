package mapper

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// maxTitle is how long a title may be, in characters: one line a person reads at
// a glance.
const maxTitle = 200

// title makes one line of a name.
func title(s string) string {
	s = clean(s)
	s = strings.TrimFunc(strings.Join(strings.FieldsFunc(s, separates), " "), unicode.IsSpace)
	if len(s) <= maxTitle || utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	n := 0
	for i := range s {
		if n == maxTitle-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n++
	}
	return s
}

// separates is what one line cannot hold but as a space.
func separates(r rune) bool {
	return r != '\u00a0' && unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// clean leaves out the private use areas, where icon fonts put their pictures:
// they are no words in any language. What no text can hold becomes U+FFFD.
func clean(s string) string {
	if strings.IndexFunc(s, unwanted) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == 0:
			b.WriteRune(utf8.RuneError)
		case r == '\r':
			b.WriteByte('\n')
		case !unwanted(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unwanted(r rune) bool { return r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 || r == 0 || r == '\r' }

// squeeze is what is compared of two ways to say the same: the characters without
// any white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unwanted(r) || r == '\u200b' || r == '\u00ad' {
			return -1
		}
		return r
	}, s)
}

// maxURL bounds an address; a longer one opens nothing that a person pointed at.
const maxURL = 8192

// address gives the address to tell: none that runs script, or is the thing
// itself, or is no address.
func address(s string) string {
	if len(s) > maxURL {
		return ""
	}
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	scheme, _, _ := strings.Cut(s, ":")
	if strings.EqualFold(scheme, "javascript") || strings.EqualFold(scheme, "data") || !elements.IsAddress(s) {
		return ""
	}
	return s
}

// fragment is the address of an element with an id in a page.
func fragment(page, id string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme == "" {
		return ""
	}
	u.Fragment = id
	return address(u.String())
}
