package provider

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
)

// A Rect is a rectangle, in CSS px of a tab's viewport or in px of the screen.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// A Viewport says what rectangles are measured in, and where it is on the screen.
type Viewport struct {
	Width            float64  `json:"width"`              // CSS px
	Height           float64  `json:"height"`             // CSS px
	DevicePixelRatio float64  `json:"device_pixel_ratio"` // device pixels in a CSS px
	PageZoom         float64  `json:"page_zoom"`          // 1 is 100 %
	VisualScale      float64  `json:"visual_scale"`       // of a pinch
	ScrollX          float64  `json:"scroll_x"`           // CSS px
	ScrollY          float64  `json:"scroll_y"`
	ScreenX          *float64 `json:"screen_x"` // of its top left corner, px of the screen; nil: not known
	ScreenY          *float64 `json:"screen_y"`
	ScreenExact      bool     `json:"screen_exact"`
}

// A Location is where a thing is drawn: a rectangle for each of its boxes, a
// selection's one for each line; none where it has no box.
type Location struct {
	ID         string
	Rectangles []Rect
	Screen     []Rect // the same on the screen; nil where that is not known
	// ScreenExact says that Screen was measured, not estimated.
	ScreenExact bool
	Viewport    Viewport
}

// LocateOptions say what is asked.
type LocateOptions struct {
	Visible bool // only what is on screen of it
}

// Locate tells where a thing is drawn.
func (p *Provider) Locate(ctx context.Context, id string, o LocateOptions) (*Location, error) {
	t, spot, err := p.find(id)
	if err != nil {
		return nil, err
	}
	rects, view, err := t.Page.Place(ctx, spot, o.Visible)
	if !p.isShared(t) {
		return nil, p.lost(id)
	}
	if err != nil {
		return nil, p.placeError(t, id, err)
	}
	l := &Location{ID: id, Rectangles: []Rect{}, Viewport: t.viewport(view)}
	l.ScreenExact = l.Viewport.ScreenExact
	for _, r := range rects {
		l.Rectangles = append(l.Rectangles, Rect{r.X, r.Y, r.Width, r.Height})
	}
	if l.Viewport.ScreenX != nil {
		l.Screen = []Rect{}
		zoom := view.Zoom * view.Scale
		for _, r := range rects {
			l.Screen = append(l.Screen, Rect{*l.Viewport.ScreenX + (r.X-view.OffsetX)*zoom, *l.Viewport.ScreenY + (r.Y-view.OffsetY)*zoom, r.Width * zoom, r.Height * zoom})
		}
	}
	return l, nil
}

// viewport adds where the viewport is on the screen: measured by the last pointer
// event, or as it must be without a screen, else estimated from the window.
func (t *Tab) viewport(v *cdp.Viewport) Viewport {
	out := Viewport{Width: v.Width, Height: v.Height, DevicePixelRatio: v.Ratio, PageZoom: v.Zoom, VisualScale: v.Scale, ScrollX: v.ScrollX, ScrollY: v.ScrollY}
	var x, y float64
	switch {
	case len(v.Pointer) == 4:
		zoom := v.Zoom * v.Scale
		x, y = v.Pointer[0]-(v.Pointer[2]-v.OffsetX)*zoom, v.Pointer[1]-(v.Pointer[3]-v.OffsetY)*zoom
		out.ScreenExact = true
	default:
		// The frame of a window is as wide left as right and below, and its bars are
		// above the page.
		side := max(0, (v.OuterWidth-v.Width*v.Zoom)/2)
		x, y = v.ScreenX+side, v.ScreenY+max(0, v.OuterHeight-v.Height*v.Zoom-side)
		out.ScreenExact = t.headless
	}
	out.ScreenX, out.ScreenY = &x, &y
	return out
}

// TabOf gives the shared tab that an element is in. Its page is there to be read.
func (p *Provider) TabOf(id string) (*Tab, error) {
	t, _, err := p.find(id)
	return t, err
}

