package mapper

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// secretMark stands where a secret value was.
const secretMark = "[secret]"

// minSecret is how many characters of a secret value make it worth looking for:
// shorter ones are words of every page.
const minSecret = 4

// A redactor takes every whole-word occurrence of secret values out of what is
// said. All of them are looked for at once, so that a page with thousands of
// secret fields costs little more than one with one (Aho and Corasick's automaton,
// over words instead of letters). It is for one goroutine.
type redactor struct {
	words   map[string]int // of the values: their numbers
	spelled []string       // the words by number
	states  []state        // the first is the beginning

	// text, starts and marks are kept from one call to the next.
	text   folded
	starts []int
	marks  []mark
}

// A state is how far into a value, or into several, a text has come.
type state struct {
	next map[int]int // by the number of the next word
	// depth is how many words were met, and fail the state of the longest end of
	// them that begins a value too.
	depth, fail int
	// whole is how many of the last words are a whole value, at most; 0: none.
	whole int
}

// A mark is what is to be replaced, in bytes.
type mark struct{ from, to int }

func newRedactor(values []string) *redactor {
	r := &redactor{words: map[string]int{}, states: make([]state, 1)}
	for _, v := range values {
		r.text.fold(v, asWritten)
		text := bytes.TrimSpace(r.text.bytes)
		if utf8.RuneCount(text) < minSecret {
			continue
		}
		at := 0
		for len(text) > 0 {
			n := wordLength(text)
			at = r.step(at, string(text[:n]))
			text = text[n:]
		}
		r.states[at].whole = r.states[at].depth
	}
	r.link()
	return r
}

// step enters the next word of a value.
func (r *redactor) step(from int, word string) int {
	w, ok := r.words[word]
	if !ok {
		w = len(r.words)
		r.words[word] = w
		r.spelled = append(r.spelled, word)
	}
	if to, ok := r.states[from].next[w]; ok {
		return to
	}
	if r.states[from].next == nil {
		r.states[from].next = map[int]int{}
	}
	to := len(r.states)
	r.states[from].next[w] = to
	r.states = append(r.states, state{depth: r.states[from].depth + 1})
	return to
}

// link finds where each state goes on when its value does not.
func (r *redactor) link() {
	queue := []int{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for w, to := range r.states[at].next {
			if at != 0 {
				s := &r.states[to]
				s.fail = r.follow(r.states[at].fail, w)
				s.whole = max(s.whole, r.states[s.fail].whole)
			}
			queue = append(queue, to)
		}
	}
}

// follow gives the state after one more word.
func (r *redactor) follow(at, word int) int {
	for {
		if to, ok := r.states[at].next[word]; ok {
			return to
		}
		if at == 0 {
			return 0
		}
		at = r.states[at].fail
	}
}

// element redacts all that an element says but its id.
func (r *redactor) element(e *elements.Element) {
	if r.idle() {
		return
	}
	e.Title = r.said(e.Title)
	e.Subrole = r.said(e.Subrole)
	e.URL = r.address(e.URL)
	for i := range e.Content {
		e.Content[i].Text = r.said(e.Content[i].Text)
	}
	for k, v := range e.Attributes {
		if v = r.value(v); v == nil {
			delete(e.Attributes, k)
		} else {
			e.Attributes[k] = v
		}
	}
}

// value redacts an attribute; nil where nothing of it is left to say.
func (r *redactor) value(v any) any {
	switch x := v.(type) {
	case string:
		return r.said(x)
	case []any:
		kept := x[:0]
		for _, in := range x {
			if in = r.value(in); in != nil {
				kept = append(kept, in)
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case map[string]any:
		for k, in := range x {
			switch k {
			case "id":
			case "url":
				to, _ := in.(string)
				if x[k] = r.address(to); x[k] == "" {
					return nil
				}
			default:
				x[k] = r.value(in)
			}
		}
	}
	return v
}

// address redacts an address; without its scheme it is none.
func (r *redactor) address(s string) string {
	if s = r.said(s); elements.IsAddress(s) {
		return s
	}
	return ""
}

// idle tells whether there is nothing to look for.
func (r *redactor) idle() bool { return len(r.states) == 1 }

// said redacts words. Where they were cut, as a title is, the cut may go through a
// secret value.
func (r *redactor) said(s string) string {
	if r.idle() || s == "" {
		return s
	}
	r.marks = r.marks[:0]
	r.find(s, asWritten)
	if strings.ContainsAny(s, "%+") {
		r.find(s, unescaped)
		r.find(s, unescapedForm)
	}
	s = r.replace(s)
	if begun, ok := strings.CutSuffix(s, "…"); ok {
		s = r.cut(begun) + "…"
	}
	return s
}

// find marks the values in a text, and gives the state at its last word but one,
// and that word.
func (r *redactor) find(s string, as spelling) (before int, last []byte) {
	r.text.fold(s, as)
	r.starts = r.starts[:0]
	at := 0
	for text, from := r.text.bytes, 0; from < len(text); {
		last = text[from : from+wordLength(text[from:])]
		r.starts = append(r.starts, from)
		from += len(last)
		before = at
		w, ok := r.words[string(last)]
		if !ok {
			at = 0
			continue
		}
		at = r.follow(at, w)
		if n := r.states[at].whole; n > 0 {
			r.marks = append(r.marks, mark{r.text.at[r.starts[len(r.starts)-n]], r.text.at[from]})
		}
	}
	return before, last
}

// cut redacts, at the end of words that go on, a secret value that has begun.
func (r *redactor) cut(s string) string {
	if r.idle() {
		return s
	}
	at, last := r.find(strings.TrimRight(s, " "), asWritten)
	if len(last) == 0 {
		return s
	}
	for {
		for w := range r.states[at].next {
			// The last word may be the beginning of a longer one.
			if strings.HasPrefix(r.spelled[w], string(last)) {
				return s[:r.text.at[r.starts[len(r.starts)-1-r.states[at].depth]]] + secretMark
			}
		}
		if at == 0 {
			return s
		}
		at = r.states[at].fail
	}
}

// replace replaces what is marked; values that overlap are one mark.
func (r *redactor) replace(s string) string {
	if len(r.marks) == 0 {
		return s
	}
	slices.SortFunc(r.marks, func(a, b mark) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for i := 0; i < len(r.marks); {
		m := r.marks[i]
		for i++; i < len(r.marks) && r.marks[i].from < m.to; i++ {
			m.to = max(m.to, r.marks[i].to)
		}
		b.WriteString(s[done:m.from])
		b.WriteString(secretMark)
		done = m.to
	}
	b.WriteString(s[done:])
	return b.String()
}
