package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// Errors for a picture that cannot be had.
var (
	// ErrNotDrawn: nothing of it is drawn.
	ErrNotDrawn = errors.New("nothing of it is drawn")
	// ErrMoving: what must not be seen moved while the picture was taken, each time.
	ErrMoving = errors.New("the page, or what must not be seen on it, keeps moving")
)

// captureTries is how often a picture is taken while secrets move under it.
const captureTries = 3

// maxPicture bounds a picture's sides, in device pixels: Chrome's own bound for a
// surface.
const maxPicture = 16384

// A Picture is a part of a page as it is drawn.
type Picture struct {
	Width, Height int // pixels
	// PNG is as the browser made it, nil where something had to be changed.
	PNG []byte
	// Image is the decoded picture, nil where there was no need to decode it.
	Image image.Image
}

// A Subject is what a picture is to be taken of. Both functions are called beside
// other questions to the page, and may be called again where a picture has to be
// taken again.
type Subject struct {
	// Place says what to take, just before it is taken.
	Place func(context.Context) (Target, error)
	// Still says, after it was taken, whether it is still there.
	Still func(context.Context) (bool, error)
}

// A Target is a part of a page to take a picture of.
type Target struct {
	// Area is in CSS px of the page's viewport.
	Area Rect
	// Beyond takes what is outside the viewport too. Chrome then lays the page out
	// for a moment as if its window were larger, which the page can notice, and
	// forgets the screen that another client has it emulate.
	Beyond bool
	// Scale is pixels for a device pixel, at most 1; 0 is 1. It spares work where Beyond
	// is set; a picture of the viewport is taken as it is.
	Scale float64
}

// CaptureOptions say how a picture is taken.
type CaptureOptions struct {
	// Unseen says that nobody looks at the page's window, so that it may show
	// something else for a moment.
	Unseen bool
}

// Capture takes a picture of a rectangle of the page's viewport. All that must not be
// seen (secret fields, private regions, secret values elsewhere) is painted over
// before the picture is returned: their boxes are watched while it is taken, and if
// they, the subject or the page moved it is taken again. It takes one screenshot, and
// captureTries where something moves. The error wraps ErrNotDrawn or ErrMoving, or is
// as for Read.
func (p *Page) Capture(ctx context.Context, s Subject, o CaptureOptions) (*Picture, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	for try := range captureTries {
		pic, moved, err := p.captureOnce(ctx, s, o, try == 0)
		if err != nil {
			for _, told := range []error{ErrNotDrawn, ErrGone, ErrUnresponsive, ErrDialog, ErrCrashed} {
				if errors.Is(err, told) {
					return nil, err
				}
			}
			return nil, p.explain(ctx, err)
		}
		if !moved {
			return pic, nil
		}
	}
	return nil, fmt.Errorf("taking a picture: %w", ErrMoving)
}

// captureOnce takes one screenshot, between two looks at what is on the page. All
// questions of a look are sent together: a small picture takes no longer than some
// round trips.
func (p *Page) captureOnce(ctx context.Context, s Subject, o CaptureOptions, first bool) (pic *Picture, moved bool, err error) {
	watch := lastWatch.Add(1)
	ended := false
	defer func() {
		if !ended {
			p.endWatch(ctx, watch)
		}
	}()
	var screens *Pending
	if o.Unseen {
		screens = p.Session.Go(ctx, emulation.CommandGetScreenInfos, nil)
	}
	var target Target
	var before *hidden
	opened := 0
	err = together(
		func() (err error) { target, err = s.Place(ctx); return err },
		func() (err error) { before, err = p.hiddenAreas(ctx, watchStep{Begin: watch}); return err },
		func() (err error) {
			if first {
				opened, err = p.openClosed(ctx)
			}
			return err
		},
	)
	if err != nil {
		return nil, false, err
	}
	if opened > 0 {
		p.endWatch(ctx, watch)
		watch = lastWatch.Add(1)
		if before, err = p.hiddenAreas(ctx, watchStep{Begin: watch}); err != nil {
			return nil, false, err
		}
	}
	shot, err := p.shoot(ctx, target, before.view, o.Unseen && before.view.plain(ctx, screens))
	if err != nil {
		return nil, false, err
	}
	var after *hidden
	var still bool
	err = together(
		func() (err error) { after, err = p.hiddenAreas(ctx, watchStep{End: watch}); return err },
		func() (err error) { still, err = s.Still(ctx); return err },
	)
	if err != nil {
		return nil, false, err
	}
	ended = true
	if !still || after.moved || !before.view.same(after.view) || !sameAreas(before.areas, after.areas) {
		return nil, true, nil
	}
	if !shot.fits(before.view) {
		return nil, true, nil
	}
	pic, err = shot.paint(target.Area, before.areas)
	return pic, false, err
}

