package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
)

// entries is a list of so many links.
func entries(n int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Part</title><ul>")
	for i := range n {
		fmt.Fprintf(&b, "<li><a href=/entry/%d>Entry %d</a> is on <b>page</b>", i, i)
	}
	return b.String()
}

// TestFramesShare holds readings of several frames to their budget, and to what is on
// screen in each, which comes before what is not in any other.
func TestFramesShare(t *testing.T) {
	sizes := map[string][]int{"/alike": {1500, 1500, 1500, 1500}, "/one": {5, 5, 5, 3000}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if n := 0; r.URL.Path == "/frame" {
			_, _ = fmt.Sscan(r.URL.Query().Get("n"), &n)
			fmt.Fprint(w, entries(n))
			return
		}
		fmt.Fprint(w, "<!doctype html><title>Frames</title>")
		for i, n := range sizes[r.URL.Path] {
			fmt.Fprintf(w, "<iframe title=%d width=300 height=200 src='/frame?n=%d'></iframe>", i, n)
		}
	}))
	defer srv.Close()
	b := launchForPages(t)
	const budget = 600
	for page := range sizes {
		t.Run(page, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			p := openForTest(t, ctx, b, srv.URL+page)
			read := func(records int) *Reading {
				r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Records: records})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			whole := map[string]*Document{}
			told := map[string]map[int64]bool{}
			all := func(r *Reading) (n int) {
				for _, d := range r.Documents {
					n += len(d.Facts.Records)
					told[d.Frame] = map[int64]bool{}
					for _, rec := range d.Facts.Records {
						told[d.Frame][rec.Serial] = true
					}
				}
				return n
			}
			// Neither sizes nor shares are known when a page is read first.
			for _, what := range []string{"first", "again"} {
				r := read(budget)
				n := all(r)
				if n < budget || n > 2*budget {
					t.Errorf("%s: got %d records of all frames, want the budget of %d, and not that of each", what, n, budget)
				}
				if len(whole) == 0 {
					for _, d := range read(0).Documents {
						whole[d.Frame] = d
					}
				}
				if len(whole) != 5 {
					t.Fatalf("got %d documents, want 5", len(whole))
				}
				for id, d := range whole {
					onScreen, missing := 0, 0
					for _, rec := range d.Facts.Records {
						if rec.More().Distance > 0 || rec.Serial == 0 {
							continue
						}
						if onScreen++; !told[id][rec.Serial] {
							missing++
						}
					}
					if missing > 0 {
						t.Errorf("%s: %q misses %d of %d records on screen", what, d.Facts.Title, missing, onScreen)
					}
				}
			}
			if _, err := p.Read(ctx, ReadOptions{Scope: ScopePointing}); err != nil {
				t.Fatal(err)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			for id, f := range p.frames {
				if f.total == 0 {
					t.Errorf("a pointing reading has the size of the frame %s forgotten, by which it gets its share", id)
				}
			}
		})
	}
}

// TestSpread holds the shares of frames to the whole.
func TestSpread(t *testing.T) {
	main, other := &Session{}, &Session{}
	of := func(s *Session, total int) *visit { return &visit{session: s, frame: &frame{total: total}} }
	opts := ReadOptions{Scope: ScopeRows, Records: 2000, Time: 400 * time.Millisecond}
	for _, c := range []struct {
		name   string
		visits []*visit
		opts   ReadOptions
		rows   []int
		times  []int // ms
	}{
		{"alone", []*visit{of(main, 100)}, opts, []int{0}, []int{0}},
		{"unknown", []*visit{of(main, 0), of(main, 0), of(main, 9000)}, opts, []int{0, 1250, 1250}, []int{240, 200, 200}},
		{"known", []*visit{of(main, 10), of(main, 3000), of(main, 1000)}, opts, []int{0, 1875, 625}, []int{240, 300, 100}},
		{"another process", []*visit{of(main, 10), of(other, 10)}, opts, []int{0, 2500}, []int{0, 400}},
		{"tiny beside large", []*visit{of(main, 10), of(main, 1), of(main, 99999)}, opts, []int{0, leastRows, 2499}, []int{240, 20, 399}},
		{"in the order of the document", []*visit{of(main, 10), of(main, 10)}, ReadOptions{Scope: ScopeRows, Records: 2000, InOrder: true}, []int{0, 0}, []int{0, 0}},
		{"another scope", []*visit{of(main, 10), of(main, 10)}, ReadOptions{Scope: ScopePage, Records: 2000}, []int{0, 0}, []int{0, 0}},
	} {
		(&Page{}).spread(c.visits, c.opts)
		var rows, times []int
		for _, v := range c.visits {
			rows, times = append(rows, v.rows), append(times, int(v.time.Milliseconds()))
		}
		if fmt.Sprint(rows, times) != fmt.Sprint(c.rows, c.times) {
			t.Errorf("%s: got rows %v, ms %v, want %v, %v", c.name, rows, times, c.rows, c.times)
		}
	}
}

// TestReceiveAgain holds a reading to what it has: what a page said first counts where it
// does not answer once more in time.
func TestReceiveAgain(t *testing.T) {
	b := launchForPages(t)
	opening, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	p := openForTest(t, opening, b, "data:text/html,<title>Busy</title><p>Words")
	ctx, cancel := context.WithTimeout(opening, 300*time.Millisecond)
	defer cancel()
	before := &Document{Facts: Facts{Title: "Busy"}}
	v := &visit{session: p.Session, doc: &Document{}}
	v.call = p.Session.Go(ctx, runtime.CommandEvaluate, map[string]any{"expression": "for (const end = Date.now() + 3000; Date.now() < end;);"})
	p.receiveAgain(ctx, v, before)
	if v.doc != before || v.doc.Facts.Cut != "time" || v.doc.Facts.Unread != 1 {
		t.Errorf("got %+v, want what was said first, cut for time", v.doc.Facts)
	}
	if ctx.Err() != nil {
		t.Error("all of the time went by: nothing is left to tell of it")
	}
}

// TestHasTime holds the way back to what is read again to the time that is left.
func TestHasTime(t *testing.T) {
	soon, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, c := range []struct {
		ctx  context.Context
		took time.Duration
		want bool
	}{{context.Background(), time.Hour, true}, {soon, time.Second, true}, {soon, 50 * time.Second, false}} {
		if got := hasTime(c.ctx, c.took); got != c.want {
			t.Errorf("what took %v: got %v, want %v", c.took, got, c.want)
		}
	}
}
