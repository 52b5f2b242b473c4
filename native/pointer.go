package native

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

const (
	// pointedFor is how long an element stays outlined without being pointed at anew:
	// who points may have gone without a word.
	pointedFor = 10 * time.Second

	// unpointPatience bounds taking an outline away from a page that is busy.
	unpointPatience = 2 * time.Second
)

// A pointer draws an outline round an element on its page, by the browser, so that
// the page has no trace of it.
type pointer struct {
	provider *provider.Provider

	// mu guards where an outline is, and is held while one is drawn or taken away.
	mu    sync.Mutex
	on    *cdp.Session
	until *time.Timer // takes it away
	turn  int         // counts the outlines
}

func newPointer(p *provider.Provider) *pointer { return &pointer{provider: p} }

// point outlines an element in place of another; none where id is empty.
func (p *pointer) point(ctx context.Context, id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn++
	if id == "" {
		p.clear()
		return nil
	}
	tab, err := p.provider.TabOf(id)
	if err != nil {
		p.clear()
		return err
	}
	at, err := p.provider.Locate(ctx, id, provider.LocateOptions{Visible: true})
	if err != nil {
		p.clear()
		return err
	}
	if p.on != tab.Page.Session {
		p.clear()
	}
	if len(at.Rectangles) == 0 {
		p.clear()
		return nil
	}
	return p.draw(ctx, tab.Page.Session, around(at.Rectangles))
}

// The outline's colours: seen on light and on dark.
var (
	inside = map[string]any{"r": 26, "g": 115, "b": 232, "a": 0.15}
	border = map[string]any{"r": 26, "g": 115, "b": 232, "a": 0.9}
)

// draw has a page's browser draw an outline. p.mu is held.
func (p *pointer) draw(ctx context.Context, s *cdp.Session, r provider.Rect) error {
	if p.on == nil {
		for _, method := range []string{dom.CommandEnable, overlay.CommandEnable} {
			if err := s.Call(ctx, method, nil, nil); err != nil {
				return err
			}
		}
		p.on = s
	}
	if p.until != nil {
		p.until.Stop()
	}
	turn := p.turn
	p.until = time.AfterFunc(pointedFor, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.turn == turn {
			p.clear()
		}
	})
	return s.Call(ctx, overlay.CommandHighlightRect, map[string]any{
		"x": int(r.X), "y": int(r.Y), "width": int(r.Width), "height": int(r.Height), "color": inside, "outlineColor": border,
	}, nil)
}

// clear takes the outline away, and leaves the page as it was. p.mu is held.
func (p *pointer) clear() {
	if p.until != nil {
		p.until.Stop()
	}
	s := p.on
	p.on, p.until = nil, nil
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), unpointPatience)
	defer cancel()
	// One that cannot be asked has no outline any more.
	for _, method := range []string{overlay.CommandHideHighlight, overlay.CommandDisable, dom.CommandDisable} {
		if s.Call(ctx, method, nil, nil) != nil {
			return
		}
	}
}

// end takes the outline away for good.
func (p *pointer) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn++
	p.clear()
}

// around is the smallest rectangle of whole px that holds all.
func around(rects []provider.Rect) provider.Rect {
	l, t, r, b := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range rects {
		l, t, r, b = min(l, x.X), min(t, x.Y), max(r, x.X+x.Width), max(b, x.Y+x.Height)
	}
	l, t = math.Floor(l), math.Floor(t)
	return provider.Rect{X: l, Y: t, Width: math.Ceil(r) - l, Height: math.Ceil(b) - t}
}
