package main

import (
	"testing"
	"time"
)

// TestDivide divides a read of 100 ms by what was not answered in it: scripts before the
// accessibility tree before all else.
func TestDivide(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name                    string
		heard                   []*command
		script, ax, other, ours int // ms
	}{
		{"nothing", nil, 0, 0, 0, 100},
		{"one after the other", []*command{{"Runtime.callFunctionOn", at(10), at(40), 0}, {"Accessibility.getPartialAXTree", at(50), at(70), 0}}, 30, 20, 0, 50},
		{"together", []*command{{"Page.getLayoutMetrics", at(0), at(60), 0}, {"Accessibility.enable", at(10), at(50), 0}, {"Runtime.evaluate", at(20), at(30), 0}}, 10, 30, 20, 40},
		{"the script after the tree", []*command{{"Accessibility.enable", at(0), at(100), 0}, {"Runtime.evaluate", at(0), at(100), 0}}, 100, 0, 0, 0},
		{"not answered, and begun before", []*command{{"Runtime.evaluate", at(-20), time.Time{}, 0}}, 100, 0, 0, 0},
		{"answered after the end", []*command{{"DOM.getFrameOwner", at(90), at(300), 0}}, 0, 0, 10, 90},
	} {
		var s split
		s.divide(c.heard, begin, at(100))
		got := [4]time.Duration{s.script, s.ax, s.other, s.ours}
		for i, want := range []int{c.script, c.ax, c.other, c.ours} {
			if got[i] != time.Duration(want)*time.Millisecond {
				t.Errorf("%s: got %v for script, AX, other and ours, want %d, %d, %d, %d ms", c.name, got, c.script, c.ax, c.other, c.ours)
				break
			}
		}
	}
}

// TestShares gives each function's part of the time in which the thread was busy.
func TestShares(t *testing.T) {
	var p profile
	for i, name := range []string{"(idle)", "walk", "", "walk"} {
		n := profileNode{ID: i}
		n.Call.Name, n.Call.Line = name, i
		p.Nodes = append(p.Nodes, n)
	}
	p.Samples = []int{0, 1, 2, 3, 0}
	p.Deltas = []int64{1000, 20, 40, 40, 5000}
	got := p.shares()
	want := []functionShare{{"walk", 0.6}, {"line 3", 0.4}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
