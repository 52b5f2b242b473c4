package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/webarea/webarea/mcp"
)

var _ mcp.Hosts = (*Hosts)(nil)

// live listens as a host of that instance, that was used so long ago.
func live(t *testing.T, dir, instance string, ago time.Duration) (die func()) {
	t.Helper()
	listener, path, err := listenOn(dir, instance)
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-ago)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	return func() { listener.Close() }
}

func list(t *testing.T, h *Hosts) string {
	t.Helper()
	all, err := h.List()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(all)
}

func TestHostsAreThoseThatLiveAndUsedLastFirst(t *testing.T) {
	dir := t.TempDir()
	h := HostsIn(dir)
	if got := list(t, h); got != "[]" {
		t.Errorf("an empty folder: got %s", got)
	}
	live(t, dir, "old", time.Hour)
	die := live(t, dir, "new", time.Minute)
	live(t, dir, "mid", 2*time.Minute)
	for _, name := range []string{"notes.txt", "starting" + namelessEnd} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := list(t, h), "[new mid old]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	die()
	if err := h.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := list(t, h), "[mid old]"; got != want {
		t.Errorf("after one died: got %s, want %s", got, want)
	}
}

func TestHostsDial(t *testing.T) {
	dir := t.TempDir()
	h := HostsIn(dir)
	die := live(t, dir, "one", 0)
	c, err := h.Dial(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	die()
	for _, instance := range []string{"one", "never"} {
		if _, err := h.Dial(t.Context(), instance); !errors.Is(err, mcp.ErrNoHost) {
			t.Errorf("%s: got %v, want %v", instance, err, mcp.ErrNoHost)
		}
	}
	if got := list(t, h); got != "[]" {
		t.Errorf("the socket of a host that died is there still: %s", got)
	}
}

// Coming, being used and going are told by the system, without looking.
func TestHostsWatch(t *testing.T) {
	dir := t.TempDir()
	h := HostsIn(dir)
	ctx, cancel := context.WithCancel(t.Context())
	seen := make(chan string, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- h.Watch(ctx, func() {
			all, err := h.List()
			if err != nil {
				t.Error(err)
			}
			seen <- fmt.Sprint(all)
		})
	}()
	expect := func(want string) {
		t.Helper()
		for late := time.After(30 * time.Second); ; {
			select {
			case got := <-seen:
				if got == want {
					return
				}
			case <-late:
				t.Fatalf("it is not told that there are %s", want)
			}
		}
	}
	expect("[]")
	live(t, dir, "one", time.Hour)
	live(t, dir, "two", time.Minute)
	expect("[two one]")
	u := &used{}
	u.at(filepath.Join(dir, "one"+socketEnd))
	u.see([]windowFacts{{Window: 1, Focused: true, Order: 1}})
	expect("[one two]")
	if err := os.Remove(filepath.Join(dir, "one"+socketEnd)); err != nil {
		t.Fatal(err)
	}
	expect("[two]")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A host is the one used last when a window of its browser gains the focus, and not
// when anything else of it changes.
func TestUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+socketEnd)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	u := &used{}
	u.at(path)
	for i, c := range []struct {
		windows []windowFacts
		touched bool
	}{
		{nil, false},
		{[]windowFacts{{Window: 1, Order: 1}}, false},
		{[]windowFacts{{Window: 1, Order: 1, Focused: true}}, true},
		{[]windowFacts{{Window: 1, Order: 1, Focused: true}}, false},
		{[]windowFacts{{Window: 1, Order: 1}}, false},
		{[]windowFacts{{Window: 1, Order: 1}, {Window: 2, Order: 2, Focused: true}}, true},
		{[]windowFacts{{Window: 1, Order: 3, Focused: true}, {Window: 2, Order: 2}}, true},
		{[]windowFacts{{Window: 1, Order: 1, Focused: true}}, true},
	} {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		u.see(c.windows)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Since(info.ModTime()) < time.Minute; got != c.touched {
			t.Errorf("%d, %+v: got touched %v, want %v", i, c.windows, got, c.touched)
		}
	}
}
