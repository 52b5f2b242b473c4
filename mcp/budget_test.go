package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

// The size of an answer is what the SDK makes of it.
func TestWireSize(t *testing.T) {
	for _, text := range []string{"", "plain", "a\n\t\r\"\\<b>&amp;\x00\x1f", "größer 大 😀", strings.Repeat("<", 100)} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := wireSize(text, true), len(quoted)-2; got != want {
			t.Errorf("%q as a string: got %d, want %d", text, got, want)
		}
		plain, err := encode(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(json.RawMessage(plain))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := wireSize(string(plain), false), len(again); got != want {
			t.Errorf("%s as JSON: got %d, want %d", plain, got, want)
		}
	}
}
