package mapper

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// secretMark stands where a secret value was.
const secretMark = "[secret]"

// A redactor takes every whole-word occurrence of secret values out of what is
// said.
type redactor struct{ values []string }

func newRedactor(values []string) *redactor {
	r := &redactor{}
	for _, v := range values {
		for _, form := range []string{v, strings.TrimSpace(v), strings.Join(strings.Fields(v), " "), clean(v), url.QueryEscape(v), url.PathEscape(v)} {
			if utf8.RuneCountInString(form) >= 4 && !slices.Contains(r.values, form) {
				r.values = append(r.values, form)
			}
		}
	}
	// The longest first, so that one value inside another leaves nothing behind.
	slices.SortFunc(r.values, func(a, b string) int { return len(b) - len(a) })
	return r
}

func (r *redactor) element(e *elements.Element) {
	if len(r.values) == 0 {
		return
	}
	e.Title = r.text(e.Title)
	e.Subrole = r.text(e.Subrole)
	e.URL = r.text(e.URL)
	for i := range e.Content {
		e.Content[i].Text = r.text(e.Content[i].Text)
	}
	for k, v := range e.Attributes {
		e.Attributes[k] = r.value(v)
	}
}

func (r *redactor) value(v any) any {
	switch x := v.(type) {
	case string:
		return r.text(x)
	case []any:
		for i := range x {
			x[i] = r.value(x[i])
		}
	case map[string]any:
		for k := range x {
			if k == "id" {
				continue
			}
			x[k] = r.value(x[k])
		}
	}
	return v
}

func (r *redactor) text(s string) string {
	for _, v := range r.values {
		s = replaceWord(s, v)
	}
	return s
}

// replaceWord replaces v where it stands as a whole word: no letter or digit goes
// on from a letter or digit at its edges.
func replaceWord(s, v string) string {
	if !strings.Contains(s, v) {
		return s
	}
	var b strings.Builder
	first, _ := utf8.DecodeRuneInString(v)
	last, _ := utf8.DecodeLastRuneInString(v)
	for at := 0; ; {
		i := strings.Index(s[at:], v)
		if i < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(v):])
		if i > 0 && wordRune(before) && wordRune(first) || i+len(v) < len(s) && wordRune(after) && wordRune(last) {
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[at : i+n])
			at = i + n
			continue
		}
		b.WriteString(s[at:i])
		b.WriteString(secretMark)
		at = i + len(v)
	}
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// fragment is the address of an element with an id in a page.
func fragment(page, id string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme == "" || u.Scheme == "data" || u.Scheme == "javascript" || len(page) > maxURL {
		return ""
	}
	u.Fragment = id
	return u.String()
}
