package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// A picture is an element whose picture is measured. No two of its pixels in a row
// are alike, so that it is as hard to write as a photograph.
type picture struct {
	name          string
	width, height int    // CSS px
	over          string // what else is drawn there
}

const password = `<input type=password value=hunter2222 style="position:absolute;left:40px;top:50px;width:30px;height:20px">`

var pictures = []picture{
	{"small", 60, 40, ""},
	{"large", 1200, 700, ""},
	{"small, a password in it", 60, 40, password},
	{"large, a password in it", 1200, 700, password},
}

func (p picture) html() []byte {
	return fmt.Appendf(nil, `<!doctype html><meta charset=utf-8><title>Picture</title><style>body{margin:0}</style><style>div{position:absolute;left:30px;top:40px;background:conic-gradient(red,lime,blue,red)}</style>`+
		`<div role=img tabindex=0 aria-label=Picture style="width:%dpx;height:%dpx"></div>%s`,
		p.width, p.height, p.over)
}

// The ways to take a picture.
const (
	oursWay = "ours"
	rawWay  = "raw"  // the browser's own screenshot of the same part, as it comes
	fastWay = "fast" // the same, told to write it fast
)

var ways = []string{oursWay, rawWay, fastWay}

// A pictureBlock is what was measured of one picture.
type pictureBlock struct {
	picture picture
	costs   map[string][]cost
}

// measurePicture takes a picture in all ways, in turn.
func measurePicture(ctx context.Context, b *cdp.Browser, k picture, rounds int) (out *pictureBlock, err error) {
	out = &pictureBlock{picture: k, costs: map[string][]cost{}}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	r := &rig{}
	defer func() { err = errors.Join(err, r.close()) }()
	if r.tab, err = driver.Open(ctx, b.Conn, driver.Options{Width: 1280, Height: 800, Scale: 1, Window: true}); err != nil {
		return out, err
	}
	r.provider = provider.New("Chromium")
	if _, err = r.provider.Share(ctx, b.Conn, r.tab.Target); err != nil {
		return out, err
	}
	if r.stop, err = driver.SetHTML(ctx, r.tab.Session, k.html()); err != nil {
		return out, err
	}
	answer, err := r.provider.Elements(ctx, provider.Query{Scope: provider.Page})
	if err != nil {
		return out, err
	}
	var id string
	for e := range answer.All() {
		if e.Title == "Picture" && len(e.Children) == 0 && e.Role == "Image" {
			id = e.ID
		}
	}
	// The first of each is not counted: it brings up what the others find there.
	for round := range rounds + 1 {
		for _, way := range ways {
			c, err := r.picture(ctx, k, way, id)
			if err != nil {
				return out, fmt.Errorf("a %s picture, %s: %w", k.name, way, err)
			}
			if round > 0 {
				out.costs[way] = append(out.costs[way], c)
			}
		}
	}
	return out, nil
}

// picture measures one picture taken in one way.
func (r *rig) picture(ctx context.Context, k picture, way, id string) (cost, error) {
	params := map[string]any{"format": "png", "clip": map[string]any{"x": 30, "y": 40, "width": k.width, "height": k.height, "scale": 1}}
	if way == fastWay {
		params["optimizeForSpeed"] = true
	}
	var data []byte
	begin := time.Now()
	if way == oursWay {
		got, err := r.provider.Capture(ctx, id, provider.CaptureOptions{})
		if err != nil {
			return cost{}, err
		}
		data = got.Data
	} else {
		var got struct {
			Data []byte `json:"data"`
		}
		if err := r.tab.Session.Call(ctx, page.CommandCaptureScreenshot, params, &got); err != nil {
			return cost{}, err
		}
		data = got.Data
	}
	c := cost{time: time.Since(begin), trips: 1, bytes: len(data)}
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return c, err
	}
	if head.Width != k.width || head.Height != k.height {
		return c, fmt.Errorf("it is %d × %d pixels, not %d × %d", head.Width, head.Height, k.width, k.height)
	}
	return c, nil
}

const picturePreface = `
## Pictures of elements

A picture of an element as ` + "`capture_element`" + ` gives it, beside the browser's own ` + "`Page.captureScreenshot`" + ` of the same part of the page over the same connection: *raw* as it comes, *fast* with ` + "`optimizeForSpeed`" + `, which is how we ask too. Ours finds the element, looks for what must not be seen before and after, and paints that over. Taken in turn, %d times each.

| picture | px | ms | bytes | raw ms | raw bytes | × raw | fast ms | × fast |
|---|---|---:|---:|---:|---:|---:|---:|---:|
`

func writePictures(b *strings.Builder, all []*pictureBlock) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, picturePreface, len(all[0].costs[oursWay]))
	for _, p := range all {
		ours, raw, fast := median(p.costs[oursWay]), median(p.costs[rawWay]), median(p.costs[fastWay])
		fmt.Fprintf(b, "| %s | %d × %d | %s | %d | %s | %d | %s | %s | %s |\n", p.picture.name, p.picture.width, p.picture.height,
			ms(ours), p.costs[oursWay][0].bytes, ms(raw), p.costs[rawWay][0].bytes, ratio(ours, raw), ms(fast), ratio(ours, fast))
	}
}
