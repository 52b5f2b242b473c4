package cdp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// atOnce has all records come with the answer.
const atOnce = -1

// countParts counts what scripts hand over before they answer.
func countParts(t *testing.T, p *Page) *atomic.Int64 {
	var n atomic.Int64
	t.Cleanup(p.Session.On(runtime.BindingCalled.Method, func(jsonv2.Value) { n.Add(1) }))
	return &n
}

// serveWords serves one page.
func serveWords(t *testing.T, html string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// TestStream holds readings that are handed over while they are made to those that come
// at once, on every fixture.
func TestStream(t *testing.T) {
	files, err := filepath.Glob("../testpages/fixtures/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d fixtures, %v", len(files), err)
	}
	srv := httptest.NewServer(http.FileServer(http.Dir("../testpages/fixtures")))
	defer srv.Close()
	b := launchForPages(t)
	parts := map[Scope]int64{}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			p := openForTest(t, ctx, b, srv.URL+"/"+filepath.Base(f))
			heard := countParts(t, p)
			for _, scope := range []Scope{ScopePage, ScopeRows} {
				want, err := p.Read(ctx, ReadOptions{Scope: scope, part: atOnce})
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range []int{1, 3} {
					before := heard.Load()
					got, err := p.Read(ctx, ReadOptions{Scope: scope, part: size})
					if err != nil {
						t.Fatal(err)
					}
					parts[scope] += heard.Load() - before
					if len(got.Documents) != len(want.Documents) {
						t.Fatalf("%s in parts of %d: got %d documents, want %d", scope, size, len(got.Documents), len(want.Documents))
					}
					for i, d := range got.Documents {
						if diff := cmp.Diff(sayings(t, want.Documents[i]), sayings(t, d)); diff != "" {
							t.Errorf("%s in parts of %d (- at once, + in parts):\n%s", scope, size, diff)
						}
					}
				}
			}
		})
	}
	for _, scope := range []Scope{ScopePage, ScopeRows} {
		if parts[scope] == 0 {
			t.Errorf("no reading of %s was handed over in parts", scope)
		}
	}
}

// TestStreamOfOneMoment reads a page that says another number everywhere all the time.
func TestStreamOfOneMoment(t *testing.T) {
	address := serveWords(t, `<!doctype html><title>Numbers</title><body><script>
		for (let i = 0; i < 300; i++) document.body.append(Object.assign(document.createElement("p"), { textContent: "0" }));
		let n = 0;
		setInterval(() => { n++; for (const p of document.querySelectorAll("p")) p.firstChild.data = n; }, 1);
	</script>`)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), address)
	heard := countParts(t, p)
	for range 5 {
		r, err := p.Read(ctx, ReadOptions{Scope: ScopePage, part: 20})
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]int{}
		for _, rec := range r.Documents[0].Facts.Records {
			if rec.Tag == "" {
				said[rec.Text]++
			}
		}
		if len(said) != 1 {
			t.Errorf("the page said %d numbers in one reading, want one: %v", len(said), said)
		}
	}
	if heard.Load() == 0 {
		t.Error("nothing was handed over in parts")
	}
}

// TestStreamThatNobodyHears reads a world that lacks the binding: all comes with the
// answer, also where the page has an element of the binding's name that can be called.
func TestStreamThatNobodyHears(t *testing.T) {
	address := serveWords(t, `<!doctype html><title>Words</title><object id=webareaRecords></object><embed name=webareaRecords>`+strings.Repeat("<p>Words", 30))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), address)
	visits, err := p.prepare(ctx, &Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	visits[0].frame.bound = visits[0].world
	p.mu.Unlock()
	for _, scope := range []Scope{ScopePage, ScopeRows} {
		r, err := p.Read(ctx, ReadOptions{Scope: scope, part: 2})
		if err != nil {
			t.Fatalf("%s: %v", scope, err)
		}
		if got := strings.Count(wordsOf(r.Documents[0]), "Words"); got != 30 {
			t.Errorf("%s: got %d paragraphs, want 30", scope, got)
		}
	}
}

