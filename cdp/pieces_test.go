package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/google/go-cmp/cmp"
)

// TestPieces holds readings that come in pieces to those that come at once, on every
// fixture.
func TestPieces(t *testing.T) {
	files, err := filepath.Glob("../testpages/fixtures/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d fixtures, %v", len(files), err)
	}
	srv := httptest.NewServer(http.FileServer(http.Dir("../testpages/fixtures")))
	defer srv.Close()
	b := launchForPages(t)
	inPieces := 0
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			p := openForTest(t, ctx, b, srv.URL+"/"+filepath.Base(f))
			want, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 3} {
				got, err := p.Read(ctx, ReadOptions{Scope: ScopePage, pieces: size})
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Documents) != len(want.Documents) {
					t.Fatalf("in pieces of %d: got %d documents, want %d", size, len(got.Documents), len(want.Documents))
				}
				for i, d := range got.Documents {
					if len(d.Facts.Records) > 2*size {
						inPieces++
					}
					if d.Facts.Rest != 0 {
						t.Errorf("in pieces of %d: %d records did not come", size, d.Facts.Rest)
					}
					if diff := cmp.Diff(sayings(t, want.Documents[i]), sayings(t, d)); diff != "" {
						t.Errorf("in pieces of %d (- at once, + in pieces):\n%s", size, diff)
					}
				}
			}
		})
	}
	if inPieces == 0 {
		t.Error("no document was large enough to come in pieces")
	}
}

// TestPiecesOfOneMoment reads a page that says another number everywhere all the time.
func TestPiecesOfOneMoment(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>Numbers</title><body><script>
			for (let i = 0; i < 300; i++) document.body.append(Object.assign(document.createElement("p"), { textContent: "0" }));
			let n = 0;
			setInterval(() => { n++; for (const p of document.querySelectorAll("p")) p.firstChild.data = n; }, 1);
		</script>`))
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), srv.URL)
	for range 5 {
		r, err := p.Read(ctx, ReadOptions{Scope: ScopePage, pieces: 20})
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
}

// visitOfWords opens a page of twelve records, and gives its main document as one to read.
func visitOfWords(t *testing.T) (context.Context, *Page, *visit) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>Words</title><p>One<p>Two<p>Three<p>Four<p>Five<p>Six`))
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	p := openForTest(t, ctx, launchForPages(t), srv.URL)
	visits, err := p.prepare(ctx, &Reading{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, p, visits[0]
}

// TestPiecesAreLetGo asks for readings whose rest nobody takes, and looks at what the page
// still keeps of them.
func TestPiecesAreLetGo(t *testing.T) {
	ctx, _, v := visitOfWords(t)
	at := link{v.id, v.session, v.world}
	read := func(reader int) {
		t.Helper()
		if err := at.ask(ctx, "read", map[string]any{"scope": "page", "reader": reader, "pieces": 2}).value(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	isKept := func(reader int) bool {
		t.Helper()
		var text *string
		if err := at.ask(ctx, "nextPiece", reader).value(ctx, &text); err != nil {
			t.Fatal(err)
		}
		return text != nil
	}
	const most, first = 4, 1 << 40
	for i := range 2 * most {
		read(first + i)
	}
	var kept []string
	for i := range 2 * most {
		if isKept(first + i) {
			kept = append(kept, fmt.Sprint(i))
		}
	}
	if want := []string{"4", "5", "6", "7"}; !cmp.Equal(kept, want) {
		t.Errorf("of 8 readings whose rest nobody took, those are kept: %v, want the last: %v", kept, want)
	}
	read(first)
	if err := at.ask(ctx, "drop", first).value(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if isKept(first) {
		t.Error("what was dropped is kept")
	}
	// What is read again is not what was left of it before.
	read(first)
	isKept(first)
	read(first)
	n := 0
	for isKept(first) {
		n++
	}
	if n != 5 {
		t.Errorf("of 12 records, two told at once, the rest came in %d pieces, want 5", n)
	}
}

// TestPiecesThatEnd has a reading end before the rest of it was taken: nothing of it is
// waited for, and the next reading is whole.
func TestPiecesThatEnd(t *testing.T) {
	ctx, p, v := visitOfWords(t)
	v.send(ctx, ReadOptions{Scope: ScopePage, pieces: 2}, true, true, false)
	if err := p.receive(ctx, v, true); err != nil {
		t.Fatal(err)
	}
	if got := v.doc.Facts.Rest; got != 10 {
		t.Fatalf("%d records are left, want 10", got)
	}
	given, giveUp := context.WithCancel(ctx)
	giveUp()
	if err := p.takePieces(given, &Reading{}, []*visit{v}); err == nil {
		t.Error("a reading that was given up took its pieces all the same")
	}
	var text *string
	if err := (link{v.id, v.session, v.world}).ask(ctx, "nextPiece", v.reader).value(ctx, &text); err != nil || text != nil {
		t.Errorf("the page keeps what was given up: %v, %v", text, err)
	}
	v.send(ctx, ReadOptions{Scope: ScopePage, pieces: 2}, true, true, false)
	if err := p.receive(ctx, v, true); err != nil {
		t.Fatal(err)
	}
	loaded, stop := p.Session.Subscribe(page.LoadEventFired.Method)
	defer stop()
	if err := p.Session.Call(ctx, page.CommandReload, nil, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("the page did not load again")
	}
	if err := p.takePieces(ctx, &Reading{}, []*visit{v}); err == nil {
		t.Error("the page that came in its place gave the pieces")
	}
	r, err := p.Read(ctx, ReadOptions{Scope: ScopePage, pieces: 2})
	if err != nil || len(r.Documents[0].Facts.Records) == 0 {
		t.Errorf("the next reading: %v", err)
	}
}
