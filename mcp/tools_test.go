package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// maxList is the most that the list of tools may cost an agent, in bytes of JSON
// without spaces: it is read before anything is asked.
const maxList = 8000

// listed is a tool as a client is told of it.
type listed struct {
	Name, Title, Description string
	InputSchema              listedSchema
	OutputSchema             listedSchema
	Annotations              map[string]bool
}

type listedSchema struct {
	Type                 string
	Properties           map[string]map[string]any
	AdditionalProperties *bool
	Required             []string
}

func listTools(t *testing.T) (json.RawMessage, []listed) {
	t.Helper()
	w := dial(t, serverWith())
	raw := result[struct{ Tools json.RawMessage }](t, w.ask(1, "tools/list", "")).Tools
	return raw, decode[[]listed](t, string(raw))
}

func TestListIsSmall(t *testing.T) {
	raw, _ := listTools(t)
	if len(raw) > maxList {
		t.Errorf("the list of tools has %d bytes, want at most %d", len(raw), maxList)
	}
}

// openEnded are the numbers that the window state tools' own page bounds on one side
// alone, or that name something.
var openEnded = map[string]bool{"pid": true, "window_id": true, "max_depth": true, "max_elements": true, "max_dimension": true, "max_image_dimension": true}

// leftOut are the arguments that mean something else than any value when they are left
// out.
var leftOut = map[string]bool{"id": true, "instance": true, "session": true, "tab_id": true, "capture_mode": true, "query": true, "screenshot_out_file": true,
	"max_dimension": true, "max_image_dimension": true, "stable_samples": true}

func TestToolsSayWhatTheyAre(t *testing.T) {
	_, list := listTools(t)
	var names []string
	for _, tool := range list {
		names = append(names, tool.Name)
		if !regexp.MustCompile(`^[a-z_]{1,64}$`).MatchString(tool.Name) || tool.Title == "" || tool.Description == "" {
			t.Errorf("got name %q, title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		want := fmt.Sprintf("map[destructiveHint:false idempotentHint:%v openWorldHint:false readOnlyHint:true]", tool.Name != "get_window_state" && tool.Name != "verify_state")
		if got := fmt.Sprint(tool.Annotations); got != want {
			t.Errorf("%s: got hints %s, want %s", tool.Name, got, want)
		}
		in := tool.InputSchema
		if in.Type != "object" || in.AdditionalProperties == nil || *in.AdditionalProperties {
			t.Errorf("%s: the input is not a closed object", tool.Name)
		}
		for name, p := range in.Properties {
			kind, _ := p["type"].(string)
			required := strings.Contains(fmt.Sprint(in.Required), name)
			switch _, hasDefault := p["default"]; {
			case kind == "":
				t.Errorf("%s: %s has no type: %v", tool.Name, name, p)
			case kind == "integer" && (p["minimum"] == nil || p["maximum"] == nil) && !openEnded[name]:
				t.Errorf("%s: %s has no range: %v", tool.Name, name, p)
			case !required && !hasDefault && !leftOut[name]:
				t.Errorf("%s: %s has no default: %v", tool.Name, name, p)
			}
		}
		if tool.OutputSchema.Type != "object" || tool.OutputSchema.Properties["code"] == nil {
			t.Errorf("%s: the output is not an object with room for a failure", tool.Name)
		}
	}
	if got, want := fmt.Sprint(names), "[capture_element get_accessibility_tree get_elements get_window_state locate parse_visual_regions verify_state]"; got != want {
		t.Errorf("got the tools %s, want %s", got, want)
	}
}

// The budgets of who does not come through the schema are the schema's.
func TestDefaultsAreTheSchemas(t *testing.T) {
	complete, err := getElements.input.complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	in := decode[getElementsArguments](t, string(complete))
	if got := (budget{in.MaxElements, in.MaxDepth, in.MaxText}); got != defaults {
		t.Errorf("got %+v from the schema, want %+v", got, defaults)
	}
	if in.Scope != "pointing" || in.Images != "thumbnail" {
		t.Errorf("got scope %q and images %q, want pointing and thumbnail", in.Scope, in.Images)
	}
}

// Arguments are read as JSON Schema has it: a whole number may be written 5.0, and
// the last of two members counts.
func TestArgumentsAsTheSchemaHasThem(t *testing.T) {
	complete, err := getElements.input.complete([]byte(`{"max_depth":5.0,"max_text":3,"max_text":4}`))
	if err != nil {
		t.Fatal(err)
	}
	in := decode[getElementsArguments](t, string(complete))
	if in.MaxDepth != 5 || in.MaxText != 4 {
		t.Errorf("got depth %d, text %d, want 5 and 4", in.MaxDepth, in.MaxText)
	}
}
