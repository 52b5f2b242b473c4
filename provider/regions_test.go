package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"
	"time"
)

const regionPage = `<!doctype html><meta charset=utf-8><title>R</title><style>body{font:16px sans-serif;margin:8px}p{margin:4px 0}
.icon::before{content:"\f015";font-family:x}.bg{width:20px;height:20px;background:url(data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=)}</style>
<p>Plain Latin words</p><p>漢字かな交じり文</p><p dir=rtl>مرحبا بالعالم</p><p>नमस्ते दुनिया</p>
<p style="width:130px">one two three four five six</p>
<div style="transform:rotate(90deg);width:140px;margin:70px 0">Turned about</div>
<svg width=200 height=30><text x=5 y=20>Drawn words</text></svg>
<div id=host></div><iframe srcdoc="<body style='margin:0'>Within a frame" width=200 height=30 frameborder=0></iframe>
<p>Some <b>bold</b> and <a href=/x>a link</a> here</p><p><input value="In a field"><button>Push me</button></p>
<div style="position:relative;height:24px">Covered words<div style="position:absolute;inset:0;background:#fff"></div></div>
<div style="position:relative;height:24px">Seen through<div style="position:absolute;inset:0"></div></div>
<div style="width:40px;height:0;overflow:hidden">Clipped words</div><p style="color:transparent">Transparent words</p><p style="opacity:0">Faint words</p>
<p style="font-size:0">Zero words</p><p style="visibility:hidden">Hidden words</p><div data-private>Private words</div><input type=password value=hunter2222><p>told hunter2222 here</p>
<img alt="A picture" width=20 height=20 src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs="><svg width=20 height=20 aria-label="A drawing"><rect width=20 height=20 /></svg>
<i class=icon aria-label="A sign" style="display:inline-block;width:20px;height:20px"></i><div class=bg title="A background"></div>
<canvas id=c width=300 height=60></canvas>
<script>host.attachShadow({mode:"closed"}).innerHTML="<p>In the shadow</p>";
const x=c.getContext("2d");x.fillStyle="#fff";x.fillRect(0,0,300,60);x.fillStyle="#000";x.font="20px sans-serif";x.fillText("Painted letters",10,35)</script>`

func TestRegions(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, regionPage))
	d.state(t, StateQuery{Tree: true})
	s := d.state(t, StateQuery{Picture: true, Timeout: 5 * time.Second})
	if s.CaptureID == "" || s.SnapshotID != "" || s.Tree != nil {
		t.Fatalf("got %+v, want a capture alone", s)
	}
	r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil {
		t.Fatal(err)
	}
	var texts, icons, painted []string
	for _, g := range r.Regions {
		switch {
		case g.Source == SourcePixels:
			painted = append(painted, fmt.Sprint(g.Kind == RegionText, g.Bounds.Width > 80 && g.Bounds.Width < 200, g.Bounds.Height > 8 && g.Bounds.Height < 40, g.ParentID != ""))
		case g.Kind == RegionText:
			texts = append(texts, *g.Text)
		case g.Label != "":
			icons = append(icons, g.Label)
		}
		if g.Bounds.X < 0 || g.Bounds.Y < 0 || g.Bounds.X+g.Bounds.Width > r.Capture.Width || g.Bounds.Y+g.Bounds.Height > r.Capture.Height || g.Bounds.Width <= 0 || g.Bounds.Height <= 0 {
			t.Errorf("%+v is not inside the picture", g)
		}
	}
	want := "Plain Latin words|漢字かな交じり文|مرحبا بالعالم|नमस्ते दुनिया|one two three|four five six|Turned about|Drawn words|In the shadow|Within a frame|" +
		"Some bold and|a link|here|In a field|Push me|Seen through|told [secret] here"
	if got := strings.Join(texts, "|"); got != want {
		t.Errorf("got the texts\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(icons, "|"), "A picture|A drawing|A sign|A background"; got != want {
		t.Errorf("got the icons %s, want %s", got, want)
	}
	if _, reads := findReader(); !reads && (strings.Join(painted, "|") != "true true true true" || !strings.Contains(strings.Join(r.Warnings, " "), "ocr_unavailable")) {
		t.Errorf("got of the canvas %v, warnings %v; want one line without words, and why", painted, r.Warnings)
	}

	d.do(t, `document.body.textContent = ""; 0`)
	again, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil || said(t, again.Regions) != said(t, r.Regions) || again.Capture != r.Capture {
		t.Errorf("the page changed, and with it what the capture shows: %v", err)
	}
	some, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID, Kinds: []string{RegionIcon}, MaxRegions: 2, MinConfidence: 0.9})
	if err != nil || len(some.Regions) != 2 || !some.Truncated || some.Total <= 2 || some.Regions[0].Kind != RegionIcon {
		t.Errorf("got %+v, %v; want two icons of more", some, err)
	}
	var told *Error
	if _, err := d.p.Regions(t.Context(), RegionQuery{Capture: "nothing"}); !errors.As(err, &told) || told.Code != CodeCaptureNotFound {
		t.Errorf("got %v, want %s", err, CodeCaptureNotFound)
	}
}

