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
	if p.warming || p.ctx.Err() != nil {
		return
	}
	p.warming = true
	p.adopt.Add(1)
	go func() {
		defer p.adopt.Done()
		select {
		case <-p.ctx.Done():
		case <-time.After(warmDelay):
		}
		p.mu.Lock()
		p.warming = false
		p.mu.Unlock()
		ctx, cancel := context.WithTimeout(p.ctx, warmTimeout)
		defer cancel()
		ctx, stop := p.watched(ctx)
		defer stop()
		// What does not work out now is done by the reading.
		_, _ = p.prepare(ctx, &Reading{})
	}()
}
