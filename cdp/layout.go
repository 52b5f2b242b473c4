package cdp

import (
	"context"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// A Layout is what is drawn where on a page, in the order of its documents.
type Layout struct {
	Items []LayoutItem
	// Full says that there is more than is told, or a frame that did not answer.
	Full bool
	// Secrets are the values that must not leave.
	Secrets []string
}

// The kinds of layout items.
const (
	LayoutText = "text"
	LayoutIcon = "icon"

	layoutFrame = "frame"
)

// A LayoutItem is a line of text, or a picture or sign.
type LayoutItem struct {
	Kind        string
	Rect        Rect   // in the page's viewport, CSS px
	Text        string // its words, or what it is called
	Document    string // the key of its document
	Serial      int64  // of the element that it belongs to
	Interactive bool
	Run         int   // texts of one run follow one another without a break
	Home        int64 // the element that lays out its line; below 0: it stands alone
	Turned      bool  // its line does not run level
	Painted     bool  // what it shows only its pixels tell
}

type layoutAnswer struct {
	Items []struct {
		Kind   string      `json:"k"`
		Rect   []float64   `json:"r"`
		Text   string      `json:"x"`
		Serial int64       `json:"i"`
		Acted  int         `json:"a"`
		Run    int         `json:"b"`
		Home   int64       `json:"g"`
		Turned int         `json:"t"`
		Paint  int         `json:"p"`
		Frame  string      `json:"f"`
		Step   *frameStep  `json:"m"`
		Over   [][]float64 `json:"o"`
		// What a style sheet made: before, after or marker of which element, and whether it
		// is a sign.
		Which string `json:"w"`
		Of    int    `json:"n"`
		Sign  int    `json:"s"`
	} `json:"items"`
	// Pinched is the left and top of what a pinch leaves on screen.
	Pinched []float64 `json:"pinched"`
	Full    bool      `json:"full"`
	Secrets []string  `json:"secrets"`
}

// Layout tells what is drawn on the page now, in all frames.
func (p *Page) Layout(ctx context.Context) (*Layout, error) {
	visits, err := p.prepare(ctx, &Reading{})
	if err != nil {
		return nil, err
	}
	asked := make([]answer, len(visits))
	for i, v := range visits {
		if v.world != 0 && !v.dead {
			asked[i] = link{v.id, v.session, v.world}.ask(ctx, "layout", v.reader)
		}
	}
	out := &Layout{}
	answers := map[cdproto.FrameID]*layoutAnswer{}
	keys := map[cdproto.FrameID]string{}
	for i, v := range visits {
		keys[v.id] = documentKey(v.session, v.world, v.loader)
		if asked[i].call == nil {
			out.Full = true
			continue
		}
		wait, cancel := v.share(ctx, i == 0)
		var got layoutAnswer
		err := asked[i].value(wait, &got)
		cancel()
		if err != nil && (i == 0 || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			out.Full = true
			continue
		}
		answers[v.id] = &got
		out.Full = out.Full || got.Full
		out.Secrets = append(out.Secrets, got.Secrets...)
	}
	p.placeMade(ctx, visits, answers)
	run := 0
	var take func(id cdproto.FrameID, way frameWay, depth int)
	take = func(id cdproto.FrameID, way frameWay, depth int) {
		a := answers[id]
		if a == nil || depth > maxFrames {
			return
		}
		delete(answers, id)
		first := run
		for _, item := range a.Items {
			if item.Kind == layoutFrame {
				if item.Step != nil {
					steps := append([]frameStep{*item.Step}, way.steps...)
					from := len(out.Items)
					take(cdproto.FrameID(item.Frame), frameWay{steps}, depth+1)
					for _, over := range item.Over {
						if cover, ok := way.page(rectOf(over), true); ok {
							out.Items = append(out.Items[:from], slices.DeleteFunc(out.Items[from:], func(i LayoutItem) bool { return i.Rect.middleIn(cover) })...)
						}
					}
				}
				continue
			}
			run = max(run, first+item.Run+1)
			if item.Kind == layoutMade {
				if len(item.Rect) != 4 {
					continue
				}
				item.Kind = LayoutText
				if item.Sign != 0 {
					item.Kind = LayoutIcon
				}
			}
			if r, ok := way.page(rectOf(item.Rect), true); ok {
				out.Items = append(out.Items, LayoutItem{item.Kind, r, item.Text, keys[id], item.Serial, item.Acted != 0, first + item.Run, item.Home, item.Turned != 0, item.Paint != 0})
			}
		}
	}
	take(visits[0].id, frameWay{}, 0)
	return out, nil
}

// middleIn tells whether the middle of a rectangle lies in another.
func (r Rect) middleIn(of Rect) bool {
	x, y := r.X+r.Width/2, r.Y+r.Height/2
	return x >= of.X && x < of.X+of.Width && y >= of.Y && y < of.Y+of.Height
}
