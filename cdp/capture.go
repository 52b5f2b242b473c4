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

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Errors for a picture that cannot be had.
var (
	// ErrNotDrawn: nothing of it is drawn.
	ErrNotDrawn = errors.New("nothing of it is drawn")
	// ErrMoving: what must not be seen moved while the picture was taken, each time.
	ErrMoving = errors.New("what must not be seen on the page keeps moving")
)

// captureTries is how often a picture is taken while secrets move under it.
const captureTries = 3

// maxPicture bounds a picture's sides, in device pixels: Chrome's own bound for a
// surface.
const maxPicture = 16384

// A Picture is a part of a page as it is drawn.
type Picture struct {
	PNG           []byte
	Width, Height int // pixels
	// Image is the decoded picture where it had to be decoded, else nil.
	Image image.Image
}

// CaptureOptions say how a picture is taken.
type CaptureOptions struct {
	// Beyond takes what is outside the viewport too. Chrome then lays the page out
	// for a moment as if its window were larger, which the page can notice.
	Beyond bool
	// Scale is pixels for a device pixel, at most 1; 0 is 1.
	Scale float64
}

// Capture takes a picture of a rectangle of the page's viewport, in CSS px. All
// that must not be seen (secret fields, private regions, secret values elsewhere) is
// painted over before the picture is returned: their boxes are read before and
// after, and if they moved it is taken again. The error wraps ErrNotDrawn or
// ErrMoving, or is as for Read.
func (p *Page) Capture(ctx context.Context, area Rect, o CaptureOptions) (*Picture, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	if area.empty() {
		return nil, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
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
	before, view, err := p.hiddenAreas(ctx)
	if err != nil {
		return nil, false, err
	}
	if !o.Beyond {
		area = area.meet(Rect{0, 0, view.Width, view.Height})
	}
	if area.empty() {
		return nil, false, fmt.Errorf("taking a picture: %w", ErrNotDrawn)
	}
	scale := o.Scale
	if scale <= 0 || scale > 1 {
		scale = 1
	}
	if long := max(area.Width, area.Height) * view.Ratio * scale; long > maxPicture {
		scale *= maxPicture / long
	}
	var got struct {
		Data []byte `json:"data"`
	}
	if err := p.Session.Call(ctx, page.CommandCaptureScreenshot, map[string]any{
		"format": "png", "captureBeyondViewport": o.Beyond, "optimizeForSpeed": true,
		"clip": map[string]any{"x": area.X + view.ScrollX, "y": area.Y + view.ScrollY, "width": area.Width, "height": area.Height, "scale": scale},
	}, &got); err != nil {
		return nil, false, err
	}
	after, viewAfter, err := p.hiddenAreas(ctx)
	if err != nil {
		return nil, false, err
	}
	if !sameAreas(before, after) || (view.ScrollX != viewAfter.ScrollX || view.ScrollY != viewAfter.ScrollY) && len(before)+len(after) > 0 {
		return nil, true, nil
	}
	pic, err = paint(got.Data, area, before)
	return pic, false, err
}

// paint covers what must not be seen. A picture in which nothing is covered is
// passed on as it is.
func paint(raw []byte, area Rect, hidden []Rect) (*Picture, error) {
	head, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	pic := &Picture{PNG: raw, Width: head.Width, Height: head.Height}
	var cover []image.Rectangle
	sx, sy := float64(head.Width)/area.Width, float64(head.Height)/area.Height
	for _, h := range hidden {
		h = h.meet(Rect{area.X - 2, area.Y - 2, area.Width + 4, area.Height + 4})
		if h.empty() {
			continue
		}
		// A pixel more on every side: boxes end between pixels, and letters lean out.
		cover = append(cover, image.Rect(
			int(math.Floor((h.X-area.X)*sx))-2, int(math.Floor((h.Y-area.Y)*sy))-2,
			int(math.Ceil((h.X+h.Width-area.X)*sx))+2, int(math.Ceil((h.Y+h.Height-area.Y)*sy))+2))
	}
	if len(cover) == 0 {
		return pic, nil
	}
	src, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	img := image.NewRGBA(src.Bounds())
	draw.Draw(img, img.Bounds(), src, src.Bounds().Min, draw.Src)
	for _, c := range cover {
		draw.Draw(img, c, image.NewUniform(coverColor), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("writing the picture: %w", err)
	}
	pic.PNG, pic.Image = b.Bytes(), img
	return pic, nil
}

// coverColor is the colour of what is painted over.
var coverColor = color.RGBA{0x80, 0x80, 0x80, 0xff}

func sameAreas(a, b []Rect) bool {
	return slices.EqualFunc(a, b, func(x, y Rect) bool {
		return math.Abs(x.X-y.X) < 0.5 && math.Abs(x.Y-y.Y) < 0.5 && math.Abs(x.Width-y.Width) < 0.5 && math.Abs(x.Height-y.Height) < 0.5
	})
}

// hiddenAreas gives, in the page's viewport, everything that must not be seen, in
// all frames; a frame that does not answer is covered whole.
func (p *Page) hiddenAreas(ctx context.Context) ([]Rect, *Viewport, error) {
	if err := p.settle(ctx); err != nil {
		return nil, nil, err
	}
	var r Reading
	visits, err := p.prepare(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	links := map[cdproto.FrameID]link{}
	parents := map[cdproto.FrameID]cdproto.FrameID{}
	hidden := map[cdproto.FrameID]answer{}
	places := map[cdproto.FrameID]answer{}
	for _, v := range visits {
		parents[v.id] = v.parent
		if v.world != 0 && !v.dead {
			l := link{v.id, v.session, v.world}
			links[v.id] = l
			hidden[v.id] = l.ask(ctx, "hiddenBoxes", nil)
		}
	}
	for _, v := range visits[1:] {
		if up, ok := links[v.parent]; ok {
			places[v.id] = up.ask(ctx, "frameAt", string(v.id))
		}
	}
	view := p.askViewport(ctx, links[visits[0].id])
	steps := map[cdproto.FrameID]*frameStep{}
	for id, a := range places {
		var s *frameStep
		if err := a.value(ctx, &s); err == nil {
			steps[id] = s
		} else if ctx.Err() != nil {
			return nil, nil, err
		}
	}
	wayOf := func(id cdproto.FrameID) *frameWay {
		w := &frameWay{}
		for n := 0; id != visits[0].id; id, n = parents[id], n+1 {
			s := steps[id]
			if s == nil || n > maxFrames {
				return nil
			}
			w.steps = append(w.steps, *s)
		}
		return w
	}
	var out []Rect
	for _, v := range visits {
		a, asked := hidden[v.id]
		var got struct {
			Boxes [][]float64 `json:"boxes"`
		}
		err := errors.New("not reached")
		if asked {
			err = a.value(ctx, &got)
		}
		if err != nil {
			if v == visits[0] || ctx.Err() != nil {
				return nil, nil, err
			}
			// Nothing is known of what is in it.
			if s, up := steps[v.id], wayOf(parents[v.id]); s != nil && up != nil {
				if r, ok := up.page(rectOf(s.Clip), true); ok {
					out = append(out, r)
				}
			}
			continue
		}
		way := wayOf(v.id)
		if way == nil {
			continue
		}
		for _, b := range got.Boxes {
			if r, ok := way.page(rectOf(b), true); ok {
				out = append(out, r)
			}
		}
	}
	vp, err := view.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	vp.Pointer = nil
	return out, vp, nil
}
