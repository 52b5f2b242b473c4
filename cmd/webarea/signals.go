package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// A signalled is the cause of a context that a signal ended.
type signalled struct{ signal syscall.Signal }

func (s *signalled) Error() string { return s.signal.String() }

// untilSignal gives a context that the first signal to end ends, so that what was
// started is cleaned up. The second ends the program at once.
func untilSignal(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-got:
			signal.Stop(got)
			number, _ := s.(syscall.Signal)
			cancel(&signalled{number})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(got)
		cancel(nil)
		<-done
	}
}
