package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/native"
)

// crlf has a text's lines end as on Windows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// lived are configurations that somebody has used, each with SERVERS for what servers sit
// in. What is left of them after all is every byte.
var lived = map[format]map[string]string{
	jsonText: {
		"empty":           "",
		"space":           "\n",
		"bare":            "{}",
		"bare, open":      "{\n}\n",
		"no servers":      "{\n  \"theme\": \"dark\"\n}\n",
		"empty servers":   "{\n  \"SERVERS\": {}\n}\n",
		"comments":        "// mine\n{\n  // the look\n  \"theme\": \"dark\", // dark\n  \"SERVERS\": {\n    /* the files */\n    \"files\": { \"command\": \"files\", \"args\": [\"-x\"] } // keep\n    // more to come\n  } /* servers */\n}\n// end }\n",
		"trailing commas": "{\n\t\"SERVERS\": {\n\t\t\"files\": {\n\t\t\t\"command\": \"files\",\n\t\t},\n\t},\n\t\"theme\": \"dark\",\n}\n",
		"order":           "{\"z\": 1.0, \"a\": 1e2, \"SERVERS\": {\"z\": {\"n\": 12345678901234567890}, \"a\": {}}}",
		"CRLF":            crlf("{\n    \"SERVERS\": {\n        \"files\": {\"command\": \"files\"} // c\n    },\n    \"x\": [1,\n2]\n}\n"),
		"mark":            "\ufeff{\"x\": \"\u00e9\"}\n",
		"only a comment":  "{\n  \"SERVERS\": {\n    // none yet\n  }\n}",
		"one line each":   "{ \"a\": 1,\n  \"b\": 2, \"SERVERS\": { \"files\": {\"command\": \"f\"}, } }\n",
		"block comment":   "{\n  \"a\": 1 /* over\n  lines */\n}\n",
		"ours by hand":    "{\n  \"SERVERS\": {\n    \"webarea\": {\"command\": \"old\", \"env\": {\"A\": \"b\"}, \"args\": [\"mcp\"]}, // by hand\n    \"z\": {}\n  }\n}\n",
		"twice":           "{\"SERVERS\": {\"x\": {}}, \"SERVERS\": {\"y\": {}}}",
	},
	tomlText: {
		"empty":         "",
		"settings":      "# mine\nmodel = \"x\"   # keep\n",
		"no last line":  "model = \"x\"",
		"servers":       "model = 'x'\n\n[SERVERS.files] # files\ncommand = \"files\"\nargs = [\n  \"a\",\n  # one more\n  \"b\",\n]\n\n[SERVERS.files.env]\nKEY = \"v\"\n\n[[more]]\nx = 1979-05-27T07:32:00Z\n",
		"CRLF":          crlf("model = \"x\"\n\n[SERVERS.files]\ncommand = \"files\"\n"),
		"empty servers": "[SERVERS]\n",
		"text":          "x = \"\"\"\n[SERVERS.webarea]\n\"\"\"\n",
		"ours by hand":  "[SERVERS.webarea]\ncommand = \"old\"\nenv = { A = \"b\" }\n# of mine\n[SERVERS.z]\ncommand = \"z\"\n",
		"mark":          "\ufeffmodel = \"x\"\n",
		"only a mark":   "\ufeff",
	},
}

// TestEveryClient enters each client on each system, from a home folder without it and
// from each configuration, and leaves it again.
func TestEveryClient(t *testing.T) {
	for _, system := range systems {
		for _, c := range clients {
			t.Run(system+"/"+c.name, func(t *testing.T) {
				sys := systemAt(t, system)
				tryAll(t, sys, Choice{Clients: []string{c.name}}, listing(t, sys.Home), func() { expectEntry(t, c, sys) })
			})
			for name, text := range lived[c.format] {
				if system != "linux" && name != "CRLF" {
					continue // how a text is changed is the same everywhere
				}
				t.Run(fmt.Sprintf("%s/%s/%s", system, c.name, name), func(t *testing.T) {
					sys := systemAt(t, system)
					path := c.path(sys)
					text := strings.ReplaceAll(text, "SERVERS", c.servers)
					put(t, path, text)
					if err := os.Chmod(path, 0o640); err != nil {
						t.Fatal(err)
					}
					tryAll(t, sys, Choice{Clients: []string{c.name}}, listing(t, sys.Home), func() {
						expectEntry(t, c, sys)
						expectKept(t, path, text)
					})
				})
			}
		}
	}
}

