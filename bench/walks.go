package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webarea/webarea/driver"
)

// walks are the least that anybody does who looks at every element of a page, as scripts.
var walks = []struct{ name, script string }{
	{"visit", `for (const w = document.createTreeWalker(document); w.nextNode();) n++`},
	{"rectangles", `for (const e of document.querySelectorAll("*")) n += e.getBoundingClientRect().width`},
	{"styles", `for (const e of document.querySelectorAll("*")) n += getComputedStyle(e).display.length`},
	{"visibility", `for (const e of document.querySelectorAll("*")) n += e.checkVisibility({ opacityProperty: true, visibilityProperty: true })`},
	{"text", `const all = []; for (const w = document.createTreeWalker(document); w.nextNode();) { const at = w.currentNode; all.push([at.nodeType, at.nodeName, at.data ?? at.id, at.href]) } n += JSON.stringify(all).length`},
}

// measureWalks measures what the page itself takes for that: nobody who does the same can
// be faster.
func (r *run) measureWalks(ctx context.Context, w way) (section, error) {
	s := section{
		title: "What a page costs whoever walks it",
		words: "Scripts in the page that do one thing for every node or element, and nothing else, ms, the fastest of several: to *visit* each node, to ask each element for its *rectangle*, for one of its computed *styles*, for its *visibility*, and to write *text* and structure as one string. " +
			"Who tells of all these for each element takes as long as they do together.",
		head: []string{"page", "nodes"},
	}
	for _, walk := range walks {
		s.head = append(s.head, walk.name)
	}
	var failed []error
	for _, size := range r.plan.sizes {
		for _, k := range r.plan.kinds {
			if !slices.Contains(whereKinds[:2], k.name) {
				continue
			}
			row, err := r.walk(ctx, w, k, size)
			if err != nil {
				failed = append(failed, fmt.Errorf("walking the %s page of %d nodes: %w", k.name, size, err))
				continue
			}
			s.rows = append(s.rows, row)
		}
	}
	if len(s.rows) == 0 {
		s.words = ""
	}
	return s, errors.Join(failed...)
}

func (r *run) walk(ctx context.Context, w way, k kind, size int) (row []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	at, err := newRig(ctx, w, r.site.address(k, size))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.close()) }()
	row = []string{k.name, fmt.Sprint(size)}
	for _, walk := range walks {
		least := 0.0
		for range min(r.plan.rounds, whereRounds) + 1 {
			var took float64
			script := fmt.Sprintf("(() => { let n = 0; const begin = performance.now(); %s; return n < 0 ? 0 : performance.now() - begin })()", walk.script)
			if err := driver.Value(ctx, at.tab.page(), script, &took); err != nil {
				return nil, err
			}
			if least == 0 || took < least {
				least = took
			}
		}
		row = append(row, fmt.Sprintf("%.1f", least))
	}
	return row, nil
}
