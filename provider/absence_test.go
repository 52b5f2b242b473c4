package provider

import (
	"testing"
	"time"
)

// TestAbsence has what is known of what is not there: all of it where all was read,
// nothing where the walk was cut short.
func TestAbsence(t *testing.T) {
	if testing.Short() {
		t.Skip("a large page takes its time; run without -short")
	}
	b := launched(t)
	d := opened(t, b, served(t, largePage(2200)))
	const absent, last = `[{"element":{"selector":{"label_contains":"nowhere"},"exists":false}}]`, `[{"element":{"selector":{"role":"button","label_contains":"Edit 2199"},"exists":false}}]`
	for what, q := range map[string]StateQuery{
		"few nodes":       {Tree: true, MaxElements: 100},
		"few, in order":   {Tree: true, MaxElements: 100, InOrder: true},
		"few levels":      {Tree: true, MaxDepth: 1},
		"too little time": {Tree: true, Timeout: 100 * time.Millisecond},
	} {
		if s := d.state(t, q); s.Complete {
			t.Errorf("%s: got a complete tree of %d nodes, truncated for %q", what, s.Visited, s.Reason)
		}
	}
	// In so little time nobody reads so much: it is not known, neither of what is there
	// nor of what is not.
	for _, expect := range []string{absent, last} {
		if v := d.verify(t, expect, VerifyQuery{Stable: 1, Sent: true, Timeout: 20 * time.Millisecond}); v.Status != Unknown || v.Predicates[0].Reason != UnknownUnobserved {
			t.Errorf("%s, in too little time: got %+v, want it unknown", expect, v)
		}
	}
	if s := d.state(t, StateQuery{Tree: true, Timeout: time.Minute}); !s.Complete || s.Truncated {
		t.Errorf("all of it: got complete %v, truncated for %q", s.Complete, s.Reason)
	}
	if v := d.verify(t, absent, VerifyQuery{Stable: 1, Sent: true, Timeout: time.Minute}); v.Status != Satisfied || v.Predicates[0].Observed["exhaustive"] != true {
		t.Errorf("absent, all read: got %+v", v)
	}
	if v := d.verify(t, last, VerifyQuery{Timeout: 0, Stable: 1}); v.Status == Satisfied {
		t.Errorf("what is there, at the end of the page: got %+v", v)
	}
}
