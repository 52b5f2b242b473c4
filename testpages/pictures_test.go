package testpages

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// screenshot is what the browser says the viewport looks like, taken without us.
func (p *Page) screenshot() image.Image {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	var got struct {
		Data []byte `json:"data"`
	}
	if err := p.session.Call(ctx, page.CommandCaptureScreenshot, map[string]any{"format": "png"}, &got); err != nil {
		p.t.Fatalf("taking a screenshot: %v", err)
	}
	return decodePicture(p.t, got.Data, "png")
}

func decodePicture(t TB, data []byte, format string) image.Image {
	t.Helper()
	img, got, err := image.Decode(bytes.NewReader(data))
	if err != nil || got != format {
		t.Fatalf("a picture is not %s but %s, %v", format, got, err)
	}
	return img
}

func rgb(c color.Color) [3]int {
	r, g, b, _ := c.RGBA()
	return [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
}

// alike tells whether two colours differ by no more than most in each part.
func alike(a, b color.Color, most int) bool {
	x, y := rgb(a), rgb(b)
	for i := range x {
		if d := x[i] - y[i]; d > most || d < -most {
			return false
		}
	}
	return true
}

// differing counts the pixels of a picture that are not those of another from a
// point on, and gives the first.
func differing(got, want image.Image, at image.Point) (count int, first string) {
	b := got.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			g, w := got.At(b.Min.X+x, b.Min.Y+y), want.At(at.X+x, at.Y+y)
			if alike(g, w, 2) {
				continue
			}
			if count == 0 {
				first = fmt.Sprintf("at %d, %d it is %v and not %v", x, y, rgb(g), rgb(w))
			}
			count++
		}
	}
	return count, first
}

// painted is a tile with a picture that differs everywhere.
func painted(style string) string {
	return tile("Tile", "", "display:block;"+style+`background:conic-gradient(red,lime,blue,red);outline:1px solid #000;outline-offset:-1px`)
}

