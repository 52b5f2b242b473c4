//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	const good = `{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Application","title":"Chromium"}}`
	tests := []struct {
		name, answer string
		code         int
		want         string
	}{
		{"valid", good, 0, "valid\n"},
		{"several rules", strings.Replace(good, `"id":"a","role":"Application"`, `"id":"a b","role":"Window"`, 1), exitFailed, "/root/role: root-application: \n/root/id: id-form: \n"},
		{"nothing", "", exitFailed, "/: json: \n"},
		{"a page", "<p>", exitFailed, "/: json: \n"},
		{"hostile names", strings.Replace(good, `"title"`, `"\u001b[2J\n\u202e":1,"title"`, 1), exitFailed, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "answer.json")
			if err := os.WriteFile(file, []byte(test.answer), 0o600); err != nil {
				t.Fatal(err)
			}
			byName := webarea(t, "validate", file)
			for _, r := range []ran{byName, webareaWith(t, test.answer, "validate"), webareaWith(t, test.answer, "validate", "-")} {
				if r.code != test.code || r.stderr != "" || r.stdout != byName.stdout {
					t.Errorf("got %v\nwant exit %d, nothing on stderr, and on stdout:\n%s", r, test.code, byName.stdout)
				}
			}
			if test.want != "" && withoutMessages(byName.stdout) != test.want {
				t.Errorf("got:\n%s\nwant, and messages:\n%s", byName.stdout, test.want)
			}
			if strings.ContainsAny(byName.stdout, "\x1b\u202e") {
				t.Errorf("a name moves the cursor: %q", byName.stdout)
			}
		})
	}
}

// withoutMessages leaves the path and the rule of each line.
func withoutMessages(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		parts := strings.SplitAfterN(line, ": ", 3)
		if len(parts) == 3 {
			line = parts[0] + parts[1] + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