// expectEntry finds what is wrong with our entry in a client's configuration.
func expectEntry(t *testing.T, c client, sys native.System) {
	t.Helper()
	text, err := os.ReadFile(c.path(sys))
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := c.entryOf(text)
	have, _ := entry.(map[string]any)
	for _, m := range c.entryFor(open(t, sys).Program) {
		if !equal(have[m.name], m.value) {
			t.Errorf("%s is %v in\n%s\nwant %v", m.name, have[m.name], text, m.value)
		}
	}
}

// expectKept finds lines that a change has lost, but for the comma that one may need.
func expectKept(t *testing.T, path, before string) {
	t.Helper()
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(before, "webarea\"") || strings.Contains(before, ".webarea]") && !strings.Contains(before, "\"\"\"") {
		return // its entry is renewed
	}
	rest := string(after)
	for _, r := range before {
		at := strings.IndexRune(rest, r)
		if at < 0 {
			t.Fatalf("from %q on, it has lost some of\n%s\ngot\n%s", r, before, after)
		}
		rest = rest[at+len(string(r)):]
	}
	if strings.Contains(before, "\r\n") && strings.Count(string(after), "\n") != strings.Count(string(after), "\r\n") {
		t.Errorf("its lines end in different ways:\n%q", after)
	}
}

// TestLayout shows where the entry comes to stand.
func TestLayout(t *testing.T) {
	c := client{servers: "S", entry: []member{{"command", program{}}}}
	for _, test := range []struct{ name, before, after string }{
		{"nothing", "", "{\n  \"S\": {\n    \"webarea\": {\n      \"command\": \"P\"\n    }\n  }\n}\n"},
		{"bare", "{}", "{\n  \"S\": {\n    \"webarea\": {\n      \"command\": \"P\"\n    }\n  }\n}"},
		{"tabs", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"S\": {\n\t\t\"webarea\": {\n\t\t\t\"command\": \"P\"\n\t\t}\n\t}\n}\n"},
		{"comment behind", "{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  \"S\": {\n    \"webarea\": {\n      \"command\": \"P\"\n    }\n  }\n}"},
		{"trailing comma", "{\n  \"S\": {\n    \"x\": {}, // x\n  },\n}", "{\n  \"S\": {\n    \"x\": {}, // x\n    \"webarea\": {\n      \"command\": \"P\"\n    },\n  },\n}"},
		{"one line", `{"a": 1, "S": {"x": {}}}`, `{"a": 1, "S": {"x": {}, "webarea": {"command": "P"}}}`},
		{"empty servers", "{\n    \"S\": {}\n}", "{\n    \"S\": {\n        \"webarea\": {\n            \"command\": \"P\"\n        }\n    }\n}"},
		{"renewed", "{\n  \"S\": {\"webarea\": {\"command\": \"old\", \"mine\": 1}}\n}", "{\n  \"S\": {\"webarea\": {\"command\": \"P\", \"mine\": 1}}\n}"},
		{"completed", "{\"S\": {\"webarea\": {\"mine\": 1}}}", "{\"S\": {\"webarea\": {\"mine\": 1, \"command\": \"P\"}}}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := c.merged([]byte(test.before), c.entryFor("P"))
			if err != nil || string(got) != test.after {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, test.after)
			}
		})
	}
}