func TestPictures(t *testing.T) {
	t.Parallel()
	i := 0
	for _, name := range slices.Sorted(maps.Keys(placePages)) {
		c := placePages[name]
		for _, scale := range []float64{1, 1.5, 2} {
			i++
			t.Run(fmt.Sprintf("%s at %v", name, scale), func(t *testing.T) {
				share(t, i)
				t.Parallel()
				p := openTile(t, c.html, painted(""), Scale(scale), Viewport(900, 600))
				id := titled(t, p.Elements(WholePage), "Tile").ID
				p.Eval(`noticed = []; for (const type of ['resize', 'scroll']) addEventListener(type, () => noticed.push(type), true); matchMedia('(min-resolution: 1.25dppx)').onchange = () => noticed.push('resolution')`)
				picture := p.Capture(id, provider.CaptureOptions{})
				var noticed []string
				p.Value(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(noticed))))`, &noticed)
				// Of a screen that is emulated Chrome itself takes pictures through another.
				if len(noticed) > 0 && scale == 1 {
					t.Errorf("the page noticed the picture: %q", noticed)
				}
				got, want := decodePicture(t, picture.Data, "png"), p.screenshot()
				at := p.Locate(id).Rectangles
				if len(at) != 1 || !sameRect(at[0], c.want) {
					t.Fatalf("where it is\n got: %v\nwant: %v", at, c.want)
				}
				box := devicePixels(at[0], scale)
				if size := got.Bounds().Size(); size != box.Size() || size != image.Pt(picture.Width, picture.Height) {
					t.Fatalf("the size\n got: %v, said to be %d × %d\nwant: %v", size, picture.Width, picture.Height, box.Size())
				}
				if n, first := differing(got, want, box.Min); n > 0 {
					t.Errorf("%d of %d pixels differ from the screenshot: %s", n, box.Dx()*box.Dy(), first)
				}
			})
		}
	}
}

// TestPictureOfPinched takes one of a page that is magnified by a pinch.
func TestPictureOfPinched(t *testing.T) {
	t.Parallel()
	p := openTile(t, `<meta name=viewport content="width=device-width"><div style="position:absolute;left:30px;top:50px">TILE</div>`, painted(""), Viewport(900, 600))
	id := titled(t, p.Elements(WholePage), "Tile").ID
	ctx, cancel := p.limit()
	defer cancel()
	if err := p.session.Call(ctx, emulation.CommandSetPageScaleFactor, map[string]any{"pageScaleFactor": 2}, nil); err != nil {
		t.Fatal(err)
	}
	if got := p.value(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(visualViewport.scale))))`); got != "2" {
		t.Fatalf("the pinch\n got: %s\nwant: 2", got)
	}
	got := decodePicture(t, p.Capture(id, provider.CaptureOptions{}).Data, "png")
	if got.Bounds().Size() != image.Pt(120, 80) {
		t.Fatalf("the size\n got: %v\nwant: 120 × 80", got.Bounds().Size())
	}
	if n, first := differing(got, p.screenshot(), image.Pt(60, 100)); n > 0 {
		t.Errorf("%d pixels differ from the screenshot: %s", n, first)
	}
}

// only tells whether a picture has one colour, but for a rim.
func only(img image.Image, want color.Color, rim int) string {
	b := img.Bounds()
	for y := b.Min.Y + rim; y < b.Max.Y-rim; y++ {
		for x := b.Min.X + rim; x < b.Max.X-rim; x++ {
			if !alike(img.At(x, y), want, 3) {
				return fmt.Sprintf("at %d, %d it is %v", x, y, rgb(img.At(x, y)))
			}
		}
	}
	return ""
}

var green = color.RGBA{0, 160, 0, 255}

// TestPictureExtent takes pictures of what does not lie in the viewport.
func TestPictureExtent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		html string
		o    provider.CaptureOptions
		want image.Point
	}{
		"larger than the viewport": {`<style>html{scrollbar-width:none}</style><canvas role=img aria-label=Tile width=3000 height=2000 style="background:#00a000;display:block"></canvas>`, provider.CaptureOptions{}, image.Pt(800, 600)},
		"below the viewport":       {`<div style="position:absolute;left:10px;top:2000px">TILE</div>`, provider.CaptureOptions{}, image.Pt(60, 40)},
		"above the viewport":       {`<div style="position:absolute;left:10px;top:200px">TILE</div><div style="height:4000px"></div><script>scrollTo(0, 2000)</script>`, provider.CaptureOptions{}, image.Pt(60, 40)},
		"partly on screen":         {`<div style="position:absolute;left:770px;top:20px">TILE</div>`, provider.CaptureOptions{}, image.Pt(30, 40)},
		"made smaller":             {`<canvas role=img aria-label=Tile width=600 height=300 style="background:#00a000;display:block"></canvas>`, provider.CaptureOptions{MaxDimension: 100}, image.Pt(100, 50)},
		"made much smaller":        {`<canvas role=img aria-label=Tile width=600 height=2 style="background:#00a000;display:block"></canvas>`, provider.CaptureOptions{MaxDimension: 10}, image.Pt(10, 1)},
		"jpeg":                     {`TILE`, provider.CaptureOptions{Format: provider.FormatJPEG}, image.Pt(60, 40)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openTile(t, c.html, tile("Tile", "#00a000", "display:block"), Viewport(800, 600))
			id := titled(t, p.Elements(WholePage), "Tile").ID
			var before, after string
			p.Value(`scrollX + ',' + scrollY`, &before)
			picture := p.Capture(id, c.o)
			p.Value(`scrollX + ',' + scrollY`, &after)
			if before != after {
				t.Errorf("the picture scrolled the page from %s to %s", before, after)
			}
			format := "png"
			if c.o.Format != "" {
				format = c.o.Format
			}
			if picture.MIMEType != "image/"+format {
				t.Errorf("the type\n got: %s\nwant: image/%s", picture.MIMEType, format)
			}
			img := decodePicture(t, picture.Data, format)
			if img.Bounds().Size() != c.want {
				t.Errorf("the size\n got: %v\nwant: %v", img.Bounds().Size(), c.want)
			}
			if wrong := only(img, green, 0); wrong != "" {
				t.Errorf("the picture is not all green: %s", wrong)
			}
		})
	}
	p := openTile(t, `TILE`, tile("Tile", "#00a000", ""))
	_, err := p.provider.Capture(t.Context(), titled(t, p.Elements(WholePage), "Tile").ID, provider.CaptureOptions{Format: "bmp"})
	expectCode(t, "a picture in a format there is none of", err, provider.CodeInvalid)
}

