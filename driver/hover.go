package driver

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/input"

	"github.com/webarea/webarea/cdp"
)

// Hover moves the mouse to the middle of what is drawn of the first element that
// matches: of its largest part in sight, or to another point of it if that one is
// covered. It scrolls only if nothing of the element is in sight.
func Hover(ctx context.Context, s *cdp.Session, css string) error {
	return inFirstPlace(ctx, s, "hover", css, func(p *place) error { return hoverIn(ctx, p, css) })
}

func hoverIn(ctx context.Context, p *place, css string) error {
	seen, err := p.view(ctx)
	if err != nil {
		return err
	}
	var at outcome
	if err := p.run(ctx, "hover", []any{css, seen.clip()}, &at); err != nil {
		return err
	}
	if at.Again {
		if seen, err = p.view(ctx); err != nil {
			return err
		}
		if err := p.run(ctx, "hoverAgain", []any{css, seen.clip()}, &at); err != nil {
			return err
		}
	}
	if err := at.failure("hover", css); err != nil {
		return err
	}
	x, y := seen.outside(at.X, at.Y)
	if err := p.hoverFrames(ctx, at.X, at.Y); err != nil {
		return err
	}
	var is struct {
		Frame bool `json:"frame"`
	}
	if err := p.run(ctx, "isFrame", []any{css}, &is); err != nil {
		return err
	}
	if is.Frame {
		return p.hoverFrame(ctx, x, y)
	}
	if err := moveMouse(ctx, p.page, x, y); err != nil {
		return err
	}
	if err := p.run(ctx, "hovered", []any{css}, &at); err != nil {
		return err
	}
	return at.failure("hover", css)
}

// hoverFrames lets the documents around a place know that the mouse is over its
// frame: an event that is made for us goes to the innermost process only, where a
// real one has the browser tell the others too.
func (p *place) hoverFrames(ctx context.Context, x, y float64) error {
	if p.parent == nil {
		return nil
	}
	outer, err := p.inParent(ctx)
	if err != nil {
		return err
	}
	x, y = outer.outside(x, y)
	if err := p.parent.hoverFrames(ctx, x, y); err != nil {
		return err
	}
	// Despite its name this is a mouse event unless touch is emulated, and it goes
	// to the session's own process.
	err = p.parent.call(ctx, input.CommandEmulateTouchFromMouseEvent, input.EmulateTouchFromMouseEventParams{
		Type:   input.EmulateTouchFromMouseEventTypeMouseMoved,
		X:      int64(x),
		Y:      int64(y),
		Button: input.MouseButtonNone,
	}, nil)
	if err != nil {
		return fmt.Errorf("moving the mouse over a frame: %w", err)
	}
	return p.runOnOwner(ctx, "frameHovered", nil)
}

// frameTries is how often the mouse is moved over a frame of another process: until
// the browser has drawn it, moves end at the document around it.
const frameTries = 10

// hoverFrame moves the mouse over a frame of another process, whose page it is that
// notices.
func (p *place) hoverFrame(ctx context.Context, x, y float64) error {
	inside, release, err := framesElsewhere(ctx, p)
	if err != nil {
		return err
	}
	defer release()
	var last error
	for try := range frameTries {
		for _, q := range inside {
			if q.parent != p {
				continue
			}
			if err := q.hoverFrames(ctx, 0, 0); err != nil {
				return err
			}
		}
		if err := moveMouse(ctx, p.page, x+float64(try%2), y); err != nil {
			return err
		}
		for _, q := range inside {
			var at outcome
			if err := q.run(ctx, "documentHovered", nil, &at); err != nil {
				return err
			}
			if at.Fail == "" {
				return nil
			}
			last = at.failure("hover", "a frame")
		}
	}
	if last == nil {
		last = errors.New("the frame has no page that could notice the mouse")
	}
	return last
}

func moveMouse(ctx context.Context, s *cdp.Session, x, y float64) error {
	err := callUnlessDialog(ctx, s, s.Go, input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved,
		X:    x,
		Y:    y,
	}, nil)
	if err != nil {
		return fmt.Errorf("moving the mouse: %w", err)
	}
	return nil
}

// A box is a rectangle in CSS pixels.
type box struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

// A view is how the viewport of a place lies in another around it: where its
// origin is, how it is scaled, and which part of it, in its own coordinates, can be
// seen. The page itself has a nil view.
type view struct {
	left, top, scaleX, scaleY float64
	seen                      box
}

func (v *view) outside(x, y float64) (outerX, outerY float64) {
	if v == nil {
		return x, y
	}
	return v.left + x*v.scaleX, v.top + y*v.scaleY
}

// clip is the part that can be seen, nil if that is only limited by the viewport.
func (v *view) clip() *box {
	if v == nil {
		return nil
	}
	return &v.seen
}

// view asks the places around this one where it is in the page.
func (p *place) view(ctx context.Context) (*view, error) {
	if p.parent == nil {
		return nil, nil
	}
	around, err := p.parent.view(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.inParent(ctx)
	if err != nil || around == nil {
		return v, err
	}
	seen := box{
		Left:   max(v.left+v.seen.Left*v.scaleX, around.seen.Left),
		Top:    max(v.top+v.seen.Top*v.scaleY, around.seen.Top),
		Right:  min(v.left+v.seen.Right*v.scaleX, around.seen.Right),
		Bottom: min(v.top+v.seen.Bottom*v.scaleY, around.seen.Bottom),
	}
	v.seen = v.inside(seen)
	v.left, v.top = around.outside(v.left, v.top)
	v.scaleX *= around.scaleX
	v.scaleY *= around.scaleY
	return v, nil
}

// inParent asks the place around this one where it is there.
func (p *place) inParent(ctx context.Context) (*view, error) {
	var frame struct {
		Left   float64 `json:"left"`
		Top    float64 `json:"top"`
		ScaleX float64 `json:"scaleX"`
		ScaleY float64 `json:"scaleY"`
		Clip   box     `json:"clip"`
	}
	if err := p.runOnOwner(ctx, "frameView", &frame); err != nil {
		return nil, err
	}
	if frame.ScaleX == 0 || frame.ScaleY == 0 {
		return nil, errors.New("the frame is drawn without any size")
	}
	v := &view{left: frame.Left, top: frame.Top, scaleX: frame.ScaleX, scaleY: frame.ScaleY}
	v.seen = v.inside(frame.Clip)
	return v, nil
}

// inside turns a box around the view into its own coordinates.
func (v *view) inside(b box) box {
	return box{
		Left:   (b.Left - v.left) / v.scaleX,
		Top:    (b.Top - v.top) / v.scaleY,
		Right:  (b.Right - v.left) / v.scaleX,
		Bottom: (b.Bottom - v.top) / v.scaleY,
	}
}
