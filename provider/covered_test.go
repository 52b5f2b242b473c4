package provider

import (
	"slices"
	"strings"
	"testing"
)

// coverPage has words under things, some of which hide them. Those that begin with
// "Seen" a person sees.
const coverPage = `<!doctype html><meta charset=utf-8><title>C</title><style>body{font:13px sans-serif;margin:8px}p{margin:2px}
.in{position:relative;height:18px}.over{position:absolute;inset:0}.through{pointer-events:none}.full{background:#fff}.cap::after{content:"";position:absolute;inset:0;background:#fff}</style>
<div class=in>Hidden by what the pointer goes through<div class="over through full"></div></div>
<div class=in>Hidden with what it is in<div class="over through"><div class=full style="height:24px"></div></div></div>
<div class=in>Hidden by what nobody is told of<div class="over through full" aria-hidden=true></div></div>
<div class=in>Hidden by all of a gradient<div class="over through" style="background:linear-gradient(#fff,#eee)"></div></div>
<div class=in>Seen through a gradient<div class="over through" style="background:linear-gradient(transparent,#fff)"></div></div>
<div class=in>Seen through a tint<div class="over through" style="background:rgba(255,255,255,.3)"></div></div>
<div class=in>Seen through a faint layer<div class="over" style="opacity:.4;pointer-events:none"><div class="over full"></div></div></div>
<div class=in>Seen through a layer that multiplies<div class="over through full" style="mix-blend-mode:multiply"></div></div>
<div class=in>Seen beside a canvas of sparks<canvas class="over through" width=300 height=24></canvas></div>
<div class=in>Seen under what is hidden<div class="over through full" style="visibility:hidden"></div></div>
<div class=in><div class="over through full"></div><span style="position:relative">Seen over a box before it</span></div>
<div class=in><span style="position:relative;z-index:1">Seen over a box below it</span><div class="over through full"></div></div>
<div class=in><span style="position:relative;z-index:1">Hidden by a box above it</span><div class="over through full" style="z-index:2"></div></div>
<div class=in style="z-index:0">Seen over a box behind it<div class="over through full" style="z-index:-1"></div></div>
<div class=in><div style="transform:translateX(0)"><span style="position:relative;z-index:9">Hidden with its layer</span></div><div class="over through full" style="z-index:1"></div></div>
<div class=in><div class="over full">Seen in a box over it</div></div>
<div class="in through full" style="background:#eee">Seen in a box itself</div>
<div style="display:grid"><div style="grid-area:1/1">Hidden by the next in its cell</div><div class="through full" style="grid-area:1/1">&nbsp;</div></div>
<div style="display:grid"><div style="grid-area:1/1;order:2">Seen over the next in its cell</div><div class="through full" style="grid-area:1/1">&nbsp;</div></div>
<div class=in><input style="width:200px"><label class=through style="position:absolute;left:4px;top:2px">Seen over a field</label></div>
<div class=in><label class=through style="position:absolute;left:4px;top:2px">Hidden by a field</label><input style="position:relative;width:200px"></div>
<div class=in style="height:100px"><p style="margin:0">Seen beside a round box</p><div class="through full" style="position:absolute;left:0;top:0;width:1000px;height:1000px;border-radius:50%;clip-path:circle(50%)"></div></div>
<p aria-hidden=true>Seen though nobody is told</p><p inert>Seen though it does nothing</p>
<div class=in>Hidden by what does nothing<div class="over full" inert></div></div>
<div class=in inert>Seen over what does something<div class="over full" style="z-index:-1"></div></div>
<div class="in cap">Hidden by a pseudo-element</div><div class=in>Hidden by a picture that is passed through<img class="over through" style="width:100%;height:24px" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='white'/></svg>"></div>
<div class=in style="width:200px">Hidden by a box that is turned<div class="over through full" style="rotate:2deg;inset:-5px -20px"></div></div><div class=in style="color:#fff">Hidden in its own color</div>
<div class=in>Hidden by a canvas that is filled<canvas id=filled class="over through" width=400 height=24></canvas></div>
<div class=in>Seen under stripes<div class="over through" style="background:repeating-linear-gradient(90deg,#fff 0 20px,transparent 20px 40px)"></div></div>
<div class=in id=host></div>
<div class=in style="height:60px"><iframe srcdoc="<body style='margin:0;font:16px sans-serif'><p style='margin:0'>Hidden in a frame<p style='margin:8px 0'>Seen in a frame" width=300 height=60 frameborder=0></iframe><div class="over full" style="height:20px"></div></div>
<div class=in style="height:40px"><iframe srcdoc="<body style='margin:0;font:16px sans-serif'>Hidden in a frame too" width=300 height=40 frameborder=0></iframe><div class="over through full"></div></div>
<script>const paint = filled.getContext("2d"); paint.fillStyle = "#fff"; paint.fillRect(0, 0, 400, 24); host.attachShadow({mode: "closed"}).innerHTML = "<div style='position:relative;height:24px'>Hidden in the shadow<div style='position:absolute;inset:0;background:#fff;pointer-events:none'></div></div>"</script>`

// TestRegionsCovered has no region of what nobody sees, and one of all that is seen.
func TestRegionsCovered(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, coverPage))
	d.state(t, StateQuery{Tree: true})
	s := d.state(t, StateQuery{Picture: true})
	r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range r.Regions {
		if g.Kind == RegionText && g.Source == SourceLayout {
			got = append(got, *g.Text)
		}
	}
	var want []string
	for line := range strings.FieldsFuncSeq(coverPage, func(c rune) bool { return c == '<' || c == '>' }) {
		if strings.HasPrefix(line, "Seen") {
			want = append(want, strings.TrimSuffix(line, `" width=300 height=60 frameborder=0`))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("what is seen\n got: %s\nwant: %s", strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
	if len(r.Warnings) > 0 {
		t.Errorf("got the warnings %q", r.Warnings)
	}
}

// What lies around a dialog that has the page is seen still, and what lies under it is not.
func TestRegionsAroundDialog(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, `<!doctype html><title>D</title><body style="margin:8px"><p>Seen around it</p><dialog id=d style="width:400px;height:200px;background:#fff">
Seen in it<p style="margin:0;position:relative">Seen there too</p></dialog><p style="position:absolute;top:50vh;left:50vw;margin:30px 0 0 -60px">Hidden by it</p><script>d.showModal()</script>`))
	s := d.state(t, StateQuery{Picture: true})
	r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range r.Regions {
		got = append(got, *g.Text)
	}
	if got, want := strings.Join(got, "|"), "Seen around it|Seen in it|Seen there too"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
