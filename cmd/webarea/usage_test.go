//go:build unix

package main

import (
	"strings"
	"testing"
)

// TestUsage gives command lines that cannot be used. A browser that does not exist
// shows that none is started for them.
func TestUsage(t *testing.T) {
	tests := []struct {
		args string // separated by spaces; "" stands for an empty one
		want []string
	}{
		{"snapshot", []string{"name at least one target"}},
		{`snapshot ""`, []string{"a target is empty"}},
		{"snapshot - -", []string{"- can be named only once"}},
		{"snapshot --nope x", []string{"--nope"}},
		{"snapshot --scope all x", []string{"--scope", "pointing, visible or page"}},
		{"snapshot --images full x", []string{"--images", "none or thumbnail"}},
		{"snapshot --max-elements 0 x", []string{"--max-elements", "from 1 on"}},
		{"snapshot --max-depth -1 x", []string{"--max-depth", "from 1 on"}},
		{"snapshot --max-text many x", []string{"--max-text", "from 1 on"}},
		{"snapshot --viewport 1280 x", []string{"--viewport", "1280x800"}},
		{"snapshot --viewport 0x800 x", []string{"--viewport", "1280x800"}},
		{"snapshot --viewport 1280x80000 x", []string{"--viewport", "10000"}},
		{"snapshot --viewport 1x2x3 x", []string{"--viewport", "1280x800"}},
		{"snapshot --scale 0 x", []string{"--scale", "1.5"}},
		{"snapshot --scale NaN x", []string{"--scale", "1.5"}},
		{"snapshot --jobs -1 x", []string{"--jobs", "from 0 to 64"}},
		{"snapshot --jobs all x", []string{"--jobs", "from 0 to 64"}},
		{"snapshot --jobs 2 --headful x", []string{"--jobs", "--headful"}},
		{"snapshot --jobs 2 --attach http://127.0.0.1:9222 x", []string{"--jobs", "--attach", "name as many"}},
		{"snapshot --attach http://127.0.0.1:9222 --attach nonsense x", []string{"--attach", "http://127.0.0.1:9222"}},
		{"snapshot --timeout 30 x", []string{"--timeout", "30s"}},
		{"snapshot --timeout 0s x", []string{"--timeout", "30s"}},
		{"snapshot --wait 5 x", []string{"--wait", "500ms"}},
		{"snapshot --wait -5s x", []string{"--wait", "500ms"}},
		{`snapshot --wait "" x`, []string{"--wait", "500ms"}},
		{"snapshot --wait 1m x", []string{"--wait", "--timeout", "30s"}},
		{`snapshot --eval "" x`, []string{"--eval", "JavaScript"}},
		{`snapshot --scroll-to "" x`, []string{"--scroll-to", "CSS selector"}},
		{`snapshot --focus "" x`, []string{"--focus", "CSS selector"}},
		{`snapshot --select "" x`, []string{"--select", "CSS selector"}},
		{`snapshot --select-text "" x`, []string{"--select-text", "words"}},
		{`snapshot --hover "" x`, []string{"--hover", "CSS selector"}},
		{"snapshot --select p --select-text words x", []string{"--select", "--select-text", "leave one out"}},
		{"snapshot --json --outline x", []string{"--json", "--outline", "leave one out"}},
		{"snapshot --attach 127.0.0.1:9222 x", []string{"--attach", "http://127.0.0.1:9222"}},
		{"snapshot --attach ws://127.0.0.1:9222/devtools/page/A1 x", []string{"--attach", "one page", "http://127.0.0.1:9222"}},
		{"snapshot --attach http://127.0.0.1:9222 --browser sh x", []string{"--attach", "--browser"}},
		{"snapshot --browser /does/not/exist x", []string{"--browser", "give the path"}},
		{`snapshot --browser "" x`, []string{"--browser", "give the path"}},
		{"nope", []string{"nope"}},
		{"version x", []string{"x"}},
		{"doctor --user-data-dir x", []string{"--user-data-dir", "--browser"}},
		{"doctor x", []string{"x"}},
		{"status --browser chromium", []string{"--browser"}},
		{"validate a b", []string{"at most 1"}},
		{"validate does-not-exist.json", []string{"does-not-exist.json"}},
		{"validate .", []string{"directory"}},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			args := strings.Fields(test.args)
			for i, a := range args {
				args[i] = strings.Trim(a, `"`)
			}
			c := command(t, args...)
			c.Env = append(c.Env, "WEBAREA_BROWSER=/does/not/exist/either")
			finish(t, c).expectError(t, exitUsage, test.want...)
		})
	}
}

func TestHelp(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "webarea snapshot"},
		{"--help", "webarea snapshot"},
		{"snapshot --help", "Error codes: bad_target, not_found"},
		{"validate --help", "PATH: RULE: message"},
		{"help snapshot", "--select-text"},
		{"version", "webarea v0.0.0-test (go1."},
		{"--version", "webarea v0.0.0-test (go1."},
		{"completion bash", "webarea"},
		{"completion zsh", "webarea"},
		{"completion fish", "webarea"},
		{"completion powershell", "webarea"},
		{"__complete snapshot --scope ", "pointing\nvisible\npage\n"},
	} {
		args := strings.Fields(test.args)
		if strings.HasSuffix(test.args, " ") {
			args = append(args, "")
		}
		r := webarea(t, args...)
		if r.code != 0 || !strings.Contains(r.stdout, test.want) {
			t.Errorf("webarea %s: got %v\nwant on stdout: %q", test.args, r, test.want)
		}
	}
}
