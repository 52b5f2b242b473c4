package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// A slowPage is read when it is told to be.
type slowPage struct {
	mu    sync.Mutex
	reads []string      // what was read, in order
	goOn  chan struct{} // each lets one reading end
	ended []error       // why readings ended early
}

func (p *slowPage) read(ctx context.Context, opts cdp.ReadOptions) (taken, error) {
	p.mu.Lock()
	p.reads = append(p.reads, string(opts.Scope))
	n := len(p.reads)
	p.mu.Unlock()
	select {
	case <-p.goOn:
		return taken{reading: &cdp.Reading{Trips: n}}, nil
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended = append(p.ended, context.Cause(ctx))
		return taken{}, ctx.Err()
	}
}

// state tells how many readings were begun and ended early, and how many are kept.
func (p *slowPage) state(j *joint) (begun, ended, kept int) {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(p.reads), len(p.ended), len(j.running) + len(j.next)
}

// asking asks in another goroutine; the channel gives the number of the reading, or the
// error.
func asking(ctx context.Context, j *joint, scope cdp.Scope) chan string {
	answer := make(chan string, 1)
	go func() {
		r, err := j.get(ctx, cdp.ReadOptions{Scope: scope})
		if err != nil {
			answer <- err.Error()
			return
		}
		answer <- fmt.Sprint(r.reading.Trips)
	}()
	synctest.Wait()
	return answer
}

func TestJoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &slowPage{goOn: make(chan struct{})}
		j := &joint{read: p.read}
		first := asking(t.Context(), j, Pointing)
		second, third := asking(t.Context(), j, Pointing), asking(t.Context(), j, Pointing)
		other := asking(t.Context(), j, Visible)
		if begun, _, kept := p.state(j); begun != 2 || kept != 3 {
			t.Errorf("asked three times the same and once another thing, and began %d readings, with %d kept; want each once so far, and one more kept", begun, kept)
		}
		for range 2 {
			p.goOn <- struct{}{}
		}
		synctest.Wait()
		fourth := asking(t.Context(), j, Pointing)
		p.goOn <- struct{}{}
		synctest.Wait()
		p.goOn <- struct{}{}
		got := fmt.Sprintf("%s, %s and %s, %s, %s", <-first, <-second, <-third, <-fourth, <-other)
		if want := "1, 3 and 3, 4, 2"; got != want {
			t.Errorf("the answers are of the readings %s; want %s: each of one that began after the question, those of two that waited together of the same", got, want)
		}
		if _, _, kept := p.state(j); kept != 0 {
			t.Errorf("%d readings are kept in the end, want none", kept)
		}
	})
}

// TestJointLeft has askers leave: only the last ends a reading.
func TestJointLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &slowPage{goOn: make(chan struct{})}
		j := &joint{read: p.read}
		impatient, leave := context.WithCancel(t.Context())
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		first := asking(impatient, j, Pointing)
		second, third := asking(t.Context(), j, Pointing), asking(soon, j, Pointing)
		leave()
		if got := <-first; got != "reading the page: context canceled" {
			t.Errorf("who left was answered %q", got)
		}
		if begun, ended, _ := p.state(j); ended != 1 || begun != 2 {
			t.Fatalf("%d of %d readings were ended, want the first of two, for which nobody waits", ended, begun)
		}
		if got, want := <-third, "reading the page: "+cdp.ErrUnresponsive.Error(); got != want {
			t.Errorf("who had a second was answered %q, want %q", got, want)
		}
		if _, ended, kept := p.state(j); ended != 1 || kept != 1 {
			t.Errorf("%d readings were ended, and %d are kept; want 1, and 1 for who waits still", ended, kept)
		}
		p.goOn <- struct{}{}
		if got := <-second; got != "2" {
			t.Errorf("who waited on was answered %q, want the second reading", got)
		}
		// One that nobody waits for any more before it begins is not made.
		fourth := asking(t.Context(), j, Pointing)
		gone, leave := context.WithCancel(t.Context())
		fifth := asking(gone, j, Pointing)
		leave()
		<-fifth
		p.goOn <- struct{}{}
		got := <-fourth
		if begun, _, kept := p.state(j); got != "3" || begun != 3 || kept != 0 {
			t.Errorf("got the reading %s of %d, with %d kept; want the last of 3, and none kept", got, begun, kept)
		}
	})
}

// TestNoAnswerIsOlderThanItsQuestion changes a page that others keep reading.
func TestNoAnswerIsOlderThanItsQuestion(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	r := newRecorder(t)
	p := New("Chromium")
	t.Cleanup(p.Close)
	tab := r.open(ctx, t, p, "article.html", driver.Options{Window: true})
	others, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for others.Err() == nil {
				// Who makes something else of the same reading must leave it as it is.
				if _, err := p.Elements(others, Query{Links: i%2 == 0}); err != nil && others.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 50 {
		want := fmt.Sprintf("Edition %d", i)
		if err := driver.Eval(ctx, tab.session, fmt.Sprintf("document.title = %q", want)); err != nil {
			t.Fatal(err)
		}
		a, err := p.Elements(ctx, Query{})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Find(p.TabID(tab)).Title; got != want {
			t.Errorf("after the title became %q, it is told as %q", want, got)
		}
	}
	stop()
	all.Wait()
}

// TestGoneWhileShared has several ask about a tab that is closed.
func TestGoneWhileShared(t *testing.T) {
	gone := fmt.Errorf("reading: %w", cdp.ErrTargetGone)
	j := &joint{read: func(context.Context, cdp.ReadOptions) (taken, error) { return taken{}, gone }}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := j.get(t.Context(), cdp.ReadOptions{}); !errors.Is(err, cdp.ErrTargetGone) {
				t.Errorf("got %v, want %v", err, gone)
			}
		})
	}
	all.Wait()
}
