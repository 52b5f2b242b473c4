package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webarea/webarea/native"
)

// What clients have of us is read as install and their users left it.
func TestLookAtClients(t *testing.T) {
	home := t.TempDir()
	s := native.System{OS: "linux", Home: home, Env: func(string) string { return "" }}
	if got := LookAtClients(s); len(got) != 0 {
		t.Errorf("an empty home: got %+v, want no client", got)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".cursor/mcp.json", `{"mcpServers": {"webarea": {"command": "/opt/webarea", "args": ["mcp"]}, /* mine */ }}`)
	write(".claude.json", `{"mcpServers": {"other": {"command": "x"}}}`)
	write(".gemini/settings.json", `{"mcpServers": `)
	write(".codex/config.toml", "[mcp_servers.webarea]\ncommand = \"webarea\"\n")
	got := map[string]string{}
	for _, e := range LookAtClients(s) {
		got[e.Client] = e.Program
		if e.Err != nil {
			got[e.Client] = "unreadable"
		}
	}
	want := map[string]string{"cursor": "/opt/webarea", "claude-code": "", "gemini": "unreadable", "codex": "webarea"}
	for client, program := range want {
		if is, there := got[client]; !there || is != program {
			t.Errorf("%s: got %q (%v), want %q", client, is, there, program)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
