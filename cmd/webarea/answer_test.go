//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// answer returns the one answer on standard output, which must be valid.
func (r ran) answer(t *testing.T) *elements.Answer {
	t.Helper()
	r.expectCode(t, 0)
	if strings.Count(r.stdout, "\n") != 1 || !strings.HasSuffix(r.stdout, "\n") {
		t.Fatalf("got %v\nwant one line", r)
	}
	return decode(t, []byte(r.stdout))
}

func decode(t *testing.T, data []byte) *elements.Answer {
	t.Helper()
	if v := elements.ValidateJSON(data); len(v) > 0 {
		t.Fatalf("the answer is not valid: %v\n%s", v, shorten(string(data)))
	}
	a, err := elements.Decode(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A line is one target's, of several.
type line struct {
	Target string
	Answer json.RawMessage
	Error  *struct{ Code, Message string }
}

// lines returns the lines on standard output.
func (r ran) lines(t *testing.T) []line {
	t.Helper()
	var all []line
	for text := range strings.Lines(r.stdout) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("a line is not JSON: %v\n%s", err, shorten(text))
		}
		if (l.Answer == nil) == (l.Error == nil) {
			t.Fatalf("a line has not one of answer and error\n%s", shorten(text))
		}
		all = append(all, l)
	}
	return all
}

// pointed tells what is selected, focused and hovered in an answer, one a line, as
// "state role words", where the focus is the end of its path.
func pointed(a *elements.Answer) string {
	var said []string
	for e := range a.All() {
		what := string(e.Role)
		if e.Subrole != "" {
			what += "/" + e.Subrole
		}
		if e.Title != "" {
			what += fmt.Sprintf(" %q", e.Title)
		}
		for _, b := range e.Content {
			what += fmt.Sprintf(" %q", b.Text)
		}
		if e.Selected {
			said = append(said, "selected "+what)
		}
		if e.Hovered {
			said = append(said, "hovered "+what)
		}
		if e.Focused && !hasFocused(e) {
			said = append(said, "focused "+what)
		}
	}
	return strings.Join(said, "\n")
}

func hasFocused(e *elements.Element) bool {
	for _, c := range e.Children {
		if c.Focused {
			return true
		}
	}
	return false
}

// words returns all the words of an answer, its titles too.
func words(a *elements.Answer) string {
	var said []string
	for e := range a.All() {
		said = append(said, e.Title)
		for _, b := range e.Content {
			said = append(said, b.Text)
		}
	}
	return strings.Join(said, "\n")
}
