package mcp

import (
	"fmt"

	"github.com/webarea/webarea/provider"
)

// maxResult is how many bytes an answer may have on the wire: clients take messages of
// 16 MB.
const maxResult = 15 << 20

// withinBudget gives the failure that is told in place of an answer that no client
// would take.
func (r *Result) withinBudget() error {
	size := wireSize(r.Text, true) + wireSize(string(r.Structured), false)
	for _, p := range r.Pictures {
		size += len(p.Data) / 3 * 4
	}
	if size <= maxResult {
		return nil
	}
	return &provider.Error{
		Code:    CodeBudget,
		Message: fmt.Sprintf("the answer has %d MB, more than is sent", size>>20),
		Mend:    "ask for less: fewer elements, less text, no pictures, or a smaller or a JPEG picture",
	}
}

// wireSize is how many bytes a text has on the wire, by what the SDK escapes; quoted
// says that it is not yet JSON but becomes a string there.
func wireSize(text string, quoted bool) int {
	size := len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<', c == '>', c == '&', quoted && c < ' ' && c != '\n' && c != '\t' && c != '\r':
			size += len(`\u0000`) - 1
		case quoted && (c == '"' || c == '\\' || c < ' '):
			size++
		}
	}
	return size
}
