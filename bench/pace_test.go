package main

import (
	"testing"
	"time"
)

// TestPace holds that what is cheap of a page is measured often enough, also where what is
// dear takes all the time, and that no page takes much longer than it may.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		about        string
		rounds       int
		cheap, dear  time.Duration // what each takes in a round
		share        time.Duration
		wholes, all  int
		overtimeMost time.Duration
	}{
		{"a small page", 15, 4 * time.Millisecond, 16 * time.Millisecond, 3 * time.Second, 15, 22, 0},
		{"a large one", 15, 250 * time.Millisecond, 1750 * time.Millisecond, 10 * time.Second, 4, 13, 250 * time.Millisecond},
		{"a large one over the relay", 15, 500 * time.Millisecond, 4500 * time.Millisecond, 9 * time.Second, 1, 10, 500 * time.Millisecond},
		{"one that takes longer than it may", 15, time.Second, time.Minute, 9 * time.Second, 1, leastRounds, 56 * time.Second},
		{"one of nothing dear", 15, 100 * time.Millisecond, 0, time.Minute, 15, 15, 0},
		{"one that is measured but once", 1, time.Second, time.Second, time.Hour, 1, 1, 0},
	} {
		now := time.Now()
		p := pace{rounds: c.rounds, until: now.Add(c.share)}
		for next := p.next(now); next != noTurn; next = p.next(now) {
			took, dear := c.cheap, time.Duration(0)
			if next == wholeTurn {
				took, dear = c.cheap+c.dear, c.dear
			}
			now = now.Add(took)
			p.took(next, took, dear)
			if p.all > 10*c.rounds {
				t.Fatalf("%s: it goes on after %d rounds", c.about, p.all)
			}
		}
		if p.wholes != c.wholes || p.all != c.all {
			t.Errorf("%s: got %d rounds, %d of them whole, want %d, %d", c.about, p.all, p.wholes, c.all, c.wholes)
		}
		if late := now.Sub(p.until); late > c.overtimeMost {
			t.Errorf("%s: it takes %s longer than it may, want %s at most", c.about, late, c.overtimeMost)
		}
	}
}
