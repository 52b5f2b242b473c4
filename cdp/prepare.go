package cdp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// prepare gives the frames to read, with our world known in each and each known
// to the element that holds it. In a page read before there is nothing to send.
func (p *Page) prepare(ctx context.Context, r *Reading) ([]*visit, error) {
	visits, err := p.visits()
	if err != nil {
		return nil, err
	}
	return visits, p.ready(ctx, r, visits, false)
}

// prepareQuietly is prepare for nobody that waits, one at a time. Frames whose documents
// are still to come are left to those.
func (p *Page) prepareQuietly(ctx context.Context) ([]*visit, error) {
	select {
	case p.quiet <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.quiet }()
	visits, err := p.visits()
	if err != nil {
		return nil, err
	}
	visits = slices.DeleteFunc(visits, func(v *visit) bool { return v.loader == "" && v.parent != "" })
	return visits, p.ready(ctx, &Reading{}, visits, true)
}

func (p *Page) ready(ctx context.Context, r *Reading, visits []*visit, quiet bool) error {
	e := p.enter(ctx, visits, quiet)
	holdings := p.askOwners(ctx, visits)
	if err := p.entered(ctx, r, e); err != nil {
		return err
	}
	p.tie(ctx, r, visits, holdings)
	return nil
}

// visits gives the frames to read.
func (p *Page) visits() ([]*visit, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.main == "" {
		return nil, errors.New("the page has no frame yet")
	}
	var visits []*visit
	var order []cdproto.FrameID
	reader := lastReader.Add(1)
	group := worldName + "." + strconv.FormatInt(reader, 10)
	order = append(order, p.main)
	for _, id := range p.order {
		if id != p.main {
			order = append(order, id)
		}
	}
	for _, id := range order {
		f := p.frames[id]
		if f == nil || f.session == nil {
			continue
		}
		v := &visit{frame: f, session: f.session, reader: reader, group: group, id: id, parent: f.parent, world: f.world, url: f.url, loader: f.loader}
		if ps := p.sessions[f.session]; ps != nil {
			v.dead, v.late, v.gone = ps.dead, ps.late, ps.gone
		}
		visits = append(visits, v)
	}
	return visits, nil
}

// An entry is our world on its way into the frames where it is not known.
type entry struct {
	visits []*visit
	worlds map[*visit]*Pending
	bringing
}

// enter asks for the worlds that are not known. Nothing is waited for.
func (p *Page) enter(ctx context.Context, visits []*visit, quiet bool) *entry {
	e := &entry{visits: visits, worlds: map[*visit]*Pending{}, bringing: p.bring(ctx, visits, quiet)}
	for _, v := range visits {
		if v.world == 0 && !v.dead {
			e.worlds[v] = v.session.Go(ctx, page.CommandCreateIsolatedWorld, map[string]any{"frameId": v.id, "worldName": worldName})
		}
	}
	return e
}

// entered waits until our world is known in each frame, with our script in it.
func (p *Page) entered(ctx context.Context, r *Reading, e *entry) error {
	defer p.endBringing(ctx, e.bringing)
	if len(e.worlds) > 0 {
		r.Trips++
	}
	for _, v := range e.visits {
		c := e.worlds[v]
		if c == nil {
			continue
		}
		var got struct {
			ID runtime.ExecutionContextID `json:"executionContextId"`
		}
		wait, cancel := v.share(ctx, v.session == p.Session)
		err := c.Wait(wait, &got)
		if err == nil {
			v.world = got.ID
			p.give(wait, v, e.bringing)
		}
		cancel()
		if err != nil {
			if v == e.visits[0] {
				return fmt.Errorf("entering the page: %w", err)
			}
			continue
		}
		p.mu.Lock()
		if v.frame.loader == v.loader && v.frame.session == v.session {
			v.frame.world, v.frame.bound = got.ID, 0
		}
		p.mu.Unlock()
	}
	return nil
}

// A holding is a frame whose element the parent's world has not been told of.
type holding struct {
	frame, parent *visit
	call          *Pending
	asked         bool  // the call has been waited for
	element       int64 // the backend id of the element that holds the frame; 0: not known
	told          bool
}

