package cdp

import (
	"context"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
)

// An Inner is a part of one of the browser's own controls: a field of a date, a button
// of a player. No script reaches it.
type Inner struct {
	AX *AXNode
	// Bounds are x, y, width and height in the document's viewport; empty where that is
	// not known.
	Bounds []float64
}

// composed are the roles of controls that the browser puts together of others.
var composed = map[string]bool{"Date": true, "DateTime": true, "InputTime": true, "Video": true, "Audio": true}

const (
	// maxComposed bounds of how many controls of a document the parts are asked for:
	// more than a form has, or a page plays.
	maxComposed = 30

	// maxInner bounds the parts of one control.
	maxInner = 120
)

// askInner asks for the parts of the controls in a document that was read as rows.
func (p *Page) askInner(ctx context.Context, v *visit) {
	type part struct {
		rec   *Record
		ax    *Pending
		quads *Pending
	}
	// Chrome gives places in the viewport of the frame at the top of a process.
	top := v.parent == "" || v.session != p.Session && p.owns(v.session, v)
	var described []struct {
		rec  *Record
		call *Pending
	}
	for i := range v.doc.Facts.Records {
		rec := &v.doc.Facts.Records[i]
		if ax := rec.AX; ax == nil || ax.Ignored || ax.Leaf || !composed[ax.RoleWord] || ax.Backend == 0 || rec.Flags.Has(Secret) || rec.Flags.Has(Hides) || rec.Flags.Has(Tainted) {
			continue
		}
		if len(described) >= maxComposed {
			v.doc.Facts.Left++
			continue
		}
		call := v.session.Go(ctx, dom.CommandDescribeNode, map[string]any{"backendNodeId": rec.AX.Backend, "depth": -1, "pierce": true})
		described = append(described, struct {
			rec  *Record
			call *Pending
		}{rec, call})
	}
	var parts []part
	for _, d := range described {
		var got struct {
			Node describedNode `json:"node"`
		}
		if d.call.Wait(ctx, &got) != nil {
			v.doc.Facts.Unasked++
			continue
		}
		for _, id := range got.Node.inner(nil) {
			one := part{rec: d.rec, ax: v.session.Go(ctx, accessibility.CommandGetPartialAXTree, map[string]any{"backendNodeId": id, "fetchRelatives": false})}
			if top {
				one.quads = v.session.Go(ctx, dom.CommandGetContentQuads, map[string]any{"backendNodeId": id})
			}
			parts = append(parts, one)
		}
	}
	for _, one := range parts {
		var a axAnswer
		if err := one.ax.Wait(ctx, &a); err != nil {
			if _, refused := asCallError(err); !refused {
				v.doc.Facts.Unasked++
			}
			continue
		}
		if len(a.Nodes) == 0 || a.Nodes[0].Ignored {
			continue
		}
		inner := Inner{AX: a.Nodes[0].node()}
		var quads struct {
			Quads [][]float64 `json:"quads"`
		}
		if one.quads != nil && one.quads.Wait(ctx, &quads) == nil && len(quads.Quads) > 0 && len(quads.Quads[0]) == 8 {
			q := quads.Quads[0]
			r := corners{{q[0], q[1]}, {q[2], q[3]}, {q[4], q[5]}, {q[6], q[7]}}.around()
			inner.Bounds = []float64{r.X, r.Y, r.Width, r.Height}
		}
		one.rec.own().Inner = append(one.rec.own().Inner, inner)
	}
}

// owns tells whether a frame is the one that a session was attached for.
func (p *Page) owns(s *Session, v *visit) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	ps := p.sessions[s]
	return ps != nil && ps.owner == v.id
}

type describedNode struct {
	Type     int             `json:"nodeType"`
	Backend  int64           `json:"backendNodeId"`
	Children []describedNode `json:"children"`
	Shadow   []describedNode `json:"shadowRoots"`
}

// inner gives the elements in the shadow trees of a node, in order.
func (n *describedNode) inner(all []int64) []int64 {
	for i := range n.Shadow {
		for k := range n.Shadow[i].Children {
			all = n.Shadow[i].Children[k].elements(all)
		}
	}
	return all
}

func (n *describedNode) elements(all []int64) []int64 {
	if n.Type != 1 || len(all) >= maxInner {
		return all
	}
	all = append(all, n.Backend)
	all = n.inner(all)
	for i := range n.Children {
		all = n.Children[i].elements(all)
	}
	return all
}
