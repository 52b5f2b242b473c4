//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed are the lines that a run printed, each an object.
func (r ran) printed(t *testing.T, code, want int) []map[string]any {
	t.Helper()
	r.expectCode(t, code)
	var all []map[string]any
	for line := range strings.Lines(r.stdout) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("got %v\nwant lines of JSON", r)
		}
		all = append(all, one)
	}
	if len(all) != want {
		t.Fatalf("got %v\nwant %d lines", r, want)
	}
	return all
}

const firstTab = "${1.root.children.0.children.0.id}"

func TestCall(t *testing.T) {
	t.Parallel()
	page := chosenPage(t)

	for _, args := range [][]string{
		{"get_elements", "--launch", page},
		{"get_elements", "{}", "--launch=" + page},
		{"--launch", page, "get_elements"},
		{"--launch=" + page, "get_elements", "{}"},
	} {
		r := webarea(t, append([]string{"call"}, args...)...)
		if a := r.answer(t); !strings.Contains(pointed(a), `selected Text "rye flour"`) {
			t.Errorf("%v: got %s", args, pointed(a))
		}
	}
	for _, args := range [][]string{
		{"--launch", "get_elements"},
		{"get_elements", "--launch"},
		{"--launch", "get_elements", "{}"},
		{"get_elements", "--launch", "{}"},
	} {
		if a := webarea(t, append([]string{"call"}, args...)...).answer(t); a.Root.Children[0].Children[0].Title != "about:blank" {
			t.Errorf("%v: got the tab %q, want about:blank", args, a.Root.Children[0].Children[0].Title)
		}
	}
}

func TestCallThen(t *testing.T) {
	t.Parallel()
	page := chosenPage(t)
	dir := filepath.Join(t.TempDir(), "new", "pictures")
	r := webarea(t, "call", "get_elements", "--then", "get_elements", `{"id":"`+firstTab+`","max_depth":${1.root.children.0.children.0.title.x}}`, "--launch", page)
	r.printed(t, exitFailed, 1)
	if want := `call 2: ${1.root.children.0.children.0.title.x}: the answer has no "x" there`; !strings.Contains(r.stderr, want) {
		t.Errorf("got %v\nwant on stderr %s", r, want)
	}

	r = webarea(t, "call", "get_elements", "--launch", page,
		"--then", "get_elements", `{"id":"`+firstTab+`"}`,
		"--then", "locate", `{"id":"${2.root.children.0.children.0.children.0.id}"}`,
		"--then", "capture_element", `{"id":"${3.id}","max_dimension":100}`,
		"--then", "get_elements", `{"max_elements":${4.width}}`,
		"--out", dir)
	lines := r.printed(t, 0, 5)
	if lines[2]["id"] != lines[3]["id"] || lines[3]["width"] != 100.0 {
		t.Errorf("got %v\nwant a picture 100 wide of what was located", r)
	}
	saved, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(saved) != 1 || filepath.Base(saved[0]) != "call-4-picture-1.png" {
		t.Fatalf("got the pictures %v, %v, want call-4-picture-1.png", saved, err)
	}
	if data, err := os.ReadFile(saved[0]); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("the picture is no PNG: %v, %.20q", err, data)
	}

	r = webarea(t, "call", "get_elements", "--text", "--launch", page, "--then", "locate", `{"id":"nope1"}`, "--then", "get_elements")
	r.expectCode(t, exitFailed)
	if !strings.HasPrefix(r.stdout, "=== ") || !strings.HasSuffix(r.stdout, "use an id from an answer of this run\n") || strings.Count(r.stdout, "===\n") != 2 {
		t.Errorf("got %v\nwant an outline and one failure", r)
	}
}

func TestCallFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code string
		args []string
	}{
		{"invalid", []string{"get_elements", `{"scope":"all"}`, "--launch"}},
		{"unknown_id", []string{"locate", `{"id":"nope1"}`, "--launch"}},
		{"no_browser", []string{"get_elements", "--attach", "http://127.0.0.1:1"}},
		{"load_failed", []string{"get_elements", "--launch", "http://127.0.0.1:1/"}},
	} {
		r := webarea(t, append([]string{"call"}, c.args...)...)
		if got := r.printed(t, exitFailed, 1)[0]; got["code"] != c.code || got["message"] == "" || got["suggestion"] == "" {
			t.Errorf("got %v\nwant the code %s, a message and a suggestion", r, c.code)
		}
	}
}

func TestCallUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		words string
	}{
		{nil, "name a tool"},
		{[]string{"--launch"}, "name a tool"},
		{[]string{"get_elements", "--headful"}, "--launch URL or --attach URL"},
		{[]string{"nope", "--launch"}, `call 1: there is no tool "nope"`},
		{[]string{"get_elements", "--launch", "--then", "nope"}, `call 2: there is no tool "nope"`},
		{[]string{"get_elements", "--launch", "--then"}, "--then"},
		{[]string{"get_elements", "[]", "--launch"}, "not an object in JSON"},
		{[]string{"get_elements", "{", "--launch"}, "not an object in JSON"},
		{[]string{"get_elements", "{}", "{}", "--launch"}, "one argument too many"},
		{[]string{"get_elements", "--then", "locate", "{}", "{}", "--launch"}, "call 2: \"{}\" is one argument too many"},
		{[]string{"get_elements", `{"id":"${1.root.id}"}`, "--launch"}, "call 1: ${1.root.id} is about call 1"},
		{[]string{"get_elements", "--then", "locate", `{"id":"${2.id}"}`, "--launch"}, "call 2: ${2.id} is about call 2"},
		{[]string{"get_elements", "--then", "locate", `{"id":"${0.id}"}`, "--launch"}, "${0.id}"},
		{[]string{"get_elements", "--then", "locate", `{"id":"${one.id}"}`, "--launch"}, "${one.id}"},
		{[]string{"get_elements", "--then", "locate", `{"id":"${1}"}`, "--launch"}, "${1}"},
		{[]string{"get_elements", "--launch", "missing.html"}, "no such file"},
		{[]string{"get_elements", "--launch", "--out", ""}, "--out"},
	} {
		webarea(t, append([]string{"call"}, c.args...)...).expectError(t, exitUsage, c.words)
	}
}

// TestCallHosts asks about the tabs that are shared in the running browsers.
func TestCallHosts(t *testing.T) {
	t.Parallel()
	env, sockets := runtimeFolder(t)
	call := func(args ...string) ran {
		c := command(t, args...)
		c.Env = append(c.Env, env)
		return finish(t, c)
	}
	if got := call("call", "get_elements").printed(t, exitFailed, 1)[0]["code"]; got != "no_browser" {
		t.Errorf("without a browser: got the code %v, want no_browser", got)
	}
	call("watch", "--expect", `[{"window":{"exists":true}}]`).expectError(t, exitFailed, "no browser")

	startTestHost(t, sockets, chosen)
	r := call("call", "get_elements")
	a := r.answer(t)
	if got := pointed(a); !strings.Contains(got, `selected Text "rye flour"`) {
		t.Errorf("got %s", got)
	}
	tab := a.Root.Children[0].Children[0]
	folder := t.TempDir()
	r = call("call", "get_accessibility_tree", "--then", "get_window_state", `{"pid":${1.browsers.0.pid},"window_id":${1.windows.0.window_id},"include_screenshot":true}`,
		"--then", "parse_visual_regions", `{"capture_id":"${2.capture_id}"}`, "--out", folder)
	all := r.printed(t, 0, 3)
	if all[1]["tab_id"] != tab.ID || all[2]["regions"] == nil {
		t.Errorf("got %v\nwant the tab %s and regions of its picture", r, tab.ID)
	}
	if _, err := os.Stat(filepath.Join(folder, "call-2-picture-1.png")); err != nil {
		t.Errorf("the picture is not saved: %v", err)
	}
	r = call("call", "get_elements", "--text")
	if r.expectCode(t, 0); !strings.Contains(r.stdout, "untrusted page content") || !strings.Contains(r.stdout, "rye flour") {
		t.Errorf("got %v\nwant an outline", r)
	}
	if got := call("call", "nope").stderr; !strings.Contains(got, "there is no tool") {
		t.Errorf("got %s", got)
	}
	call("watch", "--expect", `[{"window":{"exists":true}}]`).expectCode(t, 0)
}
