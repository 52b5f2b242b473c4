package provider

import (
	"testing"
	"time"
)

// stuckScript has a page stand still, for longer than any test waits for an answer.
const stuckScript = `setTimeout(() => { const end = Date.now() + 120000; while (Date.now() < end); }); 0`

// TestDeadlines has every question about a window answered in its time, whatever the page
// does: by ten times the half second that an answer may come later.
func TestDeadlines(t *testing.T) {
	if testing.Short() {
		t.Skip("a large page takes its time; run without -short")
	}
	b := launched(t)
	const absent = `[{"element":{"selector":{"label_contains":"nowhere"},"exists":false}}]`
	for name, set := range map[string]struct {
		html, script string
		warm         bool // it was read before
		stuck        bool
	}{
		"a small page":     {html: verifyPage},
		"stuck, cold":      {html: verifyPage, script: stuckScript, stuck: true},
		"stuck, warm":      {html: verifyPage, script: stuckScript, warm: true, stuck: true},
		"a dialog":         {html: verifyPage, script: `setTimeout(() => alert("Stop")); 0`, warm: true, stuck: true},
		"30,000, cold":     {html: largePage(2200)},
		"30,000, warm":     {html: largePage(2200), warm: true},
		"never the same":   {html: verifyPage, script: `setInterval(() => { document.body.append("x") }); 0`, warm: true},
		"goes on and on":   {html: verifyPage, script: `setInterval(() => location.reload(), 50); 0`, warm: true},
		"frames that come": {html: verifyPage, script: `setInterval(() => { document.querySelector("iframe")?.remove(); document.body.append(document.createElement("iframe")) }, 5); 0`, warm: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, b, served(t, set.html))
			if set.warm {
				d.state(t, StateQuery{Tree: true, Picture: true})
			}
			if set.script != "" {
				d.do(t, set.script)
			}
			within := func(what string, limit time.Duration, ask func()) {
				t.Helper()
				begun := time.Now()
				ask()
				took := time.Since(begun)
				t.Logf("%s, in %v: %d ms", what, limit, took.Milliseconds())
				if took > limit+hangs {
					t.Errorf("%s took %v, want at most %v", what, took, limit+hangs)
				}
			}
			for _, limit := range []time.Duration{100 * time.Millisecond, time.Second} {
				for what, q := range map[string]StateQuery{
					"tree and picture": {Tree: true, Picture: true}, "tree": {Tree: true}, "picture": {Picture: true}, "one node": {Tree: true, MaxElements: 1}, "one level": {Tree: true, MaxDepth: 1},
				} {
					q.Timeout = limit
					if q.MaxElements == 0 {
						q.MaxElements = 2000
					}
					within(what, limit, func() {
						s := d.state(t, q)
						if set.stuck && q.Tree && (s.Degraded != DegradedUnresolved || len(s.Elements) > 0 || s.SnapshotID != "" || s.Complete) {
							t.Errorf("%s of a page that does not answer: got %+v", what, s)
						}
					})
				}
				within("verify", limit, func() {
					v := d.verify(t, absent, VerifyQuery{Stable: 2, Timeout: limit})
					if set.stuck && (v.Status != Unknown || v.Predicates[0].Reason != UnknownUnobserved) {
						t.Errorf("verified of a page that does not answer: got %+v", v)
					}
				})
			}
			within("verify once", oneSample, func() { d.verify(t, absent, VerifyQuery{Stable: 1}) })
			within("verify with a picture", time.Second+lastPicture, func() { d.verify(t, absent, VerifyQuery{Stable: 1, Timeout: time.Second, Picture: true}) })
			within("windows", time.Second, func() {
				if desk, err := d.p.Desk(t.Context()); err != nil || len(desk.Windows) != 1 {
					t.Errorf("got %+v, %v", desk, err)
				}
			})
		})
	}
}
