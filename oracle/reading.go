package oracle

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// A frame is one document with its trees.
type frame struct {
	id    string
	root  *axNode
	doc   domDocument
	inner map[int64]*frame // by the node that holds the frame
}

// A process is a session of the page, or of a frame in another process, with
// the frames that it answers for.
type process struct {
	session *cdp.Session
	parent  *process
	// root is the frame at the top of the process, and frames has all of them.
	root   string
	frames []string

	dom    map[int64]*domNode
	docs   map[string]domDocument
	trees  map[string]*frame
	owners map[int64]*frame
}

// read gets the raw trees of a page and of every frame in it. It attaches a
// session of its own, so that it meets nobody else's, and takes it off again.
func read(ctx context.Context, conn *cdp.Conn, id target.ID) (*frame, error) {
	var attached struct {
		SessionID target.SessionID `json:"sessionId"`
	}
	err := conn.Browser().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached)
	if err != nil {
		return nil, fmt.Errorf("attaching to the page: %w", err)
	}
	defer func() {
		_ = conn.Browser().Call(context.WithoutCancel(ctx), "Target.detachFromTarget", map[string]any{"sessionId": attached.SessionID}, nil)
	}()
	processes, err := explore(ctx, conn.Session(attached.SessionID), string(id))
	if err != nil {
		return nil, err
	}
	for _, p := range processes {
		if err := p.readTrees(ctx); err != nil {
			return nil, fmt.Errorf("reading frame %s: %w", p.root, err)
		}
	}
	if err := join(ctx, processes); err != nil {
		return nil, err
	}
	return processes[0].trees[processes[0].root], nil
}

// explore finds the processes of a page, that of the page first and each after
// the one it lies in.
func explore(ctx context.Context, s *cdp.Session, root string) ([]*process, error) {
	processes := []*process{{session: s, root: root}}
	for i := 0; i < len(processes); i++ {
		p := processes[i]
		found, err := p.attachFrames(ctx)
		if err != nil {
			return nil, err
		}
		processes = append(processes, found...)
	}
	return processes, nil
}

// attachFrames attaches the frames in other processes that lie in this one.
func (p *process) attachFrames(ctx context.Context) ([]*process, error) {
	var mu sync.Mutex
	var found []*process
	cancel := p.session.On("Target.attachedToTarget", func(params jsonv2.Value) {
		var event struct {
			SessionID target.SessionID `json:"sessionId"`
			Info      struct {
				ID   string `json:"targetId"`
				Type string `json:"type"`
			} `json:"targetInfo"`
		}
		if jsonv2.Unmarshal(params, &event) != nil || event.Info.Type != "iframe" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		found = append(found, &process{session: p.session.Conn().Session(event.SessionID), parent: p, root: event.Info.ID})
	})
	defer cancel()
	err := p.session.Call(ctx, "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, nil)
	if err != nil {
		return nil, fmt.Errorf("attaching the frames of %s: %w", p.root, err)
	}
	mu.Lock()
	defer mu.Unlock()
	return found, nil
}

// readTrees reads the accessibility tree of each frame, then one snapshot.
func (p *process) readTrees(ctx context.Context) error {
	for _, domain := range []string{"DOM.enable", "Accessibility.enable"} {
		if err := p.session.Call(ctx, domain, nil, nil); err != nil {
			return err
		}
	}
	if err := p.listFrames(ctx); err != nil {
		return err
	}
	p.root = p.frames[0]
	pending := make([]*cdp.Pending, len(p.frames))
	for i, id := range p.frames {
		params := map[string]any{}
		if id != p.root {
			params["frameId"] = id
		}
		pending[i] = p.session.Go(ctx, "Accessibility.getFullAXTree", params)
	}
	raw := make([]accessibility.GetFullAXTreeResult, len(p.frames))
	for i, call := range pending {
		if err := call.Wait(ctx, &raw[i]); err != nil {
			return err
		}
	}
	if err := p.snapshot(ctx); err != nil {
		return err
	}
	p.trees, p.owners = map[string]*frame{}, map[int64]*frame{}
	for i, id := range p.frames {
		p.trees[id] = &frame{id: id, root: linkTree(raw[i].Nodes, p.dom), doc: p.docs[id], inner: p.owners}
	}
	return nil
}

func (p *process) listFrames(ctx context.Context) error {
	type tree struct {
		Frame struct {
			ID string `json:"id"`
		} `json:"frame"`
		Children []jsonv2.Value `json:"childFrames"`
	}
	var answer struct {
		Tree jsonv2.Value `json:"frameTree"`
	}
	if err := p.session.Call(ctx, "Page.getFrameTree", nil, &answer); err != nil {
		return err
	}
	for waiting := []jsonv2.Value{answer.Tree}; len(waiting) > 0; waiting = waiting[1:] {
		var t tree
		if err := jsonv2.Unmarshal(waiting[0], &t, jsonv2.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("reading the frame tree: %w", err)
		}
		p.frames = append(p.frames, t.Frame.ID)
		waiting = append(waiting, t.Children...)
	}
	return nil
}

func (p *process) snapshot(ctx context.Context) error {
	var result domsnapshot.CaptureSnapshotResult
	if err := p.session.Call(ctx, "DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": snapshotStyles}, &result); err != nil {
		return err
	}
	p.dom, p.docs = map[int64]*domNode{}, map[string]domDocument{}
	for _, doc := range readSnapshot(&result) {
		p.docs[doc.frame] = doc
		for i, id := range doc.ids {
			p.dom[id] = doc.nodes[i]
		}
	}
	return nil
}

// join ties each frame to the node that holds it.
func join(ctx context.Context, processes []*process) error {
	for _, p := range processes {
		for _, id := range p.frames {
			holder := p
			if id == p.root {
				holder = p.parent
			}
			if holder == nil {
				continue
			}
			var owner struct {
				Backend int64 `json:"backendNodeId"`
			}
			if err := holder.session.Call(ctx, "DOM.getFrameOwner", map[string]any{"frameId": id}, &owner); err != nil {
				return fmt.Errorf("finding the owner of frame %s: %w", id, err)
			}
			holder.owners[owner.Backend] = p.trees[id]
		}
	}
	return nil
}
