//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
)

// The program as it is built for use, and a browser that reaches nothing but this
// machine, by the name of the real one.
var program, loopbackBrowser string

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostVariable); dir != "" {
		os.Exit(beTestHost(dir))
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "webarea-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := prepare(dir); err != nil {
		fmt.Fprintln(os.Stderr, "preparing the tests:", err)
		return 1
	}
	return m.Run()
}

func prepare(dir string) error {
	program = filepath.Join(dir, "webarea")
	args := append([]string{"build", "-o", program, "-ldflags", "-X main.version=v0.0.0-test"}, raceFlags...)
	build := exec.Command("go", append(args, ".")...)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	real, err := cdp.Find("")
	if err != nil {
		return err
	}
	loopbackBrowser = filepath.Join(dir, filepath.Base(real))
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost' \"$@\"\n", real)
	return os.WriteFile(loopbackBrowser, []byte(script), 0o700)
}

// A ran is what a run of the program did.
type ran struct {
	code           int
	stdout, stderr string
	took           time.Duration
}

func (r ran) String() string {
	return fmt.Sprintf("exit %d\n--- stdout\n%s\n--- stderr\n%s", r.code, shorten(r.stdout), shorten(r.stderr))
}

func shorten(s string) string {
	const most = 4000
	if len(s) > most {
		return s[:most] + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return s
}

// runLimit is far longer than any run takes on a busy machine.
const runLimit = 2 * time.Minute

// command prepares a run in a folder of its own for temporary files, and checks in
// the end that nothing is left in there and no process has to do with it.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	t.Cleanup(cancel)
	temp, err := os.MkdirTemp("", "wa")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		checkNothingLeft(t, temp)
		os.RemoveAll(temp)
	})
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), "TMPDIR="+temp, cdp.BrowserVariable+"="+loopbackBrowser)
	c.Dir = pages(t)
	return c
}

// checkNothingLeft says what a run left behind in its folder and as processes that
// use it. What ends by itself gets a moment for that.
func checkNothingLeft(t *testing.T, temp string) {
	t.Helper()
	var files []string
	var processes map[int]string
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		files, _ = filepath.Glob(filepath.Join(temp, "*"))
		processes = processesWith(temp)
		if len(files)+len(processes) == 0 {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	t.Errorf("something was left behind\nfiles: %v\nprocesses: %v", files, processes)
}

// processesWith lists the command lines of the processes that name the folder in
// theirs, by process id; none where the system does not tell.
func processesWith(dir string) map[int]string {
	found := map[int]string{}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		line, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(line, []byte(dir)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

// finish runs a prepared command to its end.
func finish(t *testing.T, c *exec.Cmd) ran {
	t.Helper()
	var out, err bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &err
	begin := time.Now()
	runErr := c.Run()
	r := ran{c.ProcessState.ExitCode(), out.String(), err.String(), time.Since(begin)}
	var ended *exec.ExitError
	if runErr != nil && !errors.As(runErr, &ended) {
		t.Fatalf("running %v: %v\n%v", c.Args, runErr, r)
	}
	return r
}

// webarea runs the program.
func webarea(t *testing.T, args ...string) ran {
	t.Helper()
	return finish(t, command(t, args...))
}

// webareaWith runs the program with something on its standard input.
func webareaWith(t *testing.T, stdin string, args ...string) ran {
	t.Helper()
	c := command(t, args...)
	c.Stdin = strings.NewReader(stdin)
	return finish(t, c)
}

// expectCode ends the test unless the program ended so.
func (r ran) expectCode(t *testing.T, code int) {
	t.Helper()
	if r.code != code {
		t.Fatalf("got %v\nwant exit %d", r, code)
	}
}

// expectError compares how the program ended and checks that standard error has
// the words, and that standard output has nothing.
func (r ran) expectError(t *testing.T, code int, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.stderr, w) {
			t.Errorf("got %v\nwant on stderr: %q", r, w)
		}
	}
	if r.code != code || r.stdout != "" {
		t.Errorf("got %v\nwant exit %d and nothing on stdout", r, code)
	}
}
