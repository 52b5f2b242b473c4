package testpages

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/webarea/webarea/provider"
)

// compareWithScreenshot takes a picture of the element titled Tile, which is laid out
// at a place, CSS px, and compares it with the browser's own screenshot: boxes that would
// end between device pixels are moved by up to one. The picture must have taken one
// screenshot; it tells whether that was of the part alone.
func (n *native) compareWithScreenshot(p *Page, want provider.Rect) (part bool) {
	n.t.Helper()
	id := titled(n.t, p.Elements(WholePage), "Tile").ID
	var ratio float64
	p.Value(`devicePixelRatio`, &ratio)
	p.Eval(`noticed = []; for (const type of ['resize', 'scroll', 'visibilitychange']) addEventListener(type, () => noticed.push(type), true); visualViewport.onresize = () => noticed.push('visual resize'); matchMedia('(min-resolution: 1.25dppx)').onchange = () => noticed.push('resolution')`)
	n.wire.taken()
	picture := p.Capture(id, provider.CaptureOptions{})
	shots := n.wire.taken()
	if len(shots) != 1 {
		n.t.Errorf("a picture took %d screenshots, want one", len(shots))
	}
	var noticed []string
	p.Value(`new Promise(done => setTimeout(() => done(noticed), 50))`, &noticed)
	if len(noticed) > 0 {
		n.t.Errorf("the page noticed the picture: %q", noticed)
	}
	got, whole := decodePicture(n.t, picture.Data, "png"), p.screenshot()
	at := p.Locate(id).Rectangles
	near := func(a, b float64) bool { return math.Abs(a-b) <= max(1, 1/ratio) }
	if len(at) != 1 || !near(at[0].X, want.X) || !near(at[0].Y, want.Y) || !near(at[0].Width, want.Width) || !near(at[0].Height, want.Height) {
		n.t.Fatalf("where it is\n got: %v\nwant: about %v", at, want)
	}
	box := devicePixels(at[0], ratio)
	if got.Bounds().Size() != box.Size() {
		n.t.Fatalf("the size\n got: %v\nwant: %v", got.Bounds().Size(), box.Size())
	}
	if count, first := differing(got, whole, box.Min); count > 0 {
		n.t.Errorf("%d of %d pixels differ from the screenshot: %s", count, box.Dx()*box.Dy(), first)
	}
	return len(shots) == 1 && shots[0].isPart()
}

// devicePixels are those that a rectangle in CSS px touches by more than a hundredth.
func devicePixels(r provider.Rect, ratio float64) image.Rectangle {
	low := func(css float64) int { return int(math.Floor(css*ratio + 0.01)) }
	high := func(css float64) int { return int(math.Ceil(css*ratio - 0.01)) }
	return image.Rect(low(r.X), low(r.Y), high(r.X+r.Width), high(r.Y+r.Height))
}

// tileFiles are the pages of openTile.
func tileFiles(html string) map[string]string {
	head := `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:0}</style>`
	tile := painted("")
	return map[string]string{
		"page.html":  head + strings.ReplaceAll(html, "TILE", tile),
		"inner.html": head + `<div style="position:absolute;left:20px;top:30px">` + tile + `</div>`,
	}
}

// TestNativePictures compares pictures with screenshots where zoom, density and
// window are real: the browser was started with them.
func TestNativePictures(t *testing.T) {
	places := []string{"plain", "page scrolled", "container scrolled", "turned", "scaled", "frame", "frame of another site"}
	for i, c := range []struct {
		name string
		o    nativeOptions
		part bool // a screenshot of the part alone is enough
	}{
		{"as it is", nativeOptions{}, true},
		{"zoom 110 %", nativeOptions{zoom: 1.1}, false},
		{"zoom 150 %", nativeOptions{zoom: 1.5}, false},
		{"zoom 200 %", nativeOptions{zoom: 2}, true},
		{"zoom 50 %", nativeOptions{zoom: 0.5}, false},
		{"density 2", nativeOptions{density: 2}, true},
		{"density 1.5", nativeOptions{density: 1.5}, false},
		{"density 2 at 150 %", nativeOptions{density: 2, zoom: 1.5}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			share(t, i)
			content := map[string]string{}
			for _, place := range places {
				pages := tileFiles(placePages[place].html)
				content[strings.ReplaceAll(place, " ", "-")+".html"] = pages["page.html"]
				content["inner.html"] = pages["inner.html"]
			}
			n := startNative(t, c.o, content)
			for _, place := range places {
				t.Run(place, func(t *testing.T) {
					m := &native{t: t, conn: n.conn, wire: n.wire}
					p := m.open(strings.ReplaceAll(place, " ", "-") + ".html")
					var ratio float64
					p.Value(`devicePixelRatio`, &ratio)
					if want := max(c.o.zoom, 0.5) * max(c.o.density, 1); c.o.zoom > 0 && math.Abs(ratio-want) > 0.001 {
						t.Fatalf("the page has %v device pixels in a CSS px, want %v", ratio, want)
					}
					if part := m.compareWithScreenshot(p, placePages[place].want); part != c.part {
						t.Errorf("the screenshot was of the part alone: %v, want %v", part, c.part)
					}
				})
			}
		})
	}
}