func said(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCaptureLimits(t *testing.T) {
	now := time.Unix(1000, 0)
	c := &captures{now: func() time.Time { return now }}
	add := func(id string, bytes int) bool { return c.add(&capture{id: id, png: make([]byte, bytes)}) }
	for i := range maxCaptures {
		if !add(fmt.Sprint(i), 10) {
			t.Fatalf("capture %d was not taken", i)
		}
	}
	if add("too many", 10) {
		t.Error("one was given up before its time")
	}
	now = now.Add(captureLife)
	if !add("later", 10) {
		t.Error("none was given up after its time")
	}
	var told *Error
	if _, err := c.get("0"); !errors.As(err, &told) || told.Code != CodeCaptureExpired || told.More["retryable"] != false {
		t.Errorf("got %v, want %s", err, CodeCaptureExpired)
	}
	if _, err := c.get("1"); err != nil {
		t.Errorf("one that was not given up: %v", err)
	}
	now = now.Add(captureLife)
	if !add("large", maxCaptureBytes) || len(c.all) > 1 || c.bytes > maxCaptureBytes {
		t.Errorf("got %d captures of %d bytes, want the large one alone", len(c.all), c.bytes)
	}
}

// What was captured of a tab that was closed is kept, of one that is not shared any more
// it is not.
func TestCapturesOfEnded(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	for end, want := range map[string]bool{"closed": true, "unshared": false} {
		tab := p.Mention(end, Place{Window: 1})
		s := &State{PNG: pngOf(t), Screenshot: &Screenshot{Width: 1, Height: 1, Scale: 1}}
		p.register(s, tab, nil)
		if end == "closed" {
			p.Closed(tab)
		} else {
			p.Unshare(tab)
		}
		if r, err := p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID}); (err == nil) != want {
			t.Errorf("of a tab that was %s: got %+v, %v", end, r, err)
		}
	}
}

func pngOf(t *testing.T) []byte {
	t.Helper()
	data, _, err := encodeAs(image.NewRGBA(image.Rect(0, 0, 1, 1)), FormatPNG, png.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestInkLines(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 80))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for i := range 6 {
		draw.Draw(img, image.Rect(20+i*14, 30, 20+i*14+8, 44), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	draw.Draw(img, image.Rect(150, 60, 158, 70), image.NewUniform(color.Black), image.Point{}, draw.Src)
	if got, want := fmt.Sprint(inkLines(img, img.Bounds())), "[(20,30)-(98,44)]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReaderTable(t *testing.T) {
	table := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"4\t1\t1\t1\t1\t0\t1\t1\t9\t9\t-1\t\n5\t1\t1\t1\t1\t1\t1\t1\t9\t9\t90\tPainted\n5\t1\t1\t1\t1\t2\t1\t1\t9\t9\t80\tletters\n"
	if words, sure := parseReader(table); words != "Painted letters" || sure < 0.849 || sure > 0.851 {
		t.Errorf("got %q, %v", words, sure)
	}
}
