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
	// jobFiles is how many files are visited in one run of the program.
	jobFiles = 200

	// jobsWait bounds one run.
	jobsWait = 5 * time.Minute

	// jobsShare is how much each further processor must add: not a whole one, since a
	// browser alone keeps more than one busy with its several processes.
	jobsShare = 0.3
)

// measureJobs has the program visit files one at a time, and as many as there are
// processors.
func measureJobs(ctx context.Context, r *run) (_ []section, err error) {
	p, err := buildPrograms(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	files := jobFiles
	if r.plan.rounds == 1 {
		files = 4
	}
	var targets []string
	for i := range files {
		path := filepath.Join(p.dir, fmt.Sprintf("%d.html", i))
		if err := os.WriteFile(path, jobPage(i), 0o600); err != nil {
			return nil, err
		}
		targets = append(targets, path)
	}
	processors := runtime.GOMAXPROCS(0)
	s := section{
		title: "Many files",
		words: fmt.Sprintf("`webarea snapshot --scope page --jobs N` over %d files of some hundred nodes, on %d processors.", files, processors),
		head:  []string{"jobs", "s", "files a second", "of one at a time"},
	}
	var alone time.Duration
	for _, jobs := range []int{1, processors} {
		took, err := p.snapshot(ctx, jobs, targets)
		if err != nil {
			return nil, err
		}
		if alone == 0 {
			alone = took
		}
		s.rows = append(s.rows, []string{fmt.Sprint(jobs), fmt.Sprintf("%.1f", took.Seconds()), times(float64(files) / took.Seconds()), ratio(took, alone)})
		// Of a few files the start of the browsers is most of the time.
		if processors > 1 && jobs == processors && files == jobFiles {
			faster := float64(alone) / float64(took)
			want := 1 + jobsShare*float64(processors-1)
			g := goal{number: "6", what: "snapshot --jobs over many files", want: fmt.Sprintf("≥ %.2f × as fast on %d processors", want, processors), measured: times(faster) + " ×", verdict: fails}
			if faster >= want {
				g.verdict = holds
			}
			s.goals = append(s.goals, g)
		}
	}
	return []section{s}, nil
}

// snapshot has ours visit targets, and checks that each was answered.
func (p programs) snapshot(ctx context.Context, jobs int, targets []string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, jobsWait)
	defer cancel()
	command := exec.CommandContext(ctx, p.ours, append([]string{"snapshot", "--json", "--scope", "page", "--jobs", fmt.Sprint(jobs)}, targets...)...)
	command.Env = append(os.Environ(), cdp.BrowserVariable+"="+p.browser)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	begun := time.Now()
	if err := command.Run(); err != nil {
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
