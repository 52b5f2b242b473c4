package setup

import (
	"slices"

	"github.com/webarea/webarea/native"
)

// A format is that of a configuration.
type format int

const (
	// jsonText is JSON. Comments and trailing commas are read, whoever's it is: a client
	// that takes none complains by itself.
	jsonText format = iota
	tomlText
)

// serverName is what we are called in a configuration.
const serverName = "webarea"

// A member is one of an entry, in order.
type member struct {
	name string
	// value is a string or a list of strings; in the table, also a program.
	value any
}

// program stands in the table for the program's path.
type program struct{}

// arguments are what a client starts the program with: it finds the hosts by itself.
var arguments = []string{"mcp"}

// A client is what there is to know of one.
type client struct {
	name, title string
	format      format
	// config is the configuration of the user's own, by system; "" stands for all others.
	config map[string]string
	// signs are what is there where the client is; with none, the folder of the
	// configuration.
	signs []string
	// servers is the member of the configuration that servers sit in.
	servers string
	entry   []member
}

// stdio is the entry that most clients have.
var stdio = []member{{"command", program{}}, {"args", arguments}}

// typed is the entry of those that ask for the kind of server.
var typed = append([]member{{"type", "stdio"}}, stdio...)

// clients say of each what they follow. Where a variable moves a client's settings, it
// is in native's table of folders.
var clients = []client{
	{
		// code.claude.com/docs/en/mcp: user scope is the top of ~/.claude.json.
		name: "claude-code", title: "Claude Code", config: map[string]string{"": "{claude}/.claude.json"},
		signs: []string{"{claude}/.claude.json", ".claude"}, servers: "mcpServers", entry: typed,
	},
	{
		// modelcontextprotocol.io, connecting local servers. Electron's folder of settings;
		// on Linux that of the builds there are.
		name: "claude-desktop", title: "Claude Desktop",
		config: map[string]string{
			"darwin":  "{support}/Claude/claude_desktop_config.json",
			"windows": "{roaming}/Claude/claude_desktop_config.json",
			"":        "{config}/Claude/claude_desktop_config.json",
		},
		servers: "mcpServers", entry: stdio,
	},
	{
		// cursor.com/docs/context/mcp: the global configuration.
		name: "cursor", title: "Cursor", config: map[string]string{"": ".cursor/mcp.json"}, servers: "mcpServers", entry: stdio,
	},
	{
		// code.visualstudio.com/docs/copilot/chat/mcp-servers: that of the default profile.
		name: "vscode", title: "Visual Studio Code",
		config: map[string]string{
			"darwin":  "{support}/Code/User/mcp.json",
			"windows": "{roaming}/Code/User/mcp.json",
			"":        "{config}/Code/User/mcp.json",
		},
		servers: "servers", entry: typed,
	},
	{
		// docs.windsurf.com, Cascade's MCP page.
		name: "windsurf", title: "Windsurf", config: map[string]string{"": ".codeium/windsurf/mcp_config.json"}, servers: "mcpServers", entry: stdio,
	},
	{
		// developers.openai.com/codex/mcp: shared by the command, the editors' extension and
		// the app.
		name: "codex", title: "Codex", format: tomlText, config: map[string]string{"": "{codex}/config.toml"}, servers: "mcp_servers", entry: stdio,
	},
	{
		// geminicli.com/docs/tools/mcp-server: the user's settings, which may have comments.
		name: "gemini", title: "Gemini CLI", config: map[string]string{"": ".gemini/settings.json"}, servers: "mcpServers", entry: stdio,
	},
	{
		// zed.dev/docs/ai/mcp: custom servers. On macOS it keeps to ~/.config, whatever a variable says.
		name: "zed", title: "Zed",
		config: map[string]string{
			"darwin":  ".config/zed/settings.json",
			"windows": "{roaming}/Zed/settings.json",
			"":        "{config}/zed/settings.json",
		},
		servers: "context_servers", entry: stdio,
	},
}

// Clients are the names of the clients that we can be entered with.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

func findClient(name string) client {
	return clients[slices.IndexFunc(clients, func(c client) bool { return c.name == name })]
}

// path is that of the configuration on a system.
func (c client) path(s native.System) string {
	place, own := c.config[s.OS]
	if !own {
		place = c.config[""]
	}
	return s.Path(place)
}

// entryFor is the entry for a program, with nothing in it that stands for something.
func (c client) entryFor(path string) []member {
	var entry []member
	for _, m := range c.entry {
		if m.value == (program{}) {
			m.value = path
		}
		entry = append(entry, m)
	}
	return entry
}
