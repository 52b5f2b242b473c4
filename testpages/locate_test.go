package testpages

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// tile is a canvas of one colour that says its name to the top page when the mouse
// is over it.
func tile(name, color, style string) string {
	return fmt.Sprintf(`<canvas role=img aria-label=%s width=60 height=40 style="background:%s;%s" onmousemove="top.postMessage('%s','*')"></canvas>`, name, color, style, name)
}

// hits remembers what the mouse was over.
const hits = `<script>hits = []; addEventListener('message', e => hits.push(e.data))</script>`

// titled gives the one element of a title.
func titled(t *testing.T, a *elements.Answer, title string) *elements.Element {
	t.Helper()
	for e := range a.All() {
		if e.Title == title {
			return e
		}
	}
	t.Fatalf("nothing has the title %q:\n%s", title, Format(a.Root))
	return nil
}

// locate is Locate for what may fail.
func (p *Page) locate(id string, o provider.LocateOptions) (*provider.Location, error) {
	ctx, cancel := p.limit()
	defer cancel()
	return p.provider.Locate(ctx, id, o)
}

// expectCode compares the code of a failure.
func expectCode(t *testing.T, what string, err error, want provider.Code) {
	t.Helper()
	var failed *provider.Error
	if !errors.As(err, &failed) || failed.Code != want {
		t.Errorf("%s\n got: %v\nwant: the code %s", what, err, want)
	}
}

// hit moves the mouse to a point of the viewport, and tells whether what is there
// says the name.
func (p *Page) hit(x, y float64, name string) bool {
	p.t.Helper()
	p.Eval(`hits.length = 0`)
	ctx, cancel := p.limit()
	defer cancel()
	for _, dx := range []float64{0.25, 0} {
		err := p.session.Call(ctx, input.CommandDispatchMouseEvent, map[string]any{"type": "mouseMoved", "x": x + dx, "y": y}, nil)
		if err != nil {
			p.t.Fatalf("moving the mouse: %v", err)
		}
	}
	var hit bool
	p.Value(fmt.Sprintf(`new Promise(done => {
		const end = setTimeout(() => done(false), 20000), look = () => hits.includes(%q) ? (clearTimeout(end), done(true)) : setTimeout(look, 5);
		look();
	})`, name), &hit)
	return hit
}

func sameRect(got, want provider.Rect) bool {
	return math.Abs(got.X-want.X) < 0.6 && math.Abs(got.Y-want.Y) < 0.6 && math.Abs(got.Width-want.Width) < 0.6 && math.Abs(got.Height-want.Height) < 0.6
}

// frameStyle puts the inside of a frame 8 CSS px from its corner.
const frameStyle = `position:absolute;border:3px solid;padding:5px;width:300px;height:200px;`

