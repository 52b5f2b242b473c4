package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// patience is far longer than any of these takes.
const patience = time.Minute

// A page collects what is delivered.
type page struct {
	mu    sync.Mutex
	lines []string
	busy  bool
}

// A note is a result that is written to a page.
type note struct {
	to   *page
	text string
	size int
	err  error
	wait func()
}

func (n *note) Pack() int { return n.size }

func (n *note) Deliver() error {
	n.to.mu.Lock()
	busy := n.to.busy
	n.to.busy = true
	n.to.mu.Unlock()
	if n.wait != nil {
		n.wait()
	}
	n.to.mu.Lock()
	defer n.to.mu.Unlock()
	n.to.busy = false
	if busy {
		n.to.lines = append(n.to.lines, "two at a time")
	}
	n.to.lines = append(n.to.lines, n.text)
	return n.err
}

func (p *page) said() string { return strings.Join(p.lines, " ") }

// run runs a sweep that must end by itself.
func run(t *testing.T, jobs int, workers []Worker, o Options) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return Run(ctx, jobs, workers, o)
}

// wait waits for a channel to be closed.
func wait(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Errorf("waited in vain for %s", what)
	}
}

// TestOrder has the first job end last.
func TestOrder(t *testing.T) {
	p := &page{}
	others := make(chan struct{})
	var left sync.WaitGroup
	left.Add(4)
	go func() { left.Wait(); close(others) }()
	work := func(_ context.Context, job int) (Result, Outcome) {
		if job == 0 {
			wait(t, "all other jobs", others)
		} else {
			left.Done()
		}
		return &note{to: p, text: fmt.Sprint(job), size: 1}, Done
	}
	var mu sync.Mutex
	var settled []string
	err := run(t, 5, []Worker{work, work}, Options{Settled: func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		settled = append(settled, r.(*note).text)
	}})
	if got, want := p.said(), "0 1 2 3 4"; err != nil || got != want {
		t.Errorf("delivered %q with the error %v, want %q and none", got, err, want)
	}
	slices.Sort(settled)
	if got, want := strings.Join(settled, " "), "0 1 2 3 4"; got != want {
		t.Errorf("settled %s, want each job once: %s", got, want)
	}
}

// TestHeld has a first job that does not end: the other worker stops to begin others
// once too much waits for it.
func TestHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &page{}
		full, begun := make(chan struct{}), make(chan int, 10)
		work := func(_ context.Context, job int) (Result, Outcome) {
			begun <- job
			if job == 0 {
				<-full
			}
			return &note{to: p, text: fmt.Sprint(job), size: 60}, Done
		}
		done := make(chan error, 1)
		go func() { done <- Run(t.Context(), 8, []Worker{work, work}, Options{Held: 100}) }()
		// Until nobody does anything any more.
		synctest.Wait()
		if got := len(begun); got != 3 || p.said() != "" {
			t.Errorf("began %d jobs and delivered %q while the first was not done, want 3, since two of 60 bytes are more than 100, and nothing", got, p.said())
		}
		close(full)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got, want := p.said(), "0 1 2 3 4 5 6 7"; got != want {
			t.Errorf("delivered %q, want %q", got, want)
		}
	})
}