// threePictures are three of which an answer sends thumbnails, far from each other.
const threePictures = `<div role=listbox tabindex=0><canvas id=a role=img aria-label=A aria-selected=true width=60 height=40 style="position:absolute;left:10px;top:10px;background:#00a000"></canvas>` +
	`<canvas id=b role=img aria-label=B aria-selected=true width=60 height=40 style="position:absolute;left:400px;top:300px;background:#00a000"></canvas>` +
	`<canvas id=c role=img aria-label=C aria-selected=true width=60 height=40 style="position:absolute;left:700px;top:500px;background:#00a000"></canvas></div>`

// TestOneScreenshot counts the screenshots of a read on the wire: one, however many
// pictures there are, also where something is painted over, as long as it is still.
func TestOneScreenshot(t *testing.T) {
	const secret = `<input type=password value=hunter2222 style="position:absolute;left:20px;top:20px;width:30px">`
	head := `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:0}</style>`
	n := startNative(t, nativeOptions{}, map[string]string{
		"three.html":  head + threePictures,
		"secret.html": head + threePictures + secret,
		"none.html":   head + `<p>Words</p>`,
		"moving.html": head + threePictures + secret + `<script>let n = 0; const move = () => { document.querySelector('input').style.left = n++ % 50 + 'px'; requestAnimationFrame(move) }; move()</script>`,
	})
	for _, c := range []struct {
		page     string
		pictures int // of an answer
		most     int // screenshots
	}{
		{"three.html", 3, 1}, {"secret.html", 3, 1}, {"none.html", 0, 0},
		// What must not be seen moves: it is tried again, and then there is no picture.
		{"moving.html", 0, 3},
	} {
		t.Run(c.page, func(t *testing.T) {
			m := &native{t: t, conn: n.conn, wire: n.wire}
			p := m.open(c.page)
			n.wire.taken()
			a, err := p.ask(provider.Query{Pictures: true, Links: true})
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			for e := range a.All() {
				for _, b := range e.Content {
					if len(b.Data) > 0 {
						got++
					}
				}
			}
			shots := len(n.wire.taken())
			if got < c.pictures || shots > c.most || c.pictures > 0 && shots != c.most {
				t.Errorf("an answer\n got: %d pictures of %d screenshots\nwant: %d of %d\n%s", got, shots, c.pictures, c.most, Format(a.Root))
			}
			if c.pictures == 0 {
				return
			}
			p.Capture(titled(t, a, "B").ID, provider.CaptureOptions{})
			if shots := len(n.wire.taken()); shots != 1 {
				t.Errorf("a picture took %d screenshots, want one", shots)
			}
		})
	}
}