// placePages are pages with one tile, called Tile, of 60 × 40 CSS px as it is laid
// out.
var placePages = map[string]struct {
	html string
	want provider.Rect
}{
	"plain":                 {`<div style="position:absolute;left:30px;top:50px">TILE</div>`, provider.Rect{X: 30, Y: 50, Width: 60, Height: 40}},
	"between pixels":        {`<div style="position:absolute;left:30.5px;top:50.25px">TILE</div>`, provider.Rect{X: 30.5, Y: 50.25, Width: 60, Height: 40}},
	"scaled":                {`<div style="position:absolute;left:30px;top:50px;transform:scale(2);transform-origin:0 0">TILE</div>`, provider.Rect{X: 30, Y: 50, Width: 120, Height: 80}},
	"turned":                {`<div style="position:absolute;left:100px;top:50px;transform:rotate(90deg);transform-origin:0 0">TILE</div>`, provider.Rect{X: 60, Y: 50, Width: 40, Height: 60}},
	"page scrolled":         {`<div style="position:absolute;left:30px;top:650px">TILE</div><div style="height:3000px"></div><script>scrollTo(0, 600)</script>`, provider.Rect{X: 30, Y: 50, Width: 60, Height: 40}},
	"container scrolled":    {`<div id=c style="position:absolute;left:10px;top:10px;width:200px;height:150px;overflow:auto"><div style="height:300px"></div>TILE<div style="height:900px"></div></div><script>c.scrollTop = 250</script>`, provider.Rect{X: 10, Y: 60, Width: 60, Height: 40}},
	"open root":             {`<div style="position:absolute;left:30px;top:50px"><x-host id=h></x-host></div><template id=t>TILE</template><script>h.attachShadow({mode:'open'}).append(t.content)</script>`, provider.Rect{X: 30, Y: 50, Width: 60, Height: 40}},
	"closed root":           {`<div style="position:absolute;left:30px;top:50px"><x-host id=h></x-host></div><template id=t>TILE</template><script>h.attachShadow({mode:'closed'}).append(t.content)</script>`, provider.Rect{X: 30, Y: 50, Width: 60, Height: 40}},
	"zoomed":                {`<div style="position:absolute;left:30px;top:50px;zoom:1.5">TILE</div>`, provider.Rect{X: 45, Y: 75, Width: 90, Height: 60}},
	"frame":                 {`<iframe style="` + frameStyle + `left:20px;top:10px" src=inner.html></iframe>`, provider.Rect{X: 48, Y: 48, Width: 60, Height: 40}},
	"frame of another site": {`<iframe style="` + frameStyle + `left:20px;top:10px" src="{{other-site}}/inner.html"></iframe>`, provider.Rect{X: 48, Y: 48, Width: 60, Height: 40}},
	"nested frames":         {`<iframe style="` + frameStyle + `left:20px;top:10px" src="{{other-site}}/middle.html"></iframe>`, provider.Rect{X: 48 + 10, Y: 48 - 10, Width: 60, Height: 40}},
	"frame scaled":          {`<iframe style="` + frameStyle + `left:20px;top:10px;transform:scale(1.5);transform-origin:0 0" src="{{other-site}}/inner.html"></iframe>`, provider.Rect{X: 20 + 28*1.5, Y: 10 + 38*1.5, Width: 90, Height: 60}},
	"frame turned":          {`<iframe style="` + frameStyle + `left:400px;top:10px;transform:rotate(90deg);transform-origin:0 0" src="{{other-site}}/inner.html"></iframe>`, provider.Rect{X: 400 - 38 - 40, Y: 10 + 28, Width: 40, Height: 60}},
	"frame turned half":     {`<iframe style="` + frameStyle + `left:400px;top:300px;transform:rotate(180deg);transform-origin:0 0" src=inner.html></iframe>`, provider.Rect{X: 400 - 28 - 60, Y: 300 - 38 - 40, Width: 60, Height: 40}},
	"frame in turned parts": {`<div style="position:absolute;left:400px;top:10px;rotate:45deg;transform-origin:0 0"><div style="rotate:45deg;transform-origin:0 0"><iframe style="` + frameStyle + `left:0;top:0" src="{{other-site}}/inner.html"></iframe></div></div>`, provider.Rect{X: 400 - 38 - 40, Y: 10 + 28, Width: 40, Height: 60}},
	"frame zoomed":          {`<div style="zoom:2"><iframe style="` + frameStyle + `left:20px;top:10px" src=inner.html></iframe></div>`, provider.Rect{X: 96, Y: 96, Width: 120, Height: 80}},
	"frame scrolled":        {awaitsScroll + `<iframe style="` + frameStyle + `left:20px;top:10px" src="{{other-site}}/scrolled.html"></iframe>`, provider.Rect{X: 48, Y: 48, Width: 60, Height: 40}},
}

// openPlace opens one of placePages with a tile of a colour.
func openPlace(t *testing.T, page, color string, opts ...Option) *Page {
	t.Helper()
	return openTile(t, placePages[page].html, tile("Tile", color, "display:block"), opts...)
}

// scrollsLate scrolls a frame once it has a size: Chrome may lay out a frame of another
// process before that, and then forgets where it was scrolled to.
const scrollsLate = `<script>
	const scroll = () => innerHeight ? (scrollTo(0, 500), parent.postMessage('scrolled', '*')) : setTimeout(scroll, 5)
	scroll()
</script>`

// awaitsScroll has a page know when a frame of it has scrolled.
const awaitsScroll = `<script>scrolled = new Promise(done => onmessage = done)</script>`

