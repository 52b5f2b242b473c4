package cdp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
)

// axIdle is how long accessibility stays on after the last read: long enough for
// the next question of a conversation, since switching it on costs up to seconds
// on a large page, and it costs a busy page time while it is on.
const axIdle = 30 * time.Second

// An AXNode is what one read needs of a node of the accessibility tree.
type AXNode struct {
	Ignored bool
	// Hidden says that it is ignored for not being drawn, or being out of bounds.
	Hidden      bool
	Role        int    // chromeRole, -1 where Chrome does not tell
	RoleWord    string // role.value
	Name        string
	Description string
	Value       string
	Properties  map[string]any // by name, their plain values
	Leaf        bool           // it has no children
	Backend     int64
}

type axWire struct {
	Ignored bool `json:"ignored"`
	Reasons []struct {
		Name string `json:"name"`
	} `json:"ignoredReasons"`
	Role       *axValue `json:"role"`
	ChromeRole *axValue `json:"chromeRole"`
	Name       *axValue `json:"name"`
	Desc       *axValue `json:"description"`
	Value      *axValue `json:"value"`
	Properties []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
	ChildIDs []string `json:"childIds"`
	Backend  int64    `json:"backendDOMNodeId"`
}

type axValue struct {
	Value any `json:"value"`
}

type axAnswer struct {
	Nodes []axWire `json:"nodes"`
}

func (v *axValue) text() string {
	if v == nil {
		return ""
	}
	switch s := v.Value.(type) {
	case string:
		return s
	case nil:
		return ""
	default:
		b, err := json.Marshal(s)
		if err != nil {
			return ""
		}
		return string(b)
	}
}

func (w *axWire) node() *AXNode {
	n := &AXNode{Ignored: w.Ignored, Role: -1, RoleWord: w.Role.text(), Name: w.Name.text(), Description: w.Desc.text(), Value: w.Value.text(),
		Leaf: len(w.ChildIDs) == 0, Backend: w.Backend}
	if w.ChromeRole != nil {
		if f, ok := w.ChromeRole.Value.(float64); ok {
			n.Role = int(f)
		}
	}
	for _, r := range w.Reasons {
		n.Hidden = n.Hidden || hiding[r.Name]
	}
	for _, p := range w.Properties {
		if n.Properties == nil {
			n.Properties = map[string]any{}
		}
		n.Properties[p.Name] = p.Value.Value
	}
	return n
}

// hiding are the reasons for which a node is ignored with all that is in it.
var hiding = map[string]bool{"notRendered": true, "notVisible": true, "ariaHiddenElement": true, "ariaHiddenSubtree": true,
	"inertElement": true, "inertSubtree": true}

// wholeTreeShare is from which share of a document's elements on the whole tree
// is asked for at once: a node on its own costs about three times its part of
// the whole. Below wholeTreeMin the difference is lost in what any call costs.
const (
	wholeTreeShare = 0.3
	wholeTreeMin   = 20
	// wholeRowsShare is the same for the rows of a page of more than quickTree elements,
	// of which what is told in time is taken: of the whole tree nothing is before all
	// of it, and all of that of a smaller page comes in tens of milliseconds.
	wholeRowsShare = 0.6
	quickTree      = 3000
)

// axQuery is what was asked about one frame's elements and is not answered yet.
type axQuery struct {
	single []*Pending
	whole  *Pending
	ids    []int64
	// lost are those that the whole tree is without, once it has come.
	lost []int64
}

// askAX sends the questions about the nodes, all together. share is from which share of
// all elements on the whole tree is asked for.
func askAX(ctx context.Context, s *Session, id cdproto.FrameID, ids []int64, total int, share float64) *axQuery {
	if len(ids) >= wholeTreeMin && float64(len(ids)) >= share*float64(total) {
		return &axQuery{ids: ids, whole: s.Go(ctx, accessibility.CommandGetFullAXTree, map[string]any{"frameId": id})}
	}
	return askEach(ctx, s, ids)
}

// askEach sends a question about each of the nodes.
func askEach(ctx context.Context, s *Session, ids []int64) *axQuery {
	q := &axQuery{ids: ids}
	for _, n := range ids {
		q.single = append(q.single, s.Go(ctx, accessibility.CommandGetPartialAXTree, map[string]any{
			"backendNodeId": n, "fetchRelatives": false,
		}))
	}
	return q
}

// wait gives the answers by backend node id, also beside an error those that came. A
// node that has gone meanwhile has none.
func (q *axQuery) wait(ctx context.Context) (map[int64]*AXNode, error) {
	out := make(map[int64]*AXNode, len(q.ids))
	if q.whole != nil {
		var a axAnswer
		if err := q.whole.Wait(ctx, &a); err != nil {
			return nil, err
		}
		wanted := make(map[int64]bool, len(q.ids))
		for _, id := range q.ids {
			wanted[id] = true
		}
		for i := range a.Nodes {
			if id := a.Nodes[i].Backend; wanted[id] {
				out[id] = a.Nodes[i].node()
			}
		}
		// An ignored node without reported descendants is not on the whole tree.
		for _, id := range q.ids {
			if out[id] == nil {
				out[id] = &AXNode{Ignored: true, Leaf: true, Backend: id}
				q.lost = append(q.lost, id)
			}
		}
		return out, nil
	}
	for i, c := range q.single {
		var a axAnswer
		if err := c.Wait(ctx, &a); err != nil {
			if _, refused := asCallError(err); refused {
				continue
			}
			return out, err
		}
		if len(a.Nodes) > 0 {
			out[q.ids[i]] = a.Nodes[0].node()
		}
	}
	return out, nil
}

// wakeAX switches accessibility on where it is off and puts off the time at which
// it is switched off. The calls go out before whatever is sent next.
func (p *Page) wakeAX(ctx context.Context, sessions []*Session) {
	if len(sessions) == 0 {
		return
	}
	p.mu.Lock()
	for _, s := range sessions {
		if ps := p.sessions[s]; ps != nil && !ps.ax {
			ps.ax = true
			s.Go(context.WithoutCancel(ctx), accessibility.CommandEnable, nil)
		}
	}
	p.mu.Unlock()
	p.axMu.Lock()
	defer p.axMu.Unlock()
	if p.ctx.Err() != nil {
		return
	}
	if p.axTimer == nil {
		p.axTimer = time.AfterFunc(axIdle, p.restAX)
	} else {
		p.axTimer.Reset(axIdle)
	}
}

// restAX switches accessibility off everywhere.
func (p *Page) restAX() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ps := range p.sessions {
		if ps.ax {
			ps.ax = false
			ps.session.Go(p.ctx, accessibility.CommandDisable, nil)
		}
	}
}
