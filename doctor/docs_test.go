//go:build unix

package doctor

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	docs = "../docs/troubleshooting.md"

	// between these the documentation has the checks.
	beginMark = "<!-- checks -->\n"
	endMark   = "<!-- end of checks -->\n"
)

// described gives the checks as the documentation has them.
func described() string {
	var b strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&b, "\n## %s (`%s`)\n\n| What is wrong | What to do |\n|---|---|\n", c.title, c.name)
		for _, f := range c.faults {
			fmt.Fprintf(&b, "| %s | %s |\n", f.wrong, strings.TrimSpace(f.mend+" "+f.after))
		}
	}
	return b.String() + "\n"
}

// TestDocs holds docs/troubleshooting.md to the checks.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), beginMark)
	shown, after, ends := strings.Cut(rest, endMark)
	if !begins || !ends {
		t.Fatalf("%s has no place for the checks", docs)
	}
	if *update {
		if err := os.WriteFile(docs, []byte(before+beginMark+described()+endMark+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := described(); shown != want {
		t.Errorf("%s does not say what the checks say (write it anew with -update)\n got:\n%s\nwant:\n%s", docs, shown, want)
	}
}
