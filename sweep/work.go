package sweep

import (
	"context"
	"slices"
)

// work has a worker do jobs until there are none for it.
func (s *sweep) work(ctx context.Context, worker int, do Worker) {
	for {
		a := s.take(ctx, worker)
		if a == nil {
			return
		}
		result, outcome := do(ctx, a.job)
		a.result, a.by = result, append(a.by, worker)
		if outcome == Failed {
			a.tries++
		}
		for _, final := range s.finish(ctx, worker, a, outcome) {
			s.settle(ctx, final)
		}
	}
}

// take waits for a job for a worker. It is nil where there will be none.
func (s *sweep) take(ctx context.Context, worker int) *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if ctx.Err() != nil || s.settled == s.jobs || slices.Contains(s.unfit, worker) {
			return nil
		}
		for i, a := range s.again {
			if !slices.Contains(a.by, worker) {
				s.again = slices.Delete(s.again, i, i+1)
				return a
			}
		}
		if s.next < s.jobs && s.held <= s.options.Held {
			s.next++
			return &attempt{job: s.next - 1}
		}
		// What others are doing may fail yet, and come here.
		s.changed.Wait()
	}
}

// finish takes what a worker made of a job, and gives the jobs whose results stand from
// here on. The others are put back.
func (s *sweep) finish(ctx context.Context, worker int, a *attempt, outcome Outcome) (final []*attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if outcome == Done || ctx.Err() != nil || a.tries >= MaxTries {
		final = append(final, a)
	} else {
		s.again = append(s.again, a)
		slices.SortFunc(s.again, func(x, y *attempt) int { return x.job - y.job })
	}
	// The last one goes on: somebody has to say of each job that it cannot be done.
	if outcome == Unfit && len(s.unfit)+1 < s.workers {
		s.unfit = append(s.unfit, worker)
	}
	s.again = slices.DeleteFunc(s.again, func(a *attempt) bool {
		if s.hasOther(a) {
			return false
		}
		final = append(final, a)
		return true
	})
	s.changed.Broadcast()
	return final
}

// hasOther tells whether there is a worker that has not tried a job and may. The mutex
// is held.
func (s *sweep) hasOther(a *attempt) bool {
	for worker := range s.workers {
		if !slices.Contains(a.by, worker) && !slices.Contains(s.unfit, worker) {
			return true
		}
	}
	return false
}
