//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
)

// savedPages is where the real pages lie, beside the project.
const savedPages = "../../../shared/pages"

// savedShare is how many of them a short run takes: every so many.
const savedShare = 8

// TestSavedPages has every saved page answered, in a scope of its own and in what is
// pointed at: the answer is valid, and its outline reads back as what it was.
func TestSavedPages(t *testing.T) {
	t.Parallel()
	targets, err := filepath.Glob(filepath.Join(savedPages, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) == 0 {
		t.Skipf("there are no saved pages in %s", savedPages)
	}
	if testing.Short() {
		var few []string
		for i := 0; i < len(targets); i += savedShare {
			few = append(few, targets[i])
		}
		targets = few
	}
	// In another folder, so that their paths are told apart from the project's.
	dir := t.TempDir()
	for i, target := range targets {
		text, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = filepath.Join(dir, filepath.Base(target))
		if err := os.WriteFile(targets[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, scope := range []string{"page", "pointing"} {
		r := webarea(t, append([]string{"snapshot", "--json", "--timeout", "2m", "--scope", scope}, targets...)...)
		r.expectCode(t, 0)
		lines := r.lines(t)
		if len(lines) != len(targets) {
			t.Fatalf("%s scope: got %d answers, want %d", scope, len(lines), len(targets))
		}
		for _, l := range lines {
			name := scope + " of " + filepath.Base(l.Target)
			if l.Answer == nil {
				t.Errorf("%s: %v", name, l.Error)
				continue
			}
			for _, v := range elements.ValidateJSON(l.Answer) {
				t.Errorf("%s: %v", name, v)
			}
			answer, err := elements.Decode(bytes.NewReader(l.Answer))
			if err != nil {
				t.Fatal(err)
			}
			var written bytes.Buffer
			if err := outline.Render(&written, answer, outline.Options{}); err != nil {
				t.Fatal(err)
			}
			back, err := outline.Parse(&written)
			if err != nil {
				t.Errorf("%s: reading the outline back: %v", name, err)
				continue
			}
			if d := cmp.Diff(outlined(answer), outlined(back)); d != "" {
				t.Errorf("%s: the outline reads back as something else (-answer +outline)\n%s", name, d)
			}
		}
	}
}

// outlined is what an outline says of an answer: role, subrole, title, words, url
// and states of each element, and how deep it lies.
func outlined(a *elements.Answer) []string {
	var lines []string
	a.Root.Walk(func(e, _ *elements.Element, depth int) bool {
		var words []string
		for _, b := range e.Content {
			if b.Type == elements.TextType {
				words = append(words, b.Text)
			}
		}
		visible := ""
		if e.Visible != nil {
			visible = fmt.Sprint(*e.Visible)
		}
		lines = append(lines, fmt.Sprintf("%d %s/%s %q %q %s %v %v %v %s", depth, e.Role, e.Subrole, e.Title, strings.Join(words, "\x00"), e.URL, e.Selected, e.Focused, e.Hovered, visible))
		return true
	})
	return lines
}
