//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/webarea/webarea/visit"
)

// endpoints starts browsers to attach to, and gives the flags for them.
func endpoints(t *testing.T, n int) (browsers []running, flags []string) {
	t.Helper()
	for range n {
		b := startBrowser(t)
		browsers = append(browsers, b)
		flags = append(flags, "--attach", b.address)
	}
	return browsers, flags
}

// tallies gives what a run says at its end of each browser, by its address.
func (r ran) tallies(t *testing.T) map[string]string {
	t.Helper()
	said := map[string]string{}
	for line := range strings.Lines(r.stderr) {
		rest, isOurs := strings.CutPrefix(strings.TrimSpace(line), "webarea: ")
		if address, tally, ok := strings.Cut(rest, ": "); ok && isOurs && strings.Contains(tally, " answered, ") {
			said[address] = tally
		}
	}
	return said
}

// TestGrid spreads targets over browsers, which only those get who visit several at
// once, and leaves the browsers as they were.
func TestGrid(t *testing.T) {
	t.Parallel()
	browsers, flags := endpoints(t, 2)
	before := len(browsers[0].tabs(t))
	m := meet(t, 2)
	r := webarea(t, append(append([]string{"snapshot"}, flags...), m.address+"/meet/a", m.address+"/meet/b", "form.html", "missing.html")...)
	r.expectCode(t, exitFailed)
	lines := r.lines(t)
	if len(lines) != 4 || lines[0].Answer == nil || lines[1].Answer == nil || lines[2].Answer == nil || lines[3].Error == nil {
		t.Fatalf("got %v\nwant three answers and an error", r)
	}
	windows := map[string]bool{}
	for i, want := range []string{`focused Document "a"`, `focused Document "b"`, `focused Document "Orders"`} {
		a := decode(t, lines[i].Answer)
		if got := pointed(a); got != want {
			t.Errorf("target %d: got %s, want %s", i, got, want)
		}
		windows[a.Root.Children[0].ID] = true
	}
	if len(windows) != 2 {
		t.Errorf("the tabs are in the windows %v, want one of each browser", windows)
	}
	answered := 0
	for _, b := range browsers {
		var did, failed int
		var took float64
		said := r.tallies(t)[b.address]
		if _, err := fmt.Sscanf(said, "%d answered, %d failed, in %f s", &did, &failed, &took); err != nil || did < 1 {
			t.Errorf("%s: got %q, want how many were answered, at least 1, and failed, and in what time", b.address, said)
		}
		answered += did
		b.expectTabs(t, before)
	}
	if answered != 3 {
		t.Errorf("the browsers say that they answered %d, want 3: %v", answered, r)
	}
}

// TestGridWithADeadEndpoint has the others do the work.
func TestGridWithADeadEndpoint(t *testing.T) {
	t.Parallel()
	_, flags := endpoints(t, 1)
	nothing := nothingListens(t)
	r := webarea(t, append([]string{"snapshot", "--attach", nothing, "form.html", "late.html", "form.html"}, flags...)...)
	r.expectCode(t, 0)
	for i, l := range r.lines(t) {
		if l.Answer == nil {
			t.Errorf("target %d: got %+v, want an answer", i, *l.Error)
		}
	}
	if said := r.tallies(t)[nothing]; !strings.HasPrefix(said, "0 answered, 0 failed, 1 left to others") || !strings.Contains(said, "nothing listens") {
		t.Errorf("got %q of the dead one, want that it left one to others, and why", said)
	}

	r = webarea(t, "snapshot", "--attach", nothing, "--attach", nothingListens(t), "form.html", "late.html")
	r.expectCode(t, exitFailed)
	for i, l := range r.lines(t) {
		if l.Error == nil || l.Error.Code != string(visit.CodeNoBrowser) {
			t.Errorf("target %d: got %+v, want %s", i, l, visit.CodeNoBrowser)
		}
	}
}

