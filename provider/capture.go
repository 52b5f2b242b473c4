package provider

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"time"

	"golang.org/x/image/draw"

	"github.com/webarea/webarea/cdp"
)

// The formats of pictures.
const (
	FormatPNG  = "png"
	FormatJPEG = "jpeg"
)

// A Picture is what is drawn of an element.
type Picture struct {
	MIMEType      string
	Data          []byte
	Width, Height int // pixels
}

// UncoverPictures has uncover called before a picture is taken of a tab, and what it
// returns after that: for who draws over pages what is no part of them.
func (p *Provider) UncoverPictures(uncover func(*Tab) (done func())) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uncover = uncover
}

// uncovered has nothing drawn over a tab until done is called.
func (p *Provider) uncovered(t *Tab) (done func()) {
	p.mu.Lock()
	uncover := p.uncover
	p.mu.Unlock()
	if uncover == nil {
		return func() {}
	}
	return uncover(t)
}

// CaptureOptions say what picture is wanted.
type CaptureOptions struct {
	MaxDimension int    // of the long edge, pixels; 0: as it is
	Format       string // png where empty
}

// jpegQuality is where pictures of pages stop getting visibly better.
const jpegQuality = 85

// captureTimeout bounds taking a picture, which Chrome may never finish of a tab in
// the background.
const captureTimeout = 10 * time.Second

// Capture takes a picture of an element: what is on screen of it, or, where nothing
// is, all of it. A picture that cannot be had is an *Error with the reason.
func (p *Provider) Capture(ctx context.Context, id string, o CaptureOptions) (*Picture, error) {
	if o.Format != "" && o.Format != FormatPNG && o.Format != FormatJPEG {
		return nil, failure(CodeInvalid, nil, "use png or jpeg", "there is no picture format %q", o.Format)
	}
	ctx, cancel := context.WithTimeout(ctx, captureTimeout)
	defer cancel()
	if t, shoot := p.shootable(id); t != nil {
		return p.shot(ctx, t, shoot, id, o)
	}
	t, spot, err := p.find(id)
	if err != nil {
		return nil, err
	}
	done := p.uncovered(t)
	shot, err := t.capture(ctx, spot, o)
	done()
	if !p.isShared(t) {
		return nil, p.lost(id)
	}
	if err != nil {
		return nil, p.captureError(t, id, err)
	}
	picture, err := encode(shot, o)
	if err == nil && !p.isShared(t) {
		return nil, p.lost(id)
	}
	return picture, err
}

// capture takes a picture of what is where it was when the picture has been taken.
func (t *Tab) capture(ctx context.Context, spot cdp.Spot, o CaptureOptions) (*cdp.Picture, error) {
	var was cdp.Target
	place := func(ctx context.Context) (cdp.Target, error) {
		area, beyond, view, err := t.area(ctx, spot)
		if err != nil {
			return cdp.Target{}, err
		}
		scale := 1.0
		if o.MaxDimension > 0 {
			scale = min(1, float64(o.MaxDimension)/(max(area.Width, area.Height)*view.Ratio))
		}
		return cdp.Target{Area: area, Beyond: beyond, Scale: scale}, nil
	}
	return t.Page.Capture(ctx, cdp.Subject{
		Place: func(ctx context.Context) (at cdp.Target, err error) {
			was, err = place(ctx)
			return was, err
		},
		Still: func(ctx context.Context) (bool, error) {
			now, err := place(ctx)
			return now == was, err
		},
	}, cdp.CaptureOptions{Unseen: t.headless})
}

// area is what to take a picture of: what is on screen of it, else all of it.
func (t *Tab) area(ctx context.Context, spot cdp.Spot) (area cdp.Rect, beyond bool, view *cdp.Viewport, err error) {
	for _, drawn := range []bool{true, false} {
		rects, view, err := t.Page.Place(ctx, spot, drawn)
		if err != nil {
			return area, false, nil, err
		}
		if area := outward(union(rects), view); area.Width > 0 && area.Height > 0 {
			return area, !drawn, view, nil
		}
	}
	return area, false, nil, cdp.ErrNotDrawn
}

