package main

import (
	"os"
	"strings"
	"testing"
)

// TestQuickHost holds that what is measured of processes, and of pages that nobody reads,
// is in the tables; how much it is it does not look at.
func TestQuickHost(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes a minute, and more on a busy machine")
	}
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip("this system does not tell how much memory a process has:", err)
	}
	r, report := measured(t, "idle,memory,start", "", launched)
	for _, want := range []string{
		"\n| not shared | ", "\n| shared, accessibility on | ", "\n| `webarea mcp --launch` | ", "\n| `webarea native`, the host of a user's browser | ",
		"\n| an empty program, run to its end | ", "| memory of `webarea native`, the host of a user's browser, idle | at most 40 MB | ",
		"\n| not shared, once more | ", "| main thread of a busy page, 2,000 attributes, shared, never read, against not shared | ", "| CPU time of `webarea native`, the host of a user's browser, idle for ",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("there is no %q in:\n%s", want, report)
		}
	}
	for _, s := range r.sections {
		for _, row := range s.rows {
			for i, cell := range row {
				if i < len(s.head) && cell == "0" {
					t.Errorf("%s, %s: the %s is 0", s.title, row[0], s.head[i])
				}
			}
		}
	}
}