// TestFailures has workers that fail, each by a table of what they do with each job.
func TestFailures(t *testing.T) {
	const good, fails, unfit = "good", "fails", "unfit"
	outcomes := map[string]Outcome{good: Done, fails: Failed, unfit: Unfit}
	tests := []struct {
		name    string
		workers []func(job int) string
		jobs    int
		want    string // the outcome of each job's last try
		most    int    // tries of job 0
	}{
		{"one alone is asked once for each", []func(int) string{
			func(int) string { return fails },
		}, 3, "fails fails fails", 1},
		{"one alone that is unfit says so of each", []func(int) string{
			func(int) string { return unfit },
		}, 3, "unfit unfit unfit", 1},
		{"another does it", []func(int) string{
			func(job int) string {
				if job == 0 {
					return fails
				}
				return good
			}, func(int) string { return good },
		}, 4, "good good good good", 2},
		{"who is unfit leaves it to the others", []func(int) string{
			func(int) string { return unfit }, func(int) string { return good }, func(int) string { return unfit },
		}, 6, "good good good good good good", 3},
		{"all are unfit", []func(int) string{
			func(int) string { return unfit }, func(int) string { return unfit },
		}, 4, "unfit unfit unfit unfit", 2},
		{"a job that brings everybody down", []func(int) string{
			func(job int) string { return map[bool]string{true: fails, false: good}[job == 0] },
			func(job int) string { return map[bool]string{true: fails, false: good}[job == 0] },
			func(job int) string { return map[bool]string{true: fails, false: good}[job == 0] },
			func(job int) string { return map[bool]string{true: fails, false: good}[job == 0] },
			func(job int) string { return map[bool]string{true: fails, false: good}[job == 0] },
		}, 8, "fails good good good good good good good", MaxTries},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &page{}
			var mu sync.Mutex
			by := map[int][]int{} // workers, by job
			var workers []Worker
			for i, does := range test.workers {
				workers = append(workers, func(_ context.Context, job int) (Result, Outcome) {
					mu.Lock()
					by[job] = append(by[job], i)
					mu.Unlock()
					word := does(job)
					return &note{to: p, text: word, size: 1}, outcomes[word]
				})
			}
			if err := run(t, test.jobs, workers, Options{}); err != nil {
				t.Fatal(err)
			}
			if got := p.said(); got != test.want {
				t.Errorf("delivered %q, want %q", got, test.want)
			}
			if len(by[0]) > test.most {
				t.Errorf("job 0 was done by the workers %v, want at most %d of them", by[0], test.most)
			}
			for job, who := range by {
				slices.Sort(who)
				if len(slices.Compact(slices.Clone(who))) != len(who) {
					t.Errorf("job %d was given to a worker twice: %v", job, who)
				}
			}
		})
	}
}

// TestNobodyTakesIt ends a sweep by the error of a delivery: workers are told to stop.
func TestNobodyTakesIt(t *testing.T) {
	p := &page{}
	full := errors.New("the disk is full")
	work := func(ctx context.Context, job int) (Result, Outcome) {
		if job == 1 {
			wait(t, "the end of the context", ctx.Done())
		}
		return &note{to: p, text: fmt.Sprint(job), size: 1, err: full}, Done
	}
	err := run(t, 4, []Worker{work, work}, Options{})
	if !errors.Is(err, full) || p.said() != "0" {
		t.Errorf("delivered %q with the error %v, want only 0 and %v", p.said(), err, full)
	}
}

// TestInterrupted ends the context while results wait for a job that is not done.
func TestInterrupted(t *testing.T) {
	p := &page{}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	work := func(ctx context.Context, job int) (Result, Outcome) {
		switch job {
		case 0:
			wait(t, "the end of the context", ctx.Done())
		case 3:
			cancel(stop)
		}
		return &note{to: p, text: fmt.Sprint(job), size: 1}, Done
	}
	if err := Run(ctx, 6, []Worker{work, work}, Options{}); !errors.Is(err, stop) || p.said() != "" {
		t.Errorf("delivered %q with the error %v, want nothing and %v", p.said(), err, stop)
	}
}

// TestDelivery lets results settle while another is delivered: they come after it, and
// never beside it.
func TestDelivery(t *testing.T) {
	p := &page{}
	settled := make(chan struct{})
	var left sync.WaitGroup
	left.Add(3)
	go func() { left.Wait(); close(settled) }()
	work := func(_ context.Context, job int) (Result, Outcome) {
		n := &note{to: p, text: fmt.Sprint(job), size: 1}
		if job == 0 {
			n.wait = func() { wait(t, "the others to settle", settled) }
		}
		return n, Done
	}
	err := run(t, 4, []Worker{work, work}, Options{Settled: func(r Result) {
		if r.(*note).text != "0" {
			left.Done()
		}
	}})
	if got, want := p.said(), "0 1 2 3"; err != nil || got != want {
		t.Errorf("delivered %q with the error %v, want %q and none", got, err, want)
	}
}
