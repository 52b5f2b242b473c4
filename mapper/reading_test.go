package mapper

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fixtures has the pages, with the right answers about them.
const fixtures = "../testpages/fixtures"

var scopes = map[string]Scope{"pointing": Pointing, "visible": Visible, "page": Page, "one": One}

// recorded gives the readings that a browser gave of a fixture, or of a scene of
// several pages, by scope. "go test ./provider -run TestRecord -record" makes them.
func recorded(t testing.TB, name string) map[string]*Reading {
	t.Helper()
	file := filepath.Join("testdata", name+".reading.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("reading what was recorded of %s, as go test ./provider -run TestRecord -record does: %v", name, err)
	}
	var byScope map[string]*Reading
	if err := json.Unmarshal(text, &byScope); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for scope, r := range byScope {
		if _, ok := scopes[scope]; !ok {
			t.Fatalf("%s: there is no scope %q", file, scope)
		}
		joinFrames(r)
	}
	return byScope
}

// joinFrames has focus and hover lead to the document that the node of the frame
// holds: recorded, they name it by its key.
func joinFrames(r *Reading) {
	byKey := map[string]*Document{}
	var visit func(d *Document)
	visit = func(d *Document) {
		byKey[d.Key] = d
		for i := range d.Nodes {
			if in := d.Nodes[i].Own().Frame; in != nil {
				visit(in)
			}
		}
	}
	for _, w := range r.Windows {
		for _, t := range w.Tabs {
			if t.Document != nil {
				visit(t.Document)
			}
		}
	}
	for _, d := range byKey {
		if d.Focus != nil && d.Focus.Frame != nil {
			d.Focus.Frame = byKey[d.Focus.Frame.Key]
		}
		if d.Hover != nil && d.Hover.Frame != nil {
			d.Hover.Frame = byKey[d.Hover.Frame.Key]
		}
	}
}

// names lists what has a file of this ending in a folder.
func names(t testing.TB, folder, ending string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"+ending))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range files {
		base := filepath.Base(f)
		list = append(list, base[:len(base)-len(ending)])
	}
	slices.Sort(list)
	return list
}
