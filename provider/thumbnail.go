package provider

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"sync"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/mapper"
)

// The bounds of a thumbnail: enough to recognise what is pointed at, small enough
// for an agent that pays for it.
const (
	thumbnailEdge  = 512       // pixels
	thumbnailBytes = 100 << 10 // at most
	maxThumbnails  = 12        // in one answer
)

// link is the address of a part of an element: of its text, or its image.
func (p *Provider) link(id, part string) string {
	return "webarea://" + p.instance + "/elements/" + id + "/" + part
}

// linkPicture sends the address of an element's full picture.
func (p *Provider) linkPicture(e *elements.Element) {
	name := e.Title
	if name == "" {
		name = "picture"
	}
	e.Content = append(e.Content, elements.LinkBlock(p.link(e.ID, "image"), name))
}

// addThumbnails sends the pictures that belong in an answer: one screenshot for
// each tab, from which each element's part is cut. Where there is none, the reason
// is said.
func (p *Provider) addThumbnails(ctx context.Context, states []*tabState, pictures []mapper.Picture) {
	byTab := map[string][]mapper.Picture{}
	for i, pic := range pictures {
		if i >= maxThumbnails {
			noPicture(pic.Element, "too many pictures in one answer")
			continue
		}
		byTab[pic.Tab] = append(byTab[pic.Tab], pic)
	}
	var wg sync.WaitGroup
	for _, s := range states {
		list := byTab[s.tab.key()]
		if len(list) == 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.tabThumbnails(ctx, s.tab, list)
		}()
	}
	wg.Wait()
}

func noPicture(e *elements.Element, reason string) {
	if e.Attributes == nil {
		e.Attributes = map[string]any{}
	}
	e.Attributes["no_picture"] = reason
}

func (p *Provider) tabThumbnails(ctx context.Context, t *Tab, list []mapper.Picture) {
	ctx, cancel := context.WithTimeout(ctx, captureTimeout)
	defer cancel()
	defer p.uncovered(t)()
	var areas, after []cdp.Rect
	var all cdp.Rect
	// What moves has no picture; the others have theirs from the same screenshot.
	shot, err := t.Page.Capture(ctx, cdp.Subject{
		Place: func(ctx context.Context) (cdp.Target, error) {
			areas = t.places(ctx, list)
			all = union(slices.DeleteFunc(slices.Clone(areas), func(a cdp.Rect) bool { return a.Width <= 0 || a.Height <= 0 }))
			return cdp.Target{Area: all}, nil
		},
		Still: func(ctx context.Context) (bool, error) {
			after = t.places(ctx, list)
			return true, nil
		},
	}, cdp.CaptureOptions{Unseen: t.headless})
	reason := ""
	switch {
	case errors.Is(err, cdp.ErrNotDrawn):
		reason = "nothing of it is drawn"
	case err != nil:
		reason = "no picture could be taken"
		if e, ok := p.captureError(t, "", err).(*Error); ok {
			reason = string(e.Code)
		}
	default:
		// Decoded once, not for each that is cut out of it.
		if shot.Image, err = decoded(shot); err != nil {
			shot, reason = nil, "no picture could be taken"
		}
	}
	for i, pic := range list {
		if shot != nil && areas[i] != after[i] {
			noPicture(pic.Element, string(CodeNoPicture))
			continue
		}
		if shot == nil {
			noPicture(pic.Element, reason)
			continue
		}
		if areas[i].Width <= 0 || areas[i].Height <= 0 {
			noPicture(pic.Element, "nothing of it is drawn")
			continue
		}
		data, mime, err := thumbnail(shot, areas[i], all)
		if err != nil {
			noPicture(pic.Element, "no picture could be taken")
			continue
		}
		pic.Element.Content = append(pic.Element.Content, elements.ImageBlock(data, mime))
	}
}

// places tells what is on screen of each, empty where nothing is.
func (t *Tab) places(ctx context.Context, list []mapper.Picture) []cdp.Rect {
	areas := make([]cdp.Rect, len(list))
	var wg sync.WaitGroup
	for i, pic := range list {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rects, view, err := t.Page.Place(ctx, cdp.Spot{Document: pic.Document, Serial: pic.Serial}, true)
			if err == nil {
				areas[i] = outward(union(rects), view)
			}
		}()
	}
	wg.Wait()
	return areas
}

// thumbnail cuts one element's part out of a screenshot, as PNG or JPEG, whichever
// is smaller, and smaller still until it is within bounds.
func thumbnail(shot *cdp.Picture, part, of cdp.Rect) ([]byte, string, error) {
	img, err := decoded(shot)
	if err != nil {
		return nil, "", err
	}
	fx, fy := float64(shot.Width)/of.Width, float64(shot.Height)/of.Height
	at := func(css, f float64) int { return int(math.Round(css * f)) }
	cut := image.Rect(at(part.X-of.X, fx), at(part.Y-of.Y, fy), at(part.X-of.X+part.Width, fx), at(part.Y-of.Y+part.Height, fy)).Intersect(img.Bounds())
	out := image.Image(image.NewRGBA(image.Rect(0, 0, max(1, cut.Dx()), max(1, cut.Dy()))))
	draw.Draw(out.(draw.Image), out.Bounds(), img, cut.Min, draw.Src)
	for edge := min(thumbnailEdge, max(out.Bounds().Dx(), out.Bounds().Dy())); ; edge = edge * 3 / 4 {
		if max(out.Bounds().Dx(), out.Bounds().Dy()) > edge {
			out = shrink(out, edge)
		}
		asPNG, _, err := encodeAs(out, FormatPNG, png.DefaultCompression)
		if err != nil {
			return nil, "", err
		}
		asJPEG, _, err := encodeAs(out, FormatJPEG, 0)
		if err != nil {
			return nil, "", err
		}
		if len(asPNG) <= len(asJPEG) && len(asPNG) <= thumbnailBytes {
			return asPNG, "image/png", nil
		}
		if len(asJPEG) <= thumbnailBytes || edge < 32 {
			return asJPEG, "image/jpeg", nil
		}
	}
}
