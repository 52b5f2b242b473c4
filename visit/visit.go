package visit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

const (
	// readShare is the part of a visit's time that loading leaves for the reading
	// of a page that never finishes loading, and maxReadShare the most it leaves.
	readShare    = 4
	maxReadShare = 5 * time.Second

	// answerShare is the part that is kept for handing the answer over once the
	// reading has run out of time, and maxAnswerShare the most that is kept.
	answerShare    = 10
	maxAnswerShare = 500 * time.Millisecond
)

// A Place is what is visited: an address, or a document that has none.
type Place struct {
	Address string // with its scheme
	HTML    []byte // the document, where Address is empty
}

// Options are how a visit is made.
type Options struct {
	Width, Height int     // of the viewport, CSS px
	Scale         float64 // device pixels in a CSS px
	Acts          Acts
	Query         provider.Query
	// Timeout bounds the visit up to the answer, from the opening of the tab.
	Timeout time.Duration
}

// A Visitor makes visits with one browser, one after another. Others may make theirs
// at the same time with the same provider.
type Visitor struct {
	Conn     *cdp.Conn
	Provider *provider.Provider
	App      string // the browser's name; where it is empty, the provider's is told

	// Ours says that we launched the browser. In one that we did not, a dialog is
	// never answered, only closed with its tab; and no window is opened.
	Ours bool

	// window is the connection to a browser of ours that has the window of Keep.
	window *cdp.Conn
}

// Keep has all visits from now on in one window of a browser of ours, each in a tab of
// its own there, beside one that stays empty: to open a window and to close it is a third
// of what the browser itself does for a small page. Where it cannot be kept, one is opened
// for each visit.
func (v *Visitor) Keep(ctx context.Context, o Options) {
	if !v.Ours || v.window == v.Conn {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if _, err := driver.Open(ctx, v.Conn, driver.Options{Width: o.Width, Height: o.Height, Window: true}); err == nil {
		v.window = v.Conn
	}
}

// A Result is what a visit found.
type Result struct {
	Answer *elements.Answer
	// Notes are sentences for the person who asked: what could not be done or
	// read, although there is an answer.
	Notes []string
}

// Visit opens a tab, loads the place, does the acts, reads and closes the tab.
//
// The reading begins when the page has loaded and the acts are done, in any case
// inside the timeout if there is a document by then. Where a JavaScript dialog
// opens, the acts that are left are not done, since nothing in the page answers;
// the answer has the dialog. Where the page's renderer dies, the answer says so.
// The error is always an *Error.
func (v *Visitor) Visit(ctx context.Context, place Place, o Options) (*Result, error) {
	whole, cancel := context.WithTimeout(ctx, o.Timeout-min(o.Timeout/answerShare, maxAnswerShare))
	defer cancel()
	r := &Result{}
	reached := ReachedNothing
	err := v.visit(whole, place, o, r, &reached)
	if err == nil {
		return r, nil
	}
	e := failed(err)
	switch {
	case ctx.Err() != nil:
		e = Failure(CodeInterrupted, err, "interrupted")
	case v.Conn.Err() != nil:
		e = Failure(CodeBrowserGone, err, "%v", v.Conn.Err())
	case e.Code == CodeTimeout:
		e = Failure(CodeTimeout, err, "%s was not done within %v: allow more time", stageOf(err), o.Timeout)
	}
	e.Reached = reached
	return nil, e
}

func (v *Visitor) visit(ctx context.Context, place Place, o Options, r *Result, reached *Reached) error {
	// Not interrupted, because a tab that is half open could not be closed.
	opening, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Timeout)
	defer cancel()
	tab, err := driver.Open(opening, v.Conn, driver.Options{Width: o.Width, Height: o.Height, Scale: o.Scale, Window: v.Ours && v.window != v.Conn})
	if err != nil {
		return err
	}
	w := watchPage(ctx, tab.Session)
	defer func() {
		v.leave(ctx, tab, w, r)
		w.stop()
	}()
	shared, err := v.Provider.Share(ctx, v.Conn, tab.Target)
	if err != nil {
		return err
	}
	defer v.Provider.Unshare(shared)
	if err := tab.Agree(ctx, shared.Page.Session); err != nil {
		return fmt.Errorf("giving pictures the tab's size: %w", err)
	}

	*reached = ReachedPage
	unload, err := load(ctx, tab.Session, w, place, o.Timeout)
	defer unload()
	if err == nil {
		err = r.act(ctx, tab.Session, w, o.Acts.list(), reached)
	}
	if err != nil {
		return redacted(ctx, shared, err)
	}
	o.Query.Tab, o.Query.App = shared, v.App
	return v.read(ctx, r, o)
}

