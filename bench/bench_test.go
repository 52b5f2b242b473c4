package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/bench/installation"
	"github.com/webarea/webarea/cdp"
)

// TestMain lets the test binary be what the browser starts as the host, too.
func TestMain(m *testing.M) {
	if installation.Told() {
		end(installation.Tap(context.Background()))
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// measured measures parts of pages of 130 nodes once, and gives the report. What could not
// be measured fails the test.
func measured(t *testing.T, parts, pages, ways string) (*run, string) {
	t.Helper()
	p, err := newPlan(parts, pages, fmt.Sprint(smallest), ways, time.Minute, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(t.Context(), p, io.Discard)
	if errors.Is(err, cdp.ErrNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.measure(t.Context()), r.close()); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.record.failed {
		t.Errorf("not measured: %s", f)
	}
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

// TestQuick holds that each measurement works over each way and is in the tables; how
// fast anything is it does not look at.
func TestQuick(t *testing.T) {
	pages, ways := "", launched+","+attached+","+relayed
	if testing.Short() {
		pages = "table,closed"
	}
	if runtime.GOOS == "windows" {
		// Windows finds hosts by its registry, which a test leaves alone.
		ways = launched + "," + attached
	}
	r, report := measured(t, "reads,where,pictures,beside", pages, ways)
	p := r.plan
	for _, k := range p.kinds {
		if n := r.record.counted(k.name, smallest); n < 100 || n > 180 {
			t.Errorf("the %s page has %d nodes, want about %d", k.name, n, smallest)
		}
		for _, way := range p.ways {
			b := &block{slot{way, smallest, k}, r}
			for _, s := range b.states() {
				for _, what := range b.variants(s) {
					m := r.record.get(k.name, smallest, way, s, what)
					if len(m.all()) != 1 {
						t.Errorf("%s page, %s, %s, %s: measured %d times, want once", k.name, way, s, what, len(m.all()))
						continue
					}
					c := m.costs[0]
					if c.time <= 0 || c.bytes < 100 {
						t.Errorf("%s page, %s, %s, %s: %+v, want a time and some bytes", k.name, way, s, what, c)
					}
					// A busy machine may have the window's time run out.
					if c.flaw != "" && what != windowWhat {
						t.Errorf("%s page, %s, %s, %s: the answer %s", k.name, way, s, what, c.flaw)
					}
				}
			}
		}
	}
	want := []string{"\n| table | 130 | window | ", "\n| table | window | `", "\n| table | 130 | ", "## Goals", "## 130 nodes, unchanged", "## 130 nodes, changed and cold", "## Pictures of elements", "## Tree and picture together", "\n| 30000 | "}
	for _, k := range p.kinds {
		want = append(want, fmt.Sprintf("\n| %s | %d | pointing | ", k.name, r.record.counted(k.name, smallest)))
	}
	for _, k := range pictures {
		want = append(want, fmt.Sprintf("\n| %s | %d × %d | ", k.name, k.width, k.height))
	}
	for _, w := range want {
		if !strings.Contains(report, w) {
			t.Errorf("there is no %q in:\n%s", w, report)
		}
	}
}

// TestPartFails holds that a part that fails is told of, and keeps no other from being
// measured.
func TestPartFails(t *testing.T) {
	before := parts
	t.Cleanup(func() { parts = before })
	parts = []part{
		{"broken", func(context.Context, *run) ([]section, error) { return nil, errors.New("it broke\nin two") }},
		{"other", func(context.Context, *run) ([]section, error) {
			return []section{{title: "Other", head: []string{"a", "b"}, rows: [][]string{{"x|y", "1.5"}}, goals: []goal{{"9", "things", "≤ 1", "1.5", fails}}}}, nil
		}},
	}
	r := &run{record: newRecord(), progress: io.Discard, begun: time.Now()}
	if err := r.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0 of 1 lines hold", "| 9 | things | ≤ 1 | 1.5 | no |", "- broken: it broke in two\n", "## Other\n\n\n| a | b |\n|---|---:|\n| x\\|y | 1.5 |\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, b.String())
		}
	}
}

// TestGoals holds measurements to goals: the worst page counts, and an answer that lacks
// something reaches none.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		name           string
		pointing, list time.Duration
		flaw           string
		measured       string
		verdict        verdict
	}{
		{"both reach it", 9 * time.Millisecond, 2 * time.Millisecond, "", "0.0090 × at most (*table*); 2 of 2 pages; of one round", holds},
		{"one does not", 9 * time.Millisecond, 11 * time.Millisecond, "", "0.011 × at most (*list*); 1 of 2 pages; of one round", fails},
		{"one lacks something", 9 * time.Millisecond, 2 * time.Millisecond, "misses it", "0.0090 × at most (*table*); 2 of 2 pages; of one round; *list* misses it", fails},
		{"one is not measured", 9 * time.Millisecond, 0, "", "0.0090 × at most (*table*); 1 of 1 pages; of one round", holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &run{plan: plan{kinds: kinds[:2]}, record: newRecord()}
			for i, d := range []time.Duration{c.pointing, c.list} {
				if d == 0 {
					continue
				}
				r.record.add(subject{kinds[i].name, large, launched, unchanged, rawWhat}, cost{time: time.Second})
				flaw := ""
				if i == 1 {
					flaw = c.flaw
				}
				r.record.add(subject{kinds[i].name, large, launched, unchanged, pointingWhat}, cost{time: d, flaw: flaw})
			}
			for _, g := range readGoals(r).goals {
				if g.what == "pointing, unchanged, 30,000 nodes, against raw, launched" {
					if g.measured != c.measured || g.verdict != c.verdict {
						t.Errorf("got %q, %s\nwant %q, %s", g.measured, g.verdict, c.measured, c.verdict)
					}
					return
				}
			}
			t.Error("there is no such goal")
		})
	}
}

