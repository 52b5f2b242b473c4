package visit

import (
	"context"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// Acts are what is done in a page that has loaded before it is read, in the order
// of the fields. What is zero is not done.
type Acts struct {
	WaitFor    string        // CSS: until something matches
	Wait       time.Duration // that long, instead
	Eval       string        // JavaScript in the page's own world; a promise is awaited
	ScrollTo   string        // CSS
	Focus      string        // CSS
	Select     string        // CSS: all that is in it
	SelectText string        // the first such words that are drawn
	Hover      string        // CSS
}

// An act is one of Acts that is to be done.
type act struct {
	name  string // as the command line calls it
	on    string // the selector, words or script
	waits bool   // it only waits, which the page cannot tell
	do    func(ctx context.Context, s *cdp.Session) error
}

// waiting is what the acts that only wait are called.
const waiting = "wait"

// list returns the acts to be done, in order.
func (a Acts) list() []act {
	all := []struct {
		name string
		on   string
		do   func(ctx context.Context, s *cdp.Session, on string) error
	}{
		{waiting, a.WaitFor, driver.WaitFor},
		{waiting, duration(a.Wait), func(ctx context.Context, _ *cdp.Session, _ string) error { return pause(ctx, a.Wait) }},
		{"eval", a.Eval, driver.Eval},
		{"scroll-to", a.ScrollTo, driver.ScrollTo},
		{"focus", a.Focus, driver.Focus},
		{"select", a.Select, driver.Select},
		{"select-text", a.SelectText, driver.SelectText},
		{"hover", a.Hover, driver.Hover},
	}
	var acts []act
	for _, one := range all {
		if one.on != "" {
			acts = append(acts, act{one.name, one.on, one.name == waiting, func(ctx context.Context, s *cdp.Session) error { return one.do(ctx, s, one.on) }})
		}
	}
	return acts
}

func duration(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return d.String()
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
