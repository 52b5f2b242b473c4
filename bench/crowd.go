package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The crowd: how many agents ask one server at once, about how many tabs.
const (
	crowdAgents = 16
	crowdTabs   = 50
)

const (
	// crowdTime is how long each question is asked, by one agent and by all: long enough
	// for hundreds of answers, of which one in a hundred says something.
	crowdTime = 5 * time.Second

	// crowdWait bounds what has to happen before: launching, loading, sharing by clicks,
	// answering at all.
	crowdWait = 5 * time.Minute

	// crowdFewer is to what part of one agent's answers a second those of all together may
	// fall: more agents must not mean fewer answers, but for what a measurement differs by.
	crowdFewer = 0.9

	// stuckDelay is by how much slower the slowest in a hundred answers about other tabs may
	// be while one is stuck: as much as that differs by from one measurement to the next. Who
	// waited for it would take ten times as long.
	stuckDelay = 1.5
)

// The questions.
const (
	askedAll   = "what is pointed at, in all tabs"
	askedOne   = "what is selected in one tab, by its id"
	askedStuck = askedOne + ", another being stuck"
)

// A crowdCost is what answers took that so many agents asked for at once.
type crowdCost struct {
	question string
	agents   int
	took     []time.Duration // sorted
	whole    time.Duration   // from the first question to the last answer
}

func (c crowdCost) rate() float64             { return float64(len(c.took)) / c.whole.Seconds() }
func (c crowdCost) at(part int) time.Duration { return c.took[(len(c.took)-1)*part/100] }

// measureCrowd has agents ask a real server about the tabs of a browser: over HTTP one
// that is attached to it, and through extension and host a user's.
func measureCrowd(ctx context.Context, r *run) ([]section, error) {
	s := section{
		title: "Many at once",
		words: fmt.Sprintf("%d agents ask about %d shared tabs of some three thousand nodes each, with a sentence selected in each but one: *attached* one server over HTTP, *relayed* the host of a user's browser, each through its own `webarea mcp`. Each agent asks again as soon as it has an answer. A stuck tab's page answers nothing at all.", crowdAgents, crowdTabs),
		head:  []string{"question", "way", "agents", "answers a second", "median, ms", "p99, ms"},
	}
	var failed []error
	for _, way := range []string{attached, relayed} {
		if !slices.Contains(r.plan.ways, way) {
			continue
		}
		costs, err := crowdCosts(ctx, r, way)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", way, err))
		}
		for _, c := range costs {
			s.rows = append(s.rows, []string{c.question, way, fmt.Sprint(c.agents), times(c.rate()), ms(c.at(50)), ms(c.at(99))})
		}
		s.goals = append(s.goals, crowdGoals(way, costs)...)
	}
	return []section{s}, errors.Join(failed...)
}

// crowdCosts gives what was measured, also where not all of it could be.
func crowdCosts(ctx context.Context, r *run, way string) (costs []crowdCost, err error) {
	g, err := gather(ctx, way)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	each := crowdTime
	if r.plan.rounds == 1 {
		each = 0
	}
	all := func(int) map[string]any { return map[string]any{"images": "none"} }
	one := func(n int) map[string]any { return map[string]any{"id": g.selections[n%len(g.selections)]} }
	for _, q := range []struct {
		name   string
		of     func(n int) map[string]any
		agents int
	}{{askedAll, all, 1}, {askedAll, all, crowdAgents}, {askedOne, one, 1}, {askedOne, one, crowdAgents}, {askedStuck, one, crowdAgents}} {
		if q.name == askedStuck {
			if err := g.pages.keepStuck(ctx); err != nil {
				return costs, err
			}
		}
		cost, err := ask(ctx, g.agents[:q.agents], each, q.of)
		if err != nil {
			return costs, fmt.Errorf("asking for %s: %w", q.name, err)
		}
		cost.question = q.name
		costs = append(costs, cost)
	}
	return costs, nil
}

// crowdGoals holds them to what is wanted: agents do not slow one another down, and
// nobody waits for a page that was not asked about.
func crowdGoals(way string, costs []crowdCost) []goal {
	of := func(question string, agents int) *crowdCost {
		for i := range costs {
			if costs[i].question == question && costs[i].agents == agents {
				return &costs[i]
			}
		}
		return nil
	}
	var goals []goal
	for _, question := range []string{askedAll, askedOne} {
		alone, together := of(question, 1), of(question, crowdAgents)
		if alone == nil || together == nil {
			continue
		}
		more := together.rate() / alone.rate()
		goals = append(goals, goal{
			number: "6", what: fmt.Sprintf("%d agents, %d tabs, %s: answers a second against one agent's, %s", crowdAgents, crowdTabs, question, way),
			want: fmt.Sprintf("≥ %.2f ×", crowdFewer), measured: fmt.Sprintf("%.2f ×; %s a second, p99 %s ms", more, times(together.rate()), ms(together.at(99))), verdict: judge(more >= crowdFewer),
		})
	}
	free, stuck := of(askedOne, crowdAgents), of(askedStuck, crowdAgents)
	if free == nil || stuck == nil {
		return goals
	}
	slower := float64(stuck.at(99)) / float64(free.at(99))
	return append(goals, goal{
		number: "6", what: "one stuck page delays no other: p99 of answers about others, against none stuck, " + way,
		want: fmt.Sprintf("≤ %.2f ×", stuckDelay), measured: fmt.Sprintf("%.2f ×", slower), verdict: judge(slower <= stuckDelay),
	})
}

// ask has agents ask for a time, each one question after another.
func ask(ctx context.Context, agents []*mcp.ClientSession, each time.Duration, question func(n int) map[string]any) (crowdCost, error) {
	cost := crowdCost{agents: len(agents)}
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	begun := time.Now()
	for i, agent := range agents {
		all.Go(func() {
			for n := i; n == i || time.Since(begun) < each; n += len(agents) {
				asked := time.Now()
				result, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: question(n)})
				took := time.Since(asked)
				if err == nil && result.IsError {
					err = fmt.Errorf("get_elements failed: %v", result.StructuredContent)
				}
				mu.Lock()
				if err != nil {
					errs = append(errs, err)
				} else {
					cost.took = append(cost.took, took)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	cost.whole = time.Since(begun)
	slices.Sort(cost.took)
	return cost, errors.Join(errs...)
}
