package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// TestRehearsed follows a tab while a document comes: our script is in it and in its
// frame, and has read both once, before anybody asks; and that changes nothing of what is read.
func TestRehearsed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!DOCTYPE html><title>A page</title><h1>Top</h1><input value=words><script>document.querySelector("input").focus()</script><ul><li>one<li aria-selected=true role=option>two</ul><iframe srcdoc="<p>Framed <b role=option aria-selected=true>words</b>"></iframe>`))
	}))
	t.Cleanup(server.Close)
	b := launchForPages(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	p := followNew(t, ctx, b, "about:blank")
	for range 2 {
		p.mu.Lock()
		before := p.frames[p.main].loader
		p.mu.Unlock()
		if err := p.Session.Call(ctx, page.CommandNavigate, map[string]any{"url": server.URL}, nil); err != nil {
			t.Fatal(err)
		}
		rehearsed := func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			for _, f := range p.frames {
				if f.rehearsed == 0 || f.rehearsed != f.world {
					return false
				}
			}
			f := p.frames[p.main]
			return f != nil && len(p.frames) == 2 && f.url == server.URL+"/" && f.loader != before && p.hurried[page.DomContentEventFired.Method] == f.loader && p.hurried[page.LoadEventFired.Method] == f.loader
		}
		if !eventually(rehearsed) {
			t.Fatal("the document came, and our script did not follow it")
		}
		got := readOutline(t, ctx, p)
		if want := readOutline(t, ctx, followUnread(t, ctx, b, server.URL)); got != want {
			t.Errorf("got\n%s\nwant, as of a page in which our script was not before\n%s", got, want)
		}
	}
}

// TestHurriedOnce has a page open its document again and again, which fires the same
// event each time: only the first brings our script at once.
func TestHurriedOnce(t *testing.T) {
	b := launchForPages(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	p := followNew(t, ctx, b, "about:blank")
	p.hurry(page.DomContentEventFired.Method)
	p.hurry(page.LoadEventFired.Method)
	if !eventually(func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.frames[p.main].rehearsed != 0 && p.warming == nil
	}) {
		t.Fatal("our script was not brought into the page")
	}
	told, stop := p.Session.Subscribe(page.DomContentEventFired.Method)
	defer stop()
	again := map[string]any{"expression": `document.open(); document.write("<p>once more</p>"); document.close()`}
	for range 3 {
		if err := p.Session.Call(ctx, runtime.CommandEvaluate, again, nil); err != nil {
			t.Fatal(err)
		}
		select {
		case <-told:
		case <-ctx.Done():
			t.Fatal("the page did not tell of its document")
		}
		p.mu.Lock()
		warming := p.warming
		p.mu.Unlock()
		if warming != nil {
			t.Error("a document that was there before is followed as if it had just come")
		}
	}
}

func readOutline(t *testing.T, ctx context.Context, p *Page) string {
	t.Helper()
	r, err := p.Read(ctx, ReadOptions{Scope: ScopePointing})
	if err != nil {
		t.Fatal(err)
	}
	text := outlineOf(t, r)
	for i, d := range r.Documents {
		text = strings.ReplaceAll(text, d.Frame, fmt.Sprint("frame ", i))
	}
	return text
}
