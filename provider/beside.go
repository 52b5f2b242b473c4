package provider

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/webarea/webarea/cdp"
)

const (
	// tabShare is the part of the time left that one of several tabs may take to say
	// what is pointed at, which no page takes long for that answers at all.
	tabShare = 3

	// lateTime is what a tab gets at least that did not answer when it was last read:
	// enough to tell that it does again.
	lateTime = 500 * time.Millisecond

	// lookTime is what a tab that did not answer when it was last looked at gets at least
	// to tell that it does again: many times what a look takes, and too little to be felt.
	lookTime = 20 * time.Millisecond

	// stillTime is how long tabs that are only looked at are waited for once those that
	// are asked about were read, since the last of them told something: a look takes a
	// fiftieth of it, and where a busy machine has it take longer, the others are as late.
	stillTime = 100 * time.Millisecond
)

// errStill says that a tab that was looked at told nothing while the others did.
var errStill = errors.New("it did not answer while the others did")

// readAll reads tabs, beside each other, and one that does not answer does not hold up
// the others for long. isAsked tells of each whether the answer is about it, and is nil
// where it is about all. Those that it is not about are only looked at, and waited for no
// longer than stillTime after the others. Those that did not answer when they were last
// read, or looked at, are waited for until the others have been, and lateTime, or lookTime,
// at least.
func readAll(ctx context.Context, tabs []*Tab, opts cdp.ReadOptions, isAsked func(*Tab) bool) []*tabState {
	states := make([]*tabState, len(tabs))
	if len(tabs) == 1 {
		states[0] = tabs[0].read(ctx, opts)
		tabs[0].noteLate(states[0], true)
		return states
	}
	begun := time.Now()
	hurried, hurry := context.WithCancelCause(ctx)
	defer hurry(nil)
	looking, enoughSeen := context.WithCancelCause(ctx)
	defer enoughSeen(nil)
	var first, looks, rest sync.WaitGroup
	looked, seen := 0, make(chan struct{}, len(tabs))
	least := lateTime
	if isAsked != nil {
		least = lookTime
	}
	for i, t := range tabs {
		if isAsked != nil && !isAsked(t) {
			if t.wasSlow() {
				rest.Go(func() { states[i] = t.glance(hurried) })
			} else {
				looked++
				looks.Go(func() {
					states[i] = t.glance(looking)
					seen <- struct{}{}
				})
			}
			continue
		}
		if isAsked == nil && t.wasLate() {
			rest.Go(func() { states[i] = t.readSoon(hurried, ctx, opts) })
			continue
		}
		first.Go(func() {
			ctx, cancel, opts := part(ctx, opts)
			defer cancel()
			states[i] = t.read(ctx, opts)
			t.noteLate(states[i], time.Since(begun) >= lateTime)
		})
	}
	first.Wait()
	if !allSeen(looked, seen) {
		enoughSeen(errStill)
	}
	looks.Wait()
	enough := time.AfterFunc(time.Until(begun.Add(least)), func() { hurry(context.DeadlineExceeded) })
	defer enough.Stop()
	rest.Wait()
	return states
}

// allSeen waits until so many have been seen, and tells that they were: not where none was
// for stillTime.
func allSeen(want int, seen <-chan struct{}) bool {
	still := time.NewTimer(stillTime)
	defer still.Stop()
	for ; want > 0; want-- {
		select {
		case <-seen:
			still.Reset(stillTime)
		case <-still.C:
			return false
		}
	}
	return true
}

// part bounds the reading of one of several tabs. What is asked for besides what is
// pointed at may take a page all the time that there is.
func part(ctx context.Context, opts cdp.ReadOptions) (context.Context, context.CancelFunc, cdp.ReadOptions) {
	end, bounded := ctx.Deadline()
	if !bounded || opts.Scope != cdp.ScopePointing || opts.Target != 0 {
		return ctx, func() {}, opts
	}
	opts.Time /= tabShare
	ctx, cancel := context.WithTimeout(ctx, time.Until(end)/tabShare)
	return ctx, cancel, opts
}

// readSoon reads a tab that is waited for only until hurried ends, which is earlier than
// ctx.
func (t *Tab) readSoon(hurried, ctx context.Context, opts cdp.ReadOptions) *tabState {
	// What a large page says in so little time shows that it answers.
	if soon := time.Duration(scriptShare * float64(lateTime)); opts.Time == 0 || opts.Time > soon {
		opts.Time = soon
	}
	s := t.read(hurried, opts)
	if s.err != nil && hurried.Err() != nil && ctx.Err() == nil && !isGone(s.err) && !isOver(s.err) {
		s.err, s.problem = nil, ProblemUnresponsive
	}
	t.noteLate(s, errors.Is(context.Cause(hurried), context.DeadlineExceeded) && t.wasLate())
	return s
}

// glance finds out of a tab what an answer about another depends on: whether it is in
// front in its window, and has the focus. The tab itself is not told of.
func (t *Tab) glance(ctx context.Context) *tabState {
	s := &tabState{tab: t}
	defer t.placed(s)
	t.mu.Lock()
	s.active, s.window, s.state = t.active, t.window, t.state
	t.mu.Unlock()
	if _, told := t.at(); told || t.Page == nil {
		return s
	}
	where := t.whereabouts(ctx)
	caption, err := t.Page.Caption(ctx)
	if err == nil {
		s.active, s.focus = caption.Visible, caption.Focus
	}
	s.window, s.state = where(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	// Who was not waited for long may well answer.
	if err == nil || ctx.Err() == nil || errors.Is(context.Cause(ctx), errStill) {
		t.slow = err != nil
	}
	t.active, t.window, t.state = s.active, s.window, s.state
	return s
}

// wasLate tells whether a tab did not answer when it was last read.
func (t *Tab) wasLate() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.late
}

// wasSlow tells whether a tab did not answer when it was last looked at.
func (t *Tab) wasSlow() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slow
}

// noteLate notes whether a tab answered, and where it did not, only if it had the time
// to: a tab that answers is never late.
func (t *Tab) noteLate(s *tabState, hadTime bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case s.reading != nil:
		t.late = false
	case s.problem == ProblemUnresponsive && hadTime:
		t.late = true
	}
}