// leaky finds the colour that only secrets are drawn in.
func leaky(img image.Image) string {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if c := rgb(img.At(x, y)); c[0] > c[1]+40 && c[2] > c[1]+40 {
				return fmt.Sprintf("at %d, %d is %v", x, y, c)
			}
		}
	}
	return ""
}

// secretPages are pages with a region to take a picture of, in which all that must
// not be seen is drawn in magenta, which is nowhere else.
func secretPages() map[string]struct{ html, inner string } {
	const (
		ink   = `color:#f0f;background:#f0f;border:0;padding:0`
		field = `<input id=f name=token value=hunter2222 style="position:absolute;left:20px;top:20px;width:120px;height:24px;` + ink + `">`
	)
	region := func(inside string) string {
		return `<div role=img tabindex=0 aria-label=Picture style="position:absolute;left:40px;top:50px;width:500px;height:300px;background:#fff">` + inside + `</div>`
	}
	return map[string]struct{ html, inner string }{
		"field":              {region(field), ""},
		"private":            {region(`<div data-private style="` + ink + `">Private words</div>`), ""},
		"private overflows":  {region(`<div data-private style="width:30px;height:9px;white-space:nowrap;color:#f0f;font:30px sans-serif">Private words<i style="position:absolute;left:200px;top:200px;width:60px;height:40px;background:#f0f"></i></div>`), ""},
		"private contents":   {region(`<div data-private style="display:contents;color:#f0f;font:30px sans-serif">Private words</div>`), ""},
		"private shadow":     {region(`<x-host data-private id=h></x-host>`) + `<script>h.attachShadow({mode:'open'}).innerHTML = '<b style="position:absolute;left:200px;top:200px;width:60px;height:40px;background:#f0f"></b>'</script>`, ""},
		"private slotted":    {region(`<x-host id=h><b data-private style="`+ink+`">Words</b></x-host>`) + `<script>h.attachShadow({mode:'open'}).innerHTML = '<p><slot></slot></p>'</script>`, ""},
		"editor overflows":   {region(`<div contenteditable id=password style="width:20px;height:20px;white-space:nowrap;color:#f0f;font:30px sans-serif">hunter2222hunter</div>`), ""},
		"turned":             {region(`<div style="transform:rotate(30deg) translate(80px,60px)">` + field + `</div>`), ""},
		"open root":          {region(`<x-host id=h></x-host>`) + `<template id=t>` + field + `</template><script>h.attachShadow({mode:'open'}).append(t.content)</script>`, ""},
		"closed root":        {region(`<div id=h>Words</div>`) + `<template id=t>` + field + `</template><script>h.attachShadow({mode:'closed'}).append(t.content)</script>`, ""},
		"root in a root":     {region(`<div id=h>Words</div>`) + `<template id=t><div id=i></div></template><template id=u>` + field + `</template><script>r = h.attachShadow({mode:'closed'}); r.append(t.content); r.firstChild.attachShadow({mode:'closed'}).append(u.content)</script>`, ""},
		"frame":              {region(`<iframe style="width:300px;height:200px;border:0" src=inner.html></iframe>`), field},
		"other site":         {region(`<iframe style="width:300px;height:200px;border:0" src="{{other-site}}/inner.html"></iframe>`), field},
		"frame turned":       {region(`<iframe style="width:300px;height:200px;border:0;transform:rotate(90deg)" src="{{other-site}}/inner.html"></iframe>`), field},
		"frame scrolled":     {awaitsScroll + region(`<iframe style="width:300px;height:200px;border:0" src="{{other-site}}/inner.html"></iframe>`), `<div style="position:absolute;top:500px">` + field + `</div><div style="height:2000px"></div>` + scrollsLate},
		"value elsewhere":    {region(`<p style="color:#f0f;font:30px sans-serif">hunter2222</p>`) + field, ""},
		"value in parts":     {region(`<p style="color:#f0f;font:30px sans-serif">hun<b>ter</b>22<i>22</i></p>`) + field, ""},
		"value in a button":  {region(`<input type=button value=hunter2222 style="`+ink+`">`) + field, ""},
		"value in a select":  {region(`<select style="appearance:none;`+ink+`"><option>hunter2222</select>`) + field, ""},
		"value as a hint":    {region(`<input placeholder=hunter2222 style="`+ink+`">`) + field, ""},
		"page scrolled":      {`<div style="position:absolute;top:1000px">` + region(field) + `</div><div style="height:3000px"></div><script>scrollTo(0, 1000)</script>`, ""},
		"below the viewport": {`<div style="position:absolute;top:2000px">` + region(field+`<iframe style="position:absolute;left:0;top:60px;width:300px;height:200px;border:0" src="{{other-site}}/inner.html"></iframe>`) + `</div>`, field},
		"above the viewport": {region(field+`<iframe style="position:absolute;left:0;top:60px;width:300px;height:200px;border:0" src="inner.html"></iframe>`) + `<div style="height:4000px"></div><script>scrollTo(0, 2000)</script>`, field},
		"left of the page":   {`<div style="position:absolute;left:-1000px;top:0"><div id=d>` + region(field) + `</div></div><script>setTimeout(() => { d.style.cssText = '' })</script>`, ""},
	}
}

