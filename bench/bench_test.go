package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
)

// TestQuick holds that each measurement works and is in the tables; how fast
// anything is it does not look at.
func TestQuick(t *testing.T) {
	p, err := newPlan("130,2900,30000", time.Minute, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(t.Context(), p, io.Discard)
	if errors.Is(err, cdp.ErrNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.blocks {
		if m.nodes < 100 || m.nodes > 160 {
			t.Errorf("the %s page has %d nodes, want about 130", m.kind.name, m.nodes)
		}
		for _, s := range states() {
			for _, v := range variants {
				if n := len(m.costs[s][v]); n != 1 {
					t.Errorf("%s page, %s, %s: measured %d times, want once", m.kind.name, s, v, n)
					continue
				}
				if c := m.costs[s][v][0]; c.time <= 0 || c.trips < 1 || c.bytes < 100 {
					t.Errorf("%s page, %s, %s: %+v, want a time, a trip and some bytes", m.kind.name, s, v, c)
				}
			}
		}
	}
	for _, m := range r.pictures {
		for _, way := range ways {
			if n := len(m.costs[way]); n != 1 || m.costs[way][0].time <= 0 || m.costs[way][0].bytes < 100 {
				t.Errorf("%s picture, %s: got %+v, want it measured once, with a time and some bytes", m.picture.name, way, m.costs[way])
			}
		}
	}
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	for _, k := range pictures {
		if want := fmt.Sprintf("\n| %s | %d × %d | ", k.name, k.width, k.height); !strings.Contains(b.String(), want) {
			t.Errorf("there is no row %q in:\n%s", want, b.String())
		}
	}
	row := regexp.MustCompile(`(?m)^\| (pointing|visible|page) \| (unchanged|text|attribute|focus|insert|cold) \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [1-9]\d* \| \d+ \| \d+ \|$`)
	if got, want := len(row.FindAllString(b.String(), -1)), len(kinds)*len(scopes)*len(states()); got != want {
		t.Errorf("got %d rows, want %d, in:\n%s", got, want, b.String())
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		sizes string
		quick bool
		nodes []int
		err   string
	}{
		{"130, 2900", false, []int{130, 2900}, ""},
		{"130,2900", true, []int{130}, ""},
		{"many", false, nil, `"many" is no number of nodes`},
		{"130,", false, nil, `"" is no number of nodes`},
		{"-1", false, nil, `"-1" is no number of nodes`},
	} {
		p, err := newPlan(c.sizes, time.Minute, c.quick)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: got error %v, want %s", c.sizes, err, c.err)
			}
			continue
		}
		if err != nil || len(p.nodes) != len(c.nodes) || p.nodes[0] != c.nodes[0] {
			t.Errorf("%q, quick %v: got %v, %v, want %v", c.sizes, c.quick, p.nodes, err, c.nodes)
			continue
		}
		sum := time.Duration(0)
		for _, n := range p.nodes {
			sum += p.share(n) * time.Duration(len(kinds))
		}
		if off := sum - time.Minute; off < -time.Millisecond || off > time.Millisecond {
			t.Errorf("%q: the shares are %s together, want a minute", c.sizes, sum)
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
	}{{costs(3), 3}, {costs(9, 1, 5), 5}, {costs(4, 1), 4}} {
		if got := median(c.costs); got != c.want {
			t.Errorf("the median of %v is %v, want %v", c.costs, got, c.want)
		}
	}
}
