package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// savedPages is where real pages lie that were saved, beside the project; savedCount
// is how many of them are measured, those with the most nodes.
const (
	savedPages = "shared/pages"
	savedCount = 5
)

// tokenGoal is how many tokens the outline of what is pointed at may have.
const tokenGoal = 600

// pointAtWords selects a sentence in one of the texts that are drawn, and gives it: the
// text so far down among them as its argument says, 0 to 1, or the longest for -1. The
// focus goes to the first link after it that takes it.
const pointAtWords = `((down) => {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = []
	while (walker.nextNode()) {
		const at = walker.currentNode, e = at.parentElement
		if (/\S\s+\S+\s+\S/.test(at.data) && e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true }) && !e.closest("script,style,textarea,noscript")) texts.push(at)
	}
	const at = down < 0 ? texts.reduce((a, b) => b.data.trim().length > a.data.trim().length ? b : a) : texts[Math.floor(down * (texts.length - 1))]
	at.parentElement.scrollIntoView({ block: "center" })
	for (const a of document.querySelectorAll("a[href]")) {
		if (!(at.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING)) continue
		a.focus({ preventScroll: true })
		if (document.activeElement === a) break
	}
	const begin = at.data.search(/\S/), end = at.data.indexOf(". ", begin + 20)
	getSelection().setBaseAndExtent(at, begin, at, end < 0 ? at.data.trimEnd().length : end + 1)
	return String(getSelection())
})`

// downs are where in a real page something is pointed at.
var downs = []float64{0.1, 0.3, 0.5, 0.7, 0.9, -1}

// measureSaved measures pointing reads of the largest real pages.
func measureSaved(ctx context.Context, r *run) ([]section, error) {
	s := section{
		title: "Real pages", words: fmt.Sprintf("The %d saved pages with the most nodes, a sentence selected and a link after it focused: times are of the longest text, tokens the most of %d places all over the page.", savedCount, len(downs)),
		head: []string{"page", "nodes", "pointing ms", "raw ms", "× raw", "trips", "bytes", "tokens", "window ms", "× raw"},
	}
	g := goal{number: "1", what: "pointing at a sentence of a real page: tokens", want: fmt.Sprintf("≤ %d", tokenGoal), verdict: holds}
	files, err := filepath.Glob(filepath.Join(moduleRoot(ctx), "..", savedPages, "*.html"))
	if err != nil || len(files) == 0 {
		s.words = "There are no saved pages in ../" + savedPages + "."
		s.rows, g.verdict, g.measured = nil, unknown, "no pages"
		s.goals = []goal{g}
		return []section{s}, err
	}
	w, err := r.way(ctx, launched)
	if err != nil {
		return nil, err
	}
	pages, err := r.countSaved(ctx, w, files)
	if err != nil {
		return nil, err
	}
	most, of := 0, ""
	for _, p := range pages[:min(len(pages), savedCount)] {
		row, tokens, err := r.measureSavedPage(ctx, w, p)
		if err != nil {
			r.record.fail("the saved page "+p.name, err)
			g.verdict = fails
			continue
		}
		s.rows = append(s.rows, row)
		if tokens > most {
			most, of = tokens, p.name
		}
	}
	if most > tokenGoal {
		g.verdict = fails
	}
	g.measured = fmt.Sprintf("%d at most (%s)", most, of)
	s.goals = []goal{g}
	return []section{s}, r.shut(launched)
}

// A savedPage is a page in a file.
type savedPage struct {
	name, path string
	nodes      int
}

// countSaved counts the nodes of pages, and gives those with the most first.
func (r *run) countSaved(ctx context.Context, w way, files []string) ([]savedPage, error) {
	var all []savedPage
	for _, file := range files {
		p := savedPage{name: strings.TrimSuffix(filepath.Base(file), ".html"), path: file}
		err := r.withSaved(ctx, w, p, func(ctx context.Context, at *rig) error {
			c, err := at.tree(ctx, cold)
			p.nodes = c.nodes
			return err
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			r.record.fail("counting the nodes of "+p.name, err)
			continue
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b savedPage) int { return b.nodes - a.nodes })
	return all, nil
}

// withSaved does something with a saved page that is open.
func (r *run) withSaved(ctx context.Context, w way, p savedPage, do func(context.Context, *rig) error) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	path, err := filepath.Abs(p.path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return err
	}
	address, err := driver.Address(path)
	if err != nil {
		return err
	}
	t, err := w.open(ctx, address)
	if err != nil {
		return err
	}
	at := &rig{tab: t}
	if err = at.findFrames(ctx); err == nil {
		err = do(ctx, at)
	}
	return errors.Join(err, t.close())
}

// measureSavedPage gives the row of a page, and the tokens of what is pointed at.
func (r *run) measureSavedPage(ctx context.Context, w way, p savedPage) (row []string, tokens int, err error) {
	err = r.withSaved(ctx, w, p, func(ctx context.Context, at *rig) error {
		bytes := 0
		for _, down := range downs {
			var words string
			if err := driver.Value(ctx, at.tab.page(), fmt.Sprintf("%s(%v)", pointAtWords, down), &words); err != nil {
				return err
			}
			text, _, err := at.tab.elements(ctx, cdp.ScopePointing)
			if err != nil {
				return err
			}
			if len(words) < 3 || !strings.Contains(text, "selected") {
				return fmt.Errorf("%q is selected, and the answer misses that:\n%s", words, text)
			}
			bytes = max(bytes, len(text))
		}
		var pointing, window, raw []cost
		for round := range min(r.plan.rounds, 5) + 1 {
			_, c, err := at.tab.elements(ctx, cdp.ScopePointing)
			if err != nil {
				return err
			}
			_, state, err := at.tab.window(ctx)
			if err != nil {
				return err
			}
			whole, err := at.tree(ctx, unchanged)
			if err != nil {
				return err
			}
			if round > 0 {
				pointing, window, raw = append(pointing, c), append(window, state), append(raw, whole)
			}
		}
		m := &measurement{costs: pointing}
		tokens = bytes / 4
		row = []string{p.name, fmt.Sprint(p.nodes), ms(median(pointing)), ms(median(raw)), ratio(median(pointing), median(raw)),
			fmt.Sprint(m.most()), fmt.Sprint(bytes), fmt.Sprint(tokens), ms(median(window)), ratio(median(window), median(raw))}
		return nil
	})
	return row, tokens, err
}
