package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// desk gives the windows and tabs of an answer, a line each.
func desk(t *testing.T, p *Provider) string {
	t.Helper()
	a, err := p.Elements(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	a.Root.Walk(func(e, _ *elements.Element, depth int) bool {
		if depth > 0 {
			fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", depth-1), e.Role)
			if e.Focused {
				b.WriteString(" focused")
			}
			if e.Subrole == "tab" {
				fmt.Fprintf(&b, " %q %s %v", e.Title, e.URL, e.Attributes["problem"])
			}
			b.WriteByte('\n')
		}
		return true
	})
	return b.String()
}

func TestMention(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	p.Mention("3.1", Place{Window: 1, Order: 5, Index: 2, Problem: ProblemReduced, Title: "Bank of me", URL: "https://bank.example/a?token=1#x"})
	front := p.Mention("2.1", Place{Window: 2, Order: 7, Active: true, Problem: ProblemDiscarded, URL: "https://news.example/"})
	p.Mention("1.1", Place{Window: 1, Order: 5, Index: 0, Active: true, Problem: ProblemPaused})

	// In the order of their windows, and what nobody looked at told without what may
	// hold a secret.
	want := `Window
 Window ""  paused
 Window "" https://bank.example/a reduced
Window focused
 Window focused "" https://news.example/ tab_discarded
`
	if got := desk(t, p); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	p.SetPlace(front, Place{Window: 1, Order: 9, Index: 1, Problem: ProblemFrozen})
	want = `Window focused
 Window focused ""  paused
 Window ""  tab_frozen
 Window "" https://bank.example/a reduced
`
	if got := desk(t, p); got != want {
		t.Errorf("after a tab was moved: got\n%swant\n%s", got, want)
	}
}

// What was in a tab that is not shared any more is told of in one way, whatever is
// asked.
func TestNotShared(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	going := p.Mention("1.1", Place{Window: 1, Problem: ProblemAttaching})
	p.Mention("2.1", Place{Window: 2, Problem: ProblemAttaching})
	a, err := p.Elements(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	window, stays := a.Root.Children[0], a.Root.Children[1]
	tab := window.Children[0]
	changes := make(chan struct{}, 10)
	cancel := p.Watch(func() { changes <- struct{}{} })
	defer cancel()

	p.Unshare(going)
	<-changes
	asks := map[string]func(id string) error{
		"elements": func(id string) error { _, err := p.Elements(t.Context(), Query{ID: id}); return err },
		"locate":   func(id string) error { _, err := p.Locate(t.Context(), id, LocateOptions{}); return err },
		"capture":  func(id string) error { _, err := p.Capture(t.Context(), id, CaptureOptions{}); return err },
	}
	var said string
	for what, ask := range asks {
		for _, id := range []string{tab.ID, window.ID} {
			err := ask(id)
			var failed *Error
			if !errors.As(err, &failed) || failed.Code != CodeNotShared {
				t.Errorf("%s of what is not shared: got %v, want %s", what, err, CodeNotShared)
			} else if said == "" {
				said = failed.Error()
			} else if failed.Error() != said {
				t.Errorf("%s: got %q, want the one wording %q", what, failed, said)
			}
		}
		if err := ask(stays.ID); what == "elements" && err != nil {
			t.Errorf("%s of another window: got %v", what, err)
		}
	}
	p.Mention("3.1", Place{Window: 1, Problem: ProblemAttaching})
	if err := asks["elements"](window.ID); err != nil {
		t.Errorf("a window with a shared tab again: got %v", err)
	}
}

// Of a tab that cannot be read there is no picture, and its problem says why.
func TestUnreadable(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	tab := p.Mention("1.1", Place{Window: 1, Problem: ProblemAttaching})
	a, err := p.Elements(context.Background(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Capture(t.Context(), a.Root.Children[0].Children[0].ID, CaptureOptions{})
	var failed *Error
	if !errors.As(err, &failed) || failed.Code != ProblemAttaching {
		t.Errorf("a picture of a tab that cannot be read yet: got %v, want %s", err, ProblemAttaching)
	}
	p.Unshare(tab)
	if got := desk(t, p); got != "" {
		t.Errorf("got\n%s\nwant nothing", got)
	}
}

// Of a PDF there are its name and address; what the browser's viewer has beside it is
// not told.
func TestPDF(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	tab := p.Mention("1.1", Place{Window: 1, Active: true, Problem: ProblemPDF, Title: "Terms.pdf"})
	p.ReadBy(tab, &cdp.ScriptPage{Name: "x", Call: func(context.Context, string, any) ([]byte, error) {
		return []byte(`{"key":"1","facts":"{\"url\":\"https://shop.example/terms.pdf\",\"visible\":true,\"records\":[{\"p\":-1,\"i\":1,\"t\":\"p\",\"c\":133},{\"p\":0,\"i\":2,\"x\":\"Page 1\"}]}"}`), nil
	}}, nil)
	a, err := p.Elements(t.Context(), Query{Scope: cdp.ScopePage})
	if err != nil {
		t.Fatal(err)
	}
	shown := a.Root.Children[0].Children[0]
	if shown.Title != "Terms.pdf" || shown.Attributes["problem"] != ProblemPDF || len(shown.Children) != 1 {
		t.Fatalf("got %+v, want a tab with its problem and a document", shown)
	}
	d := shown.Children[0]
	if d.Role != elements.Document || d.Subrole != "pdf" || d.Title != "Terms.pdf" || d.URL != "https://shop.example/terms.pdf" || len(d.Children) > 0 {
		t.Errorf("got %+v, want the document's name and address alone", d)
	}
}
