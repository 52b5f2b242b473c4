package cdp

import (
	"context"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// warmDelay is how long after a document came our script follows it, so that the
// first question about it need not wait for that; also the least time between two
// such rounds in a page whose frames come and go.
const warmDelay = 100 * time.Millisecond

// warmTimeout bounds one round.
const warmTimeout = 5 * time.Second

// warm brings our script into documents that came since, quietly. A reading that
// comes first does it itself.
func (p *Page) warm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.startWarming()
}

// hurry does so at once, since an event told that the main document is all there, or
// that its frames are too. A page can have that told again and again of one document
// (document.open); it is believed once.
func (p *Page) hurry(event string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[p.main]
	if f == nil || f.loader == p.hurried[event] {
		return
	}
	p.hurried[event] = f.loader
	if event == page.LoadEventFired.Method && len(p.frames) > 1 {
		// It was read for nobody before its frames were there. Another is not read once
		// more: that would go on beside who asks first, where closed roots are met.
		f.rehearsed = 0
	}
	p.startWarming()
	if p.warming != nil {
		close(p.warming)
		p.warming = nil
	}
}

// startWarming begins a round unless one is about to. p.mu is held.
func (p *Page) startWarming() {
	if p.warming != nil || p.ctx.Err() != nil {
		return
	}
	begin := make(chan struct{})
	p.warming = begin
	p.adopt.Add(1)
	go func() {
		defer p.adopt.Done()
		select {
		case <-p.ctx.Done():
		case <-time.After(warmDelay):
		case <-begin:
		}
		p.mu.Lock()
		if p.warming == begin {
			p.warming = nil
		}
		p.mu.Unlock()
		ctx, cancel := context.WithTimeout(p.ctx, warmTimeout)
		defer cancel()
		ctx, stop := p.watched(ctx)
		defer stop()
		// What does not work out now is done by the reading.
		visits, _ := p.prepareQuietly(ctx)
		p.rehearse(ctx, visits)
	}()
}

// rehearsal is a reading for nobody.
var rehearsal = ReadOptions{Scope: ScopePointing, Records: 100, Time: 50 * time.Millisecond, rehearsal: true}

// maxRehearsed bounds the frames of one round: more than pages have whose frames are read
// for what is in them, and few enough that a page of hundreds of them is not kept busy.
const maxRehearsed = 20

// rehearse has documents read once for nobody: a function that is called for the first time
// is compiled then, and that of all of them takes longer than the reading of a small page;
// and closed shadow roots are met.
func (p *Page) rehearse(ctx context.Context, visits []*visit) {
	unread := map[cdproto.FrameID]bool{}
	p.mu.Lock()
	for _, v := range visits {
		if v.world == 0 || v.dead || v.late || v.frame.rehearsed == v.world || len(unread) >= maxRehearsed {
			continue
		}
		v.frame.rehearsed = v.world
		unread[v.id] = true
	}
	p.mu.Unlock()
	if len(unread) > 0 {
		_, _ = p.readOnce(ctx, rehearsal, unread)
	}
}
