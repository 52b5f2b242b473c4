//go:build unix

package cdp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// holderVariable makes the test binary a process that holds a browser until it is
// killed, and its value says with which switch.
const holderVariable = "WEBAREA_TEST_HOLDER"

func holdBrowser() {
	b, err := Launch(context.Background(), LaunchOptions{HostRules: onlyLoopback})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d %d %q %q\n", b.PID, b.guard.watchdog.Process.Pid, b.home.dir, b.home.short)
	select {}
}

// isGone reports whether the process, or the group if the number is negative, is
// no more.
func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// expectNothingLeft waits for the end of everything that a browser is made of.
func expectNothingLeft(t *testing.T, pid, watchdog int, dir string) {
	t.Helper()
	if !eventually(func() bool { return isGone(-pid) }) {
		t.Errorf("the browser's process group %d is still there", pid)
	}
	if !eventually(func() bool { return isGone(watchdog) }) {
		t.Errorf("the watchdog %d is still there", watchdog)
	}
	if !eventually(func() bool { return processesWith(dir) == "" }) {
		t.Errorf("processes are still there:\n%s", processesWith(dir))
	}
	if !eventually(func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) }) {
		t.Errorf("the folder %s is still there", dir)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	b := launch(t, LaunchOptions{})
	openPage(t, b.Conn, "<p>x")
	info, err := os.Stat(b.home.dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the profile's folder is %v (%v), want one that only its owner can read", info.Mode(), err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	// Not eventually: Close returns when it is done. What the system still has of
	// processes that have ended is its own affair.
	if !isGone(b.guard.watchdog.Process.Pid) {
		t.Errorf("the watchdog is still there")
	}
	if left := processesWith(b.home.dir); left != "" {
		t.Errorf("processes are still there:\n%s", left)
	}
	if _, err := os.Stat(b.home.dir); !os.IsNotExist(err) {
		t.Errorf("the folder %s is still there (%v)", b.home.dir, err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	expectNothingLeft(t, b.PID, b.guard.watchdog.Process.Pid, b.home.dir)
}

func TestCloseOfAPageThatWantsToStay(t *testing.T) {
	b := launch(t, LaunchOptions{})
	s := openPage(t, b.Conn, `<script>onbeforeunload = e => e.preventDefault()</script>`)
	call(t, s, "Page.enable", nil, nil)
	call(t, s, "Runtime.evaluate", map[string]any{"expression": "1", "userGesture": true}, nil)
	looping := openPage(t, b.Conn, "")
	looping.Go(t.Context(), "Runtime.evaluate", evaluation("while(1);"))
	if err := b.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	expectNothingLeft(t, b.PID, b.guard.watchdog.Process.Pid, b.home.dir)
}

func TestKilledBrowserFailsCallsAtOnce(t *testing.T) {
	for wire, opts := range wires {
		t.Run(wire, func(t *testing.T) {
			b := launch(t, opts)
			s := openPage(t, b.Conn, "")
			var pending []*Pending
			for range 10 {
				pending = append(pending, s.Go(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}))
			}
			call(t, s, "Runtime.evaluate", evaluation("1"), nil)
			if err := syscall.Kill(b.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			for _, p := range pending {
				err := p.Wait(ctx, nil)
				if !errors.Is(err, ErrBrowserGone) || !strings.HasSuffix(err.Error(), "ended (signal: killed)") {
					t.Errorf("got the error %v\nwant ErrBrowserGone and that it was killed", err)
				}
			}
			receiveFrom(t, s.Detached(), "the end of the session")
			if err := b.Close(); err != nil {
				t.Errorf("closing what was killed: %v", err)
			}
			expectNothingLeft(t, b.PID, b.guard.watchdog.Process.Pid, b.home.dir)
		})
	}
}

func TestKillingUsLeavesNothing(t *testing.T) {
	pid, watchdog, dir, _ := killHolder(t)
	expectNothingLeft(t, pid, watchdog, dir)
}

// killHolder kills a process that holds a browser, and says what there was of that.
func killHolder(t *testing.T) (pid, watchdog int, dir, short string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.Command(self)
	holder.Env = append(os.Environ(), holderVariable+"=1")
	holder.Stderr = os.Stderr
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "%d %d %q %q", &pid, &watchdog, &dir, &short)
	}
	if kill := holder.Process.Kill(); kill != nil {
		t.Errorf("killing the process that holds a browser: %v", kill)
	}
	_ = holder.Wait()
	if err != nil {
		t.Fatalf("the process that was to hold a browser said %q: %v", line, err)
	}
	return pid, watchdog, dir, short
}

// TestLongTemporaryFolder has the folder for temporary files be one in which the browser
// cannot make its socket: it leaves nothing there, nor where it does make it, whether we
// close it or are killed.
func TestLongTemporaryFolder(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 25))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	expectNone := func(short string) {
		t.Helper()
		if left := filesIn(long); left != "" {
			t.Errorf("in the long folder is still:\n%s", left)
		}
		if _, err := os.Stat(short); short == "" || !os.IsNotExist(err) {
			t.Errorf("the folder %q is still there (%v)", short, err)
		}
	}
	b := launch(t, LaunchOptions{})
	openPage(t, b.Conn, "<p>x")
	short := b.home.short
	if filesIn(short) == "" {
		t.Errorf("the browser has nothing in its short folder %q", short)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	expectNone(short)
	pid, watchdog, dir, short := killHolder(t)
	expectNothingLeft(t, pid, watchdog, dir)
	expectNothingLeft(t, pid, watchdog, short)
	expectNone(short)
}