// TestChangedSince leaves configurations that others have changed since: only what is
// ours goes, and what they did stays.
func TestChangedSince(t *testing.T) {
	for _, test := range []struct {
		name, client, before string // before "-" is no file
		change               func(text string) string
		after                string // "-" is no file
		kept                 bool   // whether the backup is
	}{
		{
			"a server more", "cursor", "{\n  \"mcpServers\": {\n    \"a\": {} // a\n  }\n}\n",
			func(text string) string { return strings.Replace(text, "\"a\": {}", "\"a\": {\"x\": 1}", 1) },
			"{\n  \"mcpServers\": {\n    \"a\": {\"x\": 1} // a\n  }\n}\n", true,
		},
		{
			"one behind us", "cursor", "{}",
			func(text string) string { return strings.Replace(text, "    }\n  }", "    },\n    \"b\": {}\n  }", 1) },
			"{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}", true,
		},
		{
			"set anew", "claude-code", "{\"n\": 1}",
			func(text string) string { return strings.Replace(text, `"n": 1`, `"n": 2`, 1) },
			`{"n": 2}`, true,
		},
		{
			"no file before", "cursor", "-",
			func(text string) string { return strings.ReplaceAll(text, "  ", "\t") }, "-", false,
		},
		{
			"no file before, and one server more", "zed", "-",
			func(text string) string { return strings.Replace(text, "{\n  \"c", "{\n  \"x\": 1,\n  \"c", 1) },
			"{\n  \"x\": 1\n}\n", false,
		},
		{
			"settings of ours", "zed", "{\"context_servers\": {\"a\": {}}}\n",
			func(text string) string {
				return strings.Replace(text, `"webarea": {`, `"webarea": {"enabled": false, `, 1)
			},
			"{\"context_servers\": {\"a\": {}}}\n", false,
		},
		{"taken out", "zed", "{}\n", func(string) string { return "{}\n" }, "{}\n", false},
		{"removed", "zed", "-", func(string) string { return "-" }, "-", false},
		{
			"TOML, one behind us", "codex", "model = \"x\"\n",
			func(text string) string { return text + "\n# b\n[mcp_servers.b]\ncommand = \"b\"\n" },
			"model = \"x\"\n\n# b\n[mcp_servers.b]\ncommand = \"b\"\n", true,
		},
		{
			"TOML, set anew", "codex", "model = \"x\"\r\n",
			func(text string) string { return strings.Replace(text, "\"x\"", "\"y\"", 1) }, "model = \"y\"\r\n", true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			sys := systemAt(t, "linux")
			c := findClient(test.client)
			path := c.path(sys)
			if test.before != "-" {
				put(t, path, test.before)
			}
			choice := Choice{Clients: []string{c.name}}
			expectDone(t, open(t, sys).Install(choice))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if changed := test.change(string(text)); changed == "-" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				put(t, path, changed)
			}
			expectDone(t, open(t, sys).Uninstall(choice))
			got := "-"
			if text, err := os.ReadFile(path); err == nil {
				got = string(text)
			}
			if got != test.after {
				t.Errorf("got\n%s\nwant\n%s", got, test.after)
			}
			if kept, _ := filepath.Glob(path + ".*"); (len(kept) > 0) != test.kept {
				t.Errorf("got backups %v, want them kept: %v", kept, test.kept)
			}
			if _, err := os.Stat(sys.Data); err == nil {
				t.Error("the folder of our data is still there")
			}
		})
	}
}

