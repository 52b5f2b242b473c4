package provider

import (
	"os"
	"os/exec"
	"testing"
)

// TestBrowserElsewhere asks who a tab's browser is of which nobody here can be told the
// process: its number names it, and is said to be of another machine.
func TestBrowserElsewhere(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, `<!doctype html><title>Here</title>`))
	desk, err := d.p.Desk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := desk.Browsers; len(got) != 1 || got[0].PID != int64(b.PID) || !got[0].PIDLocal {
		t.Errorf("of a browser of this machine: got %+v, want pid %d, local", got, b.PID)
	}

	// The connection of a page alone tells no process, and who attached says none.
	p := New("Chromium")
	defer p.Close()
	p.Mention("1.1", Place{Window: 5, Order: 3, Active: true, Problem: ProblemDiscarded})
	nameless, err := p.Desk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.SetBrowser(Browser{PID: 77, Name: "Chromium", Version: "156.0"})
	named, err := p.Desk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := nameless.Browsers; len(got) != 1 || got[0].PID <= 0 || got[0].PIDLocal {
		t.Errorf("of a browser that nobody tells of: got %+v, want a number that is no process here", got)
	}
	if got := named.Browsers; len(got) != 1 || got[0].PID != 77 || got[0].PIDLocal {
		t.Errorf("of a browser of another machine: got %+v, want pid 77, not local", got)
	}
	if w := named.Windows; len(w) != 1 || w[0].PID != 77 {
		t.Errorf("of its window: got %+v, want pid 77", w)
	}
}

// TestIsBrowserHere has the number that a browser gives for its process, in a pid space
// of its own too, be that of another process here, or of none.
func TestIsBrowserHere(t *testing.T) {
	b := launched(t)
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		pid  int
		want bool
	}{{"a browser that is debugged", b.PID, true}, {"the test itself", os.Getpid(), false}, {"the first process", 1, false}, {"one that has ended", ended.Process.Pid, false}} {
		if got := isBrowserHere(int64(c.pid)); got != c.want {
			t.Errorf("%s, process %d: got %v, want %v", c.name, c.pid, got, c.want)
		}
	}
}
