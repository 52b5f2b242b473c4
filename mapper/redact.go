package mapper

import (
	"net/url"
	"regexp"
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
type redactor struct {
	values   []string
	patterns []*regexp.Regexp
}

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
	for _, v := range r.values {
		// A style sheet may draw the words in capitals.
		r.patterns = append(r.patterns, regexp.MustCompile("(?i)"+regexp.QuoteMeta(v)))
	}
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
	for _, p := range r.patterns {
		s = replaceWord(s, p)
	}
	return s
}

// replaceWord replaces what matches where it stands as a whole word: no letter or
// digit goes on from a letter or digit at its edges.
func replaceWord(s string, p *regexp.Regexp) string {
	var b strings.Builder
	for at := 0; ; {
		m := p.FindStringIndex(s[at:])
		if m == nil {
			if at == 0 {
				return s
			}
			b.WriteString(s[at:])
			return b.String()
		}
		from, to := at+m[0], at+m[1]
		before, _ := utf8.DecodeLastRuneInString(s[:from])
		first, n := utf8.DecodeRuneInString(s[from:])
		last, _ := utf8.DecodeLastRuneInString(s[:to])
		after, _ := utf8.DecodeRuneInString(s[to:])
		if from > 0 && wordRune(before) && wordRune(first) || to < len(s) && wordRune(after) && wordRune(last) {
			b.WriteString(s[at : from+n])
			at = from + n
			continue
		}
		b.WriteString(s[at:from])
		b.WriteString(secretMark)
		at = to
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
