package elements

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of an answer. What it accepts can
// still break a rule that lies between elements; see [ValidateJSON].
func Schema() []byte { return slices.Clone(schema) }
