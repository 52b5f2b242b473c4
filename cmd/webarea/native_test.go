//go:build unix

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webarea/webarea/native"
)

// A hostProcess is the program as a browser starts it.
type hostProcess struct {
	t       *testing.T
	c       *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *spoken
	runtime string // the folder that has that of the sockets
	state   string
}

// startHost starts the program with the arguments of a browser.
func startHost(t *testing.T, args ...string) *hostProcess {
	t.Helper()
	runtime, err := os.MkdirTemp("", "wr") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(runtime) })
	return startHostIn(t, runtime, args...)
}

// startHostIn is startHost with the folder that has that of the sockets.
func startHostIn(t *testing.T, runtime string, args ...string) *hostProcess {
	t.Helper()
	h := &hostProcess{t: t, c: command(t, args...), stderr: &spoken{}, runtime: runtime, state: t.TempDir()}
	var err error
	h.c.Env = append(h.c.Env, "XDG_RUNTIME_DIR="+runtime, "XDG_STATE_HOME="+h.state, "HOME="+h.state)
	if h.in, err = h.c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.out, h.c.Stderr = bufio.NewReader(out), h.stderr
	if err := h.c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.end() })
	return h
}

// say sends a message.
func (h *hostProcess) say(text string) {
	h.t.Helper()
	if _, err := h.in.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(text))), text...)); err != nil {
		h.t.Fatal(err)
	}
}

// next takes a message.
func (h *hostProcess) next() map[string]any {
	h.t.Helper()
	var size uint32
	if err := binary.Read(h.out, binary.NativeEndian, &size); err != nil {
		h.t.Fatalf("the host says nothing: %v\n%s", err, h.stderr)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(h.out, text); err != nil {
		h.t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		h.t.Fatalf("the host sent %q: %v", text, err)
	}
	return m
}

// end closes the browser's side, and gives what on standard output is no frame, and
// the exit code.
func (h *hostProcess) end() (rest string, code int) {
	h.in.Close()
	left, _ := io.ReadAll(h.out)
	for len(left) >= 4 {
		size := binary.NativeEndian.Uint32(left)
		if uint64(size) > uint64(len(left)-4) || !json.Valid(left[4:4+size]) {
			break
		}
		left = left[4+size:]
	}
	_ = h.c.Wait()
	return string(left), h.c.ProcessState.ExitCode()
}

// sockets are those of the hosts that run.
func (h *hostProcess) sockets() []string {
	found, _ := filepath.Glob(filepath.Join(h.runtime, "webarea", "*"))
	return found
}

const hello = `{"kind":"hello","protocol":1,"extension":"0.1","browser":{"name":"Chromium","version":"156"}}`

// The host serves an agent through its socket, by the program's own bridge, until the
// browser ends.
func TestHost(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{native.Origin}, {"native", native.Origin}, {native.Origin, "--parent-window=7"}} {
		h := startHost(t, args...)
		h.say(hello)
		welcome := h.next()
		if welcome["kind"] != "welcome" || welcome["version"] != "v0.0.0-test" || welcome["pid"] != float64(h.c.Process.Pid) {
			t.Errorf("got %v, want a welcome", welcome)
		}
		sockets := h.sockets()
		if len(sockets) != 1 || filepath.Base(sockets[0]) != fmt.Sprint(welcome["instance"], ".sock") {
			t.Fatalf("got the sockets %v, want that of %v", sockets, welcome["instance"])
		}
		for path, mode := range map[string]os.FileMode{sockets[0]: 0o600, filepath.Dir(sockets[0]): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: got %v, %v, want the mode %o", path, info.Mode(), err, mode)
			}
		}
		h.say(`{"kind":"tabs","windows":[{"window":1,"order":1,"state":"normal"}],"gone":[],"tabs":[{"tab":"1.1","window":1,"index":0,"state":"unreachable","problem":"debugger_busy","active":true,"title":"Mine","url":"https://bank.example/?token=1","zoom":1}]}`)

		agent := startServer(t, "--socket", sockets[0])
		agent.handshake()
		r := agent.call("get_elements", `{}`)
		text := string(r.StructuredContent)
		if r.IsError || !strings.Contains(text, `"problem":"debugger_busy"`) || strings.Contains(text, "token") {
			t.Errorf("got %s, want the tab and its problem", text)
		}
		for _, kind := range []string{"agents", "read"} {
			if m := h.next(); m["kind"] != kind {
				t.Errorf("got %v, want %s", m, kind)
			}
		}
		if code := agent.end(); code != 0 {
			t.Errorf("the bridge ended with %d, want 0\n%s", code, agent.stderr)
		}
		h.next() // the agent has gone

		late := startServer(t, "--socket", sockets[0])
		late.handshake()
		h.next() // and another come
		if rest, code := h.end(); code != 0 || rest != "" || h.stderr.String() != "" {
			t.Errorf("got exit %d, %q on stdout and %q on stderr, want 0 and nothing", code, rest, h.stderr)
		}
		if left := h.sockets(); len(left) > 0 {
			t.Errorf("the host left %v behind", left)
		}
		select {
		case <-late.ended:
		case <-time.After(runLimit / 2):
			t.Fatal("the bridge does not end with the host")
		}
		if code := late.c.ProcessState.ExitCode(); code != 1 || !strings.Contains(late.stderr.String(), "host has ended") {
			t.Errorf("the bridge ended with %d, %q, want 1 and why", code, late.stderr)
		}
		log, err := os.ReadFile(filepath.Join(h.state, "webarea", native.LogName))
		if err != nil || !strings.Contains(string(log), "begun") || strings.Contains(string(log), "bank.example") || strings.Contains(string(log), "Mine") {
			t.Errorf("the log says %s (%v), want what happened and nothing of a page", log, err)
		}
	}
}

func TestHostRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"native"},
		{"native", "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"},
		{"chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"},
		{strings.TrimSuffix(native.Origin, "/")},
		{native.Origin + "page.html"},
		{"native", "https://example.com/"},
	} {
		webarea(t, args...).expectError(t, exitFailed, "only a browser starts this")
	}
}

func TestHostEndsBadly(t *testing.T) {
	t.Parallel()
	h := startHost(t, native.Origin)
	h.say(hello)
	h.next()
	h.say(`{"kind":"tabs","tabs":7}`)
	if rest, code := h.end(); code != exitFailed || rest != "" || !strings.Contains(h.stderr.String(), "wrong shape") {
		t.Errorf("got exit %d, %q on stdout, %q on stderr; want %d, and what is wrong", code, rest, h.stderr, exitFailed)
	}
	if left := h.sockets(); len(left) > 0 {
		t.Errorf("the host left %v behind", left)
	}
	// A folder for sockets that others may enter is not used.
	h = startHost(t, native.Origin)
	if err := os.Mkdir(filepath.Join(h.runtime, "webarea"), 0o755); err != nil {
		t.Fatal(err)
	}
	h.say(hello)
	if m := h.next(); m["kind"] != "refused" || !strings.Contains(fmt.Sprint(m["message"]), "0700") {
		t.Errorf("got %v, want a refusal that says what to do", m)
	}
}

// A host that is told to end leaves nothing behind either, with the browser still there.
func TestHostIsTerminated(t *testing.T) {
	t.Parallel()
	h := startHost(t, native.Origin)
	h.say(hello)
	h.next()
	if err := h.c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, h.out); err != nil {
		t.Error(err)
	}
	left := h.sockets()
	if _, code := h.end(); code != signalCode+int(syscall.SIGTERM) || len(left) > 0 {
		t.Errorf("got exit %d and the sockets %v, want %d and none", code, left, signalCode+int(syscall.SIGTERM))
	}
}

func TestBridgeToNobody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	webareaWith(t, "", "mcp", "--socket", filepath.Join(dir, "none.sock")).expectError(t, exitFailed, "there is no such socket")
	webareaWith(t, "", "mcp", "--socket", filepath.Join(dir, "none.sock"), "--launch").expectError(t, exitUsage, "--socket goes with no other flag")
}

func TestInstallCommand(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := func(args ...string) ran {
		c := command(t, args...)
		c.Env = append(c.Env, "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"))
		return finish(t, c)
	}
	data := filepath.Join(home, "profile")
	for range 2 {
		r := run("install", "--browser", "chromium", "--user-data-dir", data)
		r.expectCode(t, 0)
		folder := filepath.Join(home, "data", "webarea", "extension")
		if !strings.Contains(r.stdout, folder) || !strings.Contains(r.stdout, "Load unpacked") {
			t.Errorf("got %v, want where the extension is and what to click", r)
		}
		text, err := os.ReadFile(filepath.Join(data, "NativeMessagingHosts", native.HostName+".json"))
		if err != nil || !strings.Contains(string(text), `"path": "`+program+`"`) {
			t.Errorf("got %s, %v, want the program %s", text, err, program)
		}
		if _, err := os.Stat(filepath.Join(folder, "manifest.json")); err != nil {
			t.Error(err)
		}
	}
	run("uninstall", "--browser", "chromium", "--user-data-dir", data).expectCode(t, 0)
	if left, _ := filepath.Glob(filepath.Join(home, "*")); len(left) > 0 {
		t.Errorf("there are %v left", left)
	}
	run("install").expectError(t, exitUsage, "--browser chromium")
	run("install", "--browser", "netscape").expectError(t, exitUsage, "--browser")
}
