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
