package cdp

import (
	"context"
	"time"
)

// How the budget and the time of a reading of rows are spread over the frames of a page.
// In each, what is on screen is told in any case; a frame's share is of what lies beyond.

const (
	// besideShare is the part of the script's time that the main document has where others
	// run on its thread. These have all of that time once more, together.
	besideShare = 0.6

	// leastTime and leastRows are what a frame has at least, of however many.
	leastTime = 20 * time.Millisecond
	leastRows = 50

	// spareRows is how many times the budget the shares have together: what one frame has
	// less of than its share is not lost.
	spareRows = 1.25

	// againShare is the part of the time left in which a frame answers that has been read
	// before in the same reading.
	againShare = 0.6
)

// spread gives each frame its share, by the size that it had when it was last read.
func (p *Page) spread(visits []*visit, opts ReadOptions) {
	if opts.Scope != ScopeRows || len(visits) < 2 {
		return
	}
	sizes, known, all := map[*visit]float64{}, true, 0.0
	together := map[*Session]float64{}
	p.mu.Lock()
	for _, v := range visits[1:] {
		sizes[v] = float64(v.frame.total)
		known = known && v.frame.total > 0
	}
	p.mu.Unlock()
	for _, v := range visits[1:] {
		if !known {
			sizes[v] = 1
		}
		all += sizes[v]
		together[v.session] += sizes[v]
	}
	if together[visits[0].session] > 0 {
		visits[0].time = time.Duration(besideShare * float64(opts.Time))
	}
	for _, v := range visits[1:] {
		if opts.Time > 0 {
			v.time = max(leastTime, time.Duration(float64(opts.Time)*sizes[v]/together[v.session]))
		}
		if opts.Records > 0 && !opts.InOrder {
			v.rows = max(leastRows, int(spareRows*float64(opts.Records)*sizes[v]/all))
		}
	}
}

// spend reads those frames again that had more to tell than their share, where the others
// have left some of the budget.
func (p *Page) spend(ctx context.Context, r *Reading, visits []*visit, holdings []*holding, opts ReadOptions) {
	var cut []*visit
	left := opts.Records
	for _, v := range visits {
		if v.doc == nil || v.doc.Err != nil {
			continue
		}
		f := &v.doc.Facts
		left -= len(f.Records)
		if v.rows > 0 && (f.Cut == "records" || f.Cut == "" && f.Pending != nil && *f.Pending > 0) {
			cut = append(cut, v)
		}
	}
	if left <= 0 || len(cut) == 0 || !hasTime(ctx, opts.Time) {
		return
	}
	r.Trips++
	before := map[*visit]*Document{}
	for _, v := range cut {
		before[v] = v.doc
		v.rows = len(v.doc.Facts.Records) + (left+len(cut)-1)/len(cut)
		v.hurry(ctx, opts)
		p.send(ctx, v, opts, false, false, len(holdings) > 0)
	}
	for _, v := range cut {
		p.receiveAgain(ctx, v, before[v])
		v.join(holdings)
	}
}

// hurry leaves a script no more time than a reading has left.
func (v *visit) hurry(ctx context.Context, opts ReadOptions) {
	if v.time == 0 {
		v.time = opts.Time
	}
	if end, ok := ctx.Deadline(); ok && v.time > 0 {
		v.time = max(leastTime, min(v.time, time.Duration(againShare*againShare*float64(time.Until(end)))))
	}
}

// hasTime tells whether what took so long can be done once more, and be told of.
func hasTime(ctx context.Context, took time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || took < time.Duration(againShare*float64(time.Until(end)))
}

// receiveAgain takes what a frame says that was read before in the same reading; what it
// said then counts where it does not say it in time.
func (p *Page) receiveAgain(ctx context.Context, v *visit, before *Document) {
	wait, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		wait, cancel = context.WithTimeout(ctx, time.Duration(againShare*float64(time.Until(end))))
	}
	defer cancel()
	if v.call != nil && v.decode(wait) == nil {
		return
	}
	v.doc = before
	if v.doc.Err == nil {
		v.doc.Facts.Cut, v.doc.Facts.Unread = "time", max(1, v.doc.Facts.Unread)
	}
}