// find gives the tab and the place that an id names.
func (p *Provider) find(id string) (*Tab, cdp.Spot, error) {
	var spot cdp.Spot
	key, ok := p.ids.key(id)
	if !ok {
		if p.ids.minted(id) {
			return nil, spot, gone(id)
		}
		return nil, spot, failure(CodeUnknownID, nil, "use an id from an answer of this run", "no element has the id %q", id)
	}
	doc, rest, _ := strings.Cut(key, "#")
	for _, t := range p.shared() {
		t.mu.Lock()
		holds := t.keys[doc]
		t.mu.Unlock()
		if !holds && key != t.key() {
			continue
		}
		if t.Page == nil {
			return nil, spot, unread(t)
		}
		if !holds {
			return t, cdp.Spot{Root: true}, nil
		}
		spot.Document = doc
		if rest == "" {
			spot.Root = true
			return t, spot, nil
		}
		return t, spotOf(spot, rest), nil
	}
	if e := p.lost(id); strings.Contains(doc, "/") || e.Code == CodeNotShared {
		return nil, spot, e
	}
	return nil, spot, failure(CodeInvalid, nil, "ask about an element in a tab's page", "%q names no place in a page", id)
}

// spotOf reads what a key says after its document: "12" an element, "t12" a run,
// "s12.0.13.5" a selection.
func spotOf(spot cdp.Spot, rest string) cdp.Spot {
	if ends, ok := strings.CutPrefix(rest, "s"); ok {
		var n []int64
		for part := range strings.SplitSeq(ends, ".") {
			v, _ := strconv.ParseInt(part, 10, 64)
			n = append(n, v)
		}
		switch len(n) {
		case 3:
			spot.Ends = []cdp.End{{Serial: n[0], Offset: int(n[1])}}
		case 4:
			spot.Ends = []cdp.End{{Serial: n[0], Offset: int(n[1])}, {Serial: n[2], Offset: int(n[3])}}
		}
		return spot
	}
	rest = strings.TrimRight(strings.TrimPrefix(rest, "t"), "~rc")
	spot.Serial, _ = strconv.ParseInt(rest, 10, 64)
	return spot
}

func gone(id string) *Error {
	return failure(CodeGone, nil, "ask for the elements again to see what is there now", "the element %q is no longer there", id)
}

// unread tells an agent that a tab's page cannot be read, in the word that is its
// problem.
func unread(t *Tab) *Error {
	at, _ := t.at()
	if at.Problem == "" {
		at.Problem = ProblemUnreachableTab
	}
	return failure(Code(at.Problem), nil, "ask for the elements again to see whether it can be", "the page of the tab cannot be read now")
}

// placeError tells an agent why a place cannot be told.
func (p *Provider) placeError(t *Tab, id string, err error) error {
	_, told := t.at()
	switch {
	case told && (isGone(err) || isOver(err)):
		return unread(t)
	case errors.Is(err, cdp.ErrGone), isGone(err):
		return gone(id)
	case isOver(err):
		return failure(CodeBrowserGone, err, "start it again", "the browser has ended")
	case errors.Is(err, cdp.ErrUnresponsive):
		return failure(CodePageUnresponsive, err, "ask again later", "the page does not answer")
	case errors.Is(err, cdp.ErrDialog):
		return failure(CodePageUnresponsive, err, "ask again once the dialog is closed", "a JavaScript dialog is open on the page")
	case errors.Is(err, cdp.ErrCrashed):
		return failure(CodeTabCrashed, err, "the tab must be loaded again", "the tab has crashed")
	}
	return failure(CodeFailed, err, "", "the element %q could not be located", id)
}

// headlessTimeout bounds asking a browser what it is.
const headlessTimeout = 2 * time.Second

// isHeadless tells whether a browser draws no windows on a screen.
func isHeadless(ctx context.Context, conn *cdp.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, headlessTimeout)
	defer cancel()
	var v struct {
		UserAgent string `json:"userAgent"`
	}
	if conn.RootIsPage() || conn.Browser().Call(ctx, "Browser.getVersion", nil, &v) != nil {
		return false
	}
	return strings.Contains(v.UserAgent, "Headless")
}
