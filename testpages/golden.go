package testpages

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// updateFlag is the usual name for it. Where another package of the test binary
// has it already, the same flag counts for both.
const updateFlag = "update"

func init() {
	if flag.Lookup(updateFlag) == nil {
		flag.Bool(updateFlag, false, "write golden files instead of comparing with them")
	}
}

func updating() bool {
	f := flag.Lookup(updateFlag)
	return f != nil && f.Value.String() == "true"
}

// Golden compares the answer about the page as it is now with a golden file, and
// fails the test with a diff where they differ. The file holds the page's tab as
// Format writes it. Run with -update the test writes the file.
func (p *Page) Golden(scope cdp.Scope, file string) {
	p.t.Helper()
	answer := p.Elements(scope)
	tab := tabOf(answer)
	if tab == nil {
		p.t.Fatalf("the answer in %s scope has no tab:\n%s", scope, Format(answer.Root))
	}
	compareWithGolden(p.t, file, Format(tab))
}

// compareWithGolden holds the text of an answer against a golden file.
func compareWithGolden(t TB, file, got string) {
	t.Helper()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatalf("writing a golden file: %v", err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatalf("writing a golden file: %v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no golden file %s yet: run the test with -update to write it. The answer is:\n%s", file, got)
	}
	if err != nil {
		t.Fatalf("reading a golden file: %v", err)
	}
	// A checkout may have turned the line ends.
	if d := diff(split(strings.ReplaceAll(string(want), "\r\n", "\n")), split(got)); d != "" {
		t.Errorf("the answer is not as in %s (- golden, + now; run with -update if it is as it should be):\n%s", file, d)
	}
}

func split(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// tabOf finds the one tab of an answer.
func tabOf(a *elements.Answer) *elements.Element {
	for e := range a.All() {
		if e.Role == elements.Window && e.Subrole == "tab" {
			return e
		}
	}
	return nil
}
