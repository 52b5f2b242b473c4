package cdp

import (
	"context"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// What style sheets make before, after and beside elements has boxes that no script is
// told of: the browser says where they are, and our script then what of them is seen.

// layoutMade is the kind of an item that stands for one in what our script tells.
const layoutMade = "made"

// maxMade bounds how many of all documents are placed: more than a person sees at once.
const maxMade = 1000

// placeMade gives what style sheets made its rectangles, in the coordinates of its document.
// What is not seen, or cannot be placed, is left out.
func (p *Page) placeMade(ctx context.Context, visits []*visit, answers map[cdproto.FrameID]*layoutAnswer) {
	type pseudo struct {
		kind  string
		of    int // number of the element, among those of its document
		quads *Pending
	}
	byID := map[cdproto.FrameID]*visit{}
	nodes := map[*visit]*Pending{}
	left := maxMade
	for _, v := range visits {
		byID[v.id] = v
		if a := answers[v.id]; a != nil && a.made() > 0 {
			nodes[v] = v.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
				"functionDeclaration": "function(reader) { return [\"{}\", webarea.made(reader), [], []] }",
				"executionContextId":  v.world,
				"arguments":           []any{map[string]any{"value": v.reader}},
				"objectGroup":         v.group,
				"serializationOptions": map[string]any{
					"serialization":        "deep",
					"additionalParameters": map[string]any{"maxNodeDepth": 0, "includeShadowTree": "none"},
				},
			})
		}
	}
	if len(nodes) == 0 {
		return
	}
	defer release(ctx, visits)
	described := map[*visit][]*Pending{}
	for v, call := range nodes {
		v.call, v.doc = call, &Document{}
		if v.decode(ctx) != nil {
			continue
		}
		for _, id := range v.ask {
			if left--; left < 0 {
				break
			}
			described[v] = append(described[v], v.session.Go(ctx, dom.CommandDescribeNode, map[string]any{"backendNodeId": id, "depth": 0}))
		}
	}
	placed := map[*visit][]pseudo{}
	for v, calls := range described {
		for i, c := range calls {
			var got struct {
				Node struct {
					Pseudos []struct {
						Type    string `json:"pseudoType"`
						Backend int64  `json:"backendNodeId"`
					} `json:"pseudoElements"`
				} `json:"node"`
			}
			if c.Wait(ctx, &got) != nil {
				continue
			}
			for _, ps := range got.Node.Pseudos {
				if ps.Backend != 0 {
					placed[v] = append(placed[v], pseudo{ps.Type, i, v.session.Go(ctx, dom.CommandGetContentQuads, map[string]any{"backendNodeId": ps.Backend})})
				}
			}
		}
	}
	for v, all := range placed {
		a := answers[v.id]
		steps, pinched := stepsWithin(v, byID, answers)
		var boxes [][]float64
		var items []int
		for _, one := range all {
			var got struct {
				Quads [][]float64 `json:"quads"`
			}
			item := a.madeItem(one.of, one.kind)
			if one.quads.Wait(ctx, &got) != nil || len(got.Quads) == 0 || item < 0 || steps == nil {
				continue
			}
			r := Rect{}
			for i, q := range got.Quads {
				if len(q) != 8 {
					continue
				}
				at := corners{{q[0], q[1]}, {q[2], q[3]}, {q[4], q[5]}, {q[6], q[7]}}.moved(pinched)
				for k := len(steps) - 1; k >= 0; k-- {
					at = steps[k].down(at)
				}
				if i == 0 {
					r = at.around()
				} else {
					r = r.with(at.around())
				}
			}
			boxes = append(boxes, []float64{float64(one.of), r.X, r.Y, r.X + r.Width, r.Y + r.Height})
			items = append(items, item)
		}
		var seen [][]float64
		if len(boxes) == 0 || (link{v.id, v.session, v.world}).ask(ctx, "seeMade", map[string]any{"reader": v.reader, "boxes": boxes}).value(ctx, &seen) != nil || len(seen) != len(items) {
			continue
		}
		for i, item := range items {
			a.Items[item].Rect = seen[i]
		}
	}
}

// made counts the items that stand for what style sheets made.
func (a *layoutAnswer) made() int {
	n := 0
	for i := range a.Items {
		if a.Items[i].Kind == layoutMade {
			n++
		}
	}
	return n
}

// madeItem finds the item that stands for what was made of an element; -1: none.
func (a *layoutAnswer) madeItem(of int, kind string) int {
	for i := range a.Items {
		if item := &a.Items[i]; item.Kind == layoutMade && item.Of == of && item.Which == kind {
			return i
		}
	}
	return -1
}

// stepsWithin gives the steps from a document to the one at the top of its process, in
// whose coordinates the browser tells places, less what a pinch has moved; no steps where
// the way is not known.
func stepsWithin(v *visit, byID map[cdproto.FrameID]*visit, answers map[cdproto.FrameID]*layoutAnswer) (steps []frameStep, pinched []float64) {
	steps = []frameStep{}
	for n := 0; n <= maxFrames && answers[v.id] != nil; n++ {
		up := byID[v.parent]
		if up == nil || up.session != v.session {
			return steps, answers[v.id].Pinched
		}
		step := answers[up.id].step(v.id)
		if step == nil {
			return nil, nil
		}
		steps = append(steps, *step)
		v = up
	}
	return nil, nil
}

// moved moves corners by x and y.
func (q corners) moved(by []float64) corners {
	if len(by) != 2 {
		return q
	}
	for i, p := range q {
		q[i] = [2]float64{p[0] + by[0], p[1] + by[1]}
	}
	return q
}

// step gives the way from a frame to the document that an answer is of; nil: it is not
// seen there.
func (a *layoutAnswer) step(frame cdproto.FrameID) *frameStep {
	if a == nil {
		return nil
	}
	for i := range a.Items {
		if a.Items[i].Kind == layoutFrame && a.Items[i].Frame == string(frame) {
			return a.Items[i].Step
		}
	}
	return nil
}

// down brings corners from the parent to a frame.
func (s frameStep) down(q corners) corners {
	m := s.Matrix
	by := m[0]*m[3] - m[1]*m[2]
	if by == 0 {
		return corners{}
	}
	for i, p := range q {
		x, y := p[0]-m[4], p[1]-m[5]
		q[i] = [2]float64{(x*m[3] - y*m[2]) / by, (y*m[0] - x*m[1]) / by}
	}
	return q
}

// with is the rectangle around two.
func (r Rect) with(o Rect) Rect {
	x, y := min(r.X, o.X), min(r.Y, o.Y)
	return Rect{x, y, max(r.X+r.Width, o.X+o.Width) - x, max(r.Y+r.Height, o.Y+o.Height) - y}
}
