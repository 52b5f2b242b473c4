package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/webarea/webarea/cdp"
)

const (
	// jobFiles is how many files are visited in one run of the program, and jobTurns how
	// many runs of each sort there are, by turns, of which the median counts.
	jobFiles = 70
	jobTurns = 3

	// jobsWait bounds one run.
	jobsWait = 5 * time.Minute

	// jobsShare is what part of a processor each must add: on all of them so many files at
	// once must be so much faster than one file at a time on one of them.
	jobsShare = 0.8
)

// errNotConfined says that a program cannot be had on fewer processors than there are.
var errNotConfined = errors.New("not measured here: no program can be confined to some of the processors")

// measureJobs has the program visit files one at a time on one processor and on all of
// them, and as many as there are processors.
func measureJobs(ctx context.Context, r *run) (_ []section, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	files, turns := jobFiles, jobTurns
	if r.plan.rounds == 1 {
		files, turns = 4, 1
	}
	var targets []string
	for i := range files {
		path := filepath.Join(p.dir, fmt.Sprintf("%d.html", i))
		if err := os.WriteFile(path, jobPage(i), 0o600); err != nil {
			return nil, err
		}
		targets = append(targets, path)
	}
	all := runtime.NumCPU()
	s := section{
		title: "Many files",
		words: fmt.Sprintf("`webarea snapshot --scope page --jobs N` over %d files of some hundred nodes, the median of %d runs by turns. The program and its browser have so many processors and no more. One file at a time keeps more than one processor busy, since a browser is several processes: what a processor adds shows against one file at a time on one.", files, turns),
		head:  []string{"jobs", "processors", "ms", "files a second", "of one on one"},
	}
	sorts := []jobSort{{jobs: 1, processors: 1}, {jobs: 1, processors: all}, {jobs: all, processors: all}}
	if all == 1 {
		sorts = sorts[:1]
	}
	for range turns {
		for i := range sorts {
			if err := sorts[i].run(ctx, p, targets); err != nil {
				return nil, err
			}
		}
	}
	alone := median(sorts[0].costs)
	for _, sort := range sorts {
		took := median(sort.costs)
		rate := "–"
		if took > 0 {
			rate = times(float64(files) / took.Seconds())
		}
		s.rows = append(s.rows, []string{fmt.Sprint(sort.jobs), fmt.Sprint(sort.processors), ms(took), rate, ratio(took, alone)})
	}
	// Of a few files the start of the browsers is most of the time.
	if all > 1 && files == jobFiles {
		s.goals = append(s.goals, jobsGoal(all, alone, median(sorts[2].costs)))
	}
	return []section{s}, nil
}

// A jobSort is a sort of run of the program.
type jobSort struct {
	jobs, processors int
	costs            []cost // none where it cannot be confined so
}

func (s *jobSort) run(ctx context.Context, p programs, targets []string) error {
	took, err := p.snapshot(ctx, s.jobs, s.processors, targets)
	if errors.Is(err, errNotConfined) {
		return nil
	}
	if err != nil {
		return err
	}
	s.costs = append(s.costs, cost{time: took})
	return nil
}

// jobsGoal holds it to the processors; alone is 0 where one could not be measured.
func jobsGoal(processors int, alone, took time.Duration) goal {
	want := jobsShare * float64(processors)
	g := goal{
		number: "6", what: fmt.Sprintf("snapshot --jobs over many files, %d at once on %d processors, against one at a time on one", processors, processors),
		want: fmt.Sprintf("≥ %.2f × as fast", want), measured: errNotConfined.Error(), verdict: unknown,
	}
	if alone > 0 {
		faster := float64(alone) / float64(took)
		g.measured, g.verdict = times(faster)+" ×", judge(faster >= want)
	}
	return g
}

// snapshot has ours visit targets on so many processors, and checks that each was
// answered.
func (p programs) snapshot(ctx context.Context, jobs, processors int, targets []string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, jobsWait)
	defer cancel()
	command := exec.CommandContext(ctx, p.ours, append([]string{"snapshot", "--json", "--scope", "page", "--jobs", fmt.Sprint(jobs)}, targets...)...)
	command.Env = append(os.Environ(), cdp.BrowserVariable+"="+p.browser)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	begun := time.Now()
	err := startOn(command, processors)
	if err == nil {
		err = command.Wait()
	}
	if err != nil {
		return 0, fmt.Errorf("visiting files, %d at a time: %w: %s", jobs, err, said.String())
	}
	took := time.Since(begun)
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != len(targets) {
		return 0, fmt.Errorf("visiting files, %d at a time: got %d answers, want %d", jobs, n, len(targets))
	}
	return took, nil
}

// jobPage is a page of some hundred nodes.
func jobPage(n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html><meta charset=utf-8><title>Page %d</title><h1>Ledger</h1><table>", n)
	for i := range 12 {
		fmt.Fprintf(&b, "<tr><td>%d<td><a href=/e/%d>Entry %d</a><td>some words of it", i, i, i)
	}
	b.WriteString("</table>")
	return b.Bytes()
}
