package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestNearestHosts holds the first reading of a page of thousands of closed shadow roots,
// scrolled into their middle, to what is on screen: the roots there are opened first, and
// those far away are not asked about.
func TestNearestHosts(t *testing.T) {
	const cards = 4000
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Cards</title><script>customElements.define("x-card", class extends HTMLElement { constructor() { super()
			this.attachShadow({mode: "closed"}).innerHTML = "<article><h3>Card</h3><a href='/card/" + this.dataset.n + "'>Open it</a> <slot></slot></article>" } })</script>`)
		for i := range cards {
			fmt.Fprintf(w, "<x-card data-n=%d><p>Number %d</p></x-card>", i, i)
		}
		fmt.Fprint(w, "<script>scrollTo(0, document.body.scrollHeight / 2)</script>")
	}))
	defer srv.Close()
	b := launchForPages(t)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	p := openForTest(t, ctx, b, srv.URL)
	r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Records: 600})
	if err != nil {
		t.Fatal(err)
	}
	cardsSeen, links := 0, 0
	for _, rec := range r.Documents[0].Facts.Records {
		if len(rec.Box) != 4 {
			continue
		}
		if strings.HasPrefix(rec.Text, "Number ") {
			cardsSeen++
		}
		if strings.Contains(rec.URL, "/card/") {
			links++
		}
	}
	// Of the one at the edge the link may be off.
	if cardsSeen < 3 || links < cardsSeen-1 {
		t.Errorf("got %d cards on screen, and %d of their links", cardsSeen, links)
	}
	if most := 3 * maxClosedDepth / 2; r.Trips > most {
		t.Errorf("got %d round trips, as many as all %d roots take; want %d at most, for those that the budget reaches", r.Trips, cards, most)
	}
	t.Logf("%d cards on screen, %d round trips", cardsSeen, r.Trips)
}

// TestAllHosts holds the first reading of a whole page of thousands of closed shadow roots to
// all that is in them, however many there are: they are opened together.
func TestAllHosts(t *testing.T) {
	const cards = 2500
	address := serveWords(t, `<!doctype html><title>Cards</title><body><script>
		for (let i = 0; i < `+fmt.Sprint(cards)+`; i++) {
			const card = document.createElement("x-card")
			card.attachShadow({mode: "closed"}).innerHTML = "<p>Card"
			document.body.append(card)
		}
	</script>`)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), address)
	r, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
	if err != nil {
		t.Fatal(err)
	}
	d := r.Documents[0]
	if got := strings.Count(wordsOf(d), "Card"); got != cards || d.Facts.Cut != "" {
		t.Errorf("got the words of %d cards, cut %q; want %d", got, d.Facts.Cut, cards)
	}
	// Our world, the page, its roots, the script that takes them, and the page once more.
	if want := 5; r.Trips > want {
		t.Errorf("got %d round trips, want %d at most", r.Trips, want)
	}
}