// together does things side by side and gives the first error in their order.
func together(do ...func() error) error {
	errs := make([]error, len(do))
	var wg sync.WaitGroup
	for i, f := range do[1:] {
		wg.Go(func() { errs[i+1] = f() })
	}
	errs[0] = do[0]()
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// same tells whether a page is seen through it in the same way.
func (v *Viewport) same(o *Viewport) bool {
	return v.Width == o.Width && v.Height == o.Height && v.Ratio == o.Ratio && v.Scale == o.Scale && v.ScrollX == o.ScrollX && v.ScrollY == o.ScrollY &&
		v.OffsetX == o.OffsetX && v.OffsetY == o.OffsetY
}

// seen is the part of the viewport that a pinch leaves on screen.
func (v *Viewport) seen() Rect {
	return Rect{v.OffsetX, v.OffsetY, v.Width / v.Scale, v.Height / v.Scale}
}

// plain tells whether a page is seen through a window as it is: nothing emulates
// another screen, pinches it, or makes a CSS px a broken number of device pixels.
// screens is what Chrome says of the real screens, which older ones do not. A window
// has bars above its page and hardly anything beside it. A height that is emulated
// within these bounds remains when it is not emulated any more.
func (v *Viewport) plain(ctx context.Context, screens *Pending) bool {
	const (
		mostBeside = 40 // px of a window's frame, left and right
		leastAbove = 20 // px of its bars; what emulates a telephone leaves none
		mostAbove  = 120
	)
	if v.Scale != 1 || v.Ratio != math.Trunc(v.Ratio) {
		return false
	}
	beside, above := v.OuterWidth-v.Width*v.Zoom, v.OuterHeight-v.Height*v.Zoom
	if beside < 0 || beside > mostBeside || above < leastAbove || above > mostAbove {
		return false
	}
	var got struct {
		Screens []struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
			Ratio  float64 `json:"devicePixelRatio"`
		} `json:"screenInfos"`
	}
	if screens.Wait(ctx, &got) != nil {
		return false
	}
	for _, s := range got.Screens {
		if s.Width == v.ScreenWidth && s.Height == v.ScreenHeight && math.Abs(s.Ratio*v.Zoom-v.Ratio) < 0.001 {
			return true
		}
	}
	return false
}

// whole tells whether a part of the page lies between device pixels nowhere.
func (v *Viewport) whole(r Rect) bool {
	for _, n := range []float64{r.X + v.ScrollX, r.Y + v.ScrollY, r.Width, r.Height} {
		if n *= v.Ratio; math.Abs(n-math.Round(n)) > 0.001 {
			return false
		}
	}
	return true
}

// A screenshot is what the browser made a picture of.
type screenshot struct {
	raw    []byte
	head   image.Config
	of     Rect       // CSS px of the viewport
	pixels [2]float64 // in a CSS px, across and down
}

