package provider

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestDegraded has what is told of tabs whose page is out of reach.
func TestDegraded(t *testing.T) {
	for problem, want := range map[string]string{
		ProblemAttaching:      "ax_app_launching attaching true app_lookup_timeout",
		ProblemDiscarded:      "ax_window_unresolved tab_discarded false ",
		ProblemCrashed:        "ax_window_unresolved tab_crashed false ",
		ProblemRestricted:     "ax_window_unresolved restricted_page false ",
		ProblemOtherExtension: "ax_window_unresolved other_extension_frame false ",
		ProblemUnreachableTab: "ax_window_unresolved unreachable false ",
		ProblemPDF:            "ax_window_unresolved pdf_viewer false ",
		ProblemPaused:         "ax_window_unresolved paused false ",
		ProblemFrozen:         "ax_window_unresolved tab_frozen false ",
	} {
		p := New("Chromium")
		defer p.Close()
		p.SetBrowser(Browser{PID: 77, Local: true, Version: "1"})
		p.Mention("1.1", Place{Window: 5, Active: true, Order: 1, Problem: problem, Title: "Bank", URL: "https://bank.example/?token=1"})
		s, err := p.State(t.Context(), StateQuery{WindowAddress: WindowAddress{PID: 77, Window: 5}, Tree: true, Picture: true, Timeout: 100 * time.Millisecond})
		if err != nil {
			t.Errorf("%s: %v", problem, err)
			continue
		}
		if got := fmt.Sprint(s.Degraded, " ", s.Detail, " ", s.Truncated, " ", s.Reason); got != want {
			t.Errorf("%s: got %s, want %s", problem, got, want)
		}
		if len(s.Elements) > 0 || s.Markdown != "" || s.SnapshotID != "" || s.Complete || s.PictureError == nil || s.PictureError.Code != PictureUnavailable || s.AppName != "Chromium" {
			t.Errorf("%s: got %+v", problem, s)
		}
		v, err := p.Verify(t.Context(), VerifyQuery{WindowAddress: WindowAddress{PID: 77, Window: 5}, Expect: expectation(t, `[{"element":{"selector":{"role":"link"},"exists":false}}]`), Stable: 1})
		if err != nil || v.Status != Unknown || v.Predicates[0].Reason != UnknownUnobserved {
			t.Errorf("%s: verified %+v, %v", problem, v, err)
		}
	}
}

// What is attached to while it is waited for is told of whole.
func TestLaunching(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, "<!doctype html><title>T</title><button>One</button>"))
	p := New("Chromium")
	defer p.Close()
	mentioned := p.Mention("1.1", Place{Window: 5, Active: true, Order: 1, Problem: ProblemAttaching})
	at := WindowAddress{PID: p.nameless(), Window: 5}
	states := make(chan *State)
	go func() {
		s, err := p.State(context.WithoutCancel(t.Context()), StateQuery{WindowAddress: at, Tree: true, Timeout: 20 * time.Second})
		if err != nil {
			t.Error(err)
		}
		states <- s
	}()
	// Sharing it directly gives a page that stands for one that is attached to.
	direct, err := d.p.Share(t.Context(), b.Conn, d.tab.Target)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	attached := &Tab{Page: direct.Page, name: mentioned.name, conn: direct.conn, session: direct.session, place: &Place{Window: 5, Active: true, Order: 1}}
	p.tabs = []*Tab{attached}
	p.mu.Unlock()
	p.changed()
	if s := <-states; s == nil || s.Degraded != "" || !strings.Contains(s.Markdown, `button "One"`) {
		t.Errorf("got %+v", s)
	}
	p.mu.Lock()
	p.tabs = nil
	p.mu.Unlock()
}

// A frame that does not answer leaves the answer incomplete, and absence unknown.
func TestUnreachableFrame(t *testing.T) {
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><button>Inside</button><script>onmessage = (e) => { e.source.postMessage(1, "*"); setTimeout(() => { for (;;); }); }</script>`))
	}))
	defer inner.Close()
	frame := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1) + "/frame"
	b := launched(t)
	d := opened(t, b, served(t, `<!doctype html><title>T</title><button>Outside</button><iframe id=f src="`+frame+`"></iframe>`))
	const absent = `[{"element":{"selector":{"label_contains":"nowhere"},"exists":false}}]`
	if s := d.state(t, StateQuery{Tree: true}); !s.Complete || !strings.Contains(s.Markdown, `"Inside"`) {
		t.Fatalf("a frame that answers: got complete %v\n%s", s.Complete, s.Markdown)
	}
	if v := d.verify(t, absent, VerifyQuery{Stable: 1}); v.Status != Satisfied {
		t.Errorf("absence, all read: got %+v", v)
	}
	d.do(t, `new Promise(done => { onmessage = () => done(0); f.contentWindow.postMessage(1, "*"); })`)
	s := d.state(t, StateQuery{Tree: true, Timeout: 1500 * time.Millisecond})
	if s.Complete || !strings.Contains(s.Markdown, `"Outside"`) || strings.Contains(s.Markdown, `"Inside"`) || s.Detail != ProblemUnreachable || fmt.Sprint(s.Unreachable) != "["+frame+"]" {
		t.Errorf("a frame that loops: got complete %v, %s, %v\n%s", s.Complete, s.Detail, s.Unreachable, s.Markdown)
	}
	if v := d.verify(t, absent, VerifyQuery{Stable: 1}); v.Status != Unknown || v.Predicates[0].Reason != UnknownUnobserved {
		t.Errorf("absence, not all read: got %+v", v)
	}
	if v := d.verify(t, `[{"element":{"selector":{"label_contains":"Outside"},"exists":true}}]`, VerifyQuery{Stable: 1}); v.Status != Satisfied {
		t.Errorf("presence: got %+v", v)
	}
}
