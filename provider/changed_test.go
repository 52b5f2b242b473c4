package provider

import (
	"testing"
	"time"
)

// TestPageChanged tells of a page that went to another document twice while it was read.
// That it did is said here, since no page can be had to do so in time: what was read is
// told, and is not complete.
func TestPageChanged(t *testing.T) {
	d := opened(t, launched(t), served(t, `<!doctype html><title>Going</title><button>Stay</button>`))
	q := StateQuery{WindowAddress: d.at, Tree: true, Timeout: stateTime}
	for _, moved := range []bool{false, true} {
		at, err := d.p.tabAt(t.Context(), q.WindowAddress)
		if err != nil {
			t.Fatal(err)
		}
		seen := at.tab.look(t.Context(), q)
		seen.moved = moved
		s := &State{}
		d.p.tell(t.Context(), s, at, seen, q, time.Now())
		want := ""
		if moved {
			want = DetailChanged
		}
		if s.Detail != want || s.Complete == moved || s.told == nil {
			t.Errorf("moved %v: got detail %q, complete %v, rows %v; want %q, %v and rows", moved, s.Detail, s.Complete, s.told != nil, want, !moved)
		}
	}
}
