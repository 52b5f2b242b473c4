//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/webarea/webarea/native"
	"github.com/webarea/webarea/setup"
)

// at has a run in a home folder of its own.
func at(t *testing.T, home string, args ...string) ran {
	t.Helper()
	c := command(t, args...)
	c.Env = append(c.Env, "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_STATE_HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"))
	return finish(t, c)
}

// shortHome is a home folder whose sockets' paths are not too long.
func shortHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "wh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

// From nothing to a browser that could begin, by the doctor alone.
func TestDoctor(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	r := at(t, home, "doctor", "--browser", "chromium")
	for _, want := range []string{"wrong      extension (chromium): The extension is not unpacked: ", "wrong      manifest (chromium): The host is not registered", "→ Run `webarea doctor --fix`.", "unchecked  read: no tab is shared"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("got %v\nwant on stdout: %q", r, want)
		}
	}
	if r.code != exitFailed || r.stderr != "" {
		t.Errorf("got %v\nwant exit 1, and nothing on stderr", r)
	}
	r = at(t, home, "doctor", "--fix", "--browser", "chromium")
	if r.code != 0 || strings.Contains(r.stdout, "wrong") || !strings.Contains(r.stdout, "mended     extension (chromium): ") || !strings.Contains(r.stdout, "ok         host (chromium): v0.0.0-test answered") {
		t.Errorf("mending: got %v\nwant all mended, and the host answer", r)
	}
	// Now it finds by itself what is registered.
	r = at(t, home, "doctor", "--json")
	var got struct {
		Well     bool
		Findings []struct{ Check, Browser, State string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.code != 0 || !got.Well || len(got.Findings) != 10 || got.Findings[1].Browser != "chromium" {
		t.Errorf("got %v, %v\nwant ten findings, none of them wrong", r, err)
	}
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"install", "--client", "cursor"}, "changed "},
		{[]string{"doctor"}, "ok         clients: Cursor"},
		{[]string{"uninstall", "--client", "cursor"}, ""},
	} {
		if r := at(t, home, step.args...); r.code != 0 || !strings.Contains(r.stdout, step.want) {
			t.Errorf("%v: got %v\nwant exit 0, and %q", step.args, r, step.want)
		}
	}
	if r = at(t, home, "uninstall", "--browser", "chromium"); r.code != 0 {
		t.Errorf("taking it away: got %v", r)
	}
}

// Every browser and every client: set up, found to be well, and taken away again.
func TestDoctorOfEach(t *testing.T) {
	t.Parallel()
	expect := func(t *testing.T, home string, code int, want string, args ...string) {
		t.Helper()
		if r := at(t, home, args...); r.code != code || !strings.Contains(r.stdout, want) {
			t.Errorf("%v: got %v\nwant exit %d, and %q", args, r, code, want)
		}
	}
	for _, name := range native.Browsers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := shortHome(t)
			place := []string{"--browser", name}
			if system := (native.System{OS: runtime.GOOS, Home: home, Env: func(string) string { return "" }}); len(system.Places(name)) == 0 {
				place = append(place, "--user-data-dir", filepath.Join(home, "profile"))
			}
			with := func(command string) []string { return append([]string{command}, place...) }
			expect(t, home, exitFailed, "wrong      manifest ("+name+"): ", with("doctor")...)
			expect(t, home, 0, "", with("install")...)
			expect(t, home, 0, "ok         host ("+name+"): ", with("doctor")...)
			expect(t, home, 0, "", with("uninstall")...)
			expect(t, home, exitFailed, "wrong      extension ("+name+"): ", with("doctor")...)
		})
	}
	for _, name := range setup.Clients() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := shortHome(t)
			expect(t, home, 0, "", "install", "--browser", "chromium", "--client", name)
			expect(t, home, 0, "ok         clients: ", "doctor")
			expect(t, home, 0, "", "uninstall", "--browser", "chromium", "--client", name)
		})
	}
}

// The status of a host is told while it runs, and anew when it changes.
func TestStatus(t *testing.T) {
	t.Parallel()
	h := startHost(t, native.Origin)
	status := func(args ...string) ran {
		c := command(t, append([]string{"status"}, args...)...)
		c.Env = append(c.Env, "XDG_RUNTIME_DIR="+h.runtime)
		return finish(t, c)
	}
	if r := status(); r.code != 0 || !strings.HasPrefix(r.stdout, "No browser is connected.") {
		t.Errorf("before there is a host: got %v", r)
	}
	h.say(hello)
	h.next()
	h.say(`{"kind":"tabs","windows":[],"gone":[],"tabs":[]}`)

	c := command(t, "status", "--watch")
	c.Env = append(c.Env, "XDG_RUNTIME_DIR="+h.runtime)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	await := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Errorf("it ended before it said %q", want)
	}
	await("No tab is shared.")
	h.say(`{"kind":"tabs","windows":[{"window":1,"order":1,"state":"normal"}],"gone":[],"tabs":[{"tab":"1.1","window":1,"index":0,"state":"unreachable","problem":"debugger_busy","active":true,"title":"Mine","url":"https://bank.example/?token=1","zoom":1}]}`)
	await("https://bank.example/ problem: debugger_busy")
	agent := startServer(t, "--socket", h.sockets()[0])
	agent.handshake()
	agent.call("get_elements", `{}`)
	await("get_elements pointing, ok, ")

	r := status()
	for _, want := range []string{"Chromium 156, pid ", "webarea v0.0.0-test, extension 0.1\n", "  Shared tabs\n    https://bank.example/ problem: debugger_busy\n", "  Agents\n", "get_elements pointing, ok, "} {
		if r.code != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("got %v\nwant on stdout: %q", r, want)
		}
	}
	if strings.Contains(r.stdout, "token") {
		t.Errorf("got %v, with what may hold a secret", r)
	}
	agent.end()
	if _, code := h.end(); code != 0 {
		t.Errorf("the host ended with %d", code)
	}
	await("No browser is connected.")
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		if lines.Text() != "" {
			t.Errorf("after that it said %q", lines.Text())
		}
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != signalCode+int(syscall.SIGINT) {
		t.Errorf("got %v, want it ended by the signal", err)
	}
}

// A host of a version that tells no status is told of in words, and is no success.
func TestStatusOfOldHost(t *testing.T) {
	t.Parallel()
	home, err := os.MkdirTemp("", "wr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	folder := filepath.Join(home, "webarea")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	old, err := net.Listen("unix", filepath.Join(folder, "abcd.sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { old.Close() })
	go func() {
		for {
			c, err := old.Accept()
			if err != nil {
				return
			}
			// What is no message of MCP ends the connection.
			_, _ = bufio.NewReader(c).ReadString('\n')
			c.Close()
		}
	}()
	c := command(t, "status")
	c.Env = append(c.Env, "XDG_RUNTIME_DIR="+home)
	r := finish(t, c)
	if want := "the browser's host does not tell how it is. It is of another version"; r.code != exitFailed || !strings.Contains(r.stdout, want) || r.stderr != "" {
		t.Errorf("got %v\nwant exit %d, on stdout: %s", r, exitFailed, want)
	}
}
