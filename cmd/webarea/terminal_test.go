//go:build unix

package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestTerminal gives the program a terminal to write to: an outline is what a
// person wants, unless told otherwise.
func TestTerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script command of Linux's kind, which makes a terminal")
	}
	for _, test := range []struct{ flag, want, not string }{
		{"", "untrusted page content", `"role"`},
		{"--outline", "untrusted page content", `"role"`},
		{"--json", `"role"`, "untrusted page content"},
	} {
		c := command(t)
		c.Path, c.Args = script, []string{"script", "-qec", "'" + program + "' snapshot " + test.flag + " form.html", "/dev/null"}
		r := finish(t, c)
		r.expectCode(t, 0)
		if !strings.Contains(r.stdout, test.want) || strings.Contains(r.stdout, test.not) {
			t.Errorf("%q on a terminal: got %v\nwant %s and not %s", test.flag, r, test.want, test.not)
		}
	}
}
