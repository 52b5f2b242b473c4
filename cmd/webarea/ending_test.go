//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webarea/webarea/visit"
)

// start starts a prepared command and gives what it has written to standard error.
func start(t *testing.T, c *exec.Cmd) *bytes.Buffer {
	t.Helper()
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return &said
}

// waitForBrowser waits until the browser of a run is there and returns its process
// id.
func waitForBrowser(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	temp := ""
	for _, v := range c.Env {
		if after, ok := strings.CutPrefix(v, "TMPDIR="); ok {
			temp = after
		}
	}
	for deadline := time.Now().Add(runLimit / 2); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for pid, line := range processesWith(temp) {
			if strings.Contains(line, "--remote-debugging-pipe") && !strings.Contains(line, "--type=") {
				return pid
			}
		}
	}
	t.Fatal("no browser was started")
	return 0
}

func needProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("this system does not tell of its processes in /proc, so the browser cannot be found")
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	needProc(t)
	for _, test := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}} {
		t.Run(test.signal.String(), func(t *testing.T) {
			c := command(t, "snapshot", "--wait", "25s", "form.html", "form.html")
			var out bytes.Buffer
			c.Stdout = &out
			said := start(t, c)
			waitForBrowser(t, c)
			if err := c.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			if r := (ran{c.ProcessState.ExitCode(), out.String(), said.String(), 0}); r.code != test.code || r.stdout != "" {
				t.Errorf("got %v\nwant exit %d and nothing on stdout", r, test.code)
			}
		})
	}
}

// TestKilled has the program end without a chance to clean up.
func TestKilled(t *testing.T) {
	t.Parallel()
	needProc(t)
	c := command(t, "snapshot", "--wait", "25s", "form.html")
	start(t, c)
	waitForBrowser(t, c)
	_ = c.Process.Kill()
	_ = c.Wait()
}

// TestBrowserKilled ends the browser in the middle of a target: that target fails
// at once, and the next one gets another browser.
func TestBrowserKilled(t *testing.T) {
	t.Parallel()
	needProc(t)
	c := command(t, "snapshot", "--wait", "#never", "--timeout", "1m", "form.html", "late.html")
	var out bytes.Buffer
	c.Stdout = &out
	said := start(t, c)
	pid := waitForBrowser(t, c)
	// A browser that is killed while it starts is one that cannot be started.
	time.Sleep(2 * time.Second)
	begin := time.Now()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	r := ran{c.ProcessState.ExitCode(), out.String(), said.String(), time.Since(begin)}
	r.expectCode(t, exitFailed)
	lines := r.lines(t)
	if len(lines) != 2 || lines[0].Error == nil || lines[0].Error.Code != string(visit.CodeBrowserGone) || lines[1].Answer == nil {
		t.Errorf("got %v\nwant %s of the first and an answer about the second", r, visit.CodeBrowserGone)
	}
}

func TestEndlessScripts(t *testing.T) {
	t.Parallel()
	const timeout = 7 * time.Second
	all := [][]string{
		{"--eval", "for (;;);", "form.html"},
		{"--eval", "setTimeout(() => { for (;;); }, 0)", "form.html"},
		{"loop.html"},
	}
	if testing.Short() {
		t.Log("only the first of the ways to hang, to save time")
		all = all[:1]
	}
	for _, args := range all {
		r := webarea(t, append([]string{"snapshot", "--timeout", timeout.String()}, args...)...)
		r.expectError(t, exitFailed, timeout.String())
		if !strings.Contains(r.stderr, string(visit.CodeUnresponsive)) && !strings.Contains(r.stderr, string(visit.CodeTimeout)) {
			t.Errorf("%v: got %v\nwant one of the codes %s and %s", args, r, visit.CodeUnresponsive, visit.CodeTimeout)
		}
	}
	r := webarea(t, "snapshot", "--timeout", timeout.String(), "loop.html", "form.html")
	if lines := r.lines(t); len(lines) != 2 || lines[0].Error == nil || lines[1].Answer == nil {
		t.Errorf("got %v\nwant an error and an answer", r)
	}
}

// TestNobodyReads closes standard output, as head does.
func TestNobodyReads(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code int
	}{
		{[]string{"snapshot", "--scope", "page", "form.html", "form.html"}, 0},
		{[]string{"snapshot", "form.html"}, 0},
		{[]string{"snapshot", "--outline", "form.html"}, 0},
		{[]string{"validate", "form.html"}, exitFailed},
		{[]string{"version"}, 0},
	} {
		c := command(t, test.args...)
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		c.Stdout = write
		r := finish(t, c)
		write.Close()
		if r.code != test.code || strings.Contains(r.stderr, "pipe") {
			t.Errorf("%v: got %v\nwant a quiet end with exit %d", test.args, r, test.code)
		}
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full to write to in vain: ", err)
	}
	defer full.Close()
	c := command(t, "snapshot", "form.html")
	c.Stdout = full
	if r := finish(t, c); r.code != exitFailed || !strings.Contains(r.stderr, "writing the answer") {
		t.Errorf("got %v\nwant exit %d and a word about the writing", r, exitFailed)
	}
}
