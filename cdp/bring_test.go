package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// A weighing counts the commands as large as our script.
type weighing struct {
	*socket
	large atomic.Int64
}

// Send implements Transport.
func (w *weighing) Send(ctx context.Context, msg []byte) error {
	if len(msg) > len(worldScript())/2 {
		w.large.Add(1)
	}
	return w.socket.Send(ctx, msg)
}

// TestScriptOfFrames holds our script on its way into a page of five frames, one of them of
// another site, to one command for each process: where the page is read when it is there,
// and where its frames come later than its document. It leaves nothing behind for documents
// to come.
func TestScriptOfFrames(t *testing.T) {
	held := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/late":
			select {
			case <-held:
			case <-r.Context().Done():
			}
			fallthrough
		case "/soon":
			fmt.Fprint(w, `<!doctype html><title>Part</title><p>Words of a frame`)
		default:
			in := r.URL.Query().Get("in")
			fmt.Fprintf(w, `<!doctype html><title>Frames</title><h1>Top</h1>%s<iframe src="//localhost:%s/%s"></iframe>`,
				strings.Repeat("<iframe src=/"+in+"></iframe>", 4), r.Host[strings.LastIndex(r.Host, ":")+1:], in)
		}
	}))
	t.Cleanup(server.Close)
	_, port, path := launchWithPort(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	const documents, processes = 6, 2
	follow := func(t *testing.T, url string) (*Page, *weighing) {
		s, err := dialSocket(ctx, "ws://"+port+path)
		if err != nil {
			t.Fatal(err)
		}
		w := &weighing{socket: s}
		b := &Browser{Conn: NewConn(w)}
		t.Cleanup(func() { b.Conn.Close() })
		return followNew(t, ctx, b, url), w
	}
	state := func(p *Page) (brought, coming int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, f := range p.frames {
			if f.world != 0 && f.rehearsed == f.world {
				brought++
			}
		}
		for _, ps := range p.sessions {
			if ps.coming != "" {
				coming++
			}
		}
		return brought, coming
	}
	settled := func(p *Page) bool { brought, coming := state(p); return brought == documents && coming == 0 }

	t.Run("there when it is read", func(t *testing.T) {
		p, w := follow(t, server.URL+"/?in=soon")
		p.quiet <- struct{}{}
		r, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
		<-p.quiet
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for _, d := range r.Documents {
			for _, rec := range d.Facts.Records {
				if rec.Text == "Words of a frame" {
					words++
				}
			}
		}
		if len(r.Documents) != documents || words != documents-1 {
			t.Errorf("got %d documents, and the words of %d frames", len(r.Documents), words)
		}
		if !eventually(func() bool { return settled(p) }) {
			t.Error("the documents were not read for nobody")
		}
		// What was begun before the reading may have gone on beside it.
		if got := w.large.Load(); got > 2*processes {
			t.Errorf("our script was sent %d times for %d documents, want %d at most", got, documents, 2*processes)
		}
	})
	t.Run("coming", func(t *testing.T) {
		p, w := follow(t, "about:blank")
		if !eventually(func() bool { brought, _ := state(p); return brought == 1 }) {
			t.Fatal("our script did not come into an empty page")
		}
		before := w.large.Load()
		if err := p.Session.Call(ctx, page.CommandNavigate, map[string]any{"url": server.URL + "/?in=late"}, nil); err != nil {
			t.Fatal(err)
		}
		if !eventually(func() bool { _, coming := state(p); return coming == 1 }) {
			t.Fatal("our script does not wait for the frames")
		}
		close(held)
		if !eventually(func() bool { return settled(p) }) {
			brought, coming := state(p)
			t.Errorf("our script came into %d documents of %d, and %d processes still have it run in new ones", brought, documents, coming)
		}
		// The main document may have been long in coming, and have got it alone.
		if got := w.large.Load() - before; got > processes+1 {
			t.Errorf("our script was sent %d times for %d documents, want %d at most", got, documents, processes+1)
		}
	})
}
