package provider

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
)

// madePage has words and signs that style sheets make. Each that begins with "Seen" is
// green, and nothing else is.
const madePage = `<!doctype html><meta name=viewport content="width=device-width"><meta charset=utf-8><title>M</title><style>body{margin:8px;font:16px sans-serif}p{margin:2px 0}
#a::before{content:"Seen before ";color:#0f0}#b::after{content:" Seen after";color:#0f0}
#c::before{content:"Seen alone";color:#0f0;display:block}#d{position:relative;height:24px}#d::after{content:"Seen placed";color:#0f0;position:absolute;left:200px;top:2px}
#e::before{content:"Seen where nothing else is";color:#0f0}#f::before{content:"Hidden by none";display:none}#g::before{content:"Hidden by its look";visibility:hidden}
#h::before{content:"Hidden as it is faint";opacity:0}#i::before{content:"Hidden as it is clear";color:transparent}#j{width:30px;height:20px;overflow:hidden;position:relative}#j::after{content:"Hidden beyond";position:absolute;left:40px;top:0;color:#0f0}
#k{position:relative;height:24px}#k::before{content:"Hidden under a box"}#k div{position:absolute;inset:0;background:#fff}#k2{position:relative;height:24px}#k2::before{content:"Hidden under what is passed through"}#k2 div{position:absolute;inset:0;background:#fff;pointer-events:none}
q{color:#333}#l{transform:rotate(90deg);width:120px;height:20px;margin:60px 0}#l::before{content:"Seen turned";color:#0f0}
#m::before{content:"";display:inline-block;width:16px;height:16px;background:url(data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=)}
#n::before{content:"\f015";font-family:x}#o::before{content:"Seen shouted";text-transform:uppercase;color:#0f0}.r::marker{content:"→ "}
</style><p id=a>one</p><p id=b>two</p><p id=c>three</p><div id=d></div><span id=e></span><p id=f>four</p><p id=g>five</p><p id=h>six</p><p id=i>seven</p><div id=j></div>
<div id=k><div></div></div><div id=k2><div></div></div><p><q>quoted</q></p><div id=l></div><button id=m>Find</button><a href=/x id=n aria-label=Home></a><p id=o></p>
<ol start=4 style="margin:0"><li>entry<li>next</ol><ul style="margin:0"><li class=r>arrow<li>bullet</ul>
<div role=img aria-label=Chart><p>Words in a picture</p></div><ruby>漢<rt>kan</rt></ruby>
<iframe srcdoc="<style>body{margin:4px;font:16px sans-serif}p{margin:0}p::before{content:'Seen in a frame ';color:#0f0}</style><p>" width=300 height=40 frameborder=0 style="transform:scale(.9)"></iframe>
<div id=host></div><script>host.attachShadow({mode:"closed"}).innerHTML="<style>p{margin:0}p::after{content:'Seen in the shadow';color:#0f0}</style><p></p>"</script>`

// TestRegionsMade has a region, with the words and where they are, for all that a person
// sees of what style sheets make.
func TestRegionsMade(t *testing.T) {
	b := launched(t)
	for name, pinch := range map[string]float64{"as it is": 1, "pinched": 1.25} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, b, served(t, madePage))
			if err := d.tab.Session.Call(t.Context(), emulation.CommandSetPageScaleFactor, map[string]any{"pageScaleFactor": pinch}, nil); err != nil {
				t.Fatal(err)
			}
			if pinch > 1 {
				// A wheel over a page that is magnified moves what is seen of it.
				wheel := map[string]any{"type": "mouseWheel", "x": 300, "y": 200, "deltaX": 6, "deltaY": 60}
				if err := d.tab.Session.Call(t.Context(), input.CommandDispatchMouseEvent, wheel, nil); err != nil {
					t.Fatal(err)
				}
				d.do(t, `new Promise(done => { const v = visualViewport, look = () => v.scale > 1 && v.offsetTop > 0 ? done() : setTimeout(look, 10); look() })`)
			}
			d.state(t, StateQuery{Tree: true})
			s := d.state(t, StateQuery{Picture: true})
			r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(s.PNG))
			if err != nil {
				t.Fatal(err)
			}
			var texts, icons []string
			seen := 0
			for _, g := range r.Regions {
				if g.Kind == RegionIcon {
					icons = append(icons, g.Label)
					continue
				}
				texts = append(texts, *g.Text)
				box := image.Rect(g.Bounds.X, g.Bounds.Y, g.Bounds.X+g.Bounds.Width, g.Bounds.Y+g.Bounds.Height)
				if is, has := strings.Contains(strings.ToLower(*g.Text), "seen"), greens(img, box) > 0; is != has {
					t.Errorf("%q is told to be at %v: got green there %v", *g.Text, box, has)
				} else if is {
					seen++
				}
			}
			if pinch > 1 {
				// Not all of it is on screen.
				if seen < 5 {
					t.Errorf("%d of them are seen: %q", seen, texts)
				}
				return
			}
			want := "Seen before one|two Seen after|Seen alone|three|Seen placed|Seen where nothing else is|four|five|six|seven|“quoted”|Seen turned|Find|SEEN SHOUTED|" +
				"4.|entry|5.|next|→|arrow|bullet|Words in a picture|漢|kan|Seen in a frame|Seen in the shadow"
			if got := strings.Join(texts, "|"); got != want {
				t.Errorf("got the texts\n%s\nwant\n%s", got, want)
			}
			if got, want := strings.Join(icons, "|"), "|Home"; got != want {
				t.Errorf("got the icons %q, want %q", got, want)
			}
			if len(r.Warnings) > 0 {
				t.Errorf("got the warnings %q", r.Warnings)
			}
			// All that is green is in a region.
			left := greens(img, img.Bounds())
			for _, g := range r.Regions {
				left -= greens(img, image.Rect(g.Bounds.X, g.Bounds.Y, g.Bounds.X+g.Bounds.Width, g.Bounds.Y+g.Bounds.Height))
			}
			if left > 0 {
				t.Errorf("%d green pixels are in no region", left)
			}
		})
	}
}

// greens counts the green pixels in a part of a picture.
func greens(img image.Image, in image.Rectangle) int {
	n := 0
	in = in.Intersect(img.Bounds())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA); c.G > 180 && c.R < 120 && c.B < 120 {
				n++
			}
		}
	}
	return n
}
