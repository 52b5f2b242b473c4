package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webarea/webarea/provider"
)

// A schema is the JSON Schema of an object.
type schema struct {
	raw json.RawMessage
	// resolve looks into it when that is first needed: most runs of a server are
	// never asked anything.
	resolve func() (*jsonschema.Resolved, error)
}

func schemaOf(text string) *schema { return schemaAs(text, text) }

// schemaAs is a schema that is listed in a shorter form than arguments are checked by:
// the list is read before anything is asked.
func schemaAs(listed, text string) *schema {
	return &schema{
		raw: json.RawMessage(listed),
		resolve: sync.OnceValues(func() (*jsonschema.Resolved, error) {
			var s jsonschema.Schema
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				return nil, fmt.Errorf("decoding a schema: %w", err)
			}
			return s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		}),
	}
}

// complete checks arguments and fills in the defaults. No arguments are an object
// without members.
func (s *schema) complete(arguments []byte) ([]byte, error) {
	resolved, err := s.resolve()
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &values); err != nil || values == nil {
			return nil, invalid("the arguments are not a JSON object")
		}
	}
	if err := resolved.ApplyDefaults(&values); err != nil {
		return nil, fmt.Errorf("filling in defaults: %w", err)
	}
	if err := resolved.Validate(values); err != nil {
		return nil, invalid(plain(err))
	}
	return json.Marshal(values)
}

// plain says what is wrong with arguments in the validator's words, but without its
// way there and with whole numbers as they are written.
func plain(err error) string { return plainly.Replace(err.Error()) }

var plainly = strings.NewReplacer(
	"validating root: ", "",
	"validating /properties/", "",
	"/1 is ", " is ",
	".000000", "",
)

func invalid(what string) error {
	return &provider.Error{Code: provider.CodeInvalid, Message: what, Mend: "see the tool's input schema"}
}

// What the schemas of several tools have in common.
const (
	// idProperty is the argument that names an element.
	idProperty = `"id":{"type":"string","pattern":"^[\\w-]{1,128}$","description":"from an answer"}`

	// instanceProperty is the argument that says which run of a provider is meant.
	instanceProperty = `"instance":{"type":"string","description":"of the answer that the id is from"}`

	// failureOutput is the schema of what a tool answers whose description says what that
	// is. A failure has a code.
	failureOutput = `{"type":"object","properties":{"code":{"type":"string"}}}`

	// failureProperties are the members of a failure: clients hold failures to the
	// output schema of the tool too.
	failureProperties = `"code":{"type":"string"},"message":{"type":"string"},"suggestion":{"type":"string"}`
)
