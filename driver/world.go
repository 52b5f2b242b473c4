package driver

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/webarea/webarea/cdp"
)

// worldName is the name of the world that acts run in, apart from the page's own
// scripts and from everybody else's.
const worldName = "webarea-driver"

// openWorld returns parameters to evaluate with in an isolated world of the main
// frame that may look into frames of other origins.
func openWorld(ctx context.Context, s *cdp.Session) (runtime.EvaluateParams, error) {
	var frames page.GetFrameTreeResult
	if err := callUnlessDialog(ctx, s, page.CommandGetFrameTree, nil, &frames); err != nil {
		return runtime.EvaluateParams{}, err
	}
	yes := true
	var world page.CreateIsolatedWorldResult
	err := callUnlessDialog(ctx, s, page.CommandCreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID:             frames.FrameTree.Frame.ID,
		WorldName:           worldName,
		GrantUniveralAccess: &yes,
	}, &world)
	return runtime.EvaluateParams{ContextID: world.ExecutionContextID}, err
}