// askOwners asks which elements hold the frames of which that is not known. Nothing
// is waited for: it needs no world, and travels with what is sent next.
func (p *Page) askOwners(ctx context.Context, visits []*visit) []*holding {
	byID := map[cdproto.FrameID]*visit{}
	for _, v := range visits {
		byID[v.id] = v
	}
	var all []*holding
	p.mu.Lock()
	for _, v := range visits {
		up := byID[v.parent]
		if up == nil || up.dead || up.late || (up.world != 0 && v.frame.owned == up.world) {
			continue
		}
		all = append(all, &holding{frame: v, parent: up})
	}
	p.mu.Unlock()
	for _, h := range all {
		h.call = h.parent.session.Go(ctx, dom.CommandGetFrameOwner, map[string]any{"frameId": h.frame.id})
	}
	return all
}

// waitOwners waits for the answers, a share of the time.
func waitOwners(ctx context.Context, all []*holding) {
	ctx, cancel := share(ctx, false)
	defer cancel()
	for _, h := range all {
		if h.asked {
			continue
		}
		h.asked = true
		var got struct {
			Backend int64 `json:"backendNodeId"`
		}
		if h.call.Wait(ctx, &got) == nil {
			h.element = got.Backend
		}
	}
}

// join gives the records of a document the frames that their elements hold, where
// the script had not been told. It reports whether some could not be named that way.
func (v *visit) join(all []*holding) (untold bool) {
	byElement := map[int64]*visit{}
	for _, h := range all {
		if h.parent == v && h.element != 0 && !h.told {
			byElement[h.element] = h.frame
		}
	}
	if len(byElement) == 0 {
		return false
	}
	facts := &v.doc.Facts
	for i := range facts.Records {
		rec := &facts.Records[i]
		switch {
		case rec.More().Holder == nil:
		case *rec.More().Holder < 0:
			untold = true
		case *rec.More().Holder < len(v.holders):
			if in := byElement[v.holders[*rec.More().Holder]]; in != nil {
				rec.own().Frame = string(in.id)
			}
		}
	}
	held := func(i int) string {
		if i < 0 || i >= len(facts.Records) {
			return ""
		}
		return facts.Records[i].More().Frame
	}
	if facts.Focus != nil && facts.Focus.Frame == "" {
		facts.Focus.Frame = held(facts.Focus.Record)
	}
	if facts.Hover != nil && facts.Hover.Frame == "" {
		facts.Hover.Frame = held(facts.Hover.Record)
	}
	return untold
}

// tie tells each parent's world which element holds which frame.
func (p *Page) tie(ctx context.Context, r *Reading, visits []*visit, all []*holding) {
	if len(all) == 0 {
		return
	}
	ctx, cancel := share(ctx, false)
	defer cancel()
	r.Trips += 3
	waitOwners(ctx, all)
	for _, h := range all {
		h.call = nil
		if h.element != 0 && h.parent.world != 0 && !h.told {
			h.call = h.parent.session.Go(ctx, dom.CommandResolveNode, map[string]any{
				"backendNodeId": h.element, "executionContextId": h.parent.world, "objectGroup": h.parent.group,
			})
		}
	}
	for _, h := range all {
		if h.call == nil {
			continue
		}
		var got struct {
			Object struct {
				ID runtime.RemoteObjectID `json:"objectId"`
			} `json:"object"`
		}
		err := h.call.Wait(ctx, &got)
		h.call = nil
		if err == nil {
			h.call = h.parent.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
				"functionDeclaration": "function(token) { webarea.frame(this, token) }",
				"objectId":            got.Object.ID,
				"arguments":           []any{map[string]any{"value": string(h.frame.id)}},
				"returnByValue":       true,
			})
		}
	}
	for _, h := range all {
		if h.call != nil && h.call.Wait(ctx, nil) == nil {
			h.told = true
			p.mu.Lock()
			h.frame.frame.owned = h.parent.world
			p.mu.Unlock()
		}
	}
	release(ctx, visits)
}

// lastReader numbers those who read: what one has the browser keep, and lets go of, is
// not what another, at the same time, still wants.
var lastReader atomic.Int64

// release has the browser let go of what these visits had it keep.
func release(ctx context.Context, visits []*visit) {
	released := map[*Session]bool{}
	for _, v := range visits {
		if !released[v.session] {
			released[v.session] = true
			v.session.Go(ctx, runtime.CommandReleaseObjectGroup, map[string]any{"objectGroup": v.group})
		}
	}
}
