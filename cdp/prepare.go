package cdp

import (
	"context"
	"errors"
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// prepare gives the frames to read, with our world known in each and each known
// to the element that holds it. In a page read before there is nothing to send.
func (p *Page) prepare(ctx context.Context, r *Reading) ([]*visit, error) {
	p.mu.Lock()
	if p.main == "" {
		p.mu.Unlock()
		return nil, errors.New("the page has no frame yet")
	}
	var visits []*visit
	var order []cdproto.FrameID
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
		v := &visit{frame: f, session: f.session, id: id, parent: f.parent, world: f.world, url: f.url, loader: f.loader}
		if ps := p.sessions[f.session]; ps != nil {
			v.dead, v.late, v.gone = ps.dead, ps.late, ps.gone
		}
		visits = append(visits, v)
	}
	p.mu.Unlock()

	// Worlds that are not known.
	sent := map[*visit]*Pending{}
	for _, v := range visits {
		if v.world == 0 && !v.dead {
			sent[v] = v.session.Go(ctx, page.CommandCreateIsolatedWorld, map[string]any{"frameId": v.id, "worldName": worldName})
		}
	}
	if len(sent) > 0 {
		r.Trips++
	}
	for _, v := range visits {
		c := sent[v]
		if c == nil {
			continue
		}
		var got struct {
			ID runtime.ExecutionContextID `json:"executionContextId"`
		}
		wait, cancel := v.share(ctx, v.session == p.Session)
		err := c.Wait(wait, &got)
		cancel()
		if err != nil {
			if v == visits[0] {
				return nil, fmt.Errorf("entering the page: %w", err)
			}
			continue
		}
		v.world = got.ID
		// What is asked of the script afterwards comes after it.
		v.session.Go(ctx, runtime.CommandEvaluate, map[string]any{"expression": worldScript(), "contextId": v.world, "returnByValue": true})
		p.mu.Lock()
		if v.frame.loader == v.loader && v.frame.session == v.session {
			v.frame.world = got.ID
		}
		p.mu.Unlock()
	}
	p.ownFrames(ctx, r, visits)
	return visits, nil
}

// ownFrames tells each parent's world which element holds which frame.
func (p *Page) ownFrames(ctx context.Context, r *Reading, visits []*visit) {
	byID := map[cdproto.FrameID]*visit{}
	for _, v := range visits {
		byID[v.id] = v
	}
	ctx, cancel := share(ctx, false)
	defer cancel()
	type tie struct {
		v, parent *visit
		call      *Pending
	}
	var ties []*tie
	p.mu.Lock()
	for _, v := range visits {
		up := byID[v.parent]
		if up == nil || up.world == 0 || up.dead || up.late || v.frame.owned == up.world {
			continue
		}
		ties = append(ties, &tie{v: v, parent: up})
	}
	p.mu.Unlock()
	if len(ties) == 0 {
		return
	}
	r.Trips += 3
	for _, t := range ties {
		t.call = t.parent.session.Go(ctx, dom.CommandGetFrameOwner, map[string]any{"frameId": t.v.id})
	}
	for _, t := range ties {
		var got struct {
			Backend int64 `json:"backendNodeId"`
		}
		err := t.call.Wait(ctx, &got)
		t.call = nil
		if err == nil {
			t.call = t.parent.session.Go(ctx, dom.CommandResolveNode, map[string]any{
				"backendNodeId": got.Backend, "executionContextId": t.parent.world, "objectGroup": worldName,
			})
		}
	}
	for _, t := range ties {
		if t.call == nil {
			continue
		}
		var got struct {
			Object struct {
				ID runtime.RemoteObjectID `json:"objectId"`
			} `json:"object"`
		}
		err := t.call.Wait(ctx, &got)
		t.call = nil
		if err == nil {
			t.call = t.parent.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
				"functionDeclaration": "function(token) { webarea.frame(this, token) }",
				"objectId":            got.Object.ID,
				"arguments":           []any{map[string]any{"value": string(t.v.id)}},
				"returnByValue":       true,
			})
		}
	}
	for _, t := range ties {
		if t.call != nil && t.call.Wait(ctx, nil) == nil {
			p.mu.Lock()
			t.v.frame.owned = t.parent.world
			p.mu.Unlock()
		}
	}
	for _, t := range ties {
		t.parent.session.Go(ctx, runtime.CommandReleaseObjectGroup, map[string]any{"objectGroup": worldName})
	}
}
