package testpages

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGolden(t *testing.T) {
	p := Open(t, "cart.html")
	p.SelectText("rye")
	p.Golden(Pointing, "testdata/cart.pointing.golden")
	p.Golden(WholePage, "testdata/cart.page.golden")
	if updating() {
		return
	}
	old, err := os.ReadFile("testdata/cart.pointing.golden")
	if err != nil {
		t.Fatal(err)
	}

	file := filepath.Join(t.TempDir(), "more", "cart.golden")
	golden := func(t TB) {
		p := Open(t, "cart.html")
		p.SelectText("rye")
		p.Golden(Pointing, file)
	}
	expectFailure(t, golden, "there is no golden file", "-update", `Text selected: "rye"`)
	setUpdate(t, true)
	expectFailure(t, golden)
	setUpdate(t, false)
	expectFailure(t, golden)
	if got, err := os.ReadFile(file); err != nil || string(got) != string(old) {
		t.Errorf("what -update wrote (%v)\n got: %s\nwant: %s", err, got, old)
	}

	changed := strings.Replace(string(old), `selected: "rye"`, `selected: "wheat"`, 1)
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(changed, "\n", "\r\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	expectFailure(t, golden, "- golden, + now", "\n-           Text selected: \"wheat\"\n", "\n+           Text selected: \"rye\"\n")
}

// setUpdate sets -update for a part of a test.
func setUpdate(t *testing.T, on bool) {
	t.Helper()
	value := "false"
	if on {
		value = "true"
	}
	if err := flag.Set(updateFlag, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(updateFlag, "false") })
}

func TestDiff(t *testing.T) {
	t.Parallel()
	ten := "1 2 3 4 5 6 7 8 9 10"
	for _, test := range []struct{ name, want, got, diff string }{
		{"alike", ten, ten, ""},
		{"one line", "1 2 3", "1 x 3", "  1\n- 2\n+ x\n  3\n"},
		{"a line more", "1 2", "1 x 2", "  1\n+ x\n  2\n"},
		{"a line less", "1 2 3", "1 3", "  1\n- 2\n  3\n"},
		{"at the beginning", ten, "x " + ten, "+ x\n  1\n  2\n  3\n"},
		{"at the end", ten, ten + " x", "  …\n  8\n  9\n  10\n+ x\n"},
		{"far apart", ten, "x 2 3 4 5 6 7 8 9 x", "- 1\n+ x\n  2\n  3\n  4\n  …\n  7\n  8\n  9\n- 10\n+ x\n"},
		{"moved", "1 2 3 4", "2 3 1 4", "- 1\n  2\n  3\n+ 1\n  4\n"},
		{"all", "1 2", "3", "- 1\n- 2\n+ 3\n"},
		{"nothing", "", "1", "- \n+ 1\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := diff(strings.Split(test.want, " "), strings.Split(test.got, " ")); got != test.diff {
				t.Errorf("the diff of %q and %q\n got: %q\nwant: %q", test.want, test.got, got, test.diff)
			}
		})
	}
}
