package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
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
	p, err := newPlan("idle,memory,start", "", "130", launched, time.Minute, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(t.Context(), p, io.Discard)
	if errors.Is(err, cdp.ErrNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.measure(t.Context()), r.close()); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.record.failed {
		t.Errorf("not measured: %s", f)
	}
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| not shared | ", "\n| shared, accessibility on | ", "\n| `webarea mcp --launch` | ", "\n| `webarea native`, the host of a user's browser | ",
		"\n| an empty program, run to its end | ", "| memory of `webarea native`, the host of a user's browser, idle | at most 40 MB | ",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, b.String())
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
