//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mcp"
)

// hostVariable has this program be a host in place of testing: in the folder that it
// names, about a browser with the page that pageVariable names.
const (
	hostVariable = "WEBAREA_TEST_HOST"
	pageVariable = "WEBAREA_TEST_PAGE"
)

// beTestHost is a host as a browser with the extension has one, but about a browser
// that it launches: a server on a socket that is called after its instance. It ends
// with its standard input, and says there what happens.
func beTestHost(dir string) int {
	tell := func(words string) { fmt.Println(words) }
	shared := newShare("", "", os.Getenv(pageVariable), tell)
	ready := func(ctx context.Context) error {
		tell("asked")
		return shared.ready(ctx)
	}
	server := mcp.New(mcp.Options{Provider: shared.provider, Ready: ready, PID: os.Getpid(), Observer: guests(tell)})
	path := filepath.Join(dir, shared.provider.Instance()+".sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _ = server.Serve(ctx, c, c) }()
		}
	}()
	tell("serving " + shared.provider.Instance())
	_, _ = io.Copy(io.Discard, os.Stdin)
	listener.Close()
	stop()
	if err := shared.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// guests tell who comes and goes, and what they read.
type guests func(string)

// Came implements mcp.Observer.
func (g guests) Came(a mcp.Agent) { g("came " + a.Name) }

// Went implements mcp.Observer.
func (g guests) Went(a mcp.Agent) { g("went " + a.Name) }

// Read implements mcp.Observer.
func (g guests) Read(r mcp.Read) { g("read " + r.Agent.Name + " " + r.Tool + " " + r.Outcome) }

// A testHost is a process that is a host.
type testHost struct {
	t        *testing.T
	c        *exec.Cmd
	in       io.WriteCloser
	said     chan string
	instance string
}

// runtimeFolder makes a folder for the sockets of hosts, and gives how a program is
// told of it and where they are.
func runtimeFolder(t *testing.T) (env, sockets string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "wr") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	sockets = filepath.Join(dir, "webarea")
	if err := os.Mkdir(sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	return "XDG_RUNTIME_DIR=" + dir, sockets
}

// startTestHost starts a host about a page with that HTML, and ends it with the test.
func startTestHost(t *testing.T, sockets, html string) *testHost {
	t.Helper()
	page := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &testHost{t: t, c: command(t), said: make(chan string, 1000)}
	h.c.Path, h.c.Args = own, []string{own}
	h.c.Env = append(h.c.Env, hostVariable+"="+sockets, pageVariable+"=file://"+page, cdp.BrowserVariable+"="+loopbackBrowser)
	h.c.Stderr = os.Stderr
	if h.in, err = h.c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(h.said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			h.said <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		_ = h.c.Process.Signal(syscall.SIGCONT)
		h.in.Close()
		for range h.said {
		}
		_ = h.c.Wait()
	})
	h.instance = strings.TrimPrefix(h.expect("serving "), "serving ")
	return h
}

// expect waits until the host says something that begins so.
func (h *testHost) expect(begin string) string {
	h.t.Helper()
	for late := time.After(runLimit / 2); ; {
		select {
		case line, ok := <-h.said:
			if !ok {
				h.t.Fatalf("the host has ended, and has not said %q", begin)
			}
			if strings.HasPrefix(line, begin) {
				return line
			}
		case <-late:
			h.t.Fatalf("the host does not say %q", begin)
		}
	}
}

// kill ends the host without a chance to clean up.
func (h *testHost) kill() {
	h.t.Helper()
	if err := h.c.Process.Kill(); err != nil {
		h.t.Fatal(err)
	}
	for range h.said {
	}
}

// use has the host be that whose browser was used last, or so long ago.
func (h *testHost) use(sockets string, ago time.Duration) {
	h.t.Helper()
	then := time.Now().Add(-ago)
	if err := os.Chtimes(filepath.Join(sockets, h.instance+".sock"), then, then); err != nil {
		h.t.Fatal(err)
	}
}