// shoot has the browser take a screenshot that holds a target. In the viewport it is
// of all of that, as a rule: to cut a part out of it Chrome has the page drawn
// elsewhere for a moment, which a person sees, and ends what another client
// emulates. Where there is neither, it is of the part, which takes half the time
// of the whole for a small one, and need not be decoded.
func (p *Page) shoot(ctx context.Context, t Target, view *Viewport, plain bool) (*screenshot, error) {
	params := map[string]any{"format": "png", "optimizeForSpeed": true}
	shot := &screenshot{of: view.seen()}
	area := t.Area
	switch {
	case area.empty():
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	case t.Beyond:
		scale := t.Scale
		if scale <= 0 || scale > 1 {
			scale = 1
		}
		if long := max(area.Width, area.Height) * view.Ratio * scale; long > maxPicture {
			scale *= maxPicture / long
		}
		shot.of = area
		params["captureBeyondViewport"] = true
		params["clip"] = view.clip(area, scale)
	case area.meet(view.seen()).empty():
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	case plain && area.meet(view.seen()) == area && view.whole(area):
		shot.of = area
		params["clip"] = view.clip(area, 1)
	}
	// Chrome ends what it emulates for one screenshot as it was before that one, so
	// that two at a time would leave the page drawn elsewhere.
	select {
	case p.shooting <- struct{}{}:
		defer func() { <-p.shooting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var got struct {
		Data []byte `json:"data"`
	}
	if err := p.Session.Call(ctx, page.CommandCaptureScreenshot, params, &got); err != nil {
		return nil, err
	}
	head, err := png.DecodeConfig(bytes.NewReader(got.Data))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	shot.raw, shot.head = got.Data, head
	shot.pixels = [2]float64{float64(head.Width) / shot.of.Width, float64(head.Height) / shot.of.Height}
	// A page tells the size of its viewport in whole CSS px, whatever it really is.
	if f := view.Ratio * view.Scale; !t.Beyond && math.Abs(shot.of.Width*f-float64(head.Width)) <= f && math.Abs(shot.of.Height*f-float64(head.Height)) <= f {
		shot.pixels = [2]float64{f, f}
	}
	return shot, nil
}

// clip is a part of the page as Chrome takes it: from the document's corner, in px
// of a page that is not zoomed.
func (v *Viewport) clip(r Rect, scale float64) map[string]any {
	return map[string]any{
		"x": (r.X + v.ScrollX) * v.Zoom, "y": (r.Y + v.ScrollY) * v.Zoom, "width": r.Width * v.Zoom, "height": r.Height * v.Zoom, "scale": scale,
	}
}

// fits tells whether a screenshot has the shape of what it is said to be of: a
// window that was made larger meanwhile gives another.
func (s *screenshot) fits(v *Viewport) bool {
	high := s.of.Height * float64(s.head.Width) / s.of.Width
	return math.Abs(high-float64(s.head.Height)) <= 1+v.Ratio+high/float64(s.head.Width)
}

// touched gives the pixels that a rectangle of the viewport touches, not cut to the
// screenshot. Less than a hundredth of a pixel is an error of calculation.
func (s *screenshot) touched(r Rect) image.Rectangle {
	const most = 0.01
	fx, fy := s.pixels[0], s.pixels[1]
	x, y := (r.X-s.of.X)*fx, (r.Y-s.of.Y)*fy
	return image.Rect(int(math.Floor(x+most)), int(math.Floor(y+most)), int(math.Ceil(x+r.Width*fx-most)), int(math.Ceil(y+r.Height*fy-most)))
}

// paint cuts an area out and covers what must not be seen in it. What needs neither
// is passed on as it is.
func (s *screenshot) paint(area Rect, hidden []Rect) (*Picture, error) {
	all := image.Rect(0, 0, s.head.Width, s.head.Height)
	part := s.touched(area).Intersect(all)
	if part.Empty() {
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	}
	var cover []image.Rectangle
	for _, h := range hidden {
		// Two pixels more on every side: letters lean out of their boxes.
		if c := s.touched(h).Inset(-2).Intersect(part); !c.Empty() {
			cover = append(cover, c)
		}
	}
	pic := &Picture{Width: part.Dx(), Height: part.Dy()}
	if part == all && len(cover) == 0 {
		pic.PNG = s.raw
		return pic, nil
	}
	src, err := png.Decode(bytes.NewReader(s.raw))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	img := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(img, img.Bounds(), src, part.Min, draw.Src)
	for _, c := range cover {
		draw.Draw(img, c.Sub(part.Min), image.NewUniform(coverColor), image.Point{}, draw.Src)
	}
	pic.Image = img
	return pic, nil
}

// coverColor is the colour of what is painted over.
var coverColor = color.RGBA{0x80, 0x80, 0x80, 0xff}

func sameAreas(a, b []Rect) bool {
	return slices.EqualFunc(a, b, func(x, y Rect) bool {
		return math.Abs(x.X-y.X) < 0.5 && math.Abs(x.Y-y.Y) < 0.5 && math.Abs(x.Width-y.Width) < 0.5 && math.Abs(x.Height-y.Height) < 0.5
	})
}
