package testpages

import (
	"context"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
	"github.com/webarea/webarea/xserver"
)

// useDisplay has browsers of this test show their windows to nobody.
func useDisplay(t *testing.T) {
	t.Helper()
	t.Setenv("DISPLAY", xserver.Start(t, 2600, 2000))
}

// TestHeadfulPictures compares pictures with screenshots in a browser whose windows
// are on a screen: it is never asked for the part alone, which a person would see.
func TestHeadfulPictures(t *testing.T) {
	useDisplay(t)
	places := []string{"plain", "page scrolled", "frame of another site"}
	content := map[string]string{}
	for _, place := range places {
		pages := tileFiles(placePages[place].html)
		content[strings.ReplaceAll(place, " ", "-")+".html"] = pages["page.html"]
		content["inner.html"] = pages["inner.html"]
	}
	for i, o := range []nativeOptions{{seen: true}, {seen: true, zoom: 1.5}, {seen: true, density: 2}} {
		t.Run(fmt.Sprintf("zoom %v density %v", max(o.zoom, 1), max(o.density, 1)), func(t *testing.T) {
			if i > 0 {
				share(t, i)
			}
			n := startNative(t, o, content)
			for _, place := range places {
				t.Run(place, func(t *testing.T) {
					m := &native{t: t, conn: n.conn, wire: n.wire}
					p := m.open(strings.ReplaceAll(place, " ", "-") + ".html")
					if m.compareWithScreenshot(p, placePages[place].want) {
						t.Error("the screenshot was of the part alone")
					}
				})
			}
			t.Run("in the background", func(t *testing.T) {
				m := &native{t: t, conn: n.conn, wire: n.wire}
				m.background()
			})
		})
	}
}

// background takes a picture in a tab behind another: it is what was there when the
// tab was in front, or a reason why there is none.
func (n *native) background() {
	n.t.Helper()
	p := n.open("plain.html")
	id := titled(n.t, p.Elements(WholePage), "Tile").ID
	want := decodePicture(n.t, p.Capture(id, provider.CaptureOptions{}).Data, "png")
	n.inFront(p)
	if got := p.value("document.visibilityState"); got != "hidden" {
		n.t.Fatalf("the tab behind another is %s, want hidden", got)
	}
	p.Eval(`noticed = []; document.addEventListener('visibilitychange', () => noticed.push(document.visibilityState)); addEventListener('resize', () => noticed.push('resize'))`)
	ctx, cancel := p.limit()
	defer cancel()
	picture, err := p.provider.Capture(ctx, id, provider.CaptureOptions{})
	if noticed := p.value(`noticed.join()`); noticed != "" {
		n.t.Errorf("the page noticed the picture: %s", noticed)
	}
	if got := p.value("document.visibilityState"); got != "hidden" {
		n.t.Errorf("the picture brought the tab to the front")
	}
	if err != nil {
		expectCode(n.t, "a picture in the background", err, provider.CodeNoPicture)
		n.t.Logf("there is none: %v", err)
		return
	}
	got := decodePicture(n.t, picture.Data, "png")
	if count, first := differing(got, want, image.Point{}); count > 0 || got.Bounds() != want.Bounds() {
		n.t.Errorf("the picture is %v, and %d pixels differ from what was seen in front: %s", got.Bounds(), count, first)
	}
	// What changed since it was last drawn on a screen is in the picture too.
	p.Eval(`document.querySelector('canvas').style.cssText += ';background:#00a000;outline:0'`)
	picture, err = p.provider.Capture(ctx, id, provider.CaptureOptions{})
	if err != nil {
		expectCode(n.t, "a picture of what changed in the background", err, provider.CodeNoPicture)
		return
	}
	if wrong := only(decodePicture(n.t, picture.Data, "png"), green, 0); wrong != "" {
		n.t.Errorf("the picture is not all green, as the tile has become: %s", wrong)
	}
}

// inFront opens another tab in front of a page's, in the same window.
func (n *native) inFront(p *Page) {
	n.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	if err := p.session.Call(ctx, "Page.bringToFront", nil, nil); err != nil {
		n.t.Fatal(err)
	}
	tab, err := driver.Open(ctx, n.conn, driver.Options{})
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if err := tab.Close(ctx); err != nil && !isGone(err) {
			n.t.Error(err)
		}
	})
	p.Eval(`new Promise(done => { const look = () => document.visibilityState === 'hidden' ? done() : setTimeout(look, 10); look(); setTimeout(done, 3000) })`)
}
