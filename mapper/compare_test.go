package mapper

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
)

// difference compares a right answer, as a case file has it, with an element by the
// rules of the fixtures' README: ids do not count, of the attributes only those that
// are named, null for one that must not be there.
func difference(t testing.TB, want json.RawMessage, got *elements.Element) string {
	t.Helper()
	var w map[string]any
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatalf("the right answer is no JSON: %v", err)
	}
	names := describe(got)
	g := plain(t, got)
	named(w, g, names)
	return cmp.Diff(lines(w, 0), lines(g, 0))
}

// plain gives an element as its JSON has it.
func plain(t testing.TB, e *elements.Element) map[string]any {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatalf("encoding an element: %v", err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// describe gives for each id how the fixtures call its element: by role and title,
// or, without a title, by its words.
func describe(root *elements.Element) map[string]string {
	names, count := map[string]string{}, map[string]int{}
	root.Walk(func(e, _ *elements.Element, _ int) bool {
		words := e.Title
		if words == "" && len(e.Content) > 0 {
			words = e.Content[0].Text
		}
		names[e.ID] = fmt.Sprintf("@%s %s", e.Role, words)
		count[names[e.ID]]++
		return true
	})
	for id, name := range names {
		if n := count[name]; n > 1 {
			names[id] = fmt.Sprintf("%s (one of %d such)", name, n)
		}
	}
	return names
}

// named takes out of an answer what is not compared, and out of the right answer
// what must not be there and is not.
func named(want, got map[string]any, names map[string]string) {
	delete(got, "id")
	wanted, _ := want["attributes"].(map[string]any)
	had, _ := got["attributes"].(map[string]any)
	for name, v := range had {
		if _, ok := wanted[name]; !ok {
			delete(had, name)
		} else if name == "related" {
			related(v, names)
		}
	}
	for name, v := range wanted {
		if _, ok := had[name]; v == nil && !ok {
			delete(wanted, name)
		}
	}
	for _, v := range []map[string]any{want, got} {
		if a, _ := v["attributes"].(map[string]any); len(a) == 0 {
			delete(v, "attributes")
		}
	}
	in, _ := got["children"].([]any)
	wants, _ := want["children"].([]any)
	for i, child := range in {
		with := map[string]any{}
		if i < len(wants) {
			with, _ = wants[i].(map[string]any)
		}
		named(with, child.(map[string]any), names)
	}
}

func related(v any, names map[string]string) {
	list, _ := v.([]any)
	for _, r := range list {
		if to, ok := r.(map[string]any); ok {
			if id, ok := to["id"].(string); ok {
				to["id"] = names[id]
			}
		}
	}
}

// lines writes an element and what is in it, one a line, for a person to compare.
func lines(v map[string]any, depth int) []string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%v", strings.Repeat("  ", depth), v["role"])
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if k == "role" || k == "children" {
			continue
		}
		said, err := json.Marshal(v[k])
		if err != nil {
			said = []byte(err.Error())
		}
		fmt.Fprintf(&b, " %s=%s", k, said)
	}
	list := []string{b.String()}
	children, _ := v["children"].([]any)
	for _, c := range children {
		if child, ok := c.(map[string]any); ok {
			list = append(list, lines(child, depth+1)...)
		}
	}
	return list
}

// mapped maps a reading and holds that the answer is valid and that mapping left
// the reading as it was. Things that are the same have the same id.
func mapped(t testing.TB, r *Reading, o Options) *elements.Element {
	t.Helper()
	o.ID = ids()
	root := Map(r, o)
	a := elements.Answer{Protocol: elements.Version, Instance: "test", Root: root}
	for _, v := range elements.Validate(a) {
		t.Errorf("the answer is not valid: %v", v)
	}
	if again := Map(r, o); !reflect.DeepEqual(root, again) {
		t.Errorf("the same reading gave another answer the second time (- first, + second):\n%s", cmp.Diff(lines(plain(t, root), 0), lines(plain(t, again), 0)))
	}
	return root
}

// ids gives every key an id of its own.
func ids() func(string) string {
	given := map[string]string{}
	return func(key string) string {
		if given[key] == "" {
			given[key] = fmt.Sprintf("e%d", len(given)+1)
		}
		return given[key]
	}
}
