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

// CaptureOptions say how a picture is taken.
type CaptureOptions struct {
	// Beyond takes what is outside the viewport too. Chrome then lays the page out
	// for a moment as if its window were larger, which the page can notice, and
	// forgets the screen that another client has it emulate.
	Beyond bool
	// Scale is pixels for a device pixel, at most 1; 0 is 1. It spares work where Beyond
	// is set; a picture of the viewport is taken as it is.
	Scale float64
}

// Capture takes a picture of a rectangle of the page's viewport, in CSS px. All
// that must not be seen (secret fields, private regions, secret values elsewhere) is
// painted over before the picture is returned: their boxes are watched while it is
// taken, and if they or the page moved it is taken again. The error wraps ErrNotDrawn or
// ErrMoving, or is as for Read.
func (p *Page) Capture(ctx context.Context, area Rect, o CaptureOptions) (*Picture, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	if area.empty() {
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	}
	if err := p.openClosed(ctx); err != nil {
		return nil, p.explain(ctx, err)
	}
	for range captureTries {
		pic, moved, err := p.captureOnce(ctx, area, o)
		if err != nil {
			if errors.Is(err, ErrNotDrawn) {
				return nil, err
			}
			return nil, p.explain(ctx, err)
		}
		if !moved {
			return pic, nil
		}
	}
	return nil, fmt.Errorf("taking a picture: %w", ErrMoving)
}

func (p *Page) captureOnce(ctx context.Context, area Rect, o CaptureOptions) (pic *Picture, moved bool, err error) {
	watch := lastWatch.Add(1)
	ended := false
	defer func() {
		if !ended {
			p.endWatch(ctx, watch)
		}
	}()
	before, err := p.hiddenAreas(ctx, watchStep{Begin: watch})
	if err != nil {
		return nil, false, err
	}
	shot, err := p.shoot(ctx, area, before.view, o)
	if err != nil {
		return nil, false, err
	}
	after, err := p.hiddenAreas(ctx, watchStep{End: watch})
	if err != nil {
		return nil, false, err
	}
	ended = true
	if after.moved || !before.view.same(after.view) || !sameAreas(before.areas, after.areas) {
		return nil, true, nil
	}
	if !shot.fits(before.view) {
		return nil, true, nil
	}
	pic, err = shot.paint(area, before.areas)
	return pic, false, err
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

// A screenshot is what the browser made a picture of.
type screenshot struct {
	raw  []byte
	head image.Config
	of   Rect // CSS px of the viewport
}

// shoot has the browser take a screenshot that holds an area. In the viewport it is
// of all of that: to cut a part out of it Chrome emulates another screen for a
// moment, which costs as much as it spares, the page can notice, and ends what
// another client emulates.
func (p *Page) shoot(ctx context.Context, area Rect, view *Viewport, o CaptureOptions) (*screenshot, error) {
	params := map[string]any{"format": "png", "optimizeForSpeed": true}
	shot := &screenshot{of: view.seen()}
	if o.Beyond {
		scale := o.Scale
		if scale <= 0 || scale > 1 {
			scale = 1
		}
		if long := max(area.Width, area.Height) * view.Ratio * scale; long > maxPicture {
			scale *= maxPicture / long
		}
		shot.of = area
		params["captureBeyondViewport"] = true
		params["clip"] = map[string]any{"x": area.X + view.ScrollX, "y": area.Y + view.ScrollY, "width": area.Width, "height": area.Height, "scale": scale}
	} else if area.meet(view.seen()).empty() {
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
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
	return shot, nil
}

// fits tells whether a screenshot has the shape of what it is said to be of: a
// window that was made larger meanwhile gives another.
func (s *screenshot) fits(v *Viewport) bool {
	high := s.of.Height * float64(s.head.Width) / s.of.Width
	return math.Abs(high-float64(s.head.Height)) <= 1+v.Ratio+high/float64(s.head.Width)
}

// pixels gives the pixels that a rectangle of the viewport touches, not cut to the
// screenshot. Less than a hundredth of a pixel is an error of calculation.
func (s *screenshot) pixels(r Rect) image.Rectangle {
	const most = 0.01
	fx, fy := float64(s.head.Width)/s.of.Width, float64(s.head.Height)/s.of.Height
	x, y := (r.X-s.of.X)*fx, (r.Y-s.of.Y)*fy
	return image.Rect(int(math.Floor(x+most)), int(math.Floor(y+most)), int(math.Ceil(x+r.Width*fx-most)), int(math.Ceil(y+r.Height*fy-most)))
}

// paint cuts an area out and covers what must not be seen in it. What needs neither
// is passed on as it is.
func (s *screenshot) paint(area Rect, hidden []Rect) (*Picture, error) {
	all := image.Rect(0, 0, s.head.Width, s.head.Height)
	part := s.pixels(area).Intersect(all)
	if part.Empty() {
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	}
	var cover []image.Rectangle
	for _, h := range hidden {
		// Two pixels more on every side: letters lean out of their boxes.
		if c := s.pixels(h).Inset(-2).Intersect(part); !c.Empty() {
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
