package sweep

import (
	"context"
	"sync"
)

// MaxTries is how many workers a job is begun with at most, where each of them fails in
// the middle of it: what brings down three has brought them down itself.
const MaxTries = 3

// DefaultHeld bounds what waits for its turn, in bytes: some hundred answers about
// whole pages, or thousands about what is pointed at.
const DefaultHeld = 64 << 20

// An Outcome is how a worker came out of a job.
type Outcome int

// The outcomes of a job.
const (
	// Done: the result stands, good or bad.
	Done Outcome = iota
	// Failed: the worker failed in the middle, and another may do the job from its
	// beginning. The result stands where there is no other.
	Failed
	// Unfit: the worker could not begin, and never will again: it gets no further job
	// as long as there is another worker. The result is as of Failed.
	Unfit
)

// A Worker does a job, and is asked for one at a time. Jobs are numbered from 0.
type Worker func(ctx context.Context, job int) (Result, Outcome)

// A Result is what came of a job. Its methods are called by one goroutine at a time.
type Result interface {
	// Pack makes it as small as it gets before it waits for its turn, and gives the
	// bytes that it takes then.
	Pack() int
	// Deliver hands it over, in its turn: never two results at a time. An error ends the
	// sweep.
	Deliver() error
}

// Options are how a sweep is made.
type Options struct {
	// Held bounds the results that wait for their turn, in bytes; 0 is DefaultHeld. No
	// job is begun while there are more. Those that are being done come on top.
	Held int
	// Settled, if there is one, is called once for each job as soon as its result
	// stands, in whatever order that is, from several goroutines.
	Settled func(Result)
}

// Run has the workers do all jobs, beside each other, and returns when all workers have
// ended. Jobs are begun in their order. The error is that of a Deliver, or of ctx: what
// was not delivered by then is dropped.
func Run(ctx context.Context, jobs int, workers []Worker, o Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if o.Held <= 0 {
		o.Held = DefaultHeld
	}
	s := &sweep{options: o, jobs: jobs, workers: len(workers), cancel: cancel, waiting: map[int]packed{}}
	s.changed = sync.NewCond(&s.mu)
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})()
	var all sync.WaitGroup
	for i, work := range workers {
		all.Go(func() { s.work(ctx, i, work) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// A sweep is one run. Once its context has ended nothing is begun or delivered.
type sweep struct {
	options Options
	jobs    int
	workers int
	cancel  context.CancelCauseFunc
	changed *sync.Cond // something below did

	// mu guards everything below.
	mu      sync.Mutex
	next    int        // the first job that nobody has begun
	settled int        // how many jobs have their result
	unfit   []int      // workers that get no job any more; never all of them
	again   []*attempt // what another worker may do yet, in the order of the jobs

	turn       int            // the job whose result is delivered next
	delivering bool           // somebody is delivering it
	waiting    map[int]packed // by job: results that were not delivered yet
	held       int            // bytes of them
}

// An attempt is a job that was tried in vain.
type attempt struct {
	job    int
	tries  int   // in how many of them it had begun
	by     []int // the workers that tried
	result Result
}
