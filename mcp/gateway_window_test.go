package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/provider"
)

// The windows of all browsers are told together, also where one does not answer.
func TestGatewayDesk(t *testing.T) {
	s := newStreet(t)
	s.sharing("One")
	s.sharing("Two")
	s.move(nil, "stuckk")
	a := agentOf(t, gatewayOf(t, s), "test", false)
	text, failed := a.call("get_accessibility_tree", `{}`)
	if failed || !strings.HasPrefix(text, "2 windows, 2 shared tabs") {
		t.Errorf("got %s", text)
	}
	if text, failed := a.call("get_accessibility_tree", `{"all":true}`); !failed || !strings.Contains(text, "all") {
		t.Errorf("an argument that there is not: got %s", text)
	}

	empty := newStreet(t)
	b := agentOf(t, gatewayOf(t, empty), "test", false)
	if text, failed := b.call("get_accessibility_tree", `{}`); !failed || !strings.HasPrefix(text, "no_browser") {
		t.Errorf("no browser: got %s", text)
	}
	empty.sharing("")
	if text, failed := b.call("get_accessibility_tree", `{}`); !failed || !strings.HasPrefix(text, "nothing_shared") {
		t.Errorf("nothing shared: got %s", text)
	}
}

// A picture is written to a file by the gateway, which the agent started, and not by the
// host.
func TestGatewayWritesPictures(t *testing.T) {
	picture := append(append([]byte(nil), pngHead...), "rest"...)
	asked := ""
	state := tool{
		name: getWindowState.name, title: "x", description: "x", input: schemaOf(`{"type":"object"}`), output: schemaOf(`{"type":"object"}`),
		run: func(_ context.Context, _ *Server, arguments []byte) (*Result, error) {
			asked = string(arguments)
			return &Result{Structured: []byte(`{"capture_id":"c","pid":9007199254740993}`), Text: "x", Pictures: []Picture{{"image/png", picture}}}, nil
		},
	}
	s := newStreet(t)
	p := provider.New("Odd")
	s.move(newServer(Options{Provider: p}, []tool{state}), p.Instance())
	g := gatewayOf(t, s)
	folder := t.TempDir()
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	file := filepath.Join(folder, "x.png")
	arguments, err := json.Marshal(map[string]any{"pid": 1, "window_id": 2, "include_screenshot": false, "screenshot_out_file": file})
	if err != nil {
		t.Fatal(err)
	}
	w := dialServing(t, g)
	ask := func(id int) (text string) {
		return string(w.ask(id, "tools/call", `"name":"get_window_state","arguments":`+string(arguments)).Result)
	}
	if text := ask(1); !strings.Contains(text, `"code":"not_supported_here"`) || asked != "" {
		t.Errorf("where no files are written: got %s, the host was asked %q", text, asked)
	}
	g.files = true
	text := ask(2)
	if !strings.Contains(text, `"screenshot_file_path":"`+file+`"`) || !strings.Contains(text, `"pid":9007199254740993`) || strings.Contains(text, `"image"`) {
		t.Errorf("got %s", text)
	}
	if strings.Contains(asked, "out_file") || !strings.Contains(asked, `"include_screenshot":true`) {
		t.Errorf("the host was asked %s", asked)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, picture) {
		t.Errorf("the file has %q, %v", got, err)
	}
}
