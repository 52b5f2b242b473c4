package cdp

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

const (
	// hostsAtOnce is how many closed roots are opened together where the time counts: those
	// that are nearest to the screen come first, and are open when it is over.
	hostsAtOnce = 40

	// hostsTogether is how many are otherwise.
	hostsTogether = 1000

	// openShare is the part of the time left in which roots are opened, in a reading that
	// has to tell something in any case.
	openShare = 0.3
)

// opening is a closed shadow root on its way into our world.
type opening struct {
	visit *visit
	root  *Pending
}

// openHosts resolves closed shadow roots into our world and leaves them with the
// script, those of all visits together. It returns the visits in which it opened some.
func (p *Page) openHosts(ctx context.Context, visits []*visit) []*visit {
	type one struct {
		visit *visit
		host  closedHost
	}
	var all []one
	most := 0
	for _, v := range visits {
		for _, h := range v.hosts {
			all = append(all, one{v, h})
		}
		if v.partial {
			most = hostsAtOnce
		}
	}
	wait, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok && most > 0 {
		wait, cancel = context.WithTimeout(ctx, time.Duration(openShare*float64(time.Until(end))))
	}
	defer cancel()
	if most == 0 {
		most = hostsTogether
	}
	var opened []*visit
	rest := all
	for len(rest) > 0 && wait.Err() == nil {
		var some []*opening
		for _, o := range rest[:min(most, len(rest))] {
			some = append(some, &opening{o.visit, o.visit.session.Go(wait, dom.CommandResolveNode, map[string]any{
				"backendNodeId": o.host.root, "executionContextId": o.visit.world, "objectGroup": o.visit.group,
			})})
		}
		rest = rest[len(some):]
		for _, v := range open(wait, some) {
			if !slices.Contains(opened, v) {
				opened = append(opened, v)
			}
		}
	}
	if wait.Err() != nil {
		// Who asks next asks about all of them again.
		return opened
	}
	for _, v := range visits {
		if v.gave {
			link{v.id, v.session, v.world}.ask(ctx, "asked", v.reader)
		}
	}
	return opened
}

// open waits for roots, leaves them with the script, those of a document together, and
// gives the visits of those that it took.
func open(ctx context.Context, some []*opening) []*visit {
	roots := map[*visit][]any{}
	var visits []*visit
	for _, o := range some {
		var got struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		if o.root.Wait(ctx, &got) != nil {
			continue
		}
		if roots[o.visit] == nil {
			visits = append(visits, o.visit)
		}
		roots[o.visit] = append(roots[o.visit], map[string]any{"objectId": got.Object.ID})
	}
	given := map[*visit]*Pending{}
	for _, v := range visits {
		given[v] = v.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
			"functionDeclaration": "function(...roots) { for (const root of roots) webarea.open(root) }",
			"executionContextId":  v.world,
			"arguments":           roots[v],
			"returnByValue":       true,
		})
	}
	return slices.DeleteFunc(visits, func(v *visit) bool { return given[v].Wait(ctx, nil) != nil })
}
