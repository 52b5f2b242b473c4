package cdp

import (
	"context"
	"time"
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

// hurry does so at once, since the main document is all there. A page can say that
// again and again of one document (document.open); it is believed once.
func (p *Page) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[p.main]
	if f == nil || f.loader == p.hurried {
		return
	}
	p.hurried = f.loader
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
		visits, _ := p.prepare(ctx, &Reading{})
		p.rehearse(ctx, visits)
	}()
}

// rehearsal is a reading for nobody.
var rehearsal = ReadOptions{Scope: ScopePointing, Records: 100, Time: 50 * time.Millisecond, rehearsal: true}

// rehearse has the main document read once for nobody: a function that is called for the
// first time is compiled then, and that of all of them takes longer than the reading of a
// small page; and closed shadow roots are met.
func (p *Page) rehearse(ctx context.Context, visits []*visit) {
	if len(visits) == 0 || visits[0].world == 0 || visits[0].dead {
		return
	}
	p.mu.Lock()
	known := p.rehearsed == visits[0].world
	p.rehearsed = visits[0].world
	p.mu.Unlock()
	if !known {
		_, _ = p.readOnce(ctx, rehearsal)
	}
}