// secretHead begins each of them.
const secretHead = `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:0}</style>`

func TestPicturesOfSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range secretPages() {
		for i, scale := range []float64{1, 2} {
			t.Run(fmt.Sprintf("%s at %v", name, scale), func(t *testing.T) {
				share(t, i*shortShare+i)
				t.Parallel()
				p := Open(t, "page.html", Scale(scale), Viewport(800, 600), Files(files("page.html", secretHead+c.html, "inner.html", secretHead+c.inner)))
				p.expectNoSecret(t, name)
			})
		}
	}
}

// expectNoSecret takes a picture of the region of one of secretPages.
func (p *Page) expectNoSecret(t *testing.T, name string) {
	t.Helper()
	p.scrolled()
	// Only a pointing read, or nothing would be left for the picture to find out.
	id := p.focusedPicture(t)
	if img := decodePicture(t, p.fullScreenshot(), "png"); leaky(img) == "" && name != "left of the page" {
		t.Fatalf("there is nothing to hide on the page")
	}
	ctx, cancel := p.limit()
	defer cancel()
	picture, err := p.provider.Capture(ctx, id, provider.CaptureOptions{})
	if name == "left of the page" && err != nil {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	img := decodePicture(t, picture.Data, "png")
	if img.Bounds().Dx() < 300 {
		t.Errorf("the picture is only %v", img.Bounds())
	}
	if leak := leaky(img); leak != "" {
		t.Errorf("a secret is in the picture: %s", leak)
	}
	if name != "left of the page" && !has(img, color.Gray{0x80}) {
		t.Errorf("nothing is painted over")
	}
}

// focusedPicture gives the id of the region to take a picture of. What holds a
// secret does not tell its name, but where the focus is, is told.
func (p *Page) focusedPicture(t *testing.T) string {
	t.Helper()
	p.Eval(`document.querySelector('[role=img]').focus({preventScroll: true})`)
	a := p.Elements(Pointing)
	var last *elements.Element
	for e := range a.All() {
		if e.Focused {
			last = e
		}
	}
	if last == nil || last.Role == elements.Document {
		t.Fatalf("the region is not reported:\n%s", Format(a.Root))
	}
	return last.ID
}

func has(img image.Image, want color.Color) bool {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if alike(img.At(x, y), want, 0) {
				return true
			}
		}
	}
	return false
}

