package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFramesThatGo has a page replace its frame of another site again and again, as
// advertisements do: of those that have gone nothing is kept.
func TestFramesThatGo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><p>%s", r.URL.Path)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/outer")
	watch := p.WatchChanges(func() {})
	defer watch.Close()
	kept := func() (sessions, frames, listeners int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, ps := range p.sessions {
			listeners += len(ps.cancels)
		}
		for _, all := range watch.cancels {
			listeners += len(all)
		}
		return len(p.sessions), len(p.frames), listeners
	}
	_, _, before := kept()
	otherSite := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	for i := range 20 {
		inPage(t, ctx, p.Session, fmt.Sprintf(`document.querySelector("iframe")?.remove()
			const f = document.createElement("iframe"); f.src = "%s/inner%d"; document.body.append(f)
			await new Promise((done) => f.onload = done)`, otherSite, i))
	}
	r, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Documents) != 2 || wordsOf(r.Documents[1]) != "/inner19" {
		t.Errorf("got %d documents, want the page and its last frame", len(r.Documents))
	}
	// That the last but one has gone may come after the last has.
	var sessions, frames, listeners int
	if !eventually(func() bool {
		sessions, frames, listeners = kept()
		return sessions == 2 && frames == 2 && listeners == 2*before
	}) {
		t.Errorf("of 20 frames, one of which is left, there are %d sessions, %d frames and %d listeners; want 2, 2 and %d", sessions, frames, listeners, 2*before)
	}
	inPage(t, ctx, p.Session, `document.querySelector("iframe").remove()`)
	if !eventually(func() bool {
		sessions, frames, listeners = kept()
		return sessions == 1 && frames == 1 && listeners == before
	}) {
		t.Errorf("without a frame there are %d sessions, %d frames and %d listeners; want 1, 1 and %d", sessions, frames, listeners, before)
	}
}