// TestLeftAlone gives configurations that cannot be changed: they stay, what to paste is
// said, and the others are done all the same.
func TestLeftAlone(t *testing.T) {
	for _, test := range []struct {
		name, client string
		make         func(t *testing.T, path string)
		want         string
	}{
		{"broken JSON", "cursor", func(t *testing.T, path string) { put(t, path, "{\"mcpServers\": {") }, "no JSON"},
		{"a list", "cursor", func(t *testing.T, path string) { put(t, path, "[]") }, "no JSON object"},
		{"servers as a list", "cursor", func(t *testing.T, path string) { put(t, path, "{\"mcpServers\": []}") }, "no object"},
		{"servers as null", "cursor", func(t *testing.T, path string) { put(t, path, "{\"mcpServers\": null}") }, "null"},
		{"broken TOML", "codex", func(t *testing.T, path string) { put(t, path, "model = \n") }, "no TOML"},
		{"closed table", "codex", func(t *testing.T, path string) { put(t, path, "mcp_servers = { a = { command = \"a\" } }\n") }, "would break it"},
		{"dotted keys", "codex", func(t *testing.T, path string) { put(t, path, "mcp_servers.webarea.command = \"x\"\n") }, "table of its own"},
		{"a folder", "zed", func(t *testing.T, path string) { put(t, filepath.Join(path, "x"), "") }, "no ordinary file"},
		{"a link to nowhere", "zed", func(t *testing.T, path string) {
			put(t, filepath.Join(filepath.Dir(path), "x"), "")
			if err := os.Symlink("nowhere", path); err != nil {
				t.Fatal(err)
			}
		}, "link"},
		{"read-only", "zed", func(t *testing.T, path string) {
			put(t, path, "{}\n")
			if err := os.Chmod(path, 0o444); err != nil {
				t.Fatal(err)
			}
		}, "only be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			sys := systemAt(t, "linux")
			c := findClient(test.client)
			test.make(t, c.path(sys))
			before := listing(t, sys.Home)
			choice := Choice{Clients: []string{c.name, "vscode"}}
			outcomes := open(t, sys).Install(choice)
			if o := outcomes[0]; o.Err == nil || !strings.Contains(o.Err.Error(), test.want) || !strings.Contains(o.Err.Error(), c.path(sys)) {
				t.Errorf("got %v, want %s and %q", o.Err, c.path(sys), test.want)
			}
			if entry, ok := c.entryOf([]byte(outcomes[0].Paste)); !ok || entry == nil {
				t.Errorf("got %q to paste, want our entry", outcomes[0].Paste)
			}
			expectDone(t, outcomes[1:])
			expectEntry(t, findClient("vscode"), sys)
			expectDone(t, open(t, sys).Uninstall(choice))
			expectListing(t, "uninstalling", sys.Home, before)
		})
	}
}

// TestBehindLinks changes the file that a configuration links to, and not the link.
func TestBehindLinks(t *testing.T) {
	sys := systemAt(t, "linux")
	real, path := filepath.Join(sys.Home, "dotfiles", "zed.json"), findClient("zed").path(sys)
	put(t, real, "{ \"theme\": \"dark\" }\n")
	put(t, filepath.Join(filepath.Dir(path), "x"), "")
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	tryAll(t, sys, Choice{Clients: []string{"zed"}}, listing(t, sys.Home), func() {
		expectEntry(t, findClient("zed"), sys)
		if target, err := os.Readlink(path); err != nil || target != real {
			t.Errorf("got a link to %q, %v, want %q", target, err, real)
		}
	})
}

// TestMoved renews the entry of a program that is elsewhere now; what was before stays
// known.
func TestMoved(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			sys := systemAt(t, "linux")
			for _, text := range []string{"-", strings.ReplaceAll(lived[c.format]["CRLF"], "SERVERS", c.servers)} {
				if text != "-" {
					put(t, c.path(sys), text)
				}
				before := listing(t, sys.Home)
				choice := Choice{Clients: []string{c.name}}
				s := open(t, sys)
				s.Program = "/old/webarea"
				expectDone(t, s.Install(choice))
				expectDone(t, open(t, sys).Install(choice))
				expectEntry(t, c, sys)
				expectDone(t, open(t, sys).Uninstall(choice))
				expectListing(t, "uninstalling", sys.Home, before)
			}
		})
	}
}

// TestInterrupted undoes what was kept in the ledger and not done any more.
func TestInterrupted(t *testing.T) {
	for _, text := range []string{"-", "{}\n"} {
		sys := systemAt(t, "linux")
		c := findClient("cursor")
		if text != "-" {
			put(t, c.path(sys), text)
		}
		before := listing(t, sys.Home)
		s := open(t, sys)
		f, err := readConfig(c.path(sys))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.keep(c, f, []byte("what was to come")); err != nil {
			t.Fatal(err)
		}
		expectDone(t, open(t, sys).Uninstall(Choice{Clients: []string{"cursor"}}))
		expectListing(t, "uninstalling", sys.Home, before)
	}
}