// scrolled waits until the frame has scrolled that is to.
func (p *Page) scrolled() {
	var done any
	p.Value(`Promise.resolve(globalThis.scrolled).then(() => true)`, &done)
}

// openTile opens a page with a tile in it, or in a frame of it.
func openTile(t *testing.T, html, tile string, opts ...Option) *Page {
	t.Helper()
	head := `<!doctype html><meta charset=utf-8><title>Page</title><style>body{margin:0}</style>`
	inner := `<div style="position:absolute;left:20px;top:30px">` + tile + `</div>`
	p := Open(t, "page.html", append(opts, Files(files(
		"page.html", head+hits+strings.ReplaceAll(html, "TILE", tile),
		"inner.html", head+inner,
		"middle.html", head+`<iframe style="position:absolute;border:0;left:10px;top:-10px" src="{{other-site}}/inner.html"></iframe>`,
		"scrolled.html", head+`<div style="position:absolute;left:20px;top:530px">`+tile+`</div><div style="height:3000px"></div>`+scrollsLate,
	)))...)
	p.scrolled()
	return p
}

func TestLocate(t *testing.T) {
	t.Parallel()
	for name, c := range placePages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPlace(t, name, "#0a0")
			id := titled(t, p.Elements(WholePage), "Tile").ID
			for _, visible := range []bool{false, true} {
				at, err := p.locate(id, provider.LocateOptions{Visible: visible})
				if err != nil {
					t.Fatal(err)
				}
				if len(at.Rectangles) != 1 || !sameRect(at.Rectangles[0], c.want) {
					t.Errorf("where the tile is, visible %v\n got: %+v\nwant: %+v", visible, at.Rectangles, c.want)
					continue
				}
				r := at.Rectangles[0]
				if x, y := r.X+r.Width/2, r.Y+r.Height/2; !p.hit(x, y, "Tile") {
					t.Errorf("at %v, %v the mouse is not over the tile", x, y)
				}
			}
		})
	}
}

// threeLines is a paragraph of three lines, laid out as a style says.
func threeLines(style string) string {
	return `<style>body{margin:0}</style><p style="position:absolute;left:20px;top:30px;margin:0;font:16px/20px sans-serif;` + style + `">first line here<br>second line here<br>third line here</p>`
}

func TestLocateLines(t *testing.T) {
	t.Parallel()
	for name, style := range map[string]string{
		"usual": "", "tight": "line-height:16px", "wide": "line-height:3em", "scaled": "transform:scale(1.5);transform-origin:0 0",
		"vertical": "writing-mode:vertical-rl", "right to left": "direction:rtl;width:300px",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openHTML(t, threeLines(style))
			p.SelectText("line here second line here third line")
			a := p.Elements(Pointing)
			var selected *elements.Element
			for e := range a.All() {
				if e.Selected {
					selected = e
				}
			}
			if selected == nil {
				t.Fatalf("nothing is selected:\n%s", Format(a.Root))
			}
			at := p.Locate(selected.ID)
			var want []provider.Rect
			p.Value(`(() => {
				const s = getSelection().getRangeAt(0), out = [];
				for (const n of document.querySelector('p').childNodes) if (n.nodeType === 3) {
					const r = document.createRange(); r.selectNodeContents(n);
					if (n === s.startContainer) r.setStart(n, s.startOffset);
					if (n === s.endContainer) r.setEnd(n, s.endOffset);
					const b = r.getBoundingClientRect();
					out.push({x: b.x, y: b.y, width: b.width, height: b.height});
				}
				return out;
			})()`, &want)
			same := len(at.Rectangles) == len(want)
			for i := 0; same && i < len(want); i++ {
				same = sameRect(at.Rectangles[i], want[i])
			}
			if !same {
				t.Errorf("the rectangles of a selection over three lines\n got: %+v\nwant: %+v", at.Rectangles, want)
			}
		})
	}
}

