package testpages

import (
	"os"
	"strings"
	"testing"
)

// TestTestingPage holds what the page for testers shows to the example that runs: its
// code, and what that prints.
func TestTestingPage(t *testing.T) {
	page, err := os.ReadFile("../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```")
	if len(blocks) < 5 {
		t.Fatalf("the page has %d code blocks, want two or more", len(blocks)/2)
	}
	for _, block := range []string{blocks[1], blocks[3]} {
		_, code, _ := strings.Cut(block, "\n")
		for line := range strings.Lines(code) {
			if line = strings.TrimSpace(line); !strings.Contains(string(example), line) {
				t.Errorf("the example has not what the page shows: %s", line)
			}
		}
	}
}
