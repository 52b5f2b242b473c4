//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webarea/webarea/visit"
)

// A running is a browser that somebody else started, with a debugging port.
type running struct {
	address string // http://127.0.0.1:port
	pid     int
}

// startBrowser starts one and ends it with the test.
func startBrowser(t *testing.T) running {
	t.Helper()
	profile, err := os.MkdirTemp("", "wp")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu", "about:blank"}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	c := exec.Command(loopbackBrowser, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
		for os.RemoveAll(profile) != nil {
			time.Sleep(20 * time.Millisecond)
		}
	})
	for deadline := time.Now().Add(runLimit / 2); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		port, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if number, _, found := strings.Cut(string(port), "\n"); err == nil && found {
			return running{"http://127.0.0.1:" + number, c.Process.Pid}
		}
	}
	t.Fatalf("the browser to attach to does not start: %s", said.String())
	return running{}
}

// ask asks the debugging port over HTTP.
func (b running) ask(t *testing.T, method, path string, into any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, b.address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, body)
	}
}

type tab struct {
	ID, Type, URL string
	Socket        string `json:"webSocketDebuggerUrl"`
}

// tabs lists the tabs that are open.
func (b running) tabs(t *testing.T) []tab {
	t.Helper()
	var all, tabs []tab
	b.ask(t, http.MethodGet, "/json/list", &all)
	for _, one := range all {
		if one.Type == "page" && !strings.HasPrefix(one.URL, "chrome://") {
			tabs = append(tabs, one)
		}
	}
	return tabs
}

// expectTabs waits for the number of open tabs, since one that is closed goes a
// moment later.
func (b running) expectTabs(t *testing.T, want int) {
	t.Helper()
	var tabs []tab
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if tabs = b.tabs(t); len(tabs) == want {
			return
		}
	}
	t.Errorf("got the tabs %+v, want %d", tabs, want)
}

// tabAt waits for the tab that shows a page below the address.
func (b running) tabAt(t *testing.T, address string) tab {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, one := range b.tabs(t) {
			if strings.HasPrefix(one.URL, address) {
				return one
			}
		}
	}
	t.Fatalf("no tab shows %s", address)
	return tab{}
}

func TestAttach(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	before := len(b.tabs(t))
	var version tab
	b.ask(t, http.MethodGet, "/json/version", &version)

	for _, address := range []string{b.address, version.Socket} {
		r := webarea(t, "snapshot", "--attach", address, "--focus", "#name", "--viewport", "700x500", "form.html")
		a := r.answer(t)
		if got, want := pointed(a), `focused Text "Name" "Ada"`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if n := len(a.Root.Children[0].Children); n != 1 {
			t.Errorf("the answer has %d tabs, want only the target's", n)
		}
		if told := strings.Count(r.stderr, "attached to "); told != 1 || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("got %v\nwant one line about what is shared on stderr", r)
		}
		b.expectTabs(t, before)
	}

	r := webarea(t, "snapshot", "--attach", b.address, "form.html", "missing.html", "form.html")
	r.expectCode(t, exitFailed)
	if n := len(r.lines(t)); n != 3 {
		t.Errorf("got %d lines, want 3", n)
	}
	b.expectTabs(t, before)

	page := b.tabs(t)[0].Socket
	webarea(t, "snapshot", "--attach", page, "form.html").expectError(t, exitUsage, "one page")
	b.expectTabs(t, before)
}

func TestAttachToNothing(t *testing.T) {
	t.Parallel()
	nothing := nothingListens(t)
	for _, address := range []string{nothing, strings.Replace(nothing, "http", "ws", 1), serve(t)} {
		webarea(t, "snapshot", "--attach", address, "form.html").expectError(t, exitFailed, ": "+string(visit.CodeNoBrowser)+": ", address)
	}
}

// TestAttachedDialogs checks that a dialog in a browser that is not ours is told,
// and never answered.
func TestAttachedDialogs(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	answered := make(chan string, 10)
	server := serveAlso(t, "/answered", func(_ http.ResponseWriter, r *http.Request) { answered <- r.URL.RawQuery })
	before := len(b.tabs(t))
	const script = "for (const way of ['first', 'second']) { const said = confirm(way + '?'); const r = new XMLHttpRequest(); r.open('GET', '/answered?' + way + said, false); r.send() }"
	r := webarea(t, "snapshot", "--attach", b.address, "--eval", script, server)
	if got, want := dialogOf(r.answer(t)), "Window/confirm first?"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.expectTabs(t, before)
	select {
	case way := <-answered:
		t.Errorf("the dialog was answered: %s", way)
	default:
	}
}

// TestAttachedDialogOfAFrame has a dialog with which a tab cannot be closed: the
// browser would not survive it.
func TestAttachedDialogOfAFrame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	before := len(b.tabs(t))
	r := webareaWith(t, `<!doctype html><iframe srcdoc="<script>alert('Framed.')</script>"></iframe>`, "snapshot", "--attach", b.address, "--wait", "#never", "-")
	if got, want := dialogOf(r.answer(t)), "Window/alert Framed."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(r.stderr, "left open") {
		t.Errorf("got %v\nwant a word about the tab that is left open", r)
	}
	b.expectTabs(t, before+1)
	// The same in a browser of our own, where the next target is none the wiser.
	r = webareaWith(t, `<!doctype html><iframe srcdoc="<script>alert('Framed.')</script>"></iframe>`, "snapshot", "--wait", "#never", "--timeout", "20s", "-", "form.html")
	r.expectCode(t, exitFailed)
	if lines := r.lines(t); len(lines) != 2 || lines[0].Answer == nil || lines[1].Error == nil || lines[1].Error.Code != string(visit.CodeTimeout) {
		t.Errorf("got %v\nwant an answer and %s", r, visit.CodeTimeout)
	}
}

func TestAttachedTabIsClosedBySomebody(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	server := serve(t)
	c := command(t, "snapshot", "--attach", b.address, "--wait", "#never", "--timeout", "1m", server)
	said := start(t, c)
	closing := b.address + "/json/close/" + b.tabAt(t, server).ID
	ended := make(chan struct{})
	go func() { defer close(ended); _ = c.Wait() }()
	// Chrome may forget to close a tab of which a document is just being committed,
	// so it is asked until it has.
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for open := true; open; {
		if answer, err := http.Get(closing); err == nil {
			_ = answer.Body.Close()
		}
		select {
		case <-ended:
			open = false
		case <-again.C:
		}
	}
	if got := said.String(); c.ProcessState.ExitCode() != exitFailed || !strings.Contains(got, ": "+string(visit.CodeTabClosed)+": ") {
		t.Errorf("got exit %d and %s\nwant exit %d and %s", c.ProcessState.ExitCode(), got, exitFailed, visit.CodeTabClosed)
	}
}

// TestInterruptedWhileAttached leaves the browser as it was.
func TestInterruptedWhileAttached(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	before := len(b.tabs(t))
	c := command(t, "snapshot", "--attach", b.address, "--wait", "25s", "form.html")
	start(t, c)
	b.expectTabs(t, before+1)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if got, want := c.ProcessState.ExitCode(), signalCode+int(syscall.SIGINT); got != want {
		t.Errorf("got exit %d, want %d", got, want)
	}
	b.expectTabs(t, before)
}
