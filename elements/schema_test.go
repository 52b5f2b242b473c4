package elements

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func resolveSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestSchemaAgreesWithTheRules(t *testing.T) {
	s := resolveSchema(t)
	judge := func(text string) error {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return err
		}
		return s.Validate(v)
	}
	for _, c := range ruleCases {
		if good := wholeAnswer(c.good); judge(good) != nil {
			t.Errorf("%s: %s\ngot: %v\nwant: valid", c.rule, good, judge(good))
		}
		if bad := wholeAnswer(c.bad); c.schema && judge(bad) == nil {
			t.Errorf("%s: %s\ngot: valid\nwant: an error at %s", c.rule, bad, c.at)
		}
	}
}

func TestExampleAnswersAreValid(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("got %d example answers (%v), want two or more", len(files), err)
	}
	s := resolveSchema(t)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(ValidateJSON(data)); got != "" {
			t.Errorf("%s: ValidateJSON\ngot:\n%swant: nothing", file, got)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: schema\ngot: %v\nwant: valid", file, err)
		}
	}
}

func TestSchemaHasTheRoles(t *testing.T) {
	var s struct {
		Defs struct {
			Element struct {
				Properties struct{ Role struct{ Enum []Role } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if got := s.Defs.Element.Properties.Role.Enum; !slices.Equal(got, Roles()) {
		t.Errorf("roles of the schema\ngot:  %v\nwant: %v", got, Roles())
	}
}
