package extension_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/driver"
)

// rows is how many the large page has: with them it has about 30,000 nodes in the
// accessibility tree.
const rows = 2_000

// table is a page with a table in which every row says something, and words that say
// where it ends.
func table(w http.ResponseWriter, rows int) {
	_, _ = fmt.Fprint(w, "<!doctype html><title>Large page</title><p>A sentence to select.</p><table>")
	for i := range rows {
		_, _ = fmt.Fprintf(w, "<tr><td><a href='#%d'>Tool %d</a><td>Shelf %d<td>Lent to <b>Jo</b> in week %d</tr>", i, i, i%40, i%52)
	}
	_, _ = fmt.Fprint(w, "</table><p>The end of it")
}

// A killing kills something with a signal that nobody can answer.
type killing struct {
	// kill ends it; it is given the host's process.
	kill func(e *installation, page *tab, host int)
	// page says that the page is answered about again, not that it has crashed.
	page bool
}

// TestKilled kills what stands between an agent and a page, each while a large page is
// read: the agent is told at once, and what can come back comes back by itself.
func TestKilled(t *testing.T) {
	whole(t)
	for name, k := range map[string]killing{
		"host":                    {kill: func(e *installation, _ *tab, host int) { kill(e.t, host) }, page: true},
		"worker":                  {kill: func(e *installation, _ *tab, _ int) { kill(e.t, workerOf(e)) }, page: true},
		"worker that Chrome ends": {kill: func(e *installation, _ *tab, _ int) { e.killWorker() }, page: true},
		"renderer":                {kill: func(e *installation, page *tab, _ int) { kill(e.t, rendererOf(e, page)) }},
		"browser":                 {kill: func(e *installation, _ *tab, _ int) { kill(e.t, browserOf(e)) }},
	} {
		t.Run(name, func(t *testing.T) {
			e := install(t, rigOptions{})
			page := e.open("/large")
			page.share()
			agent := e.agent()
			var got string
			if !eventually(func() bool { got = e.elements(agent, object{"scope": "page"}); return strings.Contains(got, "Shelf 3") }) {
				t.Fatalf("before: got %.300s, want the page", got)
			}
			first := e.sockets()[0]
			host := e.hostPID(first)
			e.expectOneAlarm(soon)
			ctx, cancel := context.WithTimeout(e.ctx, patience)
			defer cancel()
			said := make(chan string, 1)
			go func() {
				got, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: object{"scope": "page", "max_elements": 10_000}})
				if err != nil {
					said <- "error: " + err.Error()
					return
				}
				raw, err := json.Marshal(got)
				if err != nil {
					said <- "error: " + err.Error()
					return
				}
				said <- string(raw)
			}()
			// Anywhere in the read will do.
			time.Sleep(20 * time.Millisecond)
			began := time.Now()
			k.kill(e, page, host)
			select {
			case got := <-said:
				t.Logf("answered after %v", time.Since(began))
				if ctx.Err() != nil {
					t.Errorf("there was no answer until the agent gave up: %.300s", got)
				}
			case <-ctx.Done():
				t.Error("there was no answer at all")
			}
			if name == "browser" {
				if !eventually(func() bool { return len(e.sockets()) == 0 && len(running(e.program)) <= 1 }) {
					t.Errorf("left behind: sockets %q, processes %q", e.sockets(), running(e.program))
				}
				return
			}
			// Nothing happens in the browser meanwhile that would wake a worker.
			if name != "renderer" && !eventually(func() bool { all := e.sockets(); return len(all) == 1 && all[0] != first }) {
				t.Fatalf("the sockets are %q, want another than %s", e.sockets(), first)
			}
			t.Logf("a host after %v", time.Since(began))
			again := e.agent()
			if !eventually(func() bool {
				got = e.elements(again, object{"scope": "page"})
				if k.page {
					return strings.Contains(got, "Shelf 3")
				}
				return strings.Contains(got, "tab_crashed")
			}) {
				t.Errorf("afterwards: got %.500s", got)
			}
			t.Logf("the page after %v", time.Since(began))
			if n := len(e.sockets()); n != 1 {
				t.Errorf("there are %d sockets, want one: %q", n, e.sockets())
			}
			if !eventually(func() bool { return len(zombies(t, e.browser.PID)) == 0 }) {
				t.Errorf("the browser has children that are dead and not buried: %q", zombies(t, e.browser.PID))
			}
		})
	}
}

