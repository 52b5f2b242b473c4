package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

const (
	// What a host may hold, MB: idle; at most after ten pointing and ten window state
	// reads of the largest page; and some time after those.
	maxIdle, maxBusy, maxAfter = 40, 80, 60

	// maxGrowth is by how many MB ten thousand reads may let it grow: what its memory
	// varies by from one moment to the next.
	maxGrowth = 4

	// settle is how long after its last answer a process is said to be idle.
	settle = 10 * time.Second
)

// A hosted is a process that answers an agent.
type hosted struct {
	agent *mcp.ClientSession
	pid   int
	pause time.Duration // after which it is idle
}

// A memory is what was measured of one, MB.
type memory struct {
	idle, most, after   float64
	pageMost, pageAfter float64
	reads               int     // of a small page
	grown               float64 // by them
	ticks               int     // of CPU time while idle for a pause
}

// measureMemory measures what the processes that answer agents hold of the machine's
// memory: a server with a browser that it launched, and the host of a user's browser.
func measureMemory(ctx context.Context, r *run) (_ []section, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	nodes, reads, pause := slices.Max(r.plan.sizes), 10_000, settle
	if r.plan.rounds == 1 {
		reads, pause = 100, settle/10
	}
	small, large := r.site.URL+"/start", fmt.Sprintf("%s/table?n=%d", r.site.URL, nodes)
	out := section{
		title: "Memory", words: fmt.Sprintf("What the process that answers agents holds of the machine's memory (resident set), MB. *idle* after one read of a small page; *most* and *after*: at most while ten pointing reads and ten default window state reads of a table of %d nodes were answered, picture included, and %s later; *whole page*: the same of one read of all of that table, with the largest budgets there are. *growth* is by how much it grew in so many pointing reads of a small page; *CPU* is what it took of the processor while it was idle, as long again, in the system's ticks of 10 ms.", nodes, pause),
		head: []string{"", "idle", "most", "after", "whole page, most", "after", "growth", "CPU, idle"},
	}
	for _, way := range []struct {
		name    string
		measure func() (memory, error)
	}{
		{"`webarea mcp --launch`", func() (memory, error) { return p.launchedMemory(ctx, small, large, reads, pause) }},
		{"`webarea native`, the host of a user's browser", func() (memory, error) { return r.relayedMemory(ctx, large, reads, pause) }},
	} {
		m, err := way.measure()
		if err != nil {
			r.record.fail("memory of "+way.name, err)
			continue
		}
		mb := func(v float64) string { return fmt.Sprintf("%.0f", v) }
		out.rows = append(out.rows, []string{way.name, mb(m.idle), mb(m.most), mb(m.after), mb(m.pageMost), mb(m.pageAfter), fmt.Sprintf("%.1f in %d", m.grown, m.reads), fmt.Sprintf("%d ticks", m.ticks)})
		out.goals = append(out.goals, goal{
			number: "3", what: "CPU time of " + way.name + ", idle for " + pause.String(), want: "0 ticks of 10 ms",
			measured: fmt.Sprintf("%d ticks", m.ticks), verdict: judge(m.ticks == 0),
		})
		for _, g := range []struct {
			what          string
			got, limit    float64
			unit, measure string
		}{
			{"idle", m.idle, maxIdle, "MB", "%.0f"}, {fmt.Sprintf("at most, in ten pointing and ten window state reads of %d nodes", nodes), m.most, maxBusy, "MB", "%.0f"},
			{"after them", m.after, maxAfter, "MB", "%.0f"}, {fmt.Sprintf("growth in %d reads", m.reads), m.grown, maxGrowth, "MB", "%.1f"},
		} {
			out.goals = append(out.goals, goal{
				number: "5", what: "memory of " + way.name + ", " + g.what, want: fmt.Sprintf("at most %.0f %s", g.limit, g.unit),
				measured: fmt.Sprintf(g.measure+" %s", g.got, g.unit), verdict: judge(g.got <= g.limit),
			})
		}
	}
	return []section{out}, nil
}

