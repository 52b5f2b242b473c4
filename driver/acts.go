package driver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"

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
	_, err := act(ctx, s, "wait", "waitFor", css)
	return err
}

// ScrollTo scrolls the first element that matches to the middle of its scroll
// containers, its top if it is taller than the viewport.
func ScrollTo(ctx context.Context, s *cdp.Session, css string) error {
	_, err := act(ctx, s, "scroll", "scrollTo", css)
	return err
}

// Focus gives the first element that matches the focus, as the keyboard would:
// it shows a focus ring, and nothing is pressed or activated.
func Focus(ctx context.Context, s *cdp.Session, css string) error {
	_, err := act(ctx, s, "focus", "focus", css)
	return err
}

// Select selects the contents of the first element that matches: the whole value
// of a text field, which gets the focus, or else all that is in it.
func Select(ctx context.Context, s *cdp.Session, css string) error {
	_, err := act(ctx, s, "select", "select", css)
	return err
}

// SelectText selects the first occurrence of the words that is drawn or would be
// if it were scrolled to. It may run across elements and blocks, where white space
// counts as one space, and may be the value of a text field. The words are looked
// for as they stand and then in any case.
func SelectText(ctx context.Context, s *cdp.Session, words string) error {
	_, err := act(ctx, s, "select text", "selectText", words)
	return err
}

// Hover moves the mouse to the middle of what is drawn of the first element that
// matches: of its largest part in sight, or the nearest point to be found that
// nothing covers. It scrolls only if nothing of the element is in sight.
func Hover(ctx context.Context, s *cdp.Session, css string) error {
	point, err := act(ctx, s, "hover", "hover", css, nil)
	if err != nil {
		return err
	}
	err = callUnlessDialog(ctx, s, input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved,
		X:    point.X,
		Y:    point.Y,
	}, nil)
	if errors.Is(err, errDialog) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("hover %q: moving the mouse: %w", css, err)
	}
	_, err = act(ctx, s, "hover", "hovered", css)
	return err
}

// act calls a function of the script with the arguments, the first of which is
// what the act is about.
func act(ctx context.Context, s *cdp.Session, name, function string, args ...any) (outcome, error) {
	var o outcome
	world, err := openWorld(ctx, s)
	if err == nil {
		var list jsonv2.Value
		if list, err = jsonv2.Marshal(args, jsonv2.AllowInvalidUTF8(true)); err != nil {
			return o, err
		}
		world.Expression = fmt.Sprintf("%s.%s(...%s)", actsScript, function, list)
		err = evaluate(ctx, s, world, &o)
	}
	switch {
	case errors.Is(err, errDialog):
		return outcome{}, nil
	case err != nil:
		return outcome{}, fmt.Errorf("%s %q: %w", name, args[0], err)
	case o.Fail == "":
		return o, nil
	}
	reason := o.Fail
	if words, ok := reasons[o.Fail]; ok {
		reason = words(o)
	}
	return outcome{}, &ActError{Act: name, Target: fmt.Sprint(args[0]), Reason: reason}
}