// TestElsewhere refuses to take half of an entry away, or to write one that says
// something else in the end.
func TestElsewhere(t *testing.T) {
	c := findClient("codex")
	text := "[mcp_servers.webarea]\ncommand = \"x\"\n\n[mcp_servers.webarea.env]\nA = \"b\"\n"
	if got, err := c.cleared([]byte(text), false); err == nil {
		t.Errorf("got %s, want it refused", got)
	}
	got, err := c.merged([]byte(text), c.entryFor("P"))
	want := "[mcp_servers.webarea]\nargs = [\"mcp\"]\ncommand = \"P\"\n\n[mcp_servers.webarea.env]\nA = \"b\"\n"
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

// FuzzMerge puts our entry into whatever is read as a configuration and takes it out
// again: what is not ours is the same to a parser, or nothing is written.
func FuzzMerge(f *testing.F) {
	for kind, texts := range lived {
		for _, text := range texts {
			f.Add(kind == tomlText, strings.ReplaceAll(strings.ReplaceAll(text, "SERVERS", "mcpServers"), "mcpServers.", "mcp_servers."))
		}
	}
	f.Fuzz(func(t *testing.T, isTOML bool, text string) {
		c := findClient("cursor")
		if isTOML {
			c = findClient("codex")
		}
		after, err := c.merged([]byte(text), c.entryFor("/opt/webarea"))
		if err != nil {
			return
		}
		again, err := c.merged(after, c.entryFor("/opt/webarea"))
		if err != nil || string(again) != string(after) {
			t.Errorf("entering again: got %v\n%q\nwant\n%q", err, again, after)
		}
		if _, had := c.entryOf([]byte(text)); had {
			return
		}
		if _, err := c.cleared(after, !c.holds([]byte(text))); err != nil {
			t.Errorf("taking it out of what we wrote: %v\n%q", err, after)
		}
	})
}

// TestByHand leaves an entry alone that was put there in another way.
func TestByHand(t *testing.T) {
	sys := systemAt(t, "linux")
	put(t, findClient("zed").path(sys), "{\"context_servers\": {\"webarea\": {\"command\": \"x\"}}}")
	before := listing(t, sys.Home)
	o := open(t, sys).Uninstall(Choice{Clients: []string{"zed"}})
	expectDone(t, o)
	if len(o[0].Lines) == 0 || !strings.Contains(o[0].Lines[0], "it stays") {
		t.Errorf("got %q, want that it stays", o[0].Lines)
	}
	expectListing(t, "uninstalling", sys.Home, before)
}

// TestDiffShowsNoNeighbours keeps to what changes, and has no terminal obey it.
func TestDiffShowsNoNeighbours(t *testing.T) {
	secret := "{\n  \"key\": \"hidden\",\n  \"a\": \"\x1b[31m, hidden\"\n}"
	c := client{servers: "S", entry: []member{{"command", program{}}}}
	after, err := c.merged([]byte(secret), c.entryFor("P"))
	if err == nil {
		t.Fatalf("got %s, want a control character refused", after)
	}
	secret = strings.ReplaceAll(secret, "\x1b", "\u009b")
	if after, err = c.merged([]byte(secret), c.entryFor("P")); err != nil {
		t.Fatal(err)
	}
	got := diff([]byte(secret), after)
	want := "  @@ line 3 @@\n  -…\n  +…,\n  +  \"S\": {\n  +    \"webarea\": {\n  +      \"command\": \"P\"\n  +    }\n  +  }\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	inline := "{\"S\": {\"x\": {\"key\": \"hidden\"}}, \"y\": \"hidden\"}\n"
	if after, err = c.merged([]byte(inline), c.entryFor("P")); err != nil {
		t.Fatal(err)
	}
	want = "  @@ line 1 @@\n  -…\n  +…, \"webarea\": {\"command\": \"P\"}…\n"
	if d := cmp.Diff(want, diff([]byte(inline), after)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	got = diff(nil, []byte("\u009b"+strings.Repeat("x", 5000)+"\n"))
	if want := "  @@ line 1 @@\n  +\uFFFD" + strings.Repeat("x", maxShown-len("\u009b")) + "…\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
