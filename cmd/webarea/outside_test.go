//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webarea/webarea/elements"
)

// outsideFiles is the folder of what is needed to run other people's MCP tools.
const outsideFiles = "testdata/outside"

// leastNode is the first major version of Node that the tools run on.
const leastNode = 22

// An outside is a folder in which other people's MCP tools are installed.
type outside struct {
	dir  string
	node string
}

var installed = sync.OnceValues(install)

// outsideTools gives the tools, or skips the test with the reason why there are none.
func outsideTools(t *testing.T) *outside {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: other people's MCP tools are not installed and run")
	}
	o, err := installed()
	if err != nil {
		t.Skipf("other people's MCP tools cannot be had: %v", err)
	}
	return o
}

// install has npm install the tools in a folder of the user's cache that is named by
// their versions, unless they are there.
func install() (*outside, error) {
	wanted, err := os.ReadFile(filepath.Join(outsideFiles, "package.json"))
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	sum := sha256.Sum256(wanted)
	o := &outside{dir: filepath.Join(cache, fmt.Sprintf("webarea-outside-tests-%x", sum[:6]))}
	if _, err := os.Stat(o.dir); err != nil {
		if err := o.fill(wanted); err != nil {
			return nil, err
		}
	}
	return o, o.findNode()
}

// fill installs in a folder beside and puts that in place when it is whole.
func (o *outside) fill(wanted []byte) error {
	if err := os.MkdirAll(filepath.Dir(o.dir), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(o.dir), "webarea-outside-tests-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "package.json"), wanted, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, bytes.TrimSpace(out))
	}
	if err := os.Rename(dir, o.dir); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// findNode finds a Node that is new enough: that which npm installed for this system,
// or the system's own.
func (o *outside) findNode() error {
	found, _ := filepath.Glob(filepath.Join(o.dir, "node_modules", "node-*-*", "bin", "node"))
	if own, err := exec.LookPath("node"); err == nil {
		found = append(found, own)
	}
	for _, node := range found {
		out, err := exec.Command(node, "--version").Output()
		major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
		if n, _ := strconv.Atoi(major); err == nil && n >= leastNode {
			o.node = node
			return nil
		}
	}
	return fmt.Errorf("there is no Node of version %d or later", leastNode)
}

// run runs a script of the folder, or of what is installed in it, against the
// program, and gives what it printed.
func (o *outside) run(t *testing.T, stdin, script string, args ...string) ran {
	t.Helper()
	c := command(t, args...)
	// A script of ours finds what it imports from where it lies.
	if own, err := os.ReadFile(filepath.Join(outsideFiles, script)); err == nil {
		script = filepath.Join(o.dir, filepath.Base(script))
		if err := os.WriteFile(script, own, 0o644); err != nil {
			t.Fatal(err)
		}
	} else {
		script = filepath.Join(o.dir, "node_modules", script)
	}
	c.Path, c.Args = o.node, append([]string{o.node, script}, args...)
	c.Env = append(c.Env, "HOME="+t.TempDir())
	c.Stdin = strings.NewReader(stdin)
	return finish(t, c)
}

// inspector is the command of the official inspector.
const inspector = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

// The official inspector finds nothing to warn of, in either era.
func TestOutsideInspector(t *testing.T) {
	o := outsideTools(t)
	page := chosenPage(t)
	for _, era := range []string{"legacy", "modern"} {
		for _, c := range []struct {
			args  []string
			code  int
			words string
		}{
			{[]string{"--method", "tools/list", "--strict"}, 0, `"name":"capture_element"`},
			{[]string{"--method", "tools/call", "--tool-name", "get_elements"}, 0, `rye flour`},
			{[]string{"--method", "tools/call", "--tool-name", "get_elements", "--tool-args-json", `{"scope":"page","max_depth":3}`}, 0, `"omitted"`},
			{[]string{"--method", "tools/call", "--tool-name", "locate", "--tool-arg", "id=nope1"}, 5, `"unknown_id"`},
			{[]string{"--method", "resources/list"}, 0, `webarea://`},
			{[]string{"--method", "resources/templates/list"}, 0, `/elements/{id}/image`},
			{[]string{"--method", "prompts/list"}, 0, `"look"`},
			{[]string{"--method", "prompts/get", "--prompt-name", "look"}, 0, `rye flour`},
		} {
			args := append([]string{"--cli", program, "mcp", "--browser=" + loopbackBrowser, "--launch=" + page, "--protocol-era", era, "--format", "json"}, c.args...)
			r := o.run(t, "", inspector, args...)
			if r.code != c.code || !strings.Contains(r.stdout, c.words) {
				t.Errorf("%s %v: got %v\nwant exit %d and %s", era, c.args, r, c.code, c.words)
			}
			for line := range strings.Lines(r.stderr) {
				if !strings.HasPrefix(line, "webarea: ") && c.code == 0 {
					t.Errorf("%s %v: the inspector says %s", era, c.args, line)
				}
			}
		}
	}
}

// toolsLine is what those clients print of the list of tools.
const toolsLine = "tools capture_element get_accessibility_tree get_elements get_window_state locate parse_visual_regions verify_state\n"

// Real clients of both eras are told of changes, and take every other answer.
func TestOutsideClients(t *testing.T) {
	o := outsideTools(t)
	page := filepath.Join(t.TempDir(), "ticks.html")
	html := `<!doctype html><title>Ticks</title><p>words</p><script>let n = 0; setInterval(() => document.title = "Ticks " + ++n, 300)</script>`
	if err := os.WriteFile(page, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, era := range []string{"legacy", "modern"} {
		r := o.run(t, "", era+".mjs", "4", program, "mcp", "--launch", page)
		r.expectCode(t, 0)
		for _, want := range []string{toolsLine, "subscribed webarea://", "answered Application\n", "refused true unknown_id\n", "read application/json\n", "prompt 2\n"} {
			if strings.Count(r.stdout, want) != 1 {
				t.Errorf("%s: got %v\nwant once %q", era, r, want)
			}
		}
		if strings.Count(r.stdout, "updated webarea://") < 4 || strings.Contains(r.stdout, "error") {
			t.Errorf("%s: got %v\nwant four notices and no error", era, r)
		}
	}
}

// The schemas of the results of methods, by the names that both SDKs have for them.
var resultSchemas = map[string]string{
	"initialize":               "InitializeResultSchema",
	"ping":                     "EmptyResultSchema",
	"server/discover":          "DiscoverResultSchema",
	"tools/list":               "ListToolsResultSchema",
	"tools/call":               "CallToolResultSchema",
	"resources/list":           "ListResourcesResultSchema",
	"resources/templates/list": "ListResourceTemplatesResultSchema",
	"resources/read":           "ReadResourceResultSchema",
	"resources/subscribe":      "EmptyResultSchema",
	"resources/unsubscribe":    "EmptyResultSchema",
	"prompts/list":             "ListPromptsResultSchema",
	"prompts/get":              "GetPromptResultSchema",
}

// A scripted session is every message of a server in it, with what it is to be held to.
type scripted struct {
	*stdioClient
	lines   []string
	schemas int
}

// note notes a message, and what it is.
func (s *scripted) note(m serverMessage, schemas ...string) {
	s.t.Helper()
	line, err := json.Marshal(map[string]any{"schemas": schemas, "message": json.RawMessage(m.line)})
	if err != nil {
		s.t.Fatal(err)
	}
	s.lines = append(s.lines, string(line))
	s.schemas += len(schemas)
}

// do asks and notes the answer.
func (s *scripted) do(method, params string) serverMessage {
	s.t.Helper()
	m := s.ask(method, params)
	if m.Error != nil {
		s.note(m, "JSONRPCErrorResponseSchema")
	} else {
		s.note(m, "JSONRPCResultResponseSchema", resultSchemas[method])
	}
	return m
}

// Every message of a session that has one of everything keeps to the SDKs' schemas.
func TestOutsideSchemas(t *testing.T) {
	o := outsideTools(t)
	page := filepath.Join(t.TempDir(), "ticks.html")
	ticking := strings.Replace(chosen, "<script>", "<script>setInterval(() => document.title += '.', 300);", 1)
	if err := os.WriteFile(page, []byte(ticking), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, era := range []string{"legacy", "modern"} {
		s := &scripted{stdioClient: startServer(t, "--launch", page)}
		if era == "legacy" {
			s.note(s.handshake(), "JSONRPCResultResponseSchema", "InitializeResultSchema")
			s.do("ping", "")
		} else {
			s.do("server/discover", "")
		}
		s.send("this is no message")
		s.note(s.receive(), "JSONRPCErrorResponseSchema")
		s.send(`{"jsonrpc":"1.0","id":"old","method":"ping"}`)
		s.note(s.receive(), "JSONRPCErrorResponseSchema")
		for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list", "tools/none"} {
			s.do(method, "")
		}
		s.do("prompts/get", `"name":"look"`)
		s.do("prompts/get", `"name":"none"`)
		s.do("tools/call", `"name":"none"`)
		s.do("tools/call", `"name":"get_elements"`)
		s.do("tools/call", `"name":"get_elements","arguments":{"scope":"none"}`)
		a := toolResultOf(t, s.do("tools/call", `"name":"get_elements","arguments":{"scope":"page"}`)).answer(t)
		id := find(t, a, "image", func(e *elements.Element) bool { return e.Role == elements.Image }).ID
		for _, name := range []string{"get_elements", "locate", "capture_element"} {
			s.do("tools/call", fmt.Sprintf(`"name":%q,"arguments":{"id":%q}`, name, id))
			s.do("tools/call", fmt.Sprintf(`"name":%q,"arguments":{"id":"nope1"}`, name))
		}
		own := "webarea://" + a.Instance + "/"
		for _, path := range []string{"elements", "elements/" + id, "elements/" + id + "/text", "elements/" + id + "/image", "locate/" + id, "elements/nope1", "none"} {
			s.do("resources/read", fmt.Sprintf(`"uri":%q`, own+path))
		}
		uri := own + "elements"
		if era == "legacy" {
			s.do("resources/subscribe", fmt.Sprintf(`"uri":%q`, uri))
			s.note(s.receive(), "JSONRPCNotificationSchema")
			s.note(s.receive(), "ResourceUpdatedNotificationSchema")
			s.do("resources/unsubscribe", fmt.Sprintf(`"uri":%q`, uri))
			s.do("resources/subscribe", `"uri":"webarea://other/elements"`)
		} else {
			s.request("subscriptions/listen", fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, uri))
			s.note(s.receive(), "SubscriptionsAcknowledgedNotificationSchema")
			s.note(s.receive(), "JSONRPCNotificationSchema")
			s.note(s.receive(), "ResourceUpdatedNotificationSchema")
			s.do("subscriptions/listen", `"notifications":{"resourceSubscriptions":["webarea://other/elements"]}`)
		}
		r := o.run(t, strings.Join(s.lines, "\n"), "schemas.mjs", era)
		if want := fmt.Sprintf("accepted %d\n", s.schemas); r.code != 0 || r.stdout != want {
			t.Errorf("%s: got %v\nwant %s", era, r, want)
		}
	}
}