// launchedMemory measures a server that launches its own browser: one for each page,
// since it opens none but the first.
func (p programs) launchedMemory(ctx context.Context, small, large string, reads int, pause time.Duration) (m memory, err error) {
	m.reads = reads
	for _, step := range []struct {
		address string
		measure func(context.Context, hosted, *memory) error
	}{
		{small, func(ctx context.Context, h hosted, m *memory) error {
			return errors.Join(h.idle(ctx, m), h.many(ctx, m))
		}},
		{large, func(ctx context.Context, h hosted, m *memory) error { return h.busy(ctx, m) }},
	} {
		server := p.server(ctx, "--launch", step.address)
		agent, err := connect(ctx, server)
		if err != nil {
			return m, err
		}
		err = step.measure(ctx, hosted{agent, server.Process.Pid, pause}, &m)
		if err = errors.Join(err, agent.Close()); err != nil {
			return m, err
		}
	}
	return m, nil
}

// relayedMemory measures the host that a user's browser has started.
func (r *run) relayedMemory(ctx context.Context, large string, reads int, pause time.Duration) (m memory, err error) {
	// Those that were measured before may have left something.
	if err := r.shut(relayed); err != nil {
		return m, err
	}
	w, err := r.way(ctx, relayed)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, r.shut(relayed)) }()
	m.reads = reads
	u := w.(*userBrowser)
	h := hosted{u.Agent, u.HostPID(), pause}
	if err := errors.Join(h.idle(ctx, &m), h.many(ctx, &m)); err != nil {
		return m, err
	}
	if _, err := w.open(ctx, large); err != nil {
		return m, err
	}
	return m, h.busy(ctx, &m)
}

// idle measures it with a small page that was read once, and whether it does anything
// after that.
func (h hosted) idle(ctx context.Context, m *memory) error {
	if _, err := h.call(ctx, "get_elements", nil); err != nil {
		return err
	}
	if err := wait(ctx, h.pause); err != nil {
		return err
	}
	now, err := residentOf(h.pid)
	if err != nil {
		return err
	}
	m.idle = now.now
	if err := wait(ctx, h.pause); err != nil {
		return err
	}
	later, err := residentOf(h.pid)
	m.ticks = later.ticks - now.ticks
	return err
}

// many measures it before and after many reads. The first of them bring up what is
// kept.
func (h hosted) many(ctx context.Context, m *memory) error {
	before := 0.0
	for i := range m.reads + m.reads/10 {
		if i == m.reads/10 {
			now, err := residentOf(h.pid)
			if err != nil {
				return err
			}
			before = now.now
		}
		if _, err := h.call(ctx, "get_elements", nil); err != nil {
			return err
		}
	}
	now, err := residentOf(h.pid)
	m.grown = now.now - before
	return err
}

// busy measures it with the largest page.
func (h hosted) busy(ctx context.Context, m *memory) error {
	if _, err := h.call(ctx, "get_elements", nil); err != nil {
		return err
	}
	var desk provider.Desk
	result, err := h.call(ctx, "get_accessibility_tree", nil)
	if err == nil {
		err = structured(result, &desk)
	}
	if err != nil {
		return err
	}
	if len(desk.Windows) != 1 {
		return fmt.Errorf("there are %d windows, not one", len(desk.Windows))
	}
	if err := forgetMost(h.pid); err != nil {
		return err
	}
	const each = 10
	for range each {
		if _, err := h.call(ctx, "get_elements", nil); err != nil {
			return err
		}
	}
	for range each {
		if _, err := h.call(ctx, "get_window_state", map[string]any{"pid": desk.Windows[0].PID, "window_id": desk.Windows[0].WindowID}); err != nil {
			return err
		}
	}
	if m.most, m.after, err = h.settled(ctx); err != nil {
		return err
	}
	if err := forgetMost(h.pid); err != nil {
		return err
	}
	if _, err := h.call(ctx, "get_elements", map[string]any{"scope": "page", "images": "none", "max_elements": elementsMost, "max_depth": depthMost, "max_text": textMost}); err != nil {
		return err
	}
	m.pageMost, m.pageAfter, err = h.settled(ctx)
	return err
}

// settled gives the most that it held, and what it holds some time later.
func (h hosted) settled(ctx context.Context) (most, after float64, err error) {
	then, err := residentOf(h.pid)
	if err != nil {
		return 0, 0, err
	}
	if err := wait(ctx, h.pause); err != nil {
		return 0, 0, err
	}
	now, err := residentOf(h.pid)
	return then.most, now.now, err
}

func (h hosted) call(ctx context.Context, name string, arguments map[string]any) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	if arguments == nil {
		arguments = map[string]any{}
	}
	result, err := h.agent.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if result.IsError {
		return nil, fmt.Errorf("%s: %.300s", name, textOf(result))
	}
	return result, nil
}
