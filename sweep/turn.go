package sweep

import "context"

// A packed result waits for its turn.
type packed struct {
	result Result
	size   int // bytes; 0 where it never waited
}

// settle takes the result that stands of a job, and delivers all whose turn has come.
func (s *sweep) settle(ctx context.Context, a *attempt) {
	if s.options.Settled != nil {
		s.options.Settled(a.result)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := packed{result: a.result}
	if a.job != s.turn || s.delivering {
		s.mu.Unlock()
		one.size = a.result.Pack()
		s.mu.Lock()
	}
	s.waiting[a.job] = one
	s.held += one.size
	s.settled++
	s.deliver(ctx)
	s.changed.Broadcast()
}

// deliver hands over the results whose turn has come, unless somebody is about it, who
// then takes also what has come meanwhile. The mutex is held, but not while a result is
// handed over.
func (s *sweep) deliver(ctx context.Context) {
	for ctx.Err() == nil && !s.delivering {
		one, ok := s.waiting[s.turn]
		if !ok {
			return
		}
		s.delivering = true
		s.mu.Unlock()
		err := one.result.Deliver()
		s.mu.Lock()
		s.delivering = false
		delete(s.waiting, s.turn)
		s.held -= one.size
		s.turn++
		if err != nil {
			s.cancel(err)
		}
		s.changed.Broadcast()
	}
}