// TestLocateWithinOneText tells where words are that stand in one text, as what is
// selected mostly does, and texts that have no element of their own.
func TestLocateWithinOneText(t *testing.T) {
	t.Parallel()
	const style = `<style>body{margin:0}p,div{margin:0;font:16px/20px sans-serif}</style>`
	for name, html := range map[string]string{
		"in a paragraph":    `<p>Today we bake <b>two loaves</b> of rye.</p>`,
		"alone":             `<p>Today we bake it</p>`,
		"without a block":   `<div>Today we bake it<p>Other words</p></div>`,
		"without a box":     `<div style="display:contents">Today we bake it</div>`,
		"in an open root":   `<div><template shadowrootmode=open>Today we bake it</template></div>`,
		"slotted":           `<div><template shadowrootmode=open><i><slot></slot></i></template>Today we bake it</div>`,
		"in the body alone": `Today we bake it`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openHTML(t, style+html)
			p.Eval(`(() => {
				const roots = [document.body, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)];
				for (const root of roots) for (const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT); walker.nextNode();) {
					const text = walker.currentNode, at = text.data.indexOf('bake');
					if (at < 0) continue;
					getSelection().setBaseAndExtent(text, at, text, at + 4);
					window.bake = document.createRange();
					bake.setStart(text, at);
					bake.setEnd(text, at + 4);
					window.whole = document.createRange();
					whole.selectNodeContents(text);
				}
			})()`)
			rectOf := func(of string) (r provider.Rect) {
				p.Value(`(({x, y, width, height}) => ({x, y, width, height}))(`+of+`.getBoundingClientRect())`, &r)
				return r
			}
			a := p.Elements(WholePage)
			told := 0
			for e := range a.All() {
				switch {
				case e.Selected:
					told++
					if at := p.Locate(e.ID); len(at.Rectangles) != 1 || !sameRect(at.Rectangles[0], rectOf("bake")) {
						t.Errorf("what is selected is at\n got: %+v\nwant: %+v", at.Rectangles, rectOf("bake"))
					}
					if _, err := p.provider.Capture(t.Context(), e.ID, provider.CaptureOptions{}); err != nil {
						t.Errorf("a picture of what is selected: %v", err)
					}
				case e.Role == elements.Text && len(e.Content) == 1 && e.Content[0].Text == "Today we bake it":
					told++
					// Its paragraph's box, where it has one of its own, else its line.
					at, want := p.Locate(e.ID), rectOf("whole")
					if len(at.Rectangles) != 1 || at.Rectangles[0].X != want.X || math.Abs(at.Rectangles[0].Y-want.Y) > 2 {
						t.Errorf("the text is at\n got: %+v\nwant one line there: %+v", at.Rectangles, want)
					}
				}
			}
			if told == 0 {
				t.Errorf("nothing is selected:\n%s", Format(a.Root))
			}
		})
	}
}

func TestLocateField(t *testing.T) {
	t.Parallel()
	p := openHTML(t, `<style>body{margin:0}</style><input aria-label=Name value="Ada Lovelace" style="position:absolute;box-sizing:border-box;left:40px;top:60px;width:200px;height:30px">`)
	p.Select("input")
	a := p.Elements(Pointing)
	want := provider.Rect{X: 40, Y: 60, Width: 200, Height: 30}
	n := 0
	for e := range a.All() {
		if !e.Selected && e.Title != "Name" {
			continue
		}
		n++
		if at := p.Locate(e.ID); len(at.Rectangles) != 1 || !sameRect(at.Rectangles[0], want) {
			t.Errorf("where %s %q is\n got: %+v\nwant: %+v", e.Role, e.Title, at.Rectangles, want)
		}
	}
	if n < 2 {
		t.Errorf("the field and what is selected in it are not both reported:\n%s", Format(a.Root))
	}
}

