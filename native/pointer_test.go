package native

import (
	"bytes"
	"testing"
	"time"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// What is pointed at is outlined for its user, not in the pictures that agents get, and
// not for longer than somebody points.
func TestPointer(t *testing.T) {
	tab := open(t, "/")
	p := provider.New("Chromium")
	defer p.Close()
	shared, err := p.Share(t.Context(), browser.it.Conn, tab.Target)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Elements(t.Context(), provider.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var document, chosen string
	for e := range a.All() {
		if e.Role == elements.Document && document == "" {
			document = e.ID
		}
		if e.Selected {
			chosen = e.ID
		}
	}
	picture := func() []byte {
		t.Helper()
		shot, err := p.Capture(t.Context(), document, provider.CaptureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return shot.Data
	}
	// screen is what the user sees.
	screen := func() []byte {
		t.Helper()
		var shot struct {
			Data []byte `json:"data"`
		}
		if err := shared.Page.Session.Call(t.Context(), "Page.captureScreenshot", nil, &shot); err != nil {
			t.Fatal(err)
		}
		return shot.Data
	}
	// changes waits until the screen shows the outline, or does not.
	changes := func(bare []byte, outlined bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); bytes.Equal(screen(), bare) == outlined; {
			if time.Now().After(deadline) {
				t.Fatalf("it does not come to be that the outline is there: %v", outlined)
			}
		}
	}
	var before, after int
	count := `document.querySelectorAll("*").length`
	if err := driver.Value(t.Context(), tab.Session, count, &before); err != nil {
		t.Fatal(err)
	}
	bare, clean := screen(), picture()
	q := newPointer(p)
	defer q.end()
	if err := q.point(t.Context(), chosen); err != nil {
		t.Fatal(err)
	}
	changes(bare, true)
	if !bytes.Equal(picture(), clean) {
		t.Error("a picture for an agent has the outline")
	}
	changes(bare, true)
	if err := driver.Value(t.Context(), tab.Session, count, &after); err != nil || after != before {
		t.Errorf("the page has %d elements (%v), had %d", after, err, before)
	}
	if err := q.point(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	changes(bare, false)
	q.lasts = 10 * time.Millisecond
	if err := q.point(t.Context(), chosen); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		q.mu.Lock()
		ended := q.on == nil
		q.mu.Unlock()
		if ended {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the outline is kept though nobody points any more")
		}
	}
	changes(bare, false)
}
