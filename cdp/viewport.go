package cdp

import (
	"context"

	"github.com/chromedp/cdproto/page"
)

// A Viewport is what a page is seen through.
type Viewport struct {
	Width, Height    float64 // CSS px
	Ratio            float64 // device pixels in a CSS px
	Zoom             float64 // the page's zoom, 1 is 100 %
	Scale            float64 // of a pinch, 1 or more
	OffsetX, OffsetY float64 // of what the pinch leaves on screen, CSS px
	ScrollX, ScrollY float64 // CSS px
	// OuterWidth and OuterHeight are the window's, ScreenX and ScreenY its place, in
	// screen px.
	OuterWidth, OuterHeight, ScreenX, ScreenY float64
	// ScreenWidth and ScreenHeight are the screen's, in screen px, as the page is told.
	ScreenWidth, ScreenHeight float64
	// Pointer is a pointer event seen since position, sizes and zoom last changed:
	// screen x and y, viewport x and y; empty where none was.
	Pointer []float64
}

// outlook is what our script tells of what its page is seen through.
type outlook struct {
	Width       float64    `json:"width"`
	Height      float64    `json:"height"`
	Ratio       float64    `json:"ratio"`
	Scale       float64    `json:"scale"`
	OffsetX     float64    `json:"offsetX"`
	OffsetY     float64    `json:"offsetY"`
	ScrollX     float64    `json:"scrollX"`
	ScrollY     float64    `json:"scrollY"`
	OuterWidth  float64    `json:"outerWidth"`
	OuterHeight float64    `json:"outerHeight"`
	ScreenX     float64    `json:"screenX"`
	ScreenY     float64    `json:"screenY"`
	Screen      [2]float64 `json:"screen"`
	Pointer     []float64  `json:"pointer"`
}

// zoomed adds what no script is told: the page's zoom.
func (o *outlook) zoomed(zoom float64) *Viewport {
	return &Viewport{Width: o.Width, Height: o.Height, Ratio: o.Ratio, Zoom: zoom, Scale: max(o.Scale, 1), ScrollX: o.ScrollX, ScrollY: o.ScrollY,
		OffsetX: o.OffsetX, OffsetY: o.OffsetY, OuterWidth: o.OuterWidth, OuterHeight: o.OuterHeight, ScreenX: o.ScreenX, ScreenY: o.ScreenY,
		ScreenWidth: o.Screen[0], ScreenHeight: o.Screen[1], Pointer: o.Pointer}
}

// zoomAnswer is a page's zoom that is waited for.
type zoomAnswer struct{ call *Pending }

func askZoom(ctx context.Context, s *Session) zoomAnswer {
	return zoomAnswer{s.Go(ctx, page.CommandGetLayoutMetrics, nil)}
}

func (a zoomAnswer) wait(ctx context.Context) (float64, error) {
	var got struct {
		Visual struct {
			Zoom float64 `json:"zoom"`
		} `json:"cssVisualViewport"`
	}
	if err := a.call.Wait(ctx, &got); err != nil {
		return 0, err
	}
	if got.Visual.Zoom <= 0 {
		return 1, nil
	}
	return got.Visual.Zoom, nil
}

type viewportAnswer struct {
	script answer
	zoom   zoomAnswer
}

func (p *Page) askViewport(ctx context.Context, main link) viewportAnswer {
	return viewportAnswer{main.ask(ctx, "viewport", nil), askZoom(ctx, main.session)}
}

func (a viewportAnswer) wait(ctx context.Context) (*Viewport, error) {
	var o outlook
	if err := a.script.value(ctx, &o); err != nil {
		return nil, err
	}
	zoom, err := a.zoom.wait(ctx)
	if err != nil {
		return nil, err
	}
	return o.zoomed(zoom), nil
}

// View gives what the page is seen through.
func (p *Page) View(ctx context.Context) (*Viewport, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	main, err := p.mainLink(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.askViewport(ctx, main).wait(ctx)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return v, nil
}