// TestLarge reads a page of 30,000 nodes whole, and one of a text of 20 MB, as far as
// an answer may go.
func TestLarge(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	page := e.open("/large")
	page.share()
	agent := e.agent()
	var got string
	all := func(word string) bool {
		got = e.elements(agent, object{"scope": "page", "max_elements": mostElements, "max_text": mostText})
		return strings.Contains(got, word)
	}
	eventually(func() bool { return all("Tool 0") })
	for _, want := range []string{"Tool 0", fmt.Sprintf("Tool %d", rows-1), "The end of it"} {
		if !strings.Contains(got, want) {
			t.Errorf("the large page is answered without %q, in %d bytes", want, len(got))
		}
	}
	long := e.open("/long")
	long.share()
	// So much text takes the browser its time.
	ctx, cancel := context.WithTimeout(e.ctx, 6*patience)
	defer cancel()
	if err := driver.WaitFor(ctx, long.session, "#end"); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return all("Long page") && strings.Contains(got, "word after word") }) {
		t.Errorf("the long text is answered in %d bytes without its beginning", len(got))
	}
	if n := strings.Count(got, "word after word "); n < mostText/2/len("word after word ") || !strings.Contains(got, `"resource_link"`) {
		t.Errorf("the long text is answered with %d of its pieces, want as much as may be, and a link to all of it: …%s", n, got[max(0, len(got)-300):])
	}
	if got = e.elements(agent, object{"scope": "pointing"}); !strings.Contains(got, "Large page") {
		t.Errorf("afterwards: got %.300s", got)
	}
}

// longPage is one text of 20 MB.
func longPage(w http.ResponseWriter) {
	_, _ = fmt.Fprint(w, "<!doctype html><title>Long page</title><p>")
	piece := strings.Repeat("word after word ", 1<<16)
	for range 20 {
		_, _ = fmt.Fprint(w, piece)
	}
	_, _ = fmt.Fprint(w, "<p id=end>The end")
}

// zombies gives the children of a process that have ended and that it has not waited
// for, where the system has them in /proc.
func zombies(t testing.TB, parent int) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// The name, in brackets, may hold anything.
		_, after, _ := strings.Cut(string(text), ") ")
		if strings.HasPrefix(after, fmt.Sprintf("Z %d ", parent)) {
			out = append(out, string(text))
		}
	}
	return out
}

func kill(t testing.TB, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatalf("killing %d: %v", pid, err)
	}
}

// browserOf gives the browser's main process.
func browserOf(e *installation) int {
	e.t.Helper()
	for _, p := range processes(e) {
		if p.kind == "browser" {
			return p.ID
		}
	}
	e.t.Fatal("the browser has no main process")
	return 0
}

// workerOf gives the process of the extension's worker, which Chrome marks.
func workerOf(e *installation) int {
	e.t.Helper()
	for _, p := range processes(e) {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.ID), "cmdline"))
		if err == nil && p.kind == "renderer" && bytes.Contains(line, []byte("--extension-process")) {
			return p.ID
		}
	}
	e.t.Fatal("the extension has no process")
	return 0
}

// soon and seldom are how often the alarm comes that wakes the worker, minutes.
const (
	soon   = 0.05
	seldom = 0.5
)

// expectOneAlarm holds that nothing but one alarm wakes the worker, and how often.
func (r *rig) expectOneAlarm(minutes float64) {
	r.t.Helper()
	var periods []float64
	if !eventually(func() bool {
		r.inWorker("return (await chrome.alarms.getAll()).map((a) => a.periodInMinutes)", &periods)
		return len(periods) == 1 && periods[0] == minutes
	}) {
		r.t.Errorf("there are alarms every %v minutes, want one every %v", periods, minutes)
	}
}

// rendererOf gives the process of a tab's page: the busiest renderer, since the page
// is large and is being read.
func rendererOf(e *installation, _ *tab) int {
	e.t.Helper()
	best, most := 0, int64(-1)
	for _, p := range processes(e) {
		if p.kind == "renderer" {
			if n := memoryOf(p.ID); n > most {
				best, most = p.ID, n
			}
		}
	}
	if best == 0 {
		e.t.Fatal("the browser has no renderer")
	}
	return best
}

type process struct {
	ID   int
	kind string
}

// processes are the browser's.
func processes(e *installation) []process {
	e.t.Helper()
	var got struct {
		ProcessInfo []struct {
			Type string  `json:"type"`
			ID   float64 `json:"id"`
		} `json:"processInfo"`
	}
	if err := e.browser.Conn.Browser().Call(e.ctx, "SystemInfo.getProcessInfo", object{}, &got); err != nil {
		e.t.Fatal(err)
	}
	var all []process
	for _, p := range got.ProcessInfo {
		all = append(all, process{int(p.ID), p.Type})
	}
	return all
}

// memoryOf gives the pages of memory that a process has.
func memoryOf(pid int) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return -1
	}
	n, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return -1
	}
	return n
}
