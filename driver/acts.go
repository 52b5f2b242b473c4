package driver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/webarea/webarea/cdp"
)

//go:embed acts.js
var actsScript string

// An ActError is an act that cannot be done on this page. Its message names the
// selector or the words, and what to do.
type ActError struct {
	Act    string // as the command line calls it, such as "focus"
	Target string // the selector, or the words
	Reason string

	// elsewhere is set where another frame may have what this one has not.
	elsewhere bool
}

// Error tells all three.
func (e *ActError) Error() string { return fmt.Sprintf("%s %q: %s", e.Act, e.Target, e.Reason) }

// An outcome is what the script answers: Fail and what belongs to it, or else
// what the act was about.
type outcome struct {
	Fail  string  `json:"fail"`
	What  string  `json:"what"`
	Cover string  `json:"cover"`
	Again bool    `json:"again"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// failure returns the error that an outcome stands for, nil if it is none.
func (o outcome) failure(name, target string) error {
	if o.Fail == "" {
		return nil
	}
	failed := &ActError{Act: name, Target: target, Reason: o.Fail, elsewhere: o.Fail == "nothing" || o.Fail == "words"}
	if words, ok := reasons[o.Fail]; ok {
		failed.Reason = words(o)
	}
	return failed
}

// reasons has the words for each way in which an act fails.
var reasons = map[string]func(o outcome) string{
	"selector": func(outcome) string { return "this is not a valid CSS selector" },
	"nothing": func(outcome) string {
		return "nothing on the page matches, in shadow roots and frames neither (if it comes later, wait for it)"
	},
	"words": func(outcome) string {
		return "these words are not drawn anywhere on the page, or cannot be selected there"
	},
	"focus":        func(o outcome) string { return o.What + " does not take the focus" },
	"empty":        func(o outcome) string { return o.What + " has nothing in it to select" },
	"unselectable": func(o outcome) string { return o.What + " does not let its text be selected" },
	"undrawn":      func(o outcome) string { return "nothing of " + o.What + " is drawn" },
	"covered":      func(o outcome) string { return o.What + " is covered everywhere by " + o.Cover },
	"hover":        func(o outcome) string { return o.What + " does not notice the pointer" },
}

// WaitFor waits until something matches the selector, in the page, in an open
// shadow root of it or in a frame of the same process.
func WaitFor(ctx context.Context, s *cdp.Session, css string) error {
	return inPage(ctx, s, "wait", css, func(p *place) error { return p.act(ctx, "wait", "waitFor", css) })
}

// ScrollTo scrolls the first element that matches to the middle of its scroll
// containers, its top if it is taller than the viewport.
func ScrollTo(ctx context.Context, s *cdp.Session, css string) error {
	return inFirstPlace(ctx, s, "scroll", css, func(p *place) error { return p.act(ctx, "scroll", "scrollTo", css) })
}

// Focus gives the first element that matches the focus, as the keyboard would:
// it shows a focus ring, and nothing is pressed or activated.
func Focus(ctx context.Context, s *cdp.Session, css string) error {
	return inFirstPlace(ctx, s, "focus", css, func(p *place) error { return p.actInside(ctx, "focus", "focus", css) })
}

// Select selects the contents of the first element that matches: the whole value
// of a text field, which gets the focus, or else all that is in it.
func Select(ctx context.Context, s *cdp.Session, css string) error {
	return inFirstPlace(ctx, s, "select", css, func(p *place) error { return p.actInside(ctx, "select", "select", css) })
}

// SelectText selects the first occurrence of the words that is drawn or would be
// if it were scrolled to. It may run across elements and blocks, where white space
// counts as one space, and may be the value of a text field. The words are looked
// for as they stand and then in any case.
func SelectText(ctx context.Context, s *cdp.Session, words string) error {
	return inFirstPlace(ctx, s, "select text", words, func(p *place) error {
		return p.actInside(ctx, "select text", "selectText", words)
	})
}

// act calls a function of the script with what the act is about.
func (p *place) act(ctx context.Context, name, function, target string) error {
	var o outcome
	if err := p.run(ctx, function, []any{target}, &o); err != nil {
		return err
	}
	return o.failure(name, target)
}

// actInside is act for what moves the focus, or a selection, which is where the
// focus is: into a frame of another process it cannot move by itself.
func (p *place) actInside(ctx context.Context, name, function, target string) error {
	err := p.act(ctx, name, function, target)
	if err != nil || p.parent == nil {
		return err
	}
	for at := p; at.parent != nil; at = at.parent {
		if err := at.runOnOwner(ctx, "focusFrame", nil); err != nil {
			return err
		}
	}
	return p.act(ctx, name, "focusCame", target)
}

// inPage has an act done in the page itself.
func inPage(ctx context.Context, s *cdp.Session, name, target string, do func(*place) error) error {
	root, err := openPlace(ctx, s, s, nil)
	if err == nil {
		err = do(root)
	}
	return finish(name, target, err)
}

// inFirstPlace has an act done in the page itself or else, where what it is about
// is not there, in the first frame of another process that has it.
func inFirstPlace(ctx context.Context, s *cdp.Session, name, target string, do func(*place) error) error {
	root, err := openPlace(ctx, s, s, nil)
	if err == nil {
		err = do(root)
	}
	var missing *ActError
	if !errors.As(err, &missing) || !missing.elsewhere {
		return finish(name, target, err)
	}
	places, release, failed := framesElsewhere(ctx, root)
	defer release()
	if failed != nil {
		return finish(name, target, failed)
	}
	for _, p := range places {
		inner := do(p)
		if errors.As(inner, &missing) && missing.elsewhere {
			continue
		}
		return finish(name, target, inner)
	}
	return err
}

// finish puts an act's error into words. A dialog is an end like any other.
func finish(name, target string, err error) error {
	var told *ActError
	switch {
	case err == nil, errors.Is(err, errDialog):
		return nil
	case errors.As(err, &told):
		return err
	}
	return fmt.Errorf("%s %q: %w", name, target, err)
}
