package cdp

import (
	"context"
	"slices"
	"time"
)

// askAll has the accessibility tree settle what plain HTML did not.
func (p *Page) askAll(ctx context.Context, r *Reading, visits []*visit) error {
	// Accessibility costs a page time while it is on, so only what needs it wakes it.
	// Nobody waits for the answer: what is asked afterwards comes after it.
	var sessions []*Session
	for _, v := range visits {
		if v.partial && !p.affords(ctx, v) {
			// HTML alone has to do.
			v.doc.Facts.Unasked, v.ask = len(v.ask), nil
		}
		if v.doc.Err == nil && len(v.ask) > 0 && !slices.Contains(sessions, v.session) {
			sessions = append(sessions, v.session)
		}
	}
	p.wakeAX(ctx, sessions)
	queries := map[*visit]*axQuery{}
	for _, v := range visits {
		if v.doc.Err == nil && len(v.ask) > 0 {
			share := wholeTreeShare
			if v.partial && v.doc.Facts.Total > quickTree {
				share = wholeRowsShare
			}
			queries[v] = askAX(ctx, v.session, v.id, v.ask, v.doc.Facts.Total, share)
		}
	}
	release(ctx, visits)
	if len(queries) > 0 {
		r.Trips++
	}
	for _, v := range visits {
		q := queries[v]
		if q == nil {
			continue
		}
		v.doc.asked = v.ask
		wait, cancel := v.leaveTime(ctx, v.session == p.Session)
		nodes, err := q.wait(wait)
		if again := v.lostWithWords(nodes, q.lost); err == nil && len(again) > 0 {
			r.Trips++
			err = askEach(wait, v.session, again).into(wait, nodes)
		}
		late := err != nil && wait.Err() != nil && ctx.Err() == nil
		cancel()
		if late {
			// HTML alone has to do: better than no answer.
			v.doc.Facts.Unasked = len(v.ask)
			if v.partial {
				v.fill(nodes)
			}
			continue
		}
		if err != nil {
			if v == visits[0] || ctx.Err() != nil {
				return err
			}
			v.doc.Err = err
			continue
		}
		for i := range v.doc.Facts.Records {
			rec := &v.doc.Facts.Records[i]
			if rec.Ask != nil && *rec.Ask >= 0 && *rec.Ask < len(v.ask) {
				rec.AX = nodes[v.ask[*rec.Ask]]
				if rec.AX == nil {
					// It has gone since the script saw it.
					rec.AX = &AXNode{Ignored: true, Hidden: true}
				}
			}
		}
		v.doc.nodes = nodes
		if v.partial {
			wait, cancel := v.leaveTime(ctx, v.session == p.Session)
			p.askInner(wait, v)
			cancel()
		}
	}
	return nil
}

// axBuild is how long Chrome takes to make the accessibility tree of a page, for each of
// its elements: measured 16 to 30 µs. Nothing else is answered meanwhile.
const axBuild = 20 * time.Microsecond

// affords tells whether the accessibility tree can answer about a document that is read
// as rows, be it that it has to be made first. Where the time is over before it is,
// asking gains nothing, and keeps the page from answering who asks next.
func (p *Page) affords(ctx context.Context, v *visit) bool {
	end, ok := ctx.Deadline()
	if !ok || len(v.ask) == 0 {
		return true
	}
	p.mu.Lock()
	ps := p.sessions[v.session]
	isOn := ps != nil && ps.ax
	p.mu.Unlock()
	return isOn || canBuild(v.doc.Facts.Total, time.Until(end))
}

func canBuild(elements int, left time.Duration) bool {
	return time.Duration(elements)*axBuild < time.Duration(axShare*float64(left))
}

// fill gives the records what the accessibility tree said of them in time.
func (v *visit) fill(nodes map[int64]*AXNode) {
	for i := range v.doc.Facts.Records {
		rec := &v.doc.Facts.Records[i]
		if rec.Ask != nil && *rec.Ask >= 0 && *rec.Ask < len(v.ask) {
			if rec.AX = nodes[v.ask[*rec.Ask]]; rec.AX != nil {
				v.doc.Facts.Unasked--
			}
		}
	}
	v.doc.nodes = nodes
}
