//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/webarea/webarea/visit"
)

// A meeting is a server whose pages come once so many have been asked for: those who
// visit one after another never get one.
type meeting struct {
	address string
	mu      sync.Mutex
	missing int
	all     chan struct{}
}

func meet(t *testing.T, guests int) *meeting {
	t.Helper()
	m := &meeting{missing: guests, all: make(chan struct{})}
	m.address = serveAlso(t, "/meet/{who}", func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		if m.missing--; m.missing == 0 {
			close(m.all)
		}
		m.mu.Unlock()
		select {
		case <-m.all:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>%s</title>
			<p id=p>words<script>
			addEventListener("blur", () => document.title = "blurred")
			</script>`, r.PathValue("who"))
	})
	return m
}

// TestJobs visits pages that come only to those who visit several at once. None takes
// the focus from another, as if each were alone.
func TestJobs(t *testing.T) {
	t.Parallel()
	m := meet(t, 3)
	var targets []string
	for _, who := range []string{"a", "b", "c", "d", "e"} {
		targets = append(targets, m.address+"/meet/"+who)
	}
	targets = append(targets, "missing.html")
	r := webarea(t, append([]string{"snapshot", "--jobs", "3", "--timeout", "1m"}, targets...)...)
	r.expectCode(t, exitFailed)
	lines := r.lines(t)
	if len(lines) != len(targets) {
		t.Fatalf("got %d lines for %d targets: %v", len(lines), len(targets), r)
	}
	instances, ids := map[string]bool{}, map[string]bool{}
	for i, l := range lines {
		if l.Target != targets[i] {
			t.Errorf("line %d is about %s, want %s", i, l.Target, targets[i])
		}
		if i == len(targets)-1 {
			if l.Error == nil || l.Error.Code != string(visit.CodeNotFound) {
				t.Errorf("%s: got %+v, want %s", l.Target, l, visit.CodeNotFound)
			}
			continue
		}
		if l.Error != nil {
			t.Errorf("%s: got %+v, want an answer", l.Target, *l.Error)
			continue
		}
		a := decode(t, l.Answer)
		instances[a.Instance] = true
		if got, want := pointed(a), fmt.Sprintf(`focused Document "%c"`, 'a'+i); got != want {
			t.Errorf("%s: got %s, want %s", l.Target, got, want)
		}
		// Windows of two browsers may have the same number.
		for _, id := range []string{a.Root.Children[0].ID, a.Root.Children[0].Children[0].ID, a.Root.Children[0].Children[0].Children[0].ID} {
			if ids[id] && id != a.Root.Children[0].ID {
				t.Errorf("%s: the id %s was given out before", l.Target, id)
			}
			ids[id] = true
		}
	}
	if len(instances) != 1 {
		t.Errorf("one run has %d instances", len(instances))
	}
	if strings.Count(r.stderr, "\n") > 1 {
		t.Errorf("got %v\nwant what there is to say of browsers once", r)
	}
}

// TestJobsForEachProcessor has more processors than the first target would leave to the
// second if they were not used.
func TestJobsForEachProcessor(t *testing.T) {
	t.Parallel()
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("there is one processor, so one target is visited at a time")
	}
	m := meet(t, 2)
	r := webarea(t, "snapshot", "--jobs", "0", "--timeout", "1m", m.address+"/meet/a", m.address+"/meet/b")
	r.expectCode(t, 0)
}

// TestJobsAlike compares answers with those of one at a time.
func TestJobsAlike(t *testing.T) {
	t.Parallel()
	targets := []string{"form.html", "secret.html", "a page, 100%.htm", "late.html", "missing.html", "form.html"}
	alone := webarea(t, append([]string{"snapshot", "--scope", "page"}, targets...)...)
	several := webarea(t, append([]string{"snapshot", "--scope", "page", "--jobs", "2"}, targets...)...)
	// Each run has a folder and ids of its own.
	chance := regexp.MustCompile(`"(id|instance|related)":"[^"]*"|file://[^"]*/`)
	got, want := chance.ReplaceAllString(several.stdout, ""), chance.ReplaceAllString(alone.stdout, "")
	if got != want || several.code != alone.code {
		t.Errorf("two at a time\ngot exit %d:\n%s\nwant exit %d:\n%s", several.code, got, alone.code, want)
	}
	outlines := webarea(t, append([]string{"snapshot", "--outline", "--jobs", "3"}, targets...)...)
	var heads []string
	for line := range strings.Lines(outlines.stdout) {
		if name, ok := strings.CutPrefix(line, headline); ok {
			heads = append(heads, strings.TrimSpace(name))
		}
	}
	if strings.Join(heads, ",") != strings.Join(targets, ",") {
		t.Errorf("got outlines of %v, want %v", heads, targets)
	}
}

// TestJobsInterrupted ends a run in which several browsers are.
func TestJobsInterrupted(t *testing.T) {
	t.Parallel()
	needProc(t)
	c := command(t, "snapshot", "--jobs", "2", "--wait", "25s", "form.html", "form.html", "form.html")
	var out bytes.Buffer
	c.Stdout = &out
	said := start(t, c)
	waitForBrowser(t, c)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if r := (ran{c.ProcessState.ExitCode(), out.String(), said.String(), 0}); r.code != signalCode+int(syscall.SIGINT) || r.stdout != "" {
		t.Errorf("got %v\nwant exit %d and nothing on stdout", r, signalCode+int(syscall.SIGINT))
	}
}

// TestBarOnTerminal gives the program a terminal for its standard error.
func TestBarOnTerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script command of Linux's kind, which makes a terminal")
	}
	for _, test := range []struct{ locale, line, want string }{
		{"C.UTF-8", "snapshot --jobs 2 form.html missing.html form.html >/dev/null", "█"},
		{"C", "snapshot form.html missing.html form.html >/dev/null", "#"},
		{"C", "snapshot --json form.html missing.html", "#"},
	} {
		c := command(t)
		c.Path, c.Args = script, []string{"script", "-qec", "'" + program + "' " + test.line, "/dev/null"}
		c.Env = append(c.Env, "LC_ALL="+test.locale, "TERM=xterm")
		r := finish(t, c)
		r.expectCode(t, exitFailed)
		if !strings.Contains(r.stdout, test.want) || !strings.Contains(r.stdout, " 1/") || !strings.Contains(r.stdout, ", 1 failed") {
			t.Errorf("%s: got %v\nwant a bar of %s that counts", test.line, r, test.want)
		}
		// What is left in the end, with what was written over gone.
		for line := range strings.Lines(r.stdout) {
			line = strings.TrimRight(line, "\r\n")
			if seen := line[strings.LastIndex(line, "\r")+1:]; strings.Contains(seen, test.want) {
				t.Errorf("%s: the bar is left behind in %q", test.line, line)
			}
		}
	}
	r := webarea(t, "snapshot", "form.html", "missing.html")
	if strings.Contains(r.stderr, "#") || strings.Contains(r.stderr, "\r") {
		t.Errorf("got %v\nwant no bar where there is no terminal", r)
	}
}