// A deadly server has the browser that first asks for its page killed, before it
// answers, or once the page's script asks for /done.
type deadly struct {
	address string
	killed  atomic.Bool
	victim  atomic.Int64 // the process id of what was killed
}

func serveDeadly(t *testing.T, browsers []running, path string) *deadly {
	t.Helper()
	d := &deadly{}
	kill := func() {
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			for _, b := range browsers {
				if b.shows("/deadly") {
					d.victim.Store(int64(b.pid))
					_ = syscall.Kill(b.pid, syscall.SIGKILL)
					return
				}
			}
		}
		t.Error("no browser shows the page")
	}
	mux := http.NewServeMux()
	serve := func(at, body string) {
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			// The document is there at once, so that its tab has the address.
			fmt.Fprint(w, body)
			_ = http.NewResponseController(w).Flush()
			if at == path && d.killed.CompareAndSwap(false, true) {
				kill()
				<-r.Context().Done()
			}
		})
	}
	serve("/deadly", "<title>Deadly</title><p>words")
	serve("/done", "done")
	d.address = serveHandler(t, mux)
	return d
}

// shows tells whether a browser that may be dead has a tab with a page.
func (b running) shows(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.address+"/json/list", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(response.Body)
	return err == nil && strings.Contains(body.String(), path)
}

// TestEndpointDies kills a browser in the middle of a visit. The visit is made in another,
// unless something was done in the page.
func TestEndpointDies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		path string // what is asked for when it is killed
		acts []string
		want string // the code, or that there is an answer
		left string
	}{
		{"while it loads", "/deadly", nil, "answer", " left to others"},
		{"before the script", "/deadly", []string{"--eval", "fetch('/done').then(r => r.text())"}, "answer", " left to others"},
		{"in the script", "/done", []string{"--eval", "fetch('/done').then(r => r.text())"}, string(visit.CodeBrowserGone), ", 1 failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			browsers, flags := endpoints(t, 2)
			d := serveDeadly(t, browsers, test.path)
			r := webarea(t, append(append([]string{"snapshot", "--timeout", "1m"}, flags...), append(test.acts, d.address+"/deadly", "form.html", "late.html", "form.html")...)...)
			lines := r.lines(t)
			if len(lines) != 4 {
				t.Fatalf("got %v\nwant four lines", r)
			}
			got := "answer"
			if lines[0].Error != nil {
				got = lines[0].Error.Code
			}
			if got != test.want {
				t.Errorf("got %s, want %s: %v", got, test.want, r)
			}
			// Of a page on a server, a script asks that server; a file has none.
			for i, l := range lines[1:] {
				if l.Answer == nil && test.acts == nil {
					t.Errorf("target %d: got %+v, want an answer", i+1, *l.Error)
				}
			}
			for _, b := range browsers {
				said := r.tallies(t)[b.address]
				if isVictim := int64(b.pid) == d.victim.Load(); isVictim && !strings.Contains(said, test.left) {
					t.Errorf("got %q of the one that died, want %q", said, test.left)
				} else if !isVictim && strings.Contains(said, "lost") {
					t.Errorf("got %q of the one that lives", said)
				}
			}
		})
	}
}

// TestGridInterrupted leaves the browsers as they were.
func TestGridInterrupted(t *testing.T) {
	t.Parallel()
	browsers, flags := endpoints(t, 2)
	before := len(browsers[0].tabs(t))
	c := command(t, append(append([]string{"snapshot", "--wait", "25s"}, flags...), "form.html", "form.html", "form.html")...)
	start(t, c)
	for _, b := range browsers {
		b.expectTabs(t, before+1)
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if got, want := c.ProcessState.ExitCode(), signalCode+int(syscall.SIGINT); got != want {
		t.Errorf("got exit %d, want %d", got, want)
	}
	for _, b := range browsers {
		b.expectTabs(t, before)
	}
}
