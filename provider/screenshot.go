package provider

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/webarea/webarea/cdp"
)

// The codes of a picture that is left out.
const (
	PictureMismatch    = "px_frame_mismatch"      // its size is not that of the viewport
	PictureUnavailable = "px_capture_unavailable" // it cannot be had
)

// A Screenshot is a picture of a tab's viewport.
type Screenshot struct {
	Width  int `json:"screenshot_width"` // pixels
	Height int `json:"screenshot_height"`
	// Scale is pixels in a CSS px of the viewport.
	Scale     float64 `json:"screenshot_scale"`
	CaptureID string  `json:"capture_id,omitempty"`

	from cdp.Rect // what it shows of the viewport, CSS px
}

// A PictureError says why there is no picture.
type PictureError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// pictured brings a rectangle of the viewport to the picture.
func (s *Screenshot) pictured(r cdp.Rect) *Box {
	return boxOf(cdp.Rect{X: (r.X - s.from.X) * s.Scale, Y: (r.Y - s.from.Y) * s.Scale, Width: r.Width * s.Scale, Height: r.Height * s.Scale})
}

// A picturing is a picture that is being taken.
type picturing struct {
	done   chan struct{} // nil: none is taken
	p      *Provider
	tab    *Tab
	most   int
	shot   *cdp.Picture
	from   cdp.Rect
	view   *cdp.Viewport
	layout *cdp.Layout // nil where it could not be had
	err    error
}

// beginPicture begins to take a picture of a tab's viewport, if one is asked for.
func (p *Provider) beginPicture(ctx context.Context, t *Tab, q StateQuery) *picturing {
	g := &picturing{p: p, tab: t, most: q.Most}
	if !q.Picture {
		return g
	}
	g.done = make(chan struct{})
	if t.Page == nil {
		g.err = cdp.ErrNotDrawn
		close(g.done)
		return g
	}
	go func() {
		defer close(g.done)
		done := p.uncovered(t)
		defer done()
		for range pictureTries {
			g.take(ctx)
			if g.err != nil || !g.isMismatched() || ctx.Err() != nil {
				return
			}
		}
	}()
	return g
}

// pictureTries is how often a picture is taken whose size is not that of the viewport: one
// that is just being resized, as by the bar that a browser shows when a tab is shared, is
// drawn a moment later.
const pictureTries = 3

// take takes the picture once.
func (g *picturing) take(ctx context.Context) {
	g.shot, g.err = g.tab.Page.Capture(ctx, cdp.Subject{
		Place: func(ctx context.Context) (cdp.Target, error) {
			view, err := g.tab.Page.View(ctx)
			if err != nil {
				return cdp.Target{}, err
			}
			g.view = view
			g.layout = layoutOf(ctx, g.tab)
			g.from = cdp.Rect{X: view.OffsetX, Y: view.OffsetY, Width: view.Width / view.Scale, Height: view.Height / view.Scale}
			return cdp.Target{Area: g.from}, nil
		},
		Still: func(context.Context) (bool, error) { return true, nil },
	}, cdp.CaptureOptions{})
}

// isMismatched tells whether the picture has not the size of the viewport.
func (g *picturing) isMismatched() bool {
	scale := g.view.Ratio * g.view.Scale
	return math.Abs(g.from.Width*scale-float64(g.shot.Width)) > 1+scale || math.Abs(g.from.Height*scale-float64(g.shot.Height)) > 1+scale
}

// layoutTime bounds what is told of the layout of a page: a picture without it is one.
const layoutTime = 3 * time.Second

// layoutShare is the part of the time left that it may take at most.
const layoutShare = 3

func layoutOf(ctx context.Context, t *Tab) *cdp.Layout {
	limit := layoutTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/layoutShare)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	layout, err := t.Page.Layout(ctx)
	if err != nil {
		return nil
	}
	return layout
}

// into puts the picture, or why there is none, into a state.
func (g *picturing) into(s *State) {
	if g.done == nil {
		return
	}
	<-g.done
	if g.err != nil {
		s.PictureError = &PictureError{PictureUnavailable, pictureWords(g.err, g.tab)}
		return
	}
	scale := g.view.Ratio * g.view.Scale
	if g.isMismatched() {
		s.PictureError = &PictureError{PictureMismatch, "the picture has not the size of the tab's viewport"}
		return
	}
	picture, err := encode(g.shot, CaptureOptions{MaxDimension: g.most})
	if err != nil {
		s.PictureError = &PictureError{PictureUnavailable, "the picture could not be written"}
		return
	}
	s.PNG = picture.Data
	s.Screenshot = &Screenshot{Width: picture.Width, Height: picture.Height, Scale: scale * float64(picture.Width) / float64(g.shot.Width), from: g.from}
	if s.Viewport == nil {
		v := View(g.tab.viewport(g.view))
		s.Viewport = &v
	}
	g.p.register(s, g.tab, g.layout)
}

func pictureWords(err error, t *Tab) string {
	switch {
	case t.Page == nil:
		return "there is no way to the tab's page"
	case errors.Is(err, cdp.ErrMoving):
		return "the page, or what must not be seen on it, keeps moving"
	case errors.Is(err, cdp.ErrDialog):
		return "a JavaScript dialog is open"
	case errors.Is(err, cdp.ErrCrashed):
		return "the tab has crashed"
	}
	return "the browser did not draw it in time"
}
