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

	// drawPatience bounds drawing an outline, or taking it away, on a page that is busy.
	drawPatience = 2 * time.Second
)

// A pointer draws an outline round an element on its page, by the browser, so that
// the page has no trace of it. Pictures for agents are without it.
type pointer struct {
	provider *provider.Provider
	lasts    time.Duration

	// mu guards where an outline is, and is held while one is drawn or taken away.
	mu       sync.Mutex
	on       *cdp.Session
	at       provider.Rect
	until    *time.Timer          // takes it away
	turn     int                  // counts the outlines
	pictures map[*cdp.Session]int // being taken, of pages on which nothing is drawn meanwhile
}

func newPointer(p *provider.Provider) *pointer {
	q := &pointer{provider: p, lasts: pointedFor, pictures: map[*cdp.Session]int{}}
	p.UncoverPictures(q.uncover)
	return q
}

// uncover has nothing drawn on a tab's page until done is called.
func (p *pointer) uncover(tab *provider.Tab) (done func()) {
	s := tab.Page.Session
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pictures[s]++
	if p.on == s && p.pictures[s] == 1 {
		ctx, cancel := context.WithTimeout(context.Background(), drawPatience)
		defer cancel()
		// A page that does not answer gives no picture either.
		_ = s.Call(ctx, overlay.CommandHideHighlight, nil, nil)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.pictures[s]--; p.pictures[s] > 0 {
			return
		}
		delete(p.pictures, s)
		if p.on == s {
			ctx, cancel := context.WithTimeout(context.Background(), drawPatience)
			defer cancel()
			_ = p.show(ctx)
		}
	}
}

// point outlines an element in place of another; none where id is empty.
func (p *pointer) point(ctx context.Context, id string) error {
	p.mu.Lock()
	p.turn++
	turn := p.turn
	if id == "" {
		p.clear()
	}
	p.mu.Unlock()
	if id == "" {
		return nil
	}
	tab, err := p.provider.TabOf(id)
	var at *provider.Location
	if err == nil {
		at, err = p.provider.Locate(ctx, id, provider.LocateOptions{Visible: true})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turn != turn {
		// Something else is pointed at by now.
		return nil
	}
	if err != nil || len(at.Rectangles) == 0 {
		p.clear()
		return err
	}
	if p.on != tab.Page.Session {
		p.clear()
	}
	ctx, cancel := context.WithTimeout(ctx, drawPatience)
	defer cancel()
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
	p.until = time.AfterFunc(p.lasts, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.turn == turn {
			p.clear()
		}
	})
	p.at = r
	return p.show(ctx)
}

// show draws the outline, unless a picture of its page is being taken. p.mu is held.
func (p *pointer) show(ctx context.Context) error {
	if p.pictures[p.on] > 0 {
		return nil
	}
	return p.on.Call(ctx, overlay.CommandHighlightRect, map[string]any{
		"x": int(p.at.X), "y": int(p.at.Y), "width": int(p.at.Width), "height": int(p.at.Height), "color": inside, "outlineColor": border,
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
	ctx, cancel := context.WithTimeout(context.Background(), drawPatience)
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
