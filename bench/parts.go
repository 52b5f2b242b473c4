package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// A part of the benchmark measures one thing, and tells of it in sections of the report.
type part struct {
	name    string
	measure func(context.Context, *run) ([]section, error)
}

// parts are all there are, in the order of the report.
var parts = []part{
	{"reads", measureReads},
	{"where", measureWhere},
	{"saved", measureSaved},
	{"pictures", measurePictures},
	{"beside", measureBeside},
	{"idle", measureIdle},
	{"memory", measureMemory},
	{"start", measureStart},
	{"crowd", measureCrowd},
	{"jobs", measureJobs},
}

func partNames() []string {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	return append(all, whats...)
}

// A section is what the report says of one thing.
type section struct {
	title string
	words string // before the table
	head  []string
	rows  [][]string
	// goals are what was to be reached; they stand together at the report's beginning.
	goals []goal
}

// A goal is a figure that was to be reached.
type goal struct {
	number   string // of the list of goals
	what     string
	want     string
	measured string
	verdict  verdict
}

// A verdict says whether a goal was reached.
type verdict string

const (
	holds   verdict = "yes"
	fails   verdict = "no"
	unknown verdict = "not measured"
)

// A run is one run of the benchmark.
type run struct {
	plan     plan
	machine  machine
	record   *record
	site     *site
	progress io.Writer
	sections []section
	begun    time.Time

	// open are the ways that were opened.
	open map[string]way
}

// newRun begins one; the caller closes it.
func newRun(ctx context.Context, p plan, progress io.Writer) (*run, error) {
	r := &run{plan: p, record: newRecord(), site: newSite(), progress: progress, begun: time.Now(), open: map[string]way{}}
	var err error
	if r.machine, err = describe(ctx); err != nil {
		return r, errors.Join(err, r.close())
	}
	return r, nil
}

func (r *run) close() error {
	var failed []error
	for name := range r.open {
		failed = append(failed, r.shut(name))
	}
	r.site.Close()
	return errors.Join(failed...)
}

// measure measures all parts. One that fails is told in the report, and the others go on.
func (r *run) measure(ctx context.Context) error {
	for _, p := range parts {
		if !r.plan.wants(p.name) && !(p.name == "reads" && len(r.plan.reads()) > 0) {
			continue
		}
		begin := time.Now()
		sections, err := p.measure(ctx, r)
		r.sections = append(r.sections, sections...)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			r.record.fail(p.name, err)
		}
		r.tell("%s: %s", p.name, time.Since(begin).Round(time.Second))
	}
	return nil
}

func (r *run) tell(format string, of ...any) { fmt.Fprintf(r.progress, format+"\n", of...) }

// way gives a way by its name, opened. One that was shut is opened anew.
func (r *run) way(ctx context.Context, name string) (way, error) {
	if w := r.open[name]; w != nil {
		return w, nil
	}
	var w way
	var err error
	switch name {
	case launched:
		w, err = newLaunched(ctx)
	case attached:
		w, err = newAttached(ctx)
	default:
		w, err = newRelayed(ctx, r.site)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the way %s: %w", name, err)
	}
	r.open[name] = w
	return w, nil
}

// shut ends a way; the next who needs it has it opened anew.
func (r *run) shut(name string) error {
	w := r.open[name]
	if w == nil {
		return nil
	}
	delete(r.open, name)
	return w.close()
}
