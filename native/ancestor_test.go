package native

import "testing"

func TestBrowserAbove(t *testing.T) {
	processes := map[int]process{
		100: {90, []string{"/bin/sh", "/opt/wrapper"}},
		90:  {80, []string{"/usr/lib/chromium/chromium", "--type=utility"}},
		80:  {1, []string{"/usr/lib/chromium/chromium", "--user-data-dir=/home/x"}},
		50:  {40, []string{"/bin/bash"}},
		40:  {1, []string{"/usr/bin/sshd"}},
		1:   {0, []string{"/sbin/init"}},
	}
	look := func(pid int) (process, bool) { p, ok := processes[pid]; return p, ok }
	for from, want := range map[int]struct {
		pid  int
		here bool
	}{100: {80, true}, 80: {80, true}, 50: {50, false}, 7: {7, false}} {
		if pid, here := browserAbove(from, look); pid != want.pid || here != want.here {
			t.Errorf("from %d: got %d, %v; want %d, %v", from, pid, here, want.pid, want.here)
		}
	}
}
