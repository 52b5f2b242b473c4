package native

import (
	"slices"
	"testing"
	"time"
)

// TestRelayedTabRests reads a shared tab once. After that its page is asked nothing more
// but to switch accessibility off, half a minute later.
func TestRelayedTabRests(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes the half minute after which accessibility is switched off")
	}
	t.Parallel()
	tab := open(t, "/story")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.share(shared("1.1", 1))
	a := e.connect("reader")
	if got := a.elements("page"); documentOf(t, got) == "" {
		t.Fatal("nothing was read")
	}
	called := func() []string {
		e.mu.Lock()
		defer e.mu.Unlock()
		return slices.Clone(e.called)
	}
	// What a reading leaves to be done, such as letting go of objects, comes with it.
	const off, quiet = "Accessibility.disable", 2 * time.Second
	before := called()
	for deadline := time.Now().Add(patience); ; {
		time.Sleep(quiet)
		now := called()
		if len(now) == len(before) {
			break
		}
		if before = now; time.Now().After(deadline) {
			t.Fatalf("the page is asked again and again: %q", now)
		}
	}
	if !slices.Contains(before, "Accessibility.enable") {
		t.Fatalf("the page was asked %q, want accessibility switched on", before)
	}
	const patient = 10 * 30 * time.Second
	for deadline := time.Now().Add(patient); !slices.Contains(called(), off); time.Sleep(quiet) {
		if time.Now().After(deadline) {
			t.Fatalf("accessibility is still on after %s", patient)
		}
	}
	// Its frame of another site is a session of its own.
	time.Sleep(quiet)
	for _, method := range called()[len(before):] {
		if method != off {
			t.Errorf("the page that nobody reads was asked %q", called()[len(before):])
			break
		}
	}
}
