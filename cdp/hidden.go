package cdp

import (
	"context"
	"errors"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// hidden is what must not be seen of a page.
type hidden struct {
	areas []Rect // in the page's viewport, also what is outside it
	view  *Viewport
	// moved says that it was elsewhere since the watch began, or that it is not known
	// where it is.
	moved bool
}

// watchStep begins or ends a watch over what must not be seen, in every frame.
type watchStep struct {
	Begin int64 `json:"begin,omitempty"`
	End   int64 `json:"end,omitempty"`
}

// lastWatch numbers the watches, of which a page may have several at a time.
var lastWatch atomic.Int64

// hiddenAreas gives everything that must not be seen, in all frames; a frame that
// does not answer is covered whole.
func (p *Page) hiddenAreas(ctx context.Context, step watchStep) (*hidden, error) {
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	visits, err := p.prepare(ctx, &Reading{})
	if err != nil {
		return nil, err
	}
	links := map[cdproto.FrameID]link{}
	parents := map[cdproto.FrameID]cdproto.FrameID{}
	asked := map[cdproto.FrameID]answer{}
	places := map[cdproto.FrameID]answer{}
	for _, v := range visits {
		parents[v.id] = v.parent
		if v.world != 0 && !v.dead {
			l := link{v.id, v.session, v.world}
			links[v.id] = l
			asked[v.id] = l.ask(ctx, "hiddenBoxes", step)
		}
	}
	main, ok := links[visits[0].id]
	if !ok {
		return nil, ErrCrashed
	}
	for _, v := range visits[1:] {
		if up, ok := links[v.parent]; ok {
			places[v.id] = up.ask(ctx, "frameAt", string(v.id))
		}
	}
	view := p.askViewport(ctx, main)
	out := &hidden{}
	steps := map[cdproto.FrameID]*frameStep{}
	for _, v := range visits[1:] {
		a, ok := places[v.id]
		if !ok {
			continue
		}
		var s *frameStep
		wait, cancel := v.share(ctx, false)
		err := a.value(wait, &s)
		cancel()
		switch {
		case err == nil:
			steps[v.id] = s
		case ctx.Err() != nil:
			return nil, err
		}
	}
	wayOf := func(id cdproto.FrameID) *frameWay {
		w := &frameWay{}
		for n := 0; id != visits[0].id; id, n = parents[id], n+1 {
			s := steps[id]
			if s == nil || n > maxFrames {
				return nil
			}
			w.steps = append(w.steps, *s)
		}
		return w
	}
	framesMoved := false
	for _, v := range visits {
		var got struct {
			Boxes       [][]float64 `json:"boxes"`
			Moved       bool        `json:"moved"`
			FramesMoved bool        `json:"framesMoved"`
		}
		way := wayOf(v.id)
		err := errors.New("not reached")
		if a, ok := asked[v.id]; ok {
			wait, cancel := v.share(ctx, v == visits[0])
			err = a.value(wait, &got)
			cancel()
		}
		if err != nil {
			if v == visits[0] || ctx.Err() != nil {
				return nil, err
			}
			// Nothing is known of what is in it. Without a place it is in a frame that is
			// covered itself, or has gone.
			if way != nil {
				r, ok := way.whole(Rect{0, 0, way.steps[0].Width, way.steps[0].Height})
				if ok {
					out.areas = append(out.areas, r)
				}
			}
			continue
		}
		out.moved = out.moved || got.Moved
		framesMoved = framesMoved || got.FramesMoved
		if way == nil {
			continue
		}
		for _, b := range got.Boxes {
			if r, ok := way.whole(rectOf(b)); ok {
				out.areas = append(out.areas, r)
			}
		}
	}
	out.moved = out.moved || framesMoved && len(out.areas) > 0
	if out.view, err = view.wait(ctx); err != nil {
		return nil, err
	}
	return out, nil
}

// endWatch ends a watch whose picture was not taken, without waiting.
func (p *Page) endWatch(ctx context.Context, watch int64) {
	p.tellAll(ctx, "hiddenBoxes", watchStep{End: watch})
}

// tellAll calls a function of our script in every frame that has it, without waiting.
func (p *Page) tellAll(ctx context.Context, function string, arg any) {
	ctx = context.WithoutCancel(ctx)
	var links []link
	p.mu.Lock()
	for _, f := range p.frames {
		if f.session != nil && f.world != 0 {
			links = append(links, link{f.id, f.session, f.world})
		}
	}
	p.mu.Unlock()
	for _, l := range links {
		l.ask(ctx, function, arg)
	}
}

// openClosed opens the closed shadow roots that no reading has met, so that what is
// in them can be covered, and tells how many there were.
func (p *Page) openClosed(ctx context.Context) (opened int, err error) {
	visits, err := p.prepare(ctx, &Reading{})
	if err != nil {
		return 0, err
	}
	defer release(ctx, visits)
	todo := visits
	for range maxClosedDepth {
		for _, v := range todo {
			v.call = nil
			if v.world != 0 && !v.dead {
				v.call = v.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
					"functionDeclaration": "function(reader) { return webarea.possibleHosts(reader) }",
					"executionContextId":  v.world,
					"arguments":           []any{map[string]any{"value": v.reader}},
					"objectGroup":         v.group,
					"serializationOptions": map[string]any{
						"serialization":        "deep",
						"additionalParameters": map[string]any{"maxNodeDepth": 0, "includeShadowTree": "all"},
					},
				})
			}
		}
		var named []*visit
		for _, v := range todo {
			if v.call == nil {
				continue
			}
			wait, cancel := v.share(ctx, v == visits[0])
			err := v.decodeHosts(wait)
			cancel()
			if err != nil && (v == visits[0] || ctx.Err() != nil) {
				return opened, err
			}
			if err == nil {
				named = append(named, v)
			}
		}
		todo = p.openHosts(ctx, named)
		for _, v := range todo {
			opened += len(v.hosts)
		}
		if len(todo) == 0 {
			break
		}
	}
	return opened, nil
}

// decodeHosts takes the hosts of closed shadow roots among the elements named.
func (v *visit) decodeHosts(ctx context.Context) error {
	var got struct {
		Result struct {
			Deep deepValue `json:"deepSerializedValue"`
		} `json:"result"`
	}
	if err := v.call.Wait(ctx, &got); err != nil {
		return err
	}
	nodes, err := deepNodes(got.Result.Deep.Value)
	if err != nil {
		return err
	}
	v.hosts, v.gave = nil, len(nodes) > 0
	for _, n := range nodes {
		if s := n.Value.Shadow; s != nil && s.Value.Mode == "closed" && s.Value.Backend != 0 {
			v.hosts = append(v.hosts, closedHost{n.Value.Backend, s.Value.Backend})
		}
	}
	return nil
}
