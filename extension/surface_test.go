package extension_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// A surface is one of the extension's own pages as a person uses it.
type surface struct {
	rig     *rig
	session *cdp.Session
	target  target.ID
}

// popup opens the popup as the button does, over the tab in front.
func (r *rig) popup() *surface {
	r.t.Helper()
	ok := eventually(func() bool {
		var opened bool
		// Of a worker that was just loaded anew the promise was once never settled.
		r.inWorker("try { return await Promise.race([chrome.action.openPopup().then(() => true), new Promise((late) => setTimeout(late, 3000, false))]) } catch { return false }", &opened)
		return opened || slices.ContainsFunc(r.targets(), func(i target.Info) bool { return i.Type == "page" && i.URL == origin+"popup/popup.html" })
	})
	if !ok {
		r.t.Fatal("the popup does not open")
	}
	return r.surface("popup/popup.html")
}

// page opens one of our pages in a tab.
func (r *rig) page(path string) *surface {
	r.t.Helper()
	t := r.openURL(origin + path)
	p := &surface{rig: r, session: t.session, target: t.target}
	p.await("document.body.dataset.ready === 'yes'")
	return p
}

// surface finds one of our pages that is open.
func (r *rig) surface(path string) *surface {
	r.t.Helper()
	s, found := r.awaitTarget(path, func(i target.Info) bool { return i.Type == "page" && i.URL == origin+path })
	p := &surface{rig: r, session: s, target: found}
	p.await("document.body?.dataset.ready === 'yes'")
	return p
}

// await waits until an expression is true on the page.
func (p *surface) await(expression string) {
	p.rig.t.Helper()
	ok := eventually(func() bool {
		var yes bool
		ctx, cancel := context.WithTimeout(p.rig.ctx, patience)
		defer cancel()
		return driver.Value(ctx, p.session, "Boolean("+expression+")", &yes) == nil && yes
	})
	if !ok {
		p.rig.t.Fatalf("never so: %s\nthe page says:\n%s", expression, p.text())
	}
}

// awaitText waits until the page says something.
func (p *surface) awaitText(words string) {
	p.rig.t.Helper()
	p.await(fmt.Sprintf("document.body.innerText.includes(%q)", words))
}

// awaitGone waits until an element is not shown.
func (p *surface) awaitGone(css string) {
	p.rig.t.Helper()
	p.await(fmt.Sprintf("!document.querySelector(%q)?.checkVisibility()", css))
}

// text gives what the page says.
func (p *surface) text() string {
	p.rig.t.Helper()
	var text string
	p.rig.run(p.session, "return document.body.innerText", &text)
	return text
}

// click clicks an element with the mouse.
func (p *surface) click(css string) {
	p.rig.t.Helper()
	p.await(fmt.Sprintf("document.querySelector(%q)?.checkVisibility()", css))
	var at []float64
	p.rig.run(p.session, fmt.Sprintf("const e = document.querySelector(%q); e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", css), &at)
	p.mouse("mouseMoved", at, 0)
	p.mouse("mousePressed", at, 1)
	p.mouse("mouseReleased", at, 1)
}

func (p *surface) mouse(event string, at []float64, clicks int) {
	p.rig.t.Helper()
	params := object{"type": event, "x": at[0], "y": at[1]}
	if clicks > 0 {
		params["button"], params["clickCount"] = "left", clicks
	}
	ctx, cancel := context.WithTimeout(p.rig.ctx, patience)
	defer cancel()
	// A click that closes the page has no answer.
	if err := p.session.Call(ctx, "Input.dispatchMouseEvent", params, nil); err != nil && event != "mouseReleased" {
		p.rig.t.Fatalf("the mouse: %v", err)
	}
}

// press presses a key.
func (p *surface) press(key string) {
	p.rig.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40, "ArrowUp": 38, "Escape": 27, "Home": 36, "End": 35}
	params := object{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
	switch key {
	case "Enter":
		params["text"] = "\r"
	case " ":
		params["text"] = " "
	}
	if err := p.session.Call(p.rig.ctx, "Input.dispatchKeyEvent", params, nil); err != nil {
		p.rig.t.Fatal(err)
	}
	if err := p.session.Call(p.rig.ctx, "Input.dispatchKeyEvent", object{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}, nil); err != nil {
		p.rig.t.Fatal(err)
	}
}

// close closes the page.
func (p *surface) close() {
	p.rig.t.Helper()
	if err := p.rig.browser.Conn.Browser().Call(p.rig.ctx, "Target.closeTarget", object{"targetId": p.target}, nil); err != nil {
		p.rig.t.Fatal(err)
	}
	gone := eventually(func() bool {
		for _, i := range p.rig.targets() {
			if i.TargetID == p.target {
				return false
			}
		}
		return true
	})
	if !gone {
		p.rig.t.Fatal("the page does not close")
	}
}

// picture keeps a screenshot where somebody asked for them by naming a folder.
func (p *surface) picture(name string) {
	p.rig.t.Helper()
	folder := os.Getenv("WEBAREA_TEST_PICTURES")
	if folder == "" {
		return
	}
	var shot struct {
		Data string `json:"data"`
	}
	ctx, cancel := context.WithTimeout(p.rig.ctx, 10*time.Second)
	defer cancel()
	if err := p.session.Call(ctx, "Page.captureScreenshot", object{"format": "png"}, &shot); err != nil {
		p.rig.t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.rig.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".png"), raw, 0o644); err != nil {
		p.rig.t.Fatal(err)
	}
}

// scheme has the page be light or dark.
func (p *surface) scheme(name string) {
	p.rig.t.Helper()
	if err := p.session.Call(p.rig.ctx, "Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": name}}}, nil); err != nil {
		p.rig.t.Fatal(err)
	}
}

// width has the page be as wide as the place that Chrome gives it, CSS px.
func (p *surface) width(px int) {
	p.rig.t.Helper()
	if err := p.session.Call(p.rig.ctx, "Emulation.setDeviceMetricsOverride", object{"width": px, "height": 800, "deviceScaleFactor": 0, "mobile": false}, nil); err != nil {
		p.rig.t.Fatal(err)
	}
}
