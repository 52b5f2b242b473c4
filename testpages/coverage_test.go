package testpages

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/webarea/webarea/elements"
)

// shownBy names for each thing that an answer can say a fixture whose hand-written
// answers say it. visible is told where it differs from the parent's (5.3): true
// never does, since what holds something visible is visible.
var shownBy = map[string]string{
	"role Application": "two-windows",
	"role Window":      "notes-app",
	"role Group":       "design-frame",
	"role List":        "lists",
	"role Table":       "table-data",
	"role Row":         "lists",
	"role Cell":        "table-data",
	"role Text":        "rendered-text",
	"role Heading":     "article",
	"role Link":        "links",
	"role Image":       "images",
	"role Page":        "pages-view",
	"role Document":    "frames-same",

	"selected":      "selection-blocks",
	"focused":       "popup-window",
	"hovered":       "frame-hover",
	"visible false": "scrolled",

	"level 1":              "article",
	"checked true":         "controls",
	"checked false":        "controls",
	`checked "mixed"`:      "controls",
	"expanded true":        "tree",
	"expanded false":       "tree",
	"value":                "controls",
	"language":             "article",
	"row":                  "grid",
	"column":               "grid",
	"author":               "author-related",
	"related controls":     "author-related",
	"related details":      "design-frame",
	"related flowto":       "author-related",
	"related describedby":  "author-related",
	"related errormessage": "author-related",

	"block text":          "article",
	"block image":         "design-frame",
	"block resource_link": "design-frame",
}

// TestCoverage holds that nothing an answer can say is without a fixture.
func TestCoverage(t *testing.T) {
	says := map[string]map[string]bool{}
	for _, f := range fixtures(t) {
		says[f.name] = map[string]bool{}
		for _, w := range f.Answers {
			w.said(says[f.name])
		}
		for _, list := range f.Pictures {
			for _, b := range list {
				says[f.name]["block "+string(b.Type)] = true
			}
		}
		if says[f.name]["visible true"] {
			t.Errorf("%s says of something that it is visible in what is not", f.name)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(shownBy)) {
		if name := shownBy[what]; !says[name][what] {
			t.Errorf("the fixture %q does not say %q in any answer", name, what)
		}
	}
	for _, r := range elements.Roles() {
		if shownBy["role "+string(r)] == "" {
			t.Errorf("no fixture is named that has the role %s", r)
		}
	}
}

// said notes what an element and all in it say, by the names of shownBy.
func (w *wanted) said(by map[string]bool) {
	by["role "+string(w.Role)] = true
	by["selected"] = by["selected"] || w.Selected
	by["focused"] = by["focused"] || w.Focused
	by["hovered"] = by["hovered"] || w.Hovered
	if w.Visible != nil {
		by[fmt.Sprint("visible ", *w.Visible)] = true
	}
	for _, b := range w.Content {
		by["block "+string(b.Type)] = true
	}
	for name, v := range w.Attributes {
		if v == nil {
			continue
		}
		value, _ := json.Marshal(v)
		by[name], by[name+" "+string(value)] = true, true
		list, _ := v.([]any)
		for _, to := range list {
			to, _ := to.(map[string]any)
			relation := fmt.Sprint(to["relation"])
			by["related "+relation] = true
		}
	}
	for _, child := range w.Children {
		child.said(by)
	}
}
