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

	// openShare is the part of the time left in which roots are opened, in a reading that
	// has to tell something in any case.
	openShare = 0.3
)

// opening is a closed shadow root on its way into our world.
type opening struct {
	visit             *visit
	host, root, given *Pending
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
		most = max(1, len(all))
	}
	var opened []*visit
	rest := all
	for len(rest) > 0 && wait.Err() == nil {
		var some []*opening
		for _, o := range rest[:min(most, len(rest))] {
			resolve := func(id int64) *Pending {
				return o.visit.session.Go(wait, dom.CommandResolveNode, map[string]any{"backendNodeId": id, "executionContextId": o.visit.world, "objectGroup": o.visit.group})
			}
			some = append(some, &opening{visit: o.visit, host: resolve(o.host.host), root: resolve(o.host.root)})
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

// open waits for roots, leaves them with the script, and gives the visits of those that
// it took.
func open(ctx context.Context, some []*opening) []*visit {
	type object struct {
		Object struct {
			ID string `json:"objectId"`
		} `json:"object"`
	}
	for _, c := range some {
		var host, root object
		if c.host.Wait(ctx, &host) != nil || c.root.Wait(ctx, &root) != nil {
			continue
		}
		c.given = c.visit.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
			"functionDeclaration": "function(root) { webarea.open(this, root) }",
			"objectId":            host.Object.ID,
			"arguments":           []any{map[string]any{"objectId": root.Object.ID}},
			"returnByValue":       true,
		})
	}
	var opened []*visit
	for _, c := range some {
		if c.given != nil && c.given.Wait(ctx, nil) == nil && !slices.Contains(opened, c.visit) {
			opened = append(opened, c.visit)
		}
	}
	return opened
}