// TestGoalsOfStates holds the states of windows to goals: of a small page only where all of
// it is let through, of the largest any answer that is of use.
func TestGoalsOfStates(t *testing.T) {
	const small, huge = "get_window_state, tree only, 130 nodes, pages inside the budget, against raw, launched", "get_window_state, tree only, 220,000 nodes: timeout_ms + 500, launched"
	for _, c := range []struct {
		name        string
		size        int
		state       cost
		of          string
		measured    string
		wantVerdict verdict
	}{
		{"inside", smallest, cost{time: 4}, small, "2.00 × at most (*table*); 0 of 1 pages; of one round", fails},
		{"beyond", smallest, cost{time: 4, cut: true}, small, "", ""},
		{"part of it", largest, cost{time: time.Second, flaw: "misses 1 of 2"}, huge, "1000 ms at most (*table*); 1 of 1 pages", holds},
		{"nothing of it", largest, cost{time: time.Second, flaw: "misses 2 of 2", useless: true}, huge, "1000 ms at most (*table*); 1 of 1 pages; *table* misses 2 of 2", fails},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &run{plan: plan{kinds: kinds[:1]}, record: newRecord()}
			r.record.add(subject{kinds[0].name, c.size, launched, unchanged, rawWhat}, cost{time: 2})
			r.record.add(subject{kinds[0].name, c.size, launched, unchanged, windowWhat}, c.state)
			var got goal
			for _, g := range readGoals(r).goals {
				if g.what == c.of {
					got = g
				}
			}
			if got.measured != c.measured || got.verdict != c.wantVerdict {
				t.Errorf("got %q, %q\nwant %q, %q", got.measured, got.verdict, c.measured, c.wantVerdict)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		only, pages, sizes, ways string
		reads                    int
		err                      string
	}{
		{"", "", "130, 2900", "launched", 4, ""},
		{"pointing,saved", "table", "130", "launched,relayed", 1, ""},
		{"pictures", "table", "130", "launched", 0, ""},
		{"", "", "30000,220000", "launched,attached,relayed", 4, ""},
		{"nothing", "", "130", "launched", 0, `"nothing" is no part: there are ` + strings.Join(partNames(), ", ")},
		{"", "flat", "130", "launched", 0, `"flat" is no kind of page`},
		{"", "", "many", "launched", 0, `"many" is no number of nodes`},
		{"", "", "-1", "launched", 0, `"-1" is no number of nodes`},
		{"", "", "130", "guessed", 0, `"guessed" is no way: there are launched, attached, relayed`},
	} {
		p, err := newPlan(c.only, c.pages, c.sizes, c.ways, time.Minute, false)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v: got error %v, want %s", c, err, c.err)
			}
			continue
		}
		if err != nil || len(p.reads()) != c.reads {
			t.Errorf("%+v: got %v, %v, want %d reads", c, p.reads(), err, c.reads)
			continue
		}
		left := time.Minute
		slots := p.slots()
		for i := range slots {
			left -= share(left, slots[i:])
		}
		if left < -time.Millisecond || left > time.Millisecond {
			t.Errorf("%+v: %s of a minute is left when all pages had their share", c, left)
		}
	}
}

func TestMedian(t *testing.T) {
	costs := func(list ...time.Duration) (all []cost) {
		for _, d := range list {
			all = append(all, cost{time: d})
		}
		return all
	}
	for _, c := range []struct {
		costs []cost
		want  time.Duration
	}{{nil, 0}, {costs(3), 3}, {costs(9, 1, 5), 5}, {costs(9, 1), 5}, {costs(4, 100, 1, 2), 3}} {
		if got := median(c.costs); got != c.want {
			t.Errorf("the median of %v is %v, want %v", c.costs, got, c.want)
		}
	}
}
