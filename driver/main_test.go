package driver

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
)

// onlyLoopback keeps the test browser from reaching anything but this machine.
const onlyLoopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

var shared *cdp.Browser

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	shared, err = cdp.Launch(context.Background(), cdp.LaunchOptions{
		HostRules: onlyLoopback,
		Args:      []string{"--site-per-process"},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "launching a browser for the tests:", err)
		return 1
	}
	code := m.Run()
	if err := shared.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		return 1
	}
	return code
}

// limit returns a context that is long enough for any act on a busy machine.
func limit(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// open opens a tab that is closed with the test.
func open(t testing.TB, opts Options) Tab {
	t.Helper()
	tab, err := Open(limit(t), shared.Conn, opts)
	if err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	t.Cleanup(func() {
		if err := tab.Close(context.Background()); err != nil {
			t.Errorf("closing the tab: %v", err)
		}
	})
	return tab
}

// show opens a window of 800×600 with the HTML.
func show(t testing.TB, html string) Tab {
	t.Helper()
	tab := open(t, Options{Width: 800, Height: 600, Window: true})
	stop, err := SetHTML(limit(t), tab.Session, []byte(html))
	if err != nil {
		t.Fatalf("loading the page: %v", err)
	}
	t.Cleanup(stop)
	return tab
}

// value returns what the script says in the page.
func value(t testing.TB, tab Tab, script string) any {
	t.Helper()
	var got any
	if err := Value(limit(t), tab.Session, script, &got); err != nil {
		t.Fatalf("asking the page for %s: %v", script, err)
	}
	return got
}

// expect compares what the script says in the page.
func expect(t testing.TB, tab Tab, script string, want any) {
	t.Helper()
	if got := value(t, tab, script); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s in the page\n got: %v\nwant: %v", script, got, want)
	}
}
