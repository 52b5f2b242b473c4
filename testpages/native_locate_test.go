package testpages

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"

	"github.com/webarea/webarea/provider"
)

// TestNativeLocate compares where a thing is on the screen with what a pointer event
// over it says of that, where zoom, density and window are real. Without a screen it
// is known before any event; on one it is estimated until there was one, as there is
// where a window opens under the pointer.
func TestNativeLocate(t *testing.T) {
	for i, o := range []nativeOptions{{}, {zoom: 1.5}, {zoom: 0.5, density: 2}, {seen: true}, {seen: true, zoom: 1.5, density: 2}} {
		t.Run(fmt.Sprintf("seen %v zoom %v density %v", o.seen, max(o.zoom, 0.5), max(o.density, 1)), func(t *testing.T) {
			share(t, i)
			if o.seen {
				useDisplay(t)
			}
			p := startNative(t, o, tileFiles(placePages["plain"].html)).open("page.html")
			id := titled(t, p.Elements(WholePage), "Tile").ID
			before := p.Locate(id)
			if !before.ScreenExact && !o.seen {
				t.Error("without a screen the place on it is not said to be exact")
			}
			at := before.Rectangles[0]
			zoom := before.Viewport.PageZoom
			if want := max(o.zoom, 1); o.zoom >= 1 && math.Abs(zoom-want) > 0.001 {
				t.Errorf("the zoom is said to be %v, want %v", zoom, want)
			}
			p.Eval(`addEventListener('mousemove', e => { where = [e.screenX, e.screenY, e.clientX, e.clientY] }); where = null`)
			ctx, cancel := p.limit()
			defer cancel()
			for _, dx := range []float64{1, 0} {
				move := map[string]any{"type": "mouseMoved", "x": (at.X+at.Width/2)*zoom + dx, "y": (at.Y + at.Height/2) * zoom}
				if err := p.session.Call(ctx, input.CommandDispatchMouseEvent, move, nil); err != nil {
					t.Fatal(err)
				}
			}
			var said []float64
			p.Value(`new Promise(done => { const look = () => where ? done(where) : setTimeout(look, 10); look() })`, &said)
			want := provider.Rect{X: said[0] + (at.X-said[2])*zoom, Y: said[1] + (at.Y-said[3])*zoom, Width: at.Width * zoom, Height: at.Height * zoom}
			after := p.Locate(id)
			if !after.ScreenExact {
				t.Error("after a pointer event the place on the screen is not said to be exact")
			}
			if before.ScreenExact && !nearRect(before.Screen[0], want) {
				t.Errorf("where it is on the screen, before a pointer event\n got: %+v\nwant: %+v", before.Screen, want)
			}
			if !nearRect(after.Screen[0], want) {
				t.Errorf("where it is on the screen, after a pointer event\n got: %+v\nwant: %+v", after.Screen, want)
			}
		})
	}
}

// nearRect allows for what events say in whole px.
func nearRect(a, b provider.Rect) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 2 }
	return near(a.X, b.X) && near(a.Y, b.Y) && near(a.Width, b.Width) && near(a.Height, b.Height)
}

// TestLocatePinched compares the same on a page that is magnified by a pinch, not from
// its corner.
func TestLocatePinched(t *testing.T) {
	t.Parallel()
	p := openTile(t, `<meta name=viewport content="width=device-width"><div style="position:absolute;left:400px;top:300px">TILE</div><div style="position:absolute;top:2000px">End</div>`, painted(""), Viewport(900, 600))
	id := titled(t, p.Elements(WholePage), "Tile").ID
	ctx, cancel := p.limit()
	defer cancel()
	if err := p.session.Call(ctx, emulation.CommandSetPageScaleFactor, map[string]any{"pageScaleFactor": 2}, nil); err != nil {
		t.Fatal(err)
	}
	// A wheel over a page that is magnified moves what is seen of it.
	wheel := map[string]any{"type": "mouseWheel", "x": 300, "y": 200, "deltaX": 300, "deltaY": 200}
	if err := p.session.Call(ctx, input.CommandDispatchMouseEvent, wheel, nil); err != nil {
		t.Fatal(err)
	}
	p.Eval(`new Promise(done => { const v = visualViewport, look = () => v.scale === 2 && v.offsetLeft > 0 ? done() : setTimeout(look, 10); look(); setTimeout(done, 5000) })`)
	if got := p.value(`visualViewport.scale + ' ' + (visualViewport.offsetLeft > 0)`); got != "2 true" {
		t.Fatalf("the pinch, and whether it is away from the corner\n got: %s\nwant: 2 true", got)
	}
	p.Eval(`addEventListener('mousemove', e => { where = [e.screenX, e.screenY, e.clientX, e.clientY] }); where = null`)
	for _, x := range []float64{350, 360} {
		if err := p.session.Call(ctx, input.CommandDispatchMouseEvent, map[string]any{"type": "mouseMoved", "x": x, "y": 260}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var said []float64
	p.Value(`new Promise(done => { const look = () => where ? done(where) : setTimeout(look, 10); look() })`, &said)
	l := p.Locate(id)
	at := l.Rectangles[0]
	want := provider.Rect{X: said[0] + (at.X-said[2])*2, Y: said[1] + (at.Y-said[3])*2, Width: 120, Height: 80}
	if !l.ScreenExact || !nearRect(l.Screen[0], want) {
		t.Errorf("where it is on the screen\n got: %+v, exact %v\nwant: %+v", l.Screen, l.ScreenExact, want)
	}
}