// union is the smallest rectangle that holds all.
func union(rects []cdp.Rect) cdp.Rect {
	if len(rects) == 0 {
		return cdp.Rect{}
	}
	l, t, r, b := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range rects {
		l, t, r, b = min(l, x.X), min(t, x.Y), max(r, x.X+x.Width), max(b, x.Y+x.Height)
	}
	return cdp.Rect{X: l, Y: t, Width: r - l, Height: b - t}
}

// outward gives the device pixels that a rectangle touches, in CSS px. Less than a
// hundredth of a pixel is an error of calculation.
func outward(x cdp.Rect, view *cdp.Viewport) cdp.Rect {
	const most = 0.01
	f := view.Ratio * view.Scale
	l, t := math.Floor(x.X*f+most), math.Floor(x.Y*f+most)
	r, b := math.Ceil((x.X+x.Width)*f-most), math.Ceil((x.Y+x.Height)*f-most)
	return cdp.Rect{X: l / f, Y: t / f, Width: (r - l) / f, Height: (b - t) / f}
}

// encode brings a picture into the form that was asked for.
func encode(shot *cdp.Picture, o CaptureOptions) (*Picture, error) {
	fits := o.MaxDimension <= 0 || max(shot.Width, shot.Height) <= o.MaxDimension
	if fits && shot.PNG != nil && o.Format != FormatJPEG {
		return &Picture{MIMEType: "image/png", Data: shot.PNG, Width: shot.Width, Height: shot.Height}, nil
	}
	img, err := decoded(shot)
	if err != nil {
		return nil, failure(CodeFailed, err, "", "the picture could not be read")
	}
	if !fits {
		img = shrink(img, o.MaxDimension)
	}
	data, mime, err := encodeAs(img, o.Format, png.BestSpeed)
	if err != nil {
		return nil, failure(CodeFailed, err, "", "the picture could not be written")
	}
	return &Picture{MIMEType: mime, Data: data, Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}, nil
}

func decoded(shot *cdp.Picture) (image.Image, error) {
	if shot.Image != nil {
		return shot.Image, nil
	}
	return png.Decode(bytes.NewReader(shot.PNG))
}

// encodeAs writes a picture. Of a full one that is asked for, the time counts more
// than the bytes.
func encodeAs(img image.Image, format string, level png.CompressionLevel) ([]byte, string, error) {
	var b bytes.Buffer
	if format == FormatJPEG {
		err := jpeg.Encode(&b, img, &jpeg.Options{Quality: jpegQuality})
		return b.Bytes(), "image/jpeg", err
	}
	err := (&png.Encoder{CompressionLevel: level}).Encode(&b, img)
	return b.Bytes(), "image/png", err
}

// shrink scales a picture down so that its long edge is most pixels.
func shrink(img image.Image, most int) image.Image {
	b := img.Bounds()
	f := float64(most) / float64(max(b.Dx(), b.Dy()))
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(math.Round(float64(b.Dx())*f))), max(1, int(math.Round(float64(b.Dy())*f)))))
	draw.CatmullRom.Scale(out, out.Bounds(), img, b, draw.Src, nil)
	return out
}

// captureError tells an agent why there is no picture.
func (p *Provider) captureError(t *Tab, id string, err error) error {
	switch {
	case errors.Is(err, cdp.ErrNotDrawn):
		return failure(CodeNotDrawn, err, "ask for the elements again: it may have been hidden", "nothing of %q is drawn", id)
	case errors.Is(err, cdp.ErrMoving):
		return failure(CodeNoPicture, err, "ask again when the page is still", "no picture of %q: it, or what must not be seen on the page, moved while it was taken", id)
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, cdp.ErrUnresponsive):
		return failure(CodeNoPicture, err, "bring the tab to the front", "no picture of %q: the browser did not draw it in time", id)
	}
	return p.placeError(t, id, err)
}