func TestLaunchThatFails(t *testing.T) {
	program := func(script string) string {
		path := filepath.Join(t.TempDir(), "fakechrome")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name, path, want string
	}{
		{"ends at once", program("echo some words >&2; echo 'No usable sandbox!' >&2; exit 3"),
			"fakechrome does not answer: Browser.getVersion: the browser is gone: fakechrome ended (exit status 3): some words\nNo usable sandbox!"},
		{"says nothing", program("exit 0"), "fakechrome does not answer: Browser.getVersion: the browser is gone: fakechrome ended (exit status 0)"},
		{"says a lot", program("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1"),
			"fakechrome does not answer: Browser.getVersion: the browser is gone: fakechrome ended (exit status 1): line 2995\nline 2996\nline 2997\nline 2998\nline 2999"},
		{"hangs", program("sleep 1000"), "fakechrome does not answer: Browser.getVersion: no answer in time: context deadline exceeded"},
		{"is nothing", "/nowhere/chrome", "the browser that was asked for cannot be run: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			patience := 30 * time.Second
			if test.name == "hangs" {
				patience = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			b, err := Launch(ctx, LaunchOptions{Path: test.path})
			if b != nil || err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("\n got the error %v\nwant the error %s", err, test.want)
			}
		})
	}
}

func TestNotices(t *testing.T) {
	b := launch(t, LaunchOptions{})
	got, want := fmt.Sprint(b.Notices), "[]"
	if os.Geteuid() == 0 {
		want = "[running as root, so the browser's own sandbox is off]"
	}
	if got != want {
		t.Errorf("got the notices %s, want %s", got, want)
	}
}

// TestNoTraffic looks into the browser's own record of its network.
func TestNoTraffic(t *testing.T) {
	record := filepath.Join(t.TempDir(), "net.json")
	b := launch(t, LaunchOptions{Args: []string{"--log-net-log=" + record}})
	s := openPage(t, b.Conn, `<form action=/login><input name=user><input type=password name=p></form><p lang=fr>Bonjour tout le monde`)
	// The page is done with what it does at first, and so is the browser.
	call(t, s, "Runtime.evaluate", map[string]any{"expression": "new Promise(done => setTimeout(done, 1000))", "awaitPromise": true}, nil)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Constants struct {
			Types map[string]int `json:"logEventTypes"`
		} `json:"constants"`
		Events []struct {
			Type   int             `json:"type"`
			Params json.RawMessage `json:"params"`
		} `json:"events"`
	}
	if err := json.NewDecoder(io.MultiReader(strings.NewReader(closeLog(text)))).Decode(&log); err != nil {
		t.Fatalf("reading the browser's record: %v", err)
	}
	asked := 0
	for _, event := range log.Events {
		if event.Type != log.Constants.Types["URL_REQUEST_START_JOB"] {
			continue
		}
		var params struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(event.Params, &params) != nil || params.URL == "" {
			continue
		}
		asked++
		if !strings.HasPrefix(params.URL, nowhere) {
			t.Errorf("the browser asked for %s by itself", params.URL)
		}
	}
	if len(log.Events) == 0 || asked == 0 {
		t.Errorf("the record has %d events, %d of them requests: it does not show what it is read for", len(log.Events), asked)
	}
}

// closeLog ends a record that a browser which is killed leaves open.
func closeLog(text []byte) string {
	log := strings.TrimRight(string(text), ", \n")
	if !strings.HasSuffix(log, "]}") && !strings.HasSuffix(log, "}}") {
		log += "]}"
	}
	return log
}