// TestStreamThatEnds gives a reading up while the page makes it: nothing of it is kept,
// and the next is whole.
func TestStreamThatEnds(t *testing.T) {
	address := serveWords(t, `<!doctype html><title>Words</title>`+strings.Repeat("<p>Words", 3000))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), address)
	given, giveUp := context.WithCancel(ctx)
	defer p.Session.On(runtime.BindingCalled.Method, func(jsonv2.Value) { giveUp() })()
	if _, err := p.Read(given, ReadOptions{Scope: ScopePage, part: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v of a reading that was given up, want %v", err, context.Canceled)
	}
	r, err := p.Read(ctx, ReadOptions{Scope: ScopePage, part: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(wordsOf(r.Documents[0]), "Words"); got != 3000 {
		t.Errorf("the next reading has %d paragraphs, want 3000", got)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.streams) != 0 {
		t.Errorf("%d streams are kept, want none", len(p.streams))
	}
}

// TestStreamIsWhole holds that a reading fails of which not all came, or with what cannot
// be.
func TestStreamIsWhole(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		facts string
		want  string
	}{
		{"all", []string{`{"at":[2,0],"records":[{"p":0,"x":"c"},{"p":-1,"x":"a"}]}`}, `{"records":[{"p":0,"x":"b"}],"streamed":{"at":[1],"parts":1,"count":3}}`, "a b c"},
		{"none", nil, `{"records":[{"p":-1,"x":"a"},{"p":0,"x":"b"}]}`, "a b"},
		{"a part is missing", []string{`{"at":[0],"records":[{"p":-1,"x":"a"}]}`}, `{"records":[],"streamed":{"at":[],"parts":2,"count":1}}`, "error"},
		{"a record is missing", []string{`{"at":[0],"records":[{"p":-1,"x":"a"}]}`}, `{"records":[],"streamed":{"at":[],"parts":1,"count":2}}`, "error"},
		{"a place is missing", []string{`{"at":[],"records":[{"p":-1,"x":"a"}]}`}, `{"records":[],"streamed":{"at":[],"parts":1,"count":1}}`, "error"},
		{"a place below all", []string{`{"at":[-1],"records":[{"p":-1,"x":"a"}]}`}, `{"records":[],"streamed":{"at":[],"parts":1,"count":1}}`, "error"},
		{"a place beyond all", []string{`{"at":[99999999999],"records":[{"p":-1,"x":"a"}]}`}, `{"records":[],"streamed":{"at":[],"parts":1,"count":1}}`, "error"},
		{"no JSON", []string{`{"at":[`}, `{"records":[],"streamed":{"at":[],"parts":1,"count":1}}`, "error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Page{streams: map[string]*stream{}}
			s := p.openStream()
			for _, part := range c.parts {
				p.hear(runtime.EventBindingCalled{Name: recordsBinding, Payload: s.id + " " + part})
				p.hear(runtime.EventBindingCalled{Name: recordsBinding, Payload: "another.1 " + part})
				p.hear(runtime.EventBindingCalled{Name: changeBinding, Payload: s.id + " " + part})
			}
			var f Facts
			if err := decodeFacts(c.facts, &f); err != nil {
				t.Fatal(err)
			}
			err := s.take()
			if err == nil {
				err = s.end(&f)
			}
			got := "error"
			if err == nil {
				var words []string
				for _, r := range f.Records {
					words = append(words, r.Text)
				}
				got = strings.Join(words, " ")
			}
			if got != c.want {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

// TestStreamOfFrames reads frames of the same site and of others at once.
func TestStreamOfFrames(t *testing.T) {
	words := strings.Repeat("<p>Words", 40)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/" {
			_, port, _ := strings.Cut(r.Host, ":")
			fmt.Fprintf(w, `<!doctype html><title>Outside</title>%s<iframe src=/in></iframe><iframe src="http://localhost:%s/in"></iframe>`, words, port)
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Inside</title>` + words))
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), srv.URL+"/")
	for _, scope := range []Scope{ScopePage, ScopeRows} {
		for round := range 2 {
			r, err := p.Read(ctx, ReadOptions{Scope: scope, part: 7})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Documents {
				if got := strings.Count(wordsOf(d), "Words"); d.Err != nil || got != 40 {
					t.Errorf("%s, read %d: %s has %d paragraphs, %v; want 40", scope, round, d.Facts.Title, got, d.Err)
				}
			}
			if len(r.Documents) != 3 {
				t.Errorf("%s, read %d: got %d documents, want 3", scope, round, len(r.Documents))
			}
		}
	}
}
