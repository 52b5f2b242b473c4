package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/webarea/webarea/sweep"
	"github.com/webarea/webarea/visit"
)

// A tally is what came of the targets in one browser that was attached to.
type tally struct {
	address  string
	answered int
	without  int           // targets that have no answer
	left     int           // targets that were left to other browsers
	busy     time.Duration // all visits together
	lost     string        // why the browser ended, was not reached or given up, at last
}

// failed counts a visit that has no answer.
func (t *tally) failed(outcome sweep.Outcome, e *visit.Error) {
	if outcome == sweep.Done {
		t.without++
		return
	}
	t.left++
	t.lost = e.Message
}

// String says it to a person.
func (t *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d answered, %d failed", t.address, t.answered, t.without)
	if t.left > 0 {
		fmt.Fprintf(&b, ", %d left to others", t.left)
	}
	fmt.Fprintf(&b, ", in %.1f s", t.busy.Seconds())
	if t.lost != "" {
		b.WriteString("; lost: " + t.lost)
	}
	return b.String()
}
