package testpages

import (
	"fmt"
	"image/color"
	"math"
	"os/exec"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/webarea/webarea/provider"
)

// TestHeadfulState holds sizes, scales and frames against the pixels in windows on a
// screen: in front, behind another tab, covered and minimised, at two zooms.
func TestHeadfulState(t *testing.T) {
	useDisplay(t)
	managed := manageWindows(t)
	content := map[string]string{"page.html": strings.ReplaceAll(boxPage, "left:640px;top:420px", "left:140px;top:120px"), "over.html": "<!doctype html><title>Over</title><p>Over"}
	for _, zoom := range []float64{1, 1.5} {
		t.Run(fmt.Sprintf("zoom %v", zoom), func(t *testing.T) {
			n := startNative(t, nativeOptions{seen: true, zoom: zoom}, content)
			t.Run("in front", func(t *testing.T) {
				m := &native{t: t, conn: n.conn, wire: n.wire}
				p := m.open("page.html")
				m.expectPictured(p, zoom, true)
				p.Eval(`scrollTo(20, 30)`)
				m.expectPictured(p, zoom, true)
			})
			t.Run("behind another tab", func(t *testing.T) {
				m := &native{t: t, conn: n.conn, wire: n.wire}
				p := m.open("page.html")
				m.inFront(p)
				m.expectPictured(p, zoom, false)
				if got := p.value("document.visibilityState"); got != "hidden" {
					t.Errorf("reading the tab brought it to the front: it is %s", got)
				}
			})
			t.Run("covered", func(t *testing.T) {
				m := &native{t: t, conn: n.conn, wire: n.wire}
				p := m.open("page.html")
				m.place(p, map[string]any{"left": 100, "top": 100})
				over := m.open("over.html")
				m.place(over, map[string]any{"left": 50, "top": 50, "width": 1400, "height": 1200})
				m.expectPictured(p, zoom, true)
			})
			t.Run("minimised", func(t *testing.T) {
				if managed != nil {
					t.Skipf("nothing minimises windows: %v", managed)
				}
				m := &native{t: t, conn: n.conn, wire: n.wire}
				p := m.open("page.html")
				m.place(p, map[string]any{"windowState": "minimized"})
				p.Eval(`new Promise(done => document.visibilityState === 'hidden' ? done() : document.addEventListener('visibilitychange', done, {once: true}))`)
				m.expectPictured(p, zoom, false)
				if got := m.placed(p).Bounds.WindowState; got != cdpbrowser.WindowStateMinimized {
					t.Errorf("reading the window brought it back: it is %s", got)
				}
			})
		})
	}
}

// manageWindows starts a window manager on the display, or says why there is none.
func manageWindows(t *testing.T) error {
	t.Helper()
	path, err := exec.LookPath("openbox")
	if err != nil {
		return err
	}
	c := exec.Command(path)
	if err := c.Start(); err != nil {
		return err
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return nil
}

// expectPictured holds what is told of boxPage against its picture. Where must is false
// there may be a reason instead why there is no picture.
func (n *native) expectPictured(p *Page, zoom float64, must bool) {
	n.t.Helper()
	s := p.State(provider.StateQuery{Tree: true, Picture: true})
	if len(s.Elements) != 2 || !s.Complete || s.Viewport == nil || math.Abs(s.Viewport.PageZoom-zoom) > 0.01 {
		n.t.Fatalf("got complete %v, %+v\n%s", s.Complete, s.Viewport, s.Markdown)
	}
	if s.Screenshot == nil {
		if must || s.PictureError == nil || s.PictureError.Code != provider.PictureUnavailable {
			n.t.Fatalf("there is no picture: %+v", s.PictureError)
		}
		n.t.Logf("there is no picture: %+v", s.PictureError)
		return
	}
	img := decodePicture(n.t, s.PNG, "png")
	size, ratio := img.Bounds().Size(), s.Viewport.DevicePixelRatio
	if math.Abs(ratio-zoom) > 0.001 || math.Abs(s.Screenshot.Scale-ratio) > 0.01 {
		n.t.Errorf("got the ratio %v and the scale %v, want %v", ratio, s.Screenshot.Scale, zoom)
	}
	if s.Screenshot.Width != size.X || s.Screenshot.Height != size.Y || math.Abs(float64(size.X)-s.Viewport.Width*ratio) > 2 || math.Abs(float64(size.Y)-s.Viewport.Height*ratio) > 2 {
		n.t.Errorf("the picture is %v, told %d × %d, of a viewport of %v × %v at %v", size, s.Screenshot.Width, s.Screenshot.Height, s.Viewport.Width, s.Viewport.Height, ratio)
	}
	for label, c := range map[string]color.Color{"Box": color.RGBA{255, 0, 0, 255}, "Blue": color.RGBA{0, 0, 255, 255}} {
		at := boundsOf(img, c)
		for _, e := range s.Elements {
			near := func(a float64, b int) bool { return math.Abs(a-float64(b)) <= 2 }
			if f := e.Pictured; e.Label == label && (f == nil || at.Empty() || !near(f.X, at.Min.X) || !near(f.Y, at.Min.Y) || !near(f.X+f.W, at.Max.X) || !near(f.Y+f.H, at.Max.Y)) {
				n.t.Errorf("%s is at %v in the picture, told %+v; in the viewport %+v", label, at, f, e.Frame)
			}
		}
	}
}

// place moves a page's window, or has it be something else.
func (n *native) place(p *Page, bounds map[string]any) {
	n.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	if err := n.conn.Browser().Call(ctx, cdpbrowser.CommandSetWindowBounds, map[string]any{"windowId": n.placed(p).WindowID, "bounds": bounds}, nil); err != nil {
		n.t.Fatal(err)
	}
}

// placed tells of a page's window.
func (n *native) placed(p *Page) cdpbrowser.GetWindowForTargetResult {
	n.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	var at cdpbrowser.GetWindowForTargetResult
	if err := n.conn.Browser().Call(ctx, cdpbrowser.CommandGetWindowForTarget, map[string]any{"targetId": p.tab.Page.Target}, &at); err != nil {
		n.t.Fatal(err)
	}
	return at
}
