package cdp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestUnaffordableTree reads the rows of a page whose accessibility tree cannot be made
// in time: HTML alone tells them, and the tree is not begun, so that the page goes on
// answering.
func TestUnaffordableTree(t *testing.T) {
	for _, c := range []struct {
		elements int
		left     time.Duration
		want     bool
	}{{100, time.Second, true}, {12_000, time.Second, true}, {90_000, time.Second, false}, {90_000, 5 * time.Second, true}, {0, -time.Second, false}} {
		if got := canBuild(c.elements, c.left); got != c.want {
			t.Errorf("%d elements in %v: got %v, want %v", c.elements, c.left, got, c.want)
		}
	}

	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>Long</title><button>First</button>" + strings.Repeat("<i>word </i>", 1000)))
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	b := launchForPages(t)
	p := openForTest(t, ctx, b, srv.URL)
	isOn := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.sessions[p.Session].ax
	}
	v := &visit{session: p.Session, ask: []int64{1}, doc: &Document{Facts: Facts{Total: 5_000_000}}}
	if p.affords(ctx, v) {
		t.Error("five million elements in a minute: got that the tree can be made")
	}
	if isOn() {
		t.Fatal("the tree is on before anybody asked")
	}
	r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Documents[0].Facts; f.Unasked != 0 || !isOn() {
		t.Errorf("a small page: got %d not asked about, tree on %v; want all asked", f.Unasked, isOn())
	}
	if !p.affords(ctx, v) {
		t.Error("the tree is on, and yet it is said to take too long")
	}
}