// TestLocateVisible cuts what is not on screen.
func TestLocateVisible(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		html string
		all  provider.Rect
		seen []provider.Rect
	}{
		"viewport": {`<div style="position:absolute;left:-20px;top:580px">TILE</div>`, provider.Rect{X: -20, Y: 580, Width: 60, Height: 40}, []provider.Rect{{X: 0, Y: 580, Width: 40, Height: 20}}},
		"outside":  {`<div style="position:absolute;left:20px;top:980px">TILE</div>`, provider.Rect{X: 20, Y: 980, Width: 60, Height: 40}, nil},
		"clipped":  {`<div style="position:absolute;left:20px;top:30px;width:25px;height:15px;overflow:hidden">TILE</div>`, provider.Rect{X: 20, Y: 30, Width: 60, Height: 40}, []provider.Rect{{X: 20, Y: 30, Width: 25, Height: 15}}},
		"not clipped by what does not hold it": {`<div style="position:absolute;left:20px;top:30px;width:25px;height:15px;overflow:hidden"><div style="position:fixed;left:100px;top:100px">TILE</div></div>`,
			provider.Rect{X: 100, Y: 100, Width: 60, Height: 40}, []provider.Rect{{X: 100, Y: 100, Width: 60, Height: 40}}},
		"not clipped by who owns it": {`<div role=group aria-label=Owner aria-owns=wrap style="position:absolute;left:400px;top:30px;width:25px;height:15px;overflow:hidden"></div><div id=wrap style="position:absolute;left:100px;top:100px">TILE</div>`,
			provider.Rect{X: 100, Y: 100, Width: 60, Height: 40}, []provider.Rect{{X: 100, Y: 100, Width: 60, Height: 40}}},
		"frame": {`<iframe scrolling=no style="position:absolute;border:0;left:10px;top:10px;width:50px;height:50px" src="{{other-site}}/inner.html"></iframe>`,
			provider.Rect{X: 30, Y: 40, Width: 60, Height: 40}, []provider.Rect{{X: 30, Y: 40, Width: 30, Height: 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openTile(t, c.html, tile("Tile", "#0a0", "display:block"), Viewport(800, 600))
			id := titled(t, p.Elements(WholePage), "Tile").ID
			if at := p.Locate(id); len(at.Rectangles) != 1 || !sameRect(at.Rectangles[0], c.all) {
				t.Errorf("where it is\n got: %+v\nwant: %+v", at.Rectangles, c.all)
			}
			at, err := p.locate(id, provider.LocateOptions{Visible: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(at.Rectangles) != len(c.seen) || len(c.seen) == 1 && !sameRect(at.Rectangles[0], c.seen[0]) {
				t.Errorf("what is seen of it\n got: %+v\nwant: %+v", at.Rectangles, c.seen)
			}
		})
	}
}

// TestLocateWhatGoes asks about what is hidden, then removed, then in a document
// that is left, and about what never was.
func TestLocateWhatGoes(t *testing.T) {
	t.Parallel()
	p := openTile(t, `<div id=d>TILE</div><iframe src="{{other-site}}/inner.html"></iframe>`, tile("Tile", "#0a0", ""))
	a := p.Elements(WholePage)
	var ids []string
	for e := range a.All() {
		if e.Title == "Tile" {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) != 2 {
		t.Fatalf("there are not two tiles:\n%s", Format(a.Root))
	}
	p.Elements(Pointing)
	for _, id := range ids {
		if at := p.Locate(id); len(at.Rectangles) != 1 {
			t.Errorf("where %s is after a pointing read\n got: %+v\nwant: one rectangle", id, at.Rectangles)
		}
	}
	p.Eval(`d.style.display = 'none'; document.querySelector('iframe').style.display = 'none'`)
	for _, id := range ids {
		if at := p.Locate(id); at.Rectangles == nil || len(at.Rectangles) != 0 {
			t.Errorf("where %s is without a box\n got: %#v\nwant: an empty list", id, at.Rectangles)
		}
		_, err := p.provider.Capture(t.Context(), id, provider.CaptureOptions{})
		expectCode(t, "a picture of what has no box", err, provider.CodeNotDrawn)
	}
	p.Eval(`d.remove(); document.querySelector('iframe').remove()`)
	for _, id := range ids {
		_, err := p.locate(id, provider.LocateOptions{})
		expectCode(t, "locating what was removed", err, provider.CodeGone)
		_, err = p.provider.Capture(t.Context(), id, provider.CaptureOptions{})
		expectCode(t, "a picture of what was removed", err, provider.CodeGone)
	}
	_, err := p.locate("never", provider.LocateOptions{})
	expectCode(t, "locating what never was", err, provider.CodeUnknownID)
	_, err = p.locate(a.Root.ID, provider.LocateOptions{})
	expectCode(t, "locating the app", err, provider.CodeInvalid)
}
