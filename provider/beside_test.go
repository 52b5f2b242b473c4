package provider

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
)

// TestStuckTab asks about tabs beside one whose page is in an endless loop. None of the
// questions that must be answered in spite of it has an end of its own.
func TestStuckTab(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	r := newRecorder(t)
	p := New("Chromium")
	t.Cleanup(p.Close)
	stuck := r.open(ctx, t, p, "article.html", driver.Options{Window: true})
	well := r.open(ctx, t, p, "article.html", driver.Options{Window: true})
	// Of another site, so that it has a renderer of its own.
	if err := driver.Load(ctx, well.session, "http://other-site/article.html"); err != nil {
		t.Fatal(err)
	}
	before, err := p.Elements(ctx, Query{})
	if err != nil {
		t.Fatal(err)
	}
	document := func(of *Tab) string {
		for _, c := range before.Find(p.TabID(of)).Children {
			if c.Role == elements.Document {
				return c.ID
			}
		}
		t.Fatal("a tab has no document")
		return ""
	}
	stuckID, wellID := document(stuck), document(well)
	if err := driver.Eval(ctx, stuck.session, "setTimeout(() => { for (;;); })"); err != nil {
		t.Fatal(err)
	}

	ended := make(chan error, 1)
	go func() {
		a, err := p.Elements(ctx, Query{ID: stuckID})
		if err == nil && a.Find(stuckID) != nil {
			err = errors.New("the stuck page answered")
		}
		ended <- err
	}()
	ask := func(what string, q Query) *elements.Answer {
		t.Helper()
		asking, stop := context.WithCancel(t.Context())
		defer stop()
		answers := make(chan *elements.Answer, 1)
		go func() {
			a, err := p.Elements(asking, q)
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			answers <- a
		}()
		select {
		case a := <-answers:
			return a
		case err := <-ended:
			t.Errorf("%s: had no answer before the question about the stuck page ended: %v", what, err)
			stop()
			return <-answers
		}
	}
	if a := ask("an element of another tab", Query{ID: wellID}); a == nil || a.Find(wellID) == nil {
		t.Errorf("got %v, want the document of the other tab", a)
	}
	if !stuck.wasSlow() {
		t.Error("the stuck tab was waited for, and is not known to be slow")
	}
	// It is waited for once; after that each question takes as long as its own tab. Ten
	// times lookTime is half of what waiting for each would take.
	const again = 10
	begun := time.Now()
	for range again {
		if a := ask("an element of another tab, again", Query{ID: wellID}); a == nil || a.Find(wellID) == nil {
			t.Errorf("got %v, want the document of the other tab", a)
		}
	}
	if took := time.Since(begun); took > again*10*lookTime {
		t.Errorf("%d questions about another tab took %s, want %s at most", again, took, again*10*lookTime)
	}

	// Asked about all, the first time it gets its part of the time, and after that no
	// more than it needs to show that it answers again.
	soon, stop := context.WithTimeout(ctx, 10*lateTime*tabShare)
	defer stop()
	first, err := p.Elements(soon, Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*elements.Answer{first, ask("all tabs", Query{}), ask("all tabs, with what is on screen", Query{Scope: Visible})} {
		if a == nil {
			continue
		}
		if problem := a.Find(p.TabID(stuck)).Attributes["problem"]; problem != ProblemUnresponsive {
			t.Errorf("got the problem %v of the stuck tab, want %s", problem, ProblemUnresponsive)
		}
		if a.Find(wellID) == nil {
			t.Error("the other tab is without its document")
		}
	}

	// Once it answers again, it is looked at again.
	if err := stuck.Page.Session.Call(ctx, runtime.CommandTerminateExecution, nil, nil); err != nil {
		t.Fatal(err)
	}
	for stuck.wasSlow() {
		if _, err := p.Elements(ctx, Query{ID: wellID}); err != nil {
			t.Fatalf("a tab that answers again is not looked at again: %v", err)
		}
	}
}

// TestAllSeen holds that tabs that are looked at are waited for as long as they answer one
// after another, and those that do not no longer than stillTime.
func TestAllSeen(t *testing.T) {
	const step = stillTime / 2
	for _, c := range []struct {
		about        string
		want, answer int
		seen         bool
		took         time.Duration
	}{
		{"none", 0, 0, true, 0},
		{"all, each later than the one before", 50, 50, true, 50 * step},
		{"all but one", 50, 49, false, 49*step + stillTime},
		{"not one of them", 3, 0, false, stillTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			seen := make(chan struct{}, c.want)
			go func() {
				for range c.answer {
					time.Sleep(step)
					seen <- struct{}{}
				}
			}()
			begun := time.Now()
			if got, took := allSeen(c.want, seen), time.Since(begun); got != c.seen || took != c.took {
				t.Errorf("%s: got %v after %s, want %v after %s", c.about, got, took, c.seen, c.took)
			}
		})
	}
}

// TestGlance compares answers about one element, for which other tabs are only looked
// at, with those for which all are read: of several windows, and tabs in them.
func TestGlance(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	r := newRecorder(t)
	p := New("Chromium")
	t.Cleanup(p.Close)
	for _, o := range []driver.Options{{Window: true}, {}, {Window: true}, {Background: true}} {
		r.open(ctx, t, p, "article.html", o)
	}
	all, err := p.Elements(ctx, Query{Scope: Visible})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, tab := range p.shared() {
		in := elements.Answer{Root: all.Find(p.TabID(tab))}
		for e := range in.All() {
			if e.Role != elements.Document && e.Role != elements.Heading && e.Role != elements.Window {
				continue
			}
			compared++
			got, err := p.Elements(ctx, Query{ID: e.ID})
			if err != nil {
				t.Fatal(err)
			}
			opts, mopts, err := p.plan(ctx, Query{ID: e.ID})
			if err != nil {
				t.Fatal(err)
			}
			want := p.mapped(ctx, Query{ID: e.ID}, readAll(ctx, p.shared(), opts, nil), mopts)
			if diff := cmp.Diff(want, got.Root); diff != "" {
				t.Errorf("%s %q: the answer for which all tabs were read (-) is not that for which the others were looked at (+):\n%s", e.Role, e.Title, diff)
			}
		}
	}
	if compared < 8 {
		t.Errorf("compared %d answers, want some of each tab", compared)
	}
}