// fullScreenshot is a screenshot of the page beyond its viewport too.
func (p *Page) fullScreenshot() []byte {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	var got struct {
		Data []byte `json:"data"`
	}
	err := p.session.Call(ctx, page.CommandCaptureScreenshot, map[string]any{
		"format": "png", "captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": 800, "height": 3000, "scale": 1},
	}, &got)
	if err != nil {
		p.t.Fatalf("taking a screenshot: %v", err)
	}
	return got.Data
}

// movingPages are pages, with their files, in which a secret field moves in each
// frame: to and fro, or ever on; or what the picture is to be of does.
func movingPages() map[string]map[string]string {
	const moving = `<input id=f name=token value=hunter2222 style="position:absolute;top:20px;width:60px;height:24px;border:0;background:#f0f;color:#f0f">
		<script>let n = 0; const move = () => { n++; f.style.left = WHERE + 'px'; requestAnimationFrame(move) }; move()</script>`
	out := map[string]map[string]string{}
	for name, html := range map[string]string{
		"on":         `MOVING`,
		"in a frame": `<iframe style="width:300px;height:200px;border:0" src="{{other-site}}/inner.html"></iframe>`,
		"to and fro": `MOVING`,
		"frame to and fro": `<iframe id=f style="position:absolute;top:0;width:100px;height:100px;border:0" src="{{other-site}}/still.html"></iframe>
			<script>let n = 0; const move = () => { n++; f.style.left = n % 2 * 150 + 'px'; requestAnimationFrame(move) }; move()</script>`,
		"what is taken": `<script>let n = 0; onload = () => { const el = document.querySelector('[role=img]'); const move = () => { n++; el.style.left = n % 90 + 'px'; requestAnimationFrame(move) }; move() }</script>`,
	} {
		where := "(n * 7 % 200)"
		if name == "to and fro" {
			where = "(n % 2 * 150)"
		}
		fill := strings.NewReplacer("MOVING", strings.ReplaceAll(moving, "WHERE", where))
		out[name] = map[string]string{
			"page.html":  `<!doctype html><title>Page</title><div role=img tabindex=0 aria-label=Picture style="position:absolute;left:0;top:0;width:400px;height:200px">` + fill.Replace(html) + `</div>`,
			"inner.html": `<!doctype html>` + fill.Replace("MOVING"),
			"still.html": `<!doctype html><input name=token value=hunter2222 style="position:absolute;top:20px;left:0;width:60px;height:24px;border:0;background:#f0f;color:#f0f">`,
		}
	}
	return out
}

func TestPicturesOfWhatMoves(t *testing.T) {
	t.Parallel()
	for name, pages := range movingPages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []string
			for file, html := range pages {
				list = append(list, file, html)
			}
			p := Open(t, "page.html", Files(files(list...)))
			p.expectNoMovingSecret(t)
		})
	}
}

// expectNoMovingSecret takes pictures of the region of one of movingPages.
func (p *Page) expectNoMovingSecret(t *testing.T) {
	t.Helper()
	id := p.focusedPicture(t)
	for range 5 {
		ctx, cancel := p.limit()
		picture, err := p.provider.Capture(ctx, id, provider.CaptureOptions{})
		cancel()
		if err != nil {
			expectCode(t, "a picture of what moves", err, provider.CodeNoPicture)
			continue
		}
		// A slow machine may have drawn no frame meanwhile; then it is a right one.
		if leak := leaky(decodePicture(t, picture.Data, "png")); leak != "" {
			t.Errorf("a secret that moves is in the picture: %s", leak)
		}
	}
}

