package main

import (
	"context"
	"errors"
	"time"

	"github.com/webarea/webarea/sweep"
	"github.com/webarea/webarea/visit"
)

// A seat is a browser, and visits of targets in it, one after another.
type seat struct {
	browser *browser
	run     *snapshot
	visitor visit.Visitor
	// again has a target tried in another seat's browser if this one's ends, as long as
	// nothing was done in the page.
	again bool
	tally tally
}

// work visits a target. It is a sweep.Worker.
func (s *seat) work(ctx context.Context, job int) (sweep.Result, sweep.Outcome) {
	target := s.run.targets[job]
	begun := time.Now()
	result, err := s.visit(ctx, target)
	s.tally.busy += time.Since(begun)
	r := &found{target: target, report: s.run.report, result: result}
	if err == nil {
		s.tally.answered++
		return r, sweep.Done
	}
	if !errors.As(err, &r.failure) {
		r.failure = visit.Failure(visit.CodeFailed, err, "%v", err)
	}
	outcome := s.outcome(r.failure)
	if outcome == sweep.Unfit && !s.again && s.tally.lost == "" && len(s.run.seats) > 1 {
		s.run.report.notice("one browser less: " + r.failure.Message)
	}
	s.tally.failed(outcome, r.failure)
	return r, outcome
}

// visit visits a target.
func (s *seat) visit(ctx context.Context, target string) (*visit.Result, error) {
	if target == stdinTarget && s.run.stdin.err != nil {
		return nil, s.run.stdin.err
	}
	place, err := place(target, s.run.stdin.html)
	if err != nil {
		return nil, err
	}
	conn, err := s.browser.connect(ctx)
	if err != nil {
		return nil, err
	}
	v := &s.visitor
	v.Conn, v.Provider, v.App, v.Ours = conn, s.run.provider, s.browser.name, s.browser.ours()
	if s.hasMore() {
		v.Keep(ctx, s.run.options)
	}
	return v.Visit(ctx, place, s.run.options)
}

// hasMore tells whether a seat visits several targets.
func (s *seat) hasMore() bool { return len(s.run.targets) > len(s.run.seats) }

// outcome tells what a failure is to the other seats.
func (s *seat) outcome(e *visit.Error) sweep.Outcome {
	switch {
	case e.Code == visit.CodeNoBrowser:
		return sweep.Unfit
	case !s.again || e.Reached == visit.ReachedActs:
	case e.Code == visit.CodeBrowserGone:
		return sweep.Failed
	case e.Code == visit.CodeTimeout && e.Reached == visit.ReachedNothing:
		// It opens no tab: none of the others would fare better.
		s.browser.giveUp(e)
		return sweep.Failed
	}
	return sweep.Done
}
