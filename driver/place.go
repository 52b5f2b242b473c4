package driver

import (
	"context"
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// worldName is the name of the world that acts run in, apart from the page's own
// scripts and from everybody else's.
const worldName = "webarea-driver"

// maxPlaces bounds the out-of-process frames that are looked into.
const maxPlaces = 100

// A place is the part of a page that lives in one process: the page itself, or a
// frame that has a process of its own, with the frames of that same process in
// it.
type place struct {
	session *cdp.Session
	page    *cdp.Session // where dialogs are told of
	frame   cdproto.FrameID
	world   runtime.ExecutionContextID
	frames  []cdproto.FrameID // all that are in this place
	parent  *place            // nil for the page itself
}

// openPlace makes a world for the acts in the place that a session is of. Scripts
// in it may look into frames of other origins.
func openPlace(ctx context.Context, s, pageSession *cdp.Session, parent *place) (*place, error) {
	p := &place{session: s, page: pageSession, parent: parent}
	var tree page.GetFrameTreeResult
	if err := p.call(ctx, page.CommandGetFrameTree, nil, &tree); err != nil {
		return nil, err
	}
	p.frame = tree.FrameTree.Frame.ID
	p.frames = framesOf(tree.FrameTree, nil)
	yes := true
	var world page.CreateIsolatedWorldResult
	err := p.call(ctx, page.CommandCreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID:             p.frame,
		WorldName:           worldName,
		GrantUniveralAccess: &yes,
	}, &world)
	p.world = world.ExecutionContextID
	return p, err
}

func framesOf(tree *page.FrameTree, list []cdproto.FrameID) []cdproto.FrameID {
	list = append(list, tree.Frame.ID)
	for _, child := range tree.ChildFrames {
		list = framesOf(child, list)
	}
	return list
}

func (p *place) call(ctx context.Context, method string, params, result any) error {
	return callUnlessDialog(ctx, p.page, p.session.Go, method, params, result)
}

// run calls a function of the script and decodes what it answers.
func (p *place) run(ctx context.Context, function string, args []any, result any) error {
	list, err := jsonv2.Marshal(args, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	return evaluate(ctx, p, runtime.EvaluateParams{
		ContextID:  p.world,
		Expression: fmt.Sprintf("%s.%s(...%s)", actsScript, function, list),
	}, result)
}

// runOnOwner calls a function of the script, in the place around this one, with
// the element that shows this one.
func (p *place) runOnOwner(ctx context.Context, function string, result any) error {
	var owner dom.GetFrameOwnerResult
	if err := p.parent.call(ctx, dom.CommandGetFrameOwner, dom.GetFrameOwnerParams{FrameID: p.frame}, &owner); err != nil {
		return err
	}
	var node dom.ResolveNodeResult
	err := p.parent.call(ctx, dom.CommandResolveNode, dom.ResolveNodeParams{
		BackendNodeID:      owner.BackendNodeID,
		ExecutionContextID: p.parent.world,
	}, &node)
	if err != nil {
		return err
	}
	yes := true
	var answer answered
	err = p.parent.call(ctx, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID:            node.Object.ObjectID,
		FunctionDeclaration: fmt.Sprintf("function() { const acts = %s; return acts.%s(this) }", actsScript, function),
		AwaitPromise:        &yes,
		ReturnByValue:       &yes,
	}, &answer)
	if err != nil {
		return err
	}
	return answer.decode(result)
}

// framesElsewhere opens the places of a page other than the page itself, those
// that are nearer to it first. release detaches from them again.
func framesElsewhere(ctx context.Context, root *place) (places []*place, release func(), err error) {
	conn := root.session.Conn()
	release = func() {
		for _, p := range places {
			params := target.DetachFromTargetParams{SessionID: p.session.ID()}
			conn.Browser().Go(context.WithoutCancel(ctx), target.CommandDetachFromTarget, params)
		}
	}
	if conn.RootIsPage() {
		// A page knows of no targets but itself.
		return nil, release, nil
	}
	targets, err := cdproto.Call(ctx, conn.Browser(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, release, err
	}
	holder := map[cdproto.FrameID]*place{}
	for around := []*place{root}; len(around) > 0; around = around[1:] {
		for _, frame := range around[0].frames {
			holder[frame] = around[0]
		}
		for _, info := range targets.TargetInfos {
			if info.Type != "iframe" || holder[info.ParentFrameID] != around[0] || len(places) == maxPlaces {
				continue
			}
			p, err := attachPlace(ctx, info.TargetID, root.page, around[0])
			if err != nil {
				// The frame may have gone meanwhile.
				continue
			}
			places = append(places, p)
			around = append(around, p)
		}
	}
	return places, release, nil
}

func attachPlace(ctx context.Context, id target.ID, pageSession *cdp.Session, parent *place) (*place, error) {
	conn := pageSession.Conn()
	flat := true
	attached, err := cdproto.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: id, Flatten: &flat})
	if err != nil {
		return nil, err
	}
	p, err := openPlace(ctx, conn.Session(attached.SessionID), pageSession, parent)
	if err != nil {
		conn.Browser().Go(context.WithoutCancel(ctx), target.CommandDetachFromTarget, target.DetachFromTargetParams(attached))
		return nil, err
	}
	return p, nil
}
