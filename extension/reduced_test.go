package extension_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
)

// secretive is a page with much that must not be told, beside another extension's
// frame.
const secretive = `<!doctype html><html lang="en"><title>About hunter2go</title>
<body style="margin:0;background:#fff">
<h1 id="h">Heading</h1><p id="p">Plain words, and hunter2go among them.</p>
<input id="f" type="password" value="hunter2go" style="position:absolute;left:200px;top:100px;width:100px;height:40px;background:#f00">
<div data-private style="position:absolute;left:400px;top:100px;width:100px;height:40px;background:#f00">Private words</div>
<p style="-webkit-text-security:disc">Dotted words</p><p hidden>Hidden words</p><p style="visibility:hidden">Unseen words</p>
<div id="closed"></div>
<iframe src="%s" style="position:absolute;left:200px;top:300px;width:100px;height:100px"></iframe>
<script>document.getElementById("closed").attachShadow({mode: "closed"}).innerHTML = "<p>Closed words <input value='typed here'></p>"</script>`

// Neither words nor a picture is had before its user gave leave.
func TestReducedWithoutLeave(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{others: []string{other(t, "")}})
	h := r.greeted()
	page := r.open("/frame?u=" + r.otherOrigin() + "f.html")
	page.share()
	key := h.awaitState(page.url, "reduced", "other_extension_frame")["tab"].(string)
	for _, what := range []string{"reduced", "capture"} {
		if _, failure := h.request(what, key); failure == nil || !strings.Contains(failure["message"].(string), "leave") {
			t.Errorf("%s: got %v, want a refusal", what, failure)
		}
	}
	p := page.popup()
	p.await("document.querySelector('#allow').checkVisibility()")
	p.judge("popup, reduced")
}

func TestReduced(t *testing.T) {
	r := newRig(t, rigOptions{others: []string{other(t, "")}, leave: true})
	h := r.greeted()
	page := r.open("/text?html=" + base64.URLEncoding.EncodeToString(fmt.Appendf(nil, secretive, r.otherOrigin()+"f.html")))
	page.share()
	key := h.awaitState(page.url, "reduced", "other_extension_frame")["tab"].(string)

	read := func() string {
		t.Helper()
		got, failure := h.request("reduced", key)
		if failure != nil {
			t.Fatalf("reading: %v", failure)
		}
		facts, _ := got["value"].(object)["facts"].(string)
		return facts
	}
	said := read()
	for _, want := range []string{"Heading", "Plain words", "Closed words"} {
		if !strings.Contains(said, want) {
			t.Errorf("got %s\nwant %q in it", said, want)
		}
	}
	for _, not := range []string{"Private words", "Dotted words", "Hidden words", "Of another extension"} {
		if strings.Contains(said, not) {
			t.Errorf("got %s\nwant no %q in it", said, not)
		}
	}
	r.run(page.session, "getSelection().selectAllChildren(document.querySelector('#h'))", nil)
	if said := read(); !strings.Contains(said, `"selection":{"text":"Heading"`) {
		t.Errorf("got %s\nwant Heading selected", said)
	}

	h.send(object{"kind": "request", "id": 1000, "what": "reduced", "tab": key, "function": "listen", "argument": ""})
	if m := h.await("a refusal", func(m object) bool { return m["kind"] == "answer" && m["id"] == 1000.0 }); m["error"] == nil {
		t.Errorf("got %v\nwant no other function called", m)
	}

	shot, failure := h.request("capture", key)
	if failure != nil {
		t.Fatalf("a picture: %v", failure)
	}
	raw, err := base64.StdEncoding.DecodeString(shot["data"].(string))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]image.Point{"the field": {250, 120}, "its edge": {201, 101}, "the private part": {450, 120}, "the frame": {250, 350}} {
		if red, green, blue, _ := img.At(at.X, at.Y).RGBA(); red>>8 != 0x80 || green>>8 != 0x80 || blue>>8 != 0x80 {
			t.Errorf("%s has the colour %x %x %x, want it covered", what, red>>8, green>>8, blue>>8)
		}
	}
	if red, green, blue, _ := img.At(600, 500).RGBA(); red>>8 != 0xff || green>>8 != 0xff || blue>>8 != 0xff {
		t.Errorf("the page has the colour %x %x %x, want white", red>>8, green>>8, blue>>8)
	}

	other := r.open("/one")
	other.front()
	if _, failure := h.request("capture", key); failure == nil || !strings.Contains(failure["message"].(string), "not in front") {
		t.Errorf("a picture of a tab behind: got %v, want a refusal", failure)
	}
	p := page.popup()
	p.click("#stop")
	p.awaitText("This tab is not shared.")
	for _, what := range []string{"reduced", "capture", "constructor", "unheard of"} {
		if _, failure := h.request(what, key); failure == nil {
			t.Errorf("%s is had of a tab that is not shared", what)
		}
	}
}

// request asks the extension for something of a tab.
func (h *host) request(what, tab string) (result, failure object) {
	h.t.Helper()
	h.calls++
	number := float64(h.calls)
	h.send(object{"kind": "request", "id": number, "what": what, "tab": tab, "function": "alone", "argument": object{"scope": "page", "grid": true}})
	m := h.await("an answer to "+what, func(m object) bool { return m["kind"] == "answer" && m["id"] == number })
	result, _ = m["result"].(object)
	failure, _ = m["error"].(object)
	return result, failure
}
