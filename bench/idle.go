package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/accessibility"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// How a busy page is looked at while its frames are counted.
const (
	unsharedPage   = "not shared"
	unsharedAgain  = "not shared, once more"
	sharedPage     = "shared, never read"
	readPage       = "shared, read before, accessibility off"
	watchedPage    = "shared, somebody subscribed, accessibility off"
	accessiblePage = "shared, accessibility on"
)

var attentions = []string{unsharedPage, unsharedAgain, sharedPage, readPage, watchedPage, accessiblePage}

// A busyness is how a page changes at every frame.
type busyness struct {
	name   string
	nodes  int
	script string
}

// Each has changed what it changes once before it is measured, so that nothing of it
// is the first time. What only text changes no observer of ours is told; what changes
// attributes and the tree some may be.
var busynesses = []busyness{
	{"text, attributes and a row in and out", middle, `const row = rows[rows.length >> 1].cloneNode(true)
		frame = (n) => {
			for (let i = 0; i < 50; i++) rows[(n * 7 + i) % rows.length].lastElementChild.firstChild.data = "Lent " + (n + i)
			for (let i = 0; i < 50; i++) rows[(n * 11 + i) % rows.length].setAttribute("aria-label", "Row " + n)
			if (n % 2) rows[1].after(row); else row.remove()
		}`},
	{"2,000 attributes", large, `const cells = [...document.querySelectorAll("td")].slice(0, 2000)
		frame = (n) => { for (const c of cells) c.setAttribute("data-n", n) }`},
	{"one row taken out and put back", large, `frame = (n) => { const r = rows[n % rows.length], next = r.nextSibling, up = r.parentNode; r.remove(); up.insertBefore(r, next) }`},
}

// busyScript counts frames and has the page change at each.
const busyScript = `(() => {
	const rows = [...document.querySelectorAll("tr")].slice(1); let frame
	%s
	globalThis.gaps = []; let last = 0, n = 0
	const tick = (now) => { if (last) gaps.push(now - last); last = now; frame(n++); requestAnimationFrame(tick) }
	requestAnimationFrame(tick)
})()`

const (
	// busyWarm is how long a page runs before it is measured, busyTime how long then:
	// longer than our script waits before it looks at a page again.
	busyWarm = 500 * time.Millisecond
	busyTime = 1500 * time.Millisecond

	busyRounds = 5
)

// A busyCost is what a page's main thread did in a frame: CPU time, but for the gap.
type busyCost struct {
	task, script, layout, style time.Duration
	gap, late                   time.Duration // between frames: the median, and that which one in 20 exceeds
}

// measureIdle measures what a page that changes at every frame pays for being shared.
func measureIdle(ctx context.Context, r *run) ([]section, error) {
	w, err := r.way(ctx, launched)
	if err != nil {
		return nil, err
	}
	rounds, before, long := busyRounds, busyWarm, busyTime
	if r.plan.rounds == 1 {
		rounds, before, long = 1, busyWarm/10, busyTime/10
	}
	var out []section
	for i, busy := range busynesses {
		costs := map[string][]busyCost{}
		for round := range rounds {
			for i := range attentions {
				a := attentions[(i+round)%len(attentions)]
				c, err := measureBusy(ctx, w.(*direct).conn, fmt.Sprintf("%s/table?n=%d", r.site.URL, busy.nodes), busy, a, before, long)
				if err != nil {
					return out, fmt.Errorf("a busy page, %s, %s: %w", busy.name, a, err)
				}
				costs[a] = append(costs[a], c)
			}
		}
		s := busySection(busy, costs)
		if i == 0 {
			s.words = fmt.Sprintf("What a page that changes at every frame pays for being shared while nobody asks about it: CPU time of its main thread in a frame, ms, by its browser's own count (`Performance.getMetrics`), over %s, %d times in turn, of which the least counts: what else the machine does only adds. × compares it with the same round's page that is not shared, the median of all rounds; of two that are not shared it says by how much the measurement itself differs. What was read before was read as a whole, with accessibility on, just before. *gap* is the time between frames, the median and the 95th percentile.", long, rounds)
		}
		out = append(out, s)
	}
	return out, r.shut(launched)
}

