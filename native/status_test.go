package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// busy is a tab that the host needs no browser for.
func busy(key string, window int) message {
	m := shared(key, window)
	m["state"], m["problem"] = "unreachable", "debugger_busy"
	return m
}

func TestStatus(t *testing.T) {
	e := startHost(t, nil)
	welcome := e.greet()
	e.share(busy("1.1", 1), busy("2.1", 1))
	got, err := AskStatus(t.Context(), e.socket())
	if err != nil {
		t.Fatal(err)
	}
	want := Status{
		Instance: fmt.Sprint(welcome["instance"]), PID: int(welcome["pid"].(float64)), Version: "v0.0.0-test", Extension: "0.1",
		Browser: StatusBrowser{"Chromium", "156", got.Browser.PID},
		Tabs:    []StatusTab{{"", "https://told.example/", "debugger_busy"}, {"", "https://told.example/", "debugger_busy"}},
		Agents:  []StatusAgent{}, Reads: []StatusRead{},
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
	if len(e.said[kindAgents])+len(e.said[kindRead]) > 0 {
		t.Error("who asks for the status is told of as an agent")
	}

	a := e.connect("an agent")
	a.call("get_elements", map[string]any{"scope": "page"})
	e.next(kindRead)
	if got, err = AskStatus(t.Context(), e.socket()); err != nil {
		t.Fatal(err)
	}
	if len(got.Agents) != 1 || got.Agents[0] != (StatusAgent{"an agent", "v7"}) {
		t.Errorf("got the agents %v, want the one", got.Agents)
	}
	if len(got.Reads) != 1 || got.Reads[0].Tool != "get_elements" || got.Reads[0].What != "page" || got.Reads[0].Outcome != "ok" || got.Reads[0].Bytes < 100 {
		t.Errorf("got the reads %+v, want the one", got.Reads)
	}
	for range shownReads {
		a.call("get_elements", map[string]any{"id": "nothing"})
	}
	if got, err = AskStatus(t.Context(), e.socket()); err != nil || len(got.Reads) != shownReads || got.Reads[0].What != "nothing" || got.Reads[0].Outcome == "ok" {
		t.Errorf("got %+v, %v, want the last %d reads", got.Reads, err, shownReads)
	}
}

// Who watches is told of each change once, and that the host has ended.
func TestWatchStatus(t *testing.T) {
	e := startHost(t, nil)
	e.greet()
	e.share()
	told := make(chan Status, 100)
	ended := make(chan error, 1)
	go func() { ended <- WatchStatus(t.Context(), e.socket(), func(s Status) { told <- s }) }()
	next := func(want string, fits func(Status) bool) {
		t.Helper()
		for deadline := time.After(patience); ; {
			select {
			case s := <-told:
				if fits(s) {
					return
				}
			case <-deadline:
				t.Fatalf("it is not told that %s", want)
			}
		}
	}
	next("nothing is shared", func(s Status) bool { return len(s.Tabs) == 0 })
	e.share(busy("1.1", 1))
	next("a tab is shared", func(s Status) bool { return len(s.Tabs) == 1 })
	e.share(busy("1.1", 1)) // the same again is no news
	a := e.connect("an agent")
	next("an agent has come", func(s Status) bool { return len(s.Agents) == 1 })
	a.Close()
	next("it has gone", func(s Status) bool { return len(s.Agents) == 0 })
	if len(told) > 0 {
		t.Errorf("got %+v, which is no news", <-told)
	}
	if err := e.end(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("a host that ends: got %v, want no error", err)
	}

	e = startHost(t, nil)
	e.greet()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- WatchStatus(ctx, e.socket(), func(s Status) { told <- s }) }()
	<-told
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("who watches ends: got %v, want no error", err)
	}
}

// What is asked otherwise is not answered, and what answers otherwise is no host.
func TestStatusRefused(t *testing.T) {
	e := startHost(t, nil)
	e.greet()
	for _, question := range []string{"s\n", "status everything\n", "status " + strings.Repeat("x", 2*maxQuestion)} {
		c, err := net.Dial("unix", e.socket())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, question); err != nil {
			t.Fatal(err)
		}
		// What was not read may have the connection reset.
		if got, _ := io.ReadAll(c); len(got) > 0 {
			t.Errorf("%q was answered %q", question, got)
		}
		c.Close()
	}

	path := filepath.Join(e.dir, "other")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, tooManyClients)
			_ = c.Close()
		}
	}()
	if _, err := AskStatus(t.Context(), path); !errors.Is(err, errNoStatus) {
		t.Errorf("something else that answers: got %v, want %v", err, errNoStatus)
	}
}

func TestGreet(t *testing.T) {
	tests := []struct{ name, answer, want string }{
		{"welcome", "\x3c\x00\x00\x00" + `{"kind":"welcome","protocol":1,"version":"v1","instance":"a"}`[:60], "wrong shape"},
		{"no frames", "Hello, this is a shell.\n", "not in frames"},
		{"nothing", "", "welcome: EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Greet(io.Discard, strings.NewReader(test.answer), "0.1"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	for _, test := range []struct {
		name   string
		answer any
		want   string
	}{
		{"welcome", welcomeMessage{kindWelcome, Protocol, "v1", "a", 7}, ""},
		{"refused", refusedMessage{kindRefused, "protocol", "update the older of the two"}, "update the older"},
		{"something else", changedMessage{kindChanged}, "no welcome"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			text, err := encodeMessage(test.answer)
			if err == nil {
				err = writeFrame(&b, text)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := Greet(io.Discard, strings.NewReader(b.String()), "0.1")
			if test.want == "" && (err != nil || got != (Welcome{"v1", "a"})) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, %v, want %q", got, err, test.want)
			}
		})
	}
}
