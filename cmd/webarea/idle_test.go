//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/native"
)

// An activity is what a process has done: how often its threads went to sleep to be woken
// again, and its CPU time in ticks of the system's clock.
type activity struct{ sleeps, ticks int }

// activityOf reads it from the system's own tables.
func activityOf(t *testing.T, pid int) (a activity) {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	threads, err := filepath.Glob(filepath.Join(dir, "task", "*", "status"))
	if err != nil || len(threads) == 0 {
		t.Fatalf("the process %d has ended: %v", pid, err)
	}
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		for line := range strings.Lines(string(text)) {
			if count, found := strings.CutPrefix(line, "voluntary_ctxt_switches:"); found {
				n, err := strconv.Atoi(strings.TrimSpace(count))
				if err != nil {
					t.Fatal(err)
				}
				a.sleeps += n
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		t.Fatal(err)
	}
	// The name, which may hold anything, ends with the last bracket.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const user, system = 11, 12
	for _, i := range []int{user, system} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			t.Fatal(err)
		}
		a.ticks += n
	}
	return a
}

// idleFor is how long a process must do nothing at all to be said to be idle: what looks
// for something again and again does so more often.
const idleFor = 5 * time.Second

// TestIdle has each process that waits for agents have answered one, and then be left
// alone: it comes to sleep without being woken, by itself or by its browser.
func TestIdle(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("this system does not tell what its processes do:", err)
	}
	busyPage := filepath.Join(t.TempDir(), "busy.html")
	const busy = `<!doctype html><title>Busy</title><p id=p>rye</p><script>
		const tick = (n) => { p.textContent = "rye " + n; p.title = n; document.body.append(document.createElement("i")); document.querySelector("i").remove(); requestAnimationFrame(tick) }
		tick(0); getSelection().selectAllChildren(p)</script>`
	if err := os.WriteFile(busyPage, []byte(busy), 0o600); err != nil {
		t.Fatal(err)
	}
	host := startHost(t, native.Origin)
	host.say(hello)
	host.next()
	host.say(`{"kind":"tabs","windows":[{"window":1,"order":1,"state":"normal"}],"gone":[],"tabs":[{"tab":"1.1","window":1,"index":0,"state":"unreachable","problem":"debugger_busy","active":true,"title":"Mine","url":"https://bank.example/","zoom":1}]}`)
	bridge := startServer(t, "--socket", host.sockets()[0])
	among := func(runtime string) *stdioClient {
		c := command(t, "mcp")
		c.Env = append(c.Env, "XDG_RUNTIME_DIR="+runtime)
		return startClient(t, c)
	}
	empty, err := os.MkdirTemp("", "wr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(empty) })
	gateway, alone := among(host.runtime), among(empty)
	launched := startServer(t, "--launch", "file://"+busyPage)
	processes := map[string]int{
		"the host": host.c.Process.Pid, "the bridge to its socket": bridge.c.Process.Pid, "the gateway to the host": gateway.c.Process.Pid,
		"a gateway to no host": alone.c.Process.Pid, "a server with a browser, whose page always changes": launched.c.Process.Pid,
	}
	for name, s := range map[string]*stdioClient{"bridge": bridge, "gateway": gateway, "alone": alone, "launched": launched} {
		s.handshake()
		r := s.call("get_elements", `{}`)
		if r.IsError == (name != "alone") {
			t.Errorf("%s: got %s", name, r.StructuredContent)
		}
	}
	eventually(t, fmt.Sprintf("all that wait sleep for %s", idleFor), func() bool {
		before := map[string]activity{}
		for name, pid := range processes {
			before[name] = activityOf(t, pid)
		}
		time.Sleep(idleFor)
		for name, pid := range processes {
			if activityOf(t, pid) == before[name] {
				t.Logf("%s: %d sleeps and %d ticks, then none for %s", name, before[name].sleeps, before[name].ticks, idleFor)
				delete(processes, name)
			}
		}
		return len(processes) == 0
	})
}