func busySection(busy busyness, costs map[string][]busyCost) section {
	s := section{
		title: fmt.Sprintf("A busy page that nobody reads: %s, %d nodes", busy.name, busy.nodes),
		head:  []string{"", "task", "×", "script", "layout", "style", "gap"},
	}
	least := func(a string, part func(busyCost) time.Duration) time.Duration {
		least := part(costs[a][0])
		for _, c := range costs[a] {
			least = min(least, part(c))
		}
		return least
	}
	figure := func(a string, part func(busyCost) time.Duration) string {
		return fmt.Sprintf("%.2f", float64(least(a, part))/float64(time.Millisecond))
	}
	task := func(c busyCost) time.Duration { return c.task }
	noise := differ(costs[unsharedAgain], costs[unsharedPage])
	for _, a := range attentions {
		compared := compare(costs[a], costs[unsharedPage])
		s.rows = append(s.rows, []string{
			a, figure(a, task), fmt.Sprintf("%.2f", compared), figure(a, func(c busyCost) time.Duration { return c.script }),
			figure(a, func(c busyCost) time.Duration { return c.layout }), figure(a, func(c busyCost) time.Duration { return c.style }),
			figure(a, func(c busyCost) time.Duration { return c.gap }) + ", " + figure(a, func(c busyCost) time.Duration { return c.late }),
		})
		if a == sharedPage || a == readPage {
			s.goals = append(s.goals, goal{
				number: "3", what: "main thread of a busy page, " + busy.name + ", " + a + ", against not shared",
				want:     fmt.Sprintf("≤ %.2f ×, by which two that are not shared differ", noise),
				measured: fmt.Sprintf("%.2f ×", compared), verdict: judge(compared <= noise),
			})
		}
	}
	return s
}

// compare says how much more a page's main thread did than another's, of the rounds' the
// middle: what disturbs one round disturbs both.
func compare(these, those []busyCost) float64 {
	var all []float64
	for i := range these {
		all = append(all, float64(these[i].task)/float64(those[i].task))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// differ says by how much two measurements of the same differ, in most rounds no more.
func differ(these, those []busyCost) float64 {
	var all []float64
	for i := range these {
		all = append(all, max(float64(these[i].task)/float64(those[i].task), float64(those[i].task)/float64(these[i].task)))
	}
	slices.Sort(all)
	return all[len(all)*3/4]
}

// measureBusy has a new page be busy, and looked at in that way.
func measureBusy(ctx context.Context, conn *cdp.Conn, address string, busy busyness, attention string, before, long time.Duration) (c busyCost, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	tab, err := driver.Open(ctx, conn, driver.Options{Width: 1280, Height: 800, Scale: 1, Window: true})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, tab.Close(context.WithoutCancel(ctx))) }()
	if err := driver.Load(ctx, tab.Session, address); err != nil {
		return c, err
	}
	p := provider.New("Chromium")
	defer p.Close()
	if attention != unsharedPage && attention != unsharedAgain {
		if err := attend(ctx, p, conn, tab, attention); err != nil {
			return c, err
		}
	}
	if err := driver.Eval(ctx, tab.Session, fmt.Sprintf(busyScript, busy.script)); err != nil {
		return c, err
	}
	if err := tab.Session.Call(ctx, "Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil); err != nil {
		return c, err
	}
	if err := wait(ctx, before); err != nil {
		return c, err
	}
	first, err := metricsOf(ctx, tab.Session)
	if err != nil {
		return c, err
	}
	if err := driver.Eval(ctx, tab.Session, "gaps.length = 0"); err != nil {
		return c, err
	}
	if err := wait(ctx, long); err != nil {
		return c, err
	}
	var gaps []float64
	if err := driver.Value(ctx, tab.Session, "gaps", &gaps); err != nil {
		return c, err
	}
	last, err := metricsOf(ctx, tab.Session)
	if err != nil {
		return c, err
	}
	if len(gaps) == 0 {
		return c, errors.New("the page drew no frame")
	}
	slices.Sort(gaps)
	each := func(name string) time.Duration {
		return time.Duration((last[name] - first[name]) * float64(time.Second) / float64(len(gaps)))
	}
	gap := func(i int) time.Duration { return time.Duration(gaps[i] * float64(time.Millisecond)) }
	return busyCost{
		task: each("TaskDuration"), script: each("ScriptDuration"), layout: each("LayoutDuration"), style: each("RecalcStyleDuration"),
		gap: gap(len(gaps) / 2), late: gap(len(gaps) * 19 / 20),
	}, nil
}

// attend shares a page, and looks at it.
func attend(ctx context.Context, p *provider.Provider, conn *cdp.Conn, tab driver.Tab, attention string) error {
	shared, err := p.Share(ctx, conn, tab.Target)
	if err != nil || attention == sharedPage {
		return err
	}
	if attention == watchedPage {
		told := make(chan struct{}, 1)
		p.Watch(func() {
			select {
			case told <- struct{}{}:
			default:
			}
		})
		// It is told once that the page listens.
		select {
		case <-told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if _, err := p.Elements(ctx, provider.Query{Scope: provider.Page}); err != nil {
		return err
	}
	if attention == accessiblePage {
		return nil
	}
	// As it is once nobody has asked for a while.
	return shared.Page.Session.Call(ctx, accessibility.CommandDisable, nil, nil)
}

func metricsOf(ctx context.Context, s *cdp.Session) (map[string]float64, error) {
	var got struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	if err := s.Call(ctx, "Performance.getMetrics", nil, &got); err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for _, m := range got.Metrics {
		all[m.Name] = m.Value
	}
	return all, nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func judge(reached bool) verdict {
	if reached {
		return holds
	}
	return fails
}