// load loads the place. A page that has begun but not finished when its share of
// the time is over counts as loaded.
func load(ctx context.Context, s *cdp.Session, w *watch, place Place, timeout time.Duration) (stop func(), err error) {
	end, _ := ctx.Deadline()
	soon, cancel := context.WithDeadline(ctx, end.Add(-min(timeout/readShare, maxReadShare)))
	defer cancel()
	stop = func() {}
	if place.Address != "" {
		err = driver.Load(soon, s, place.Address)
	} else if end, e := driver.SetHTML(soon, s, place.HTML); e == nil {
		stop = end
	} else {
		err = e
	}
	slow := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && w.hasBegun()
	if err == nil || slow || w.isDeaf() {
		return stop, nil
	}
	return stop, &stage{"loading", err}
}

// act does the acts, as long as the page answers.
func (r *Result) act(ctx context.Context, s *cdp.Session, w *watch, acts []act, reached *Reached) error {
	done := 0
	for done < len(acts) && !w.isDeaf() {
		if !acts[done].waits {
			*reached = ReachedActs
		}
		if err := acts[done].attempt(ctx, s, w); err != nil {
			return err
		}
		done++
	}
	if done < len(acts) {
		r.Notes = append(r.Notes, fmt.Sprintf("%v, so this was not done: %s", w.why, names(acts[done:])))
	}
	return nil
}

// attempt does an act. One that ends because the page answers no more has done what
// it could.
func (a act) attempt(ctx context.Context, s *cdp.Session, w *watch) error {
	acting, stop := w.untilDeaf(ctx)
	defer stop()
	err := a.do(acting, s)
	if err == nil || w.isDeaf() {
		return nil
	}
	return &stage{strings.TrimSpace(a.name + " " + a.on), err}
}

func names(acts []act) string {
	var list []string
	for _, a := range acts {
		list = append(list, a.name)
	}
	return strings.Join(list, ", ")
}

// read has the provider answer, and finds in the answer what makes it none.
func (v *Visitor) read(ctx context.Context, r *Result, o Options) error {
	answer, err := v.Provider.Elements(ctx, o.Query)
	if err != nil {
		return err
	}
	problem, found := tabProblem(answer)
	switch {
	case !found:
		return Failure(CodeTabClosed, nil, "the tab was closed before it could be read")
	case problem == provider.ProblemUnresponsive:
		return Failure(CodeUnresponsive, nil, "the page did not let itself be read within %v: a script of it may never end", o.Timeout)
	case problem == provider.ProblemUnread:
		return Failure(CodePage, nil, "the page cannot be read")
	case problem != "":
		r.Notes = append(r.Notes, "the page could not be read, the answer says only this of it: "+problem)
	}
	r.Answer = answer
	return nil
}

// tabProblem returns what the one tab of an answer says of a problem.
func tabProblem(a *elements.Answer) (problem string, found bool) {
	for _, window := range a.Root.Children {
		for _, tab := range window.Children {
			problem, _ = tab.Attributes["problem"].(string)
			return problem, true
		}
	}
	return "", false
}
