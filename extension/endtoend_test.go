package extension_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// program builds webarea, once.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "webarea")
	build := exec.Command("go", "build", "-o", path, "../cmd/webarea")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return path, build.Run()
})

// An installation is a browser with the extension and the host as they are installed.
type installation struct {
	*rig
	program string
	run     string // where sockets and logs are
}

func install(t testing.TB, o rigOptions) *installation {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatalf("building the program: %v", err)
	}
	run, err := os.MkdirTemp("", "wr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// A host may have begun as the browser ended.
		if !eventually(func() bool { return len(running(path)) == 0 }) {
			t.Errorf("hosts outlive their browser: %q", running(path))
		}
		removeAll(t, run)
	})
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("XDG_STATE_HOME", run)
	return installIn(t, path, run, o)
}

// installIn is install with where sockets and logs are.
func installIn(t testing.TB, path, run string, o rigOptions) *installation {
	t.Helper()
	o.noHost = true
	e := &installation{rig: newRig(t, o), program: path, run: run}
	c := exec.Command(path, "install", "--browser", "chromium", "--user-data-dir", e.options.profile, "--extension-dir", filepath.Join(run, "extension"))
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+run)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("installing: %v\n%s", err, out)
	}
	return e
}

// running gives the processes of a program, where the system has them in /proc.
func running(program string) []string {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	var out []string
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(line), program+"\x00") {
			out = append(out, file)
		}
	}
	return out
}

// sockets gives those of the hosts.
func (e *installation) sockets() []string {
	found, err := filepath.Glob(filepath.Join(e.run, "webarea", "*.sock"))
	if err != nil {
		e.t.Fatal(err)
	}
	return found
}

// agent connects a client to the host, as agents' programs do.
func (e *installation) agent() *mcp.ClientSession {
	e.t.Helper()
	var socket string
	if !eventually(func() bool {
		all := e.sockets()
		if len(all) == 1 {
			socket = all[0]
		}
		return socket != ""
	}) {
		e.t.Fatalf("the sockets are %q, want one", e.sockets())
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "Test agent", Version: "1.2"}, nil)
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(e.program, "mcp", "--socket", socket)}, nil)
	if err != nil {
		e.t.Fatalf("connecting an agent: %v", err)
	}
	// A host that was killed leaves it nothing to say goodbye to.
	e.t.Cleanup(func() { _ = session.Close() })
	return session
}

// elements asks for all that is shared, and gives the answer's text.
func (e *installation) elements(agent *mcp.ClientSession, arguments object) string {
	e.t.Helper()
	return e.call(agent, "get_elements", arguments)
}

// call calls a tool, and gives its answer as JSON.
func (e *installation) call(agent *mcp.ClientSession, tool string, arguments object) string {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	got, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		e.t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(raw)
}

func TestEndToEnd(t *testing.T) {
	e := install(t, rigOptions{})
	page := e.open("/one")
	e.open("/two")
	agent := e.agent()
	if got := e.elements(agent, object{"scope": "page"}); strings.Contains(got, "/one") || strings.Contains(got, "/two") {
		t.Errorf("got %s\nwant nothing that is not shared", got)
	}
	p := page.popup()
	p.awaitText("One agent is connected: Test agent")
	p.click("#share")
	p.awaitText("Agents can see this tab.")
	got := e.elements(agent, object{"scope": "page"})
	if !strings.Contains(got, "Words of /one") || !strings.Contains(got, page.url) || strings.Contains(got, "/two") {
		t.Errorf("got %s\nwant the page that is shared, alone", got)
	}
	id := regexp.MustCompile(`"id":"(\w+)","role":"Heading"`).FindStringSubmatch(got)
	if id == nil {
		t.Fatalf("got %s\nwant a heading", got)
	}
	if got := e.elements(agent, object{"id": id[1]}); !strings.Contains(got, "Words of /one") {
		t.Errorf("the heading by its id: got %s", got)
	}
	p.click("#stop")
	p.awaitText("This tab is not shared.")
	for _, arguments := range []object{{"scope": "page"}, {"scope": "pointing"}, {"id": id[1]}} {
		if got := e.elements(agent, arguments); strings.Contains(got, "/one") {
			t.Errorf("%v after the tab was unshared: got %s", arguments, got)
		}
	}
	p.close()

	panel := e.page("sidepanel/sidepanel.html")
	panel.awaitText("Test agent 1.2")
	panel.awaitText("get_elements · page")
	panel.close()
}

