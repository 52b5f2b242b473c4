package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/url"
	"time"

	"github.com/chromedp/cdproto/page"

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
	oursHow = "ours"
	rawHow  = "raw"  // the browser's own screenshot of the same part, as it comes
	fastHow = "fast" // the same, told to write it fast
)

var hows = []string{oursHow, rawHow, fastHow}

// A pictureBlock is what was measured of one picture.
type pictureBlock struct {
	picture picture
	costs   map[string][]cost
}

// measurePictures takes all pictures in all ways.
func measurePictures(ctx context.Context, r *run) ([]section, error) {
	w, err := r.way(ctx, launched)
	if err != nil {
		return nil, err
	}
	var all []*pictureBlock
	for _, k := range pictures {
		m, err := r.measurePicture(ctx, w, k)
		if err != nil {
			r.record.fail("a "+k.name+" picture", err)
			continue
		}
		all = append(all, m)
	}
	return pictureSections(all), r.shut(launched)
}

// measurePicture takes a picture in all ways, in turn.
func (r *run) measurePicture(ctx context.Context, w way, k picture) (out *pictureBlock, err error) {
	out = &pictureBlock{picture: k, costs: map[string][]cost{}}
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	opened, err := w.open(ctx, r.site.URL+"/picture?of="+url.QueryEscape(k.name))
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	t := opened.(*directTab)
	answer, err := t.provider.Elements(ctx, provider.Query{Scope: provider.Page})
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
	for round := range r.plan.rounds + 1 {
		for _, how := range hows {
			c, err := t.picture(ctx, k, how, id)
			if err != nil {
				return out, fmt.Errorf("%s: %w", how, err)
			}
			if round > 0 {
				out.costs[how] = append(out.costs[how], c)
			}
		}
	}
	return out, nil
}

// picture measures one picture taken in one way.
func (t *directTab) picture(ctx context.Context, k picture, how, id string) (cost, error) {
	params := map[string]any{"format": "png", "clip": map[string]any{"x": 30, "y": 40, "width": k.width, "height": k.height, "scale": 1}}
	if how == fastHow {
		params["optimizeForSpeed"] = true
	}
	var data []byte
	begin := time.Now()
	if how == oursHow {
		got, err := t.provider.Capture(ctx, id, provider.CaptureOptions{})
		if err != nil {
			return cost{}, err
		}
		data = got.Data
	} else {
		var got struct {
			Data []byte `json:"data"`
		}
		if err := t.tab.Session.Call(ctx, page.CommandCaptureScreenshot, params, &got); err != nil {
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

const picturePreface = "A picture of an element as `capture_element` gives it, beside the browser's own `Page.captureScreenshot` of the same part of the page over the same connection: *raw* as it comes, *fast* with `optimizeForSpeed`, which is how we ask too. Ours finds the element, looks for what must not be seen before and after, and paints that over. Taken in turn, %d times each."

// pictureGoal is what a picture may cost of a raw one, on a page without secrets.
const pictureGoal = 1.15

func pictureSections(all []*pictureBlock) []section {
	if len(all) == 0 {
		return nil
	}
	s := section{
		title: "Pictures of elements", words: fmt.Sprintf(picturePreface, len(all[0].costs[oursHow])),
		head: []string{"picture", "px", "ms", "bytes", "raw ms", "raw bytes", "× raw", "fast ms", "× fast"},
	}
	for _, p := range all {
		ours, raw, fast := median(p.costs[oursHow]), median(p.costs[rawHow]), median(p.costs[fastHow])
		s.rows = append(s.rows, []string{p.picture.name, fmt.Sprintf("%d × %d", p.picture.width, p.picture.height),
			ms(ours), fmt.Sprint(p.costs[oursHow][0].bytes), ms(raw), fmt.Sprint(p.costs[rawHow][0].bytes), ratio(ours, raw), ms(fast), ratio(ours, fast)})
		if p.picture.over != "" {
			continue
		}
		g := goal{number: "4", what: "a " + p.picture.name + " picture of an element, against raw", want: "≤ 1.15 ×", measured: ratio(ours, raw) + " ×", verdict: holds}
		if float64(ours) > pictureGoal*float64(raw) {
			g.verdict = fails
		}
		s.goals = append(s.goals, g)
	}
	return []section{s}
}