// TestThumbnails sends pictures of what is selected or hovered in answers.
func TestThumbnails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		html  string
		scale float64
		long  int
	}{
		"canvas":       {`<canvas id=x role=img aria-label=It width=100 height=50 style="background:#00a000;display:block"></canvas>`, 1, 100},
		"canvas at 2":  {`<canvas id=x role=img aria-label=It width=100 height=50 style="background:#00a000;display:block"></canvas>`, 2, 200},
		"large canvas": {`<canvas id=x role=img aria-label=It width=1200 height=700 style="background:#00a000;display:block"></canvas>`, 2, 512},
		"svg":          {`<svg id=x role=img aria-label=It width=100 height=50 style="background:#00a000;display:block"></svg>`, 1, 100},
		"image":        {`<img id=x alt=It width=100 height=50 style="display:block" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'><rect width='100' height='50' fill='rgb(0,160,0)'/></svg>">`, 1, 100},
		"figure":       {`<figure id=x aria-label=It style="margin:0;width:100px;height:50px;background:#00a000"></figure>`, 1, 100},
		"in a frame":   {`<iframe style="position:absolute;border:0;left:200px;top:50px" src="{{other-site}}/inner.html"></iframe>`, 1, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:0}</style>`
			p := Open(t, "page.html", Scale(c.scale), Files(files("page.html", head+c.html, "inner.html", head+`<canvas id=x role=img aria-label=It width=100 height=50 style="background:#00a000;display:block"></canvas>`)))
			p.Hover("#x")
			a, err := p.ask(provider.Query{Pictures: true})
			if err != nil {
				t.Fatal(err)
			}
			img, size := thumbnailOf(t, titled(t, a, "It"), a)
			if long := max(img.Bounds().Dx(), img.Bounds().Dy()); long != c.long || size > 100<<10 {
				t.Errorf("the thumbnail\n got: %v, %d bytes\nwant: a long edge of %d, at most 100 KB", img.Bounds().Size(), size, c.long)
			}
			if wrong := only(img, green, 1); wrong != "" {
				t.Errorf("the thumbnail is not all green: %s", wrong)
			}
		})
	}
}

// TestThumbnailOfNoise is one that no format makes small.
func TestThumbnailOfNoise(t *testing.T) {
	t.Parallel()
	p := openHTML(t, `<canvas id=x role=img aria-label=It width=1000 height=700></canvas><script>
		const c = x.getContext('2d'), d = c.createImageData(1000, 700); let s = 1;
		for (let i = 0; i < d.data.length; i++) { s = s * 1103515245 + 12345 & 0x7fffffff; d.data[i] = i % 4 === 3 ? 255 : s >> 16 }
		c.putImageData(d, 0, 0)</script>`)
	p.Hover("#x")
	a, err := p.ask(provider.Query{Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	if img, size := thumbnailOf(t, titled(t, a, "It"), a); size > 100<<10 || max(img.Bounds().Dx(), img.Bounds().Dy()) > 512 {
		t.Errorf("the thumbnail\n got: %v, %d bytes\nwant: at most 512 pixels and 100 KB", img.Bounds().Size(), size)
	}
}

func thumbnailOf(t *testing.T, e *elements.Element, a *elements.Answer) (image.Image, int) {
	t.Helper()
	for _, b := range e.Content {
		if b.MIMEType != "" && len(b.Data) > 0 {
			return decodePicture(t, b.Data, strings.TrimPrefix(b.MIMEType, "image/")), len(b.Data)
		}
	}
	t.Fatalf("%s %q has no picture:\n%s", e.Role, e.Title, Format(a.Root))
	return nil, 0
}
