//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// dialogOf returns what an answer says of the dialog in its tab: subrole, title and
// words.
func dialogOf(a *elements.Answer) string {
	tab := a.Root.Children[0].Children[0]
	var said []string
	for _, dialog := range tab.Children {
		said = append(said, string(dialog.Role)+"/"+dialog.Subrole+" "+dialog.Title)
		for _, c := range dialog.Children {
			for _, b := range c.Content {
				said = append(said, b.Text)
			}
		}
	}
	return strings.Join(said, "\n")
}

func TestDialogs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		args   []string
		want   string
		undone string
	}{
		{"while loading", []string{"--focus", "p", "--hover", "p", "alert.html"}, "Window/alert The shop is closed. Come back on Monday.\nThe shop is closed.\nCome back on Monday.", "focus, hover"},
		{"by a script", []string{"--eval", "confirm('Sure?')", "form.html"}, "Window/confirm Sure?", ""},
		{"with a field", []string{"--eval", "prompt('Your name?', 'Ada')", "--focus", "#name", "form.html"}, "Window/prompt Your name?", "focus"},
		{"while leaving", []string{"--eval", "addEventListener('beforeunload', e => e.preventDefault()); location.href = '/'", "form.html"}, "Window/beforeunload ", ""},
		{"while waiting", []string{"--eval", "setTimeout(() => alert('Late.'), 200); new Promise(() => {})", "--focus", "#name", "form.html"}, "Window/alert Late.", "focus"},
		{"while waiting for what never comes", []string{"--wait", "#never", "--focus", "p", "later.html"}, "Window/alert Late.", "focus"},
	} {
		r := webarea(t, append([]string{"snapshot"}, test.args...)...)
		if got := dialogOf(r.answer(t)); got != test.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", test.name, got, test.want)
		}
		const note = "a dialog is open, so this was not done: "
		_, undone, _ := strings.Cut(r.stderr, note)
		if strings.TrimSpace(undone) != test.undone {
			t.Errorf("%s: got undone %q, want %q", test.name, undone, test.undone)
		}
	}
}

// TestDialogIsNotInTheWay has a page with a dialog before another.
func TestDialogIsNotInTheWay(t *testing.T) {
	t.Parallel()
	r := webarea(t, "snapshot", "alert.html", "form.html")
	r.expectCode(t, 0)
	lines := r.lines(t)
	if len(lines) != 2 {
		t.Fatalf("got %v", r)
	}
	if got := dialogOf(decode(t, lines[0].Answer)); !strings.HasPrefix(got, "Window/alert") {
		t.Errorf("got %s, want the alert", got)
	}
	if got, want := pointed(decode(t, lines[1].Answer)), `focused Document "Orders"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