// TestEmulationStays takes pictures while another client emulates another screen: it
// must not notice.
func TestEmulationStays(t *testing.T) {
	n := startNative(t, nativeOptions{}, tileFiles(placePages["plain"].html))
	for name, screen := range map[string]map[string]any{
		"larger pixels":     {"width": 0, "height": 0, "deviceScaleFactor": 2, "mobile": false},
		"another size":      {"width": 700, "height": 500, "deviceScaleFactor": 0, "mobile": false},
		"a telephone":       {"width": 412, "height": 915, "deviceScaleFactor": 3, "mobile": true},
		"one of this size":  {"width": 900, "height": 600, "deviceScaleFactor": 1, "mobile": true},
		"a screen too":      {"width": 900, "height": 600, "deviceScaleFactor": 2, "mobile": false, "screenWidth": 3000, "screenHeight": 2000},
		"another height":    {"width": 900, "height": 500, "deviceScaleFactor": 1, "mobile": false},
		"a bit lower":       {"width": 900, "height": 580, "deviceScaleFactor": 1, "mobile": false},
		"only a screen":     {"width": 0, "height": 0, "deviceScaleFactor": 0, "mobile": false, "screenWidth": 3000, "screenHeight": 2000},
		"less than a pixel": {"width": 0, "height": 0, "deviceScaleFactor": 0.5, "mobile": false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &native{t: t, conn: n.conn, wire: n.wire}
			p := m.open("page.html")
			ctx, cancel := p.limit()
			defer cancel()
			if err := p.session.Call(ctx, "Emulation.setDeviceMetricsOverride", screen, nil); err != nil {
				t.Fatal(err)
			}
			const seen = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done([innerWidth, innerHeight, devicePixelRatio, outerWidth, outerHeight, screen.width, screen.height, navigator.maxTouchPoints].join(' ')))))`
			before := p.value(seen)
			p.Capture(titled(t, p.Elements(WholePage), "Tile").ID, provider.CaptureOptions{})
			if after := p.value(seen); after != before {
				t.Errorf("what the page sees after a picture\n got: %s\nwant: %s", after, before)
			}
		})
	}
}

// TestNativePicturesOfSecrets paints over what must not be seen where the part is
// taken alone.
func TestNativePicturesOfSecrets(t *testing.T) {
	content, all := map[string]string{}, secretPages()
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		inner := fmt.Sprintf("inner%d.html", i)
		content[fmt.Sprintf("page%d.html", i)] = secretHead + strings.ReplaceAll(all[name].html, "inner.html", inner)
		content[inner] = secretHead + all[name].inner
	}
	for _, o := range []nativeOptions{{}, {density: 2}} {
		t.Run(fmt.Sprint("density ", max(o.density, 1)), func(t *testing.T) {
			if o.density > 0 {
				share(t, 1)
			}
			n, parts := startNative(t, o, content), 0
			for i, name := range names {
				t.Run(name, func(t *testing.T) {
					share(t, i)
					p := (&native{t: t, conn: n.conn, wire: n.wire}).open(fmt.Sprintf("page%d.html", i))
					p.expectNoSecret(t, name)
					for _, s := range n.wire.taken() {
						if s.isPart() {
							parts++
						}
					}
				})
			}
			if parts == 0 {
				t.Error("no picture was of the part alone")
			}
		})
	}
	moving, content := movingPages(), map[string]string{}
	names = slices.Sorted(maps.Keys(moving))
	for i, name := range names {
		for file, html := range moving[name] {
			content[fmt.Sprintf("%d%s", i, file)] = strings.NewReplacer("inner.html", fmt.Sprintf("%dinner.html", i), "still.html", fmt.Sprintf("%dstill.html", i)).Replace(html)
		}
	}
	n := startNative(t, nativeOptions{}, content)
	for i, name := range names {
		t.Run("moving "+name, func(t *testing.T) {
			share(t, i)
			p := (&native{t: t, conn: n.conn, wire: n.wire}).open(fmt.Sprintf("%dpage.html", i))
			p.expectNoMovingSecret(t)
		})
	}
}

// TestPicturesAtATime takes several at a time: each is of its own element, and the
// page is drawn afterwards where it was.
func TestPicturesAtATime(t *testing.T) {
	html, colors := `<!doctype html><title>Page</title><style>body{margin:0}canvas{position:absolute}</style>`, map[string]color.RGBA{}
	for i := range 6 {
		name, c := fmt.Sprintf("T%d", i), color.RGBA{uint8(40 * i), uint8(250 - 40*i), 90, 255}
		colors[name] = c
		html += tile(name, fmt.Sprintf("rgb(%d,%d,%d)", c.R, c.G, c.B), fmt.Sprintf("left:%dpx;top:%dpx", 130*i, 70*i))
	}
	n := startNative(t, nativeOptions{}, map[string]string{"page.html": html})
	p := n.open("page.html")
	before := p.screenshot()
	a := p.Elements(WholePage)
	var wg sync.WaitGroup
	for range 3 {
		for name, c := range colors {
			id := titled(t, a, name).ID
			wg.Go(func() {
				picture, err := p.provider.Capture(t.Context(), id, provider.CaptureOptions{})
				if err != nil {
					t.Errorf("a picture of %s among others: %v", name, err)
					return
				}
				img, err := png.Decode(bytes.NewReader(picture.Data))
				if err != nil {
					t.Error(err)
					return
				}
				if wrong := only(img, c, 0); wrong != "" || img.Bounds().Size() != image.Pt(60, 40) {
					t.Errorf("the picture of %s is %v and not all %v: %s", name, img.Bounds().Size(), rgb(c), wrong)
				}
			})
		}
	}
	wg.Wait()
	if count, first := differing(p.screenshot(), before, image.Point{}); count > 0 {
		t.Errorf("the page is drawn otherwise afterwards: %d pixels, %s", count, first)
	}
}
