package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// startRounds is how often a start is measured: it takes milliseconds, of which a busy
// machine makes many.
const startRounds = 31

// maxStart is how much longer than an empty program's run it may take until the tools
// are listed.
const maxStart = 15 * time.Millisecond

// measureStart measures from the start of a server to its answer to what tools it has,
// which is what agents' programs wait for.
func measureStart(ctx context.Context, r *run) (_ []section, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	rounds := startRounds
	if r.plan.rounds == 1 {
		rounds = 1
	}
	starts := []struct {
		name string
		args []string
	}{{"an empty program, run to its end", nil}, {"`webarea mcp`", []string{}}, {"`webarea mcp --launch`", []string{"--launch"}}}
	took := make([][]time.Duration, len(starts))
	for range rounds {
		for i, s := range starts {
			ctx, cancel := context.WithTimeout(ctx, stepTimeout)
			begin, end := time.Now(), time.Time{}
			told := func() { end = time.Now() }
			if s.args == nil {
				err = exec.CommandContext(ctx, p.empty).Run()
				told()
			} else {
				err = listed(p.server(ctx, s.args...), told)
			}
			cancel()
			if err != nil {
				return nil, fmt.Errorf("starting %s: %w", s.name, err)
			}
			took[i] = append(took[i], end.Sub(begin))
		}
	}
	out := section{
		title: "Start", words: fmt.Sprintf("From the start of the program to its answer to `tools/list`, by turns, %d times.", rounds),
		head: []string{"", "median ms", "least ms", "over the empty program, ms"},
	}
	for i, s := range starts {
		slices.Sort(took[i])
		middle := took[i][len(took[i])/2]
		over := middle - took[0][len(took[0])/2]
		out.rows = append(out.rows, []string{s.name, ms(middle), ms(took[i][0]), ms(over)})
		if i > 0 {
			out.goals = append(out.goals, goal{
				number: "5", what: s.name + ", start to answered `tools/list`, over an empty program", want: "at most " + ms(maxStart) + " ms",
				measured: ms(over) + " ms", verdict: judge(over <= maxStart),
			})
		}
	}
	return []section{out}, nil
}