// A host that is killed comes back by itself, and what was shared with it.
func TestEndToEndHostKilled(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	page := e.open("/one")
	page.share()
	agent := e.agent()
	if got := e.elements(agent, object{"scope": "page"}); !strings.Contains(got, "Words of /one") {
		t.Errorf("got %s\nwant the page", got)
	}
	first := e.sockets()[0]
	host, err := os.FindProcess(e.hostPID(first))
	if err == nil {
		err = host.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool {
		all := e.sockets()
		return len(all) == 1 && all[0] != first
	}) {
		t.Fatalf("the sockets are %q, want another than %s alone", e.sockets(), first)
	}
	p := page.popup()
	p.awaitText("Agents can see this tab.")
	if got := e.elements(e.agent(), object{"scope": "page"}); !strings.Contains(got, "Words of /one") {
		t.Errorf("got %s\nwant the page again", got)
	}
}

// A tab that Chrome brings back after its end is answered about again, by another host.
func TestEndToEndBrowserRestarts(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{profile: newProfile(t)})
	page := e.open("/one")
	page.share()
	if got := e.elements(e.agent(), object{"scope": "page"}); !strings.Contains(got, "Words of /one") {
		t.Errorf("got %s\nwant the page", got)
	}
	e.awaitKept(1)
	first := e.sockets()[0]
	closed(e.rig)
	if !eventually(func() bool { return len(e.sockets()) == 0 }) {
		t.Fatalf("the host outlives its browser: %q", e.sockets())
	}
	e.again(true, "")
	got := e.awaitElements("with the tab that came back", func(got string) bool { return strings.Contains(got, "Words of /one") })
	if strings.Contains(got, "/start") || e.sockets()[0] == first {
		t.Errorf("got %s\nfrom %s\nwant the tab alone, from another host than %s", got, e.sockets()[0], first)
	}
}

// Of a tab that another extension has a frame in, what can be had is told, and that it
// is not all.
func TestEndToEndReduced(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{others: []string{other(t, "")}, leave: true})
	page := e.open("/frame?u=" + e.otherOrigin() + "f.html")
	p := page.popup()
	p.click("#share")
	p.awaitText("Agents can see little of this tab.")
	got := e.elements(e.agent(), object{"scope": "page"})
	if !strings.Contains(got, "Around") || !strings.Contains(got, `"problem":"reduced"`) || strings.Contains(got, "Of another extension") {
		t.Errorf("got %s\nwant the page's own words, and that they are not all", got)
	}
}

// A worker that is killed takes its host with it; both come back.
func TestEndToEndWorkerKilled(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	page := e.open("/one")
	page.share()
	agent := e.agent()
	if got := e.elements(agent, object{"scope": "page"}); !strings.Contains(got, "Words of /one") {
		t.Errorf("got %s\nwant the page", got)
	}
	first := e.sockets()[0]
	e.killWorker()
	if !eventually(func() bool { return len(e.sockets()) == 0 }) {
		t.Fatalf("the host outlives its browser's worker: %q", e.sockets())
	}
	e.open("/two")
	again := e.agent()
	if e.sockets()[0] == first {
		t.Errorf("the host %s came back under its name", first)
	}
	p := page.popup()
	p.awaitText("Agents can see this tab.")
	if got := e.elements(again, object{"scope": "page"}); !strings.Contains(got, "Words of /one") || strings.Contains(got, "/two") {
		t.Errorf("got %s\nwant the page again, alone", got)
	}
}

// hostPID gives the process of the host with a socket, as it is logged.
func (e *installation) hostPID(socket string) int {
	e.t.Helper()
	log, err := os.ReadFile(filepath.Join(e.run, "webarea", "host.log"))
	if err != nil {
		e.t.Fatal(err)
	}
	instance := strings.TrimSuffix(filepath.Base(socket), ".sock")
	found := regexp.MustCompile("instance=" + instance + ` pid=(\d+)`).FindSubmatch(log)
	if found == nil {
		e.t.Fatalf("the log does not tell of the host %s:\n%s", instance, log)
	}
	pid, err := strconv.Atoi(string(found[1]))
	if err != nil {
		e.t.Fatal(err)
	}
	return pid
}
