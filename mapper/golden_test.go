package mapper

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// TestFixtures maps what a browser said of each fixture and compares it with the
// answer that was written by hand.
func TestFixtures(t *testing.T) {
	for _, name := range names(t, fixtures, ".case.json") {
		t.Run(name, func(t *testing.T) {
			var c struct{ Answers map[string]json.RawMessage }
			open(t, filepath.Join(fixtures, name+".case.json"), &c)
			readings := recorded(t, name)
			if len(c.Answers) == 0 {
				t.Fatal("the fixture has no answer")
			}
			for scope, want := range c.Answers {
				if readings[scope] == nil {
					t.Errorf("no reading is recorded in %s scope", scope)
					continue
				}
				got := mapped(t, readings[scope], Options{Scope: scopes[scope]})
				if !ofApp(t, want) {
					got = page(t, got)
				}
				if d := difference(t, want, got); d != "" {
					t.Errorf("%s scope (- want, + got):\n%s", scope, d)
				}
			}
		})
	}
}

// ofApp tells whether a right answer is of the whole app, not of one page.
func ofApp(t *testing.T, want json.RawMessage) bool {
	t.Helper()
	var root struct{ Role elements.Role }
	if err := json.Unmarshal(want, &root); err != nil {
		t.Fatal(err)
	}
	return root.Role == elements.Application
}

// page is the page's Document, as it lies in its tab's Window.
func page(t *testing.T, root *elements.Element) *elements.Element {
	t.Helper()
	e := root
	for range 3 {
		if len(e.Children) != 1 {
			t.Fatalf("want one page in one tab of one window, got:\n%s", strings.Join(lines(plain(t, root), 0), "\n"))
		}
		e = e.Children[0]
	}
	return e
}

// A golden is a right answer of the whole app about a recorded reading, where one
// page's Document is not all that counts.
type golden struct {
	Doc     string
	Reading string // of which fixture or scene
	Scope   string
	Options struct {
		Target                         string
		MaxElements, MaxDepth, MaxText int
	}
	Answer json.RawMessage
}

func TestGoldens(t *testing.T) {
	for _, name := range names(t, "testdata", ".answer.json") {
		t.Run(name, func(t *testing.T) {
			var g golden
			open(t, filepath.Join("testdata", name+".answer.json"), &g)
			r := recorded(t, g.Reading)[g.Scope]
			if r == nil {
				t.Fatalf("no reading of %s is recorded in %s scope", g.Reading, g.Scope)
			}
			o := g.Options
			got := mapped(t, r, Options{Scope: scopes[g.Scope], Target: o.Target, MaxElements: o.MaxElements, MaxDepth: o.MaxDepth, MaxText: o.MaxText})
			if d := difference(t, g.Answer, got); d != "" {
				t.Errorf("(- want, + got):\n%s", d)
			}
		})
	}
}

// open decodes a case file.
func open(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestRecordings holds that nothing recorded is left over or left unused.
func TestRecordings(t *testing.T) {
	used := names(t, fixtures, ".case.json")
	for _, name := range names(t, "testdata", ".answer.json") {
		var g golden
		open(t, filepath.Join("testdata", name+".answer.json"), &g)
		used = append(used, g.Reading)
	}
	for _, name := range names(t, "testdata", ".reading.json") {
		if !slices.Contains(used, name) {
			t.Errorf("testdata/%s.reading.json belongs to no fixture and no answer", name)
		}
	}
}
