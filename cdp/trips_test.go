package cdp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// mostTrips are the dependent round trips that a pointing read may take where no
// closed shadow root is met for the first time: our world, our script, the
// accessibility tree.
const mostTrips = 3

// TestTripsOfANewPage reads pages of which nothing is known yet, as in the moment in
// which they came, and holds the answer to what a later reading says.
func TestTripsOfANewPage(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	pages := map[string]string{
		"/plain":  `<!DOCTYPE html><h1>Alone</h1><p tabindex=0 id=at>Words`,
		"/inside": `<!DOCTYPE html><title>Inside</title><p>Some <b>words</b><ul><li tabindex=0 id=at>One</ul>`,
		"/frames": `<!DOCTYPE html><main><iframe srcdoc="<p>first" title=First></iframe><iframe src=/inside title=Second></iframe>
			<iframe sandbox=allow-scripts src=/inside title=Third></iframe></main>`,
		"/nested":  `<!DOCTYPE html><article><iframe src=/frames width=900 height=600></iframe></article>`,
		"/objects": `<!DOCTYPE html><object data=/inside type=text/html></object><embed src=/inside type=text/html><object data="data:image/gif;base64,R0lGODlhAQABAAAAACw="></object>`,
		"/root":    `<!DOCTYPE html><div id=host><template shadowrootmode=open><iframe src=/inside></iframe></template></div>`,
		"/large":   `<!DOCTYPE html><iframe name="` + long + `" src=/inside></iframe>`,
	}
	// A frame whose element is too large to be named in the answer is asked for again.
	more := map[string]int{"/large": 4}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[r.URL.Path]))
	}))
	t.Cleanup(server.Close)
	b := launchForPages(t)
	for path := range pages {
		t.Run(path[1:], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			for _, scope := range []Scope{ScopePointing, ScopePage} {
				p := followUnread(t, ctx, b, server.URL+path)
				first, err := p.Read(ctx, ReadOptions{Scope: scope})
				if err != nil {
					t.Fatal(err)
				}
				if most := mostTrips + more[path]; first.Trips > most {
					t.Errorf("%s: the first reading took %d round trips, want at most %d", scope, first.Trips, most)
				}
				visits, err := p.prepare(ctx, &Reading{})
				if err != nil || len(visits) != len(first.Documents) {
					t.Fatalf("%d frames, and %d documents in the first reading: %v", len(visits), len(first.Documents), err)
				}
				later, err := p.Read(ctx, ReadOptions{Scope: scope})
				if err != nil {
					t.Fatal(err)
				}
				if later.Trips > 2 {
					t.Errorf("%s: a later reading took %d round trips, want at most 2", scope, later.Trips)
				}
				if got, want := outlineOf(t, first), outlineOf(t, later); got != want {
					t.Errorf("%s: the first reading\n%s\nthe later one\n%s", scope, got, want)
				}
			}
		})
	}
}

// followNew opens a page in a new tab and follows it at once.
func followNew(t *testing.T, ctx context.Context, b *Browser, url string) *Page {
	t.Helper()
	tab := openUnfollowed(t, ctx, b, url)
	var at target.AttachToTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": tab, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPage(ctx, b.Conn.Session(at.SessionID), tab)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// followUnread follows a page that has come, and gives it before our script has
// been brought into it.
func followUnread(t *testing.T, ctx context.Context, b *Browser, url string) *Page {
	t.Helper()
	for {
		p := followNew(t, ctx, b, url)
		if err := p.settle(ctx); err != nil {
			t.Fatal(err)
		}
		p.mu.Lock()
		unread := p.frames[p.main].world == 0
		p.mu.Unlock()
		if unread {
			return p
		}
		// The machine was busy for longer than warmDelay.
		p.Close()
		if ctx.Err() != nil {
			t.Fatal("no page could be had before our script was in it")
		}
		time.Sleep(warmDelay)
	}
}

// openUnfollowed opens a page in a tab that nothing of ours looks into, and waits
// until all of it is there.
func openUnfollowed(t *testing.T, ctx context.Context, b *Browser, url string) target.ID {
	t.Helper()
	var made target.CreateTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandCreateTarget, map[string]any{"url": "about:blank"}, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.Conn.Browser().Call(context.Background(), target.CommandCloseTarget, map[string]any{"targetId": made.TargetID}, nil)
	})
	var at target.AttachToTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": made.TargetID, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	s := b.Conn.Session(at.SessionID)
	loaded, stop := s.Subscribe(page.LoadEventFired.Method)
	defer stop()
	if err := s.Call(ctx, page.CommandEnable, page.EnableParams{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Call(ctx, page.CommandNavigate, map[string]any{"url": url}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatalf("%s: did not load", url)
	}
	if err := b.Conn.Browser().Call(ctx, target.CommandDetachFromTarget, map[string]any{"sessionId": at.SessionID}, nil); err != nil {
		t.Fatal(err)
	}
	return made.TargetID
}

// outlineOf gives what of a reading does not depend on when it was taken: each
// document's elements and words, with the frames that they hold.
func outlineOf(t *testing.T, r *Reading) string {
	t.Helper()
	type line struct {
		Tag, Text, Frame, Name string
		Parent                 int
	}
	var b strings.Builder
	for _, d := range r.Documents {
		b.WriteString(d.Facts.URL + " " + d.Facts.Title + "\n")
		if d.Err != nil {
			b.WriteString(d.Err.Error() + "\n")
		}
		for _, rec := range d.Facts.Records {
			l := line{rec.Tag, rec.Text, rec.More().Frame, rec.Name, rec.Parent}
			if rec.AX != nil {
				l.Name = rec.AX.Name
			}
			text, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(text, '\n'))
		}
	}
	return b.String()
}

// TestTogether reads a new page many times at once, and places what was read: none
// takes from another what that still needs.
func TestTogether(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/in" {
			_, _ = w.Write([]byte(`<!DOCTYPE html><x-a></x-a><script>customElements.define("x-a", class extends HTMLElement { constructor() { super().attachShadow({mode: "closed"}).innerHTML = "<p>Deep inside</p>" } })</script>`))
			return
		}
		_, _ = w.Write([]byte(`<!DOCTYPE html><h1>Top</h1>` + strings.Repeat(`<iframe src=/in></iframe>`, 5)))
	}))
	t.Cleanup(server.Close)
	b := launchForPages(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	for range 3 {
		p := followUnread(t, ctx, b, server.URL+"/")
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				r, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
				if err != nil {
					t.Error(err)
					return
				}
				placed := 0
				for _, d := range r.Documents[1:] {
					for _, rec := range d.Facts.Records {
						if rec.Tag != "p" {
							continue
						}
						placed++
						if rects, _, err := p.Place(ctx, Spot{Document: d.Key, Serial: rec.Serial}, false); err != nil || len(rects) != 1 {
							t.Errorf("placing what was read: %v, %v", rects, err)
						}
					}
				}
				if placed != 5 {
					t.Errorf("got %d paragraphs in closed roots in frames, want 5", placed)
				}
			})
		}
		readers.Wait()
	}
}
