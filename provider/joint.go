package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
)

// A joint has many who ask one page the same at the same time share its readings. A
// page answers one question after another, so whoever comes while it is being read
// waits in any case: for the next reading, which all share who wait by then. A reading
// is never given to somebody who asked after it had begun.
type joint struct {
	read func(context.Context, cdp.ReadOptions) (taken, error)

	// mu guards the readings by what is asked: the one that is being made, and the one
	// that is made after it.
	mu      sync.Mutex
	running map[cdp.ReadOptions]*shared
	next    map[cdp.ReadOptions]*shared
}

// What was taken of a page: its reading, without the records, and those in the form that
// is mapped. It may belong to several: nobody changes it.
type taken struct {
	reading  *cdp.Reading
	document *mapper.Document
}

// take reads a page. It lets go of each form as soon as there is the next: of a large
// page each is tens of megabytes.
func take(page *cdp.Page) func(context.Context, cdp.ReadOptions) (taken, error) {
	return func(ctx context.Context, opts cdp.ReadOptions) (taken, error) {
		reading, err := page.Read(ctx, opts)
		if err != nil {
			return taken{}, err
		}
		return converted(reading, opts), nil
	}
}

// converted takes a reading into the form that is mapped.
func converted(reading *cdp.Reading, opts cdp.ReadOptions) taken {
	t := taken{reading, convert(reading, opts)}
	for _, d := range reading.Documents {
		d.Facts.Records = nil
	}
	return t
}

// A shared reading is one that several may wait for.
type shared struct {
	opts cdp.ReadOptions
	done chan struct{} // closed when the two below are there
	taken
	err error

	// The joint's mu guards these.
	asked   int                // how many wait
	end     time.Time          // when the last of them stops waiting; zero: never
	endless bool               // one of them never stops
	stop    context.CancelFunc // once it is being made
}

// get gives a reading that began after the call. The error is as of cdp.Page.Read.
func (j *joint) get(ctx context.Context, opts cdp.ReadOptions) (taken, error) {
	// How much time there is differs by when each has asked.
	what := opts
	what.Time = 0
	j.mu.Lock()
	s := j.next[what]
	if s == nil {
		s = &shared{opts: opts, done: make(chan struct{})}
		if j.next == nil {
			j.running, j.next = map[cdp.ReadOptions]*shared{}, map[cdp.ReadOptions]*shared{}
		}
		j.next[what] = s
	}
	s.asked++
	if opts.Time == 0 || s.opts.Time > 0 && opts.Time > s.opts.Time {
		s.opts.Time = opts.Time
	}
	if end, bounded := ctx.Deadline(); !bounded {
		s.endless = true
	} else if end.After(s.end) {
		s.end = end
	}
	if j.running[what] == nil {
		j.begin(ctx, what)
	}
	j.mu.Unlock()
	select {
	case <-s.done:
		return s.taken, s.err
	case <-ctx.Done():
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if s.asked--; s.asked == 0 {
		// Nobody waits for it any more.
		if s.stop != nil {
			s.stop()
		} else if j.next[what] == s {
			delete(j.next, what)
		}
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return taken{}, fmt.Errorf("reading the page: %w", cdp.ErrUnresponsive)
	}
	return taken{}, fmt.Errorf("reading the page: %w", context.Cause(ctx))
}

// begin makes the next reading, if anybody waits for it, and those after it. The mutex
// is held. The values of ctx are kept, but not its end: others may wait for longer.
func (j *joint) begin(ctx context.Context, what cdp.ReadOptions) {
	s := j.next[what]
	delete(j.next, what)
	delete(j.running, what)
	if s == nil {
		return
	}
	j.running[what] = s
	ctx = context.WithoutCancel(ctx)
	if s.endless {
		ctx, s.stop = context.WithCancel(ctx)
	} else {
		ctx, s.stop = context.WithDeadline(ctx, s.end)
		// Some of it has gone by.
		if left := time.Duration(scriptShare * float64(time.Until(s.end))); s.opts.Time > left {
			s.opts.Time = max(left, time.Millisecond)
		}
	}
	go func() {
		s.taken, s.err = j.read(ctx, s.opts)
		s.stop()
		close(s.done)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.begin(ctx, what)
	}()
}
