//go:build unix

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/native"
	"github.com/webarea/webarea/setup"
)

// nobody is a user who owns nothing, by the number that Linux and macOS can hold.
const nobody = 65534

// tree is everything below a folder: rights and texts.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
		}
		all[path] = info.Mode().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func expectTree(t *testing.T, what, root string, want map[string]string) {
	t.Helper()
	if d := cmp.Diff(want, tree(t, root)); d != "" {
		t.Errorf("after %s (-want +got):\n%s", what, d)
	}
}

// inHome makes a run with a home folder and nothing else of the user's.
func inHome(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	c := command(t, args...)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"} {
		c.Env = append(c.Env, name+"=")
	}
	c.Env = append(c.Env, "HOME="+home)
	return c
}

// write makes a file below a folder, with the folders to it.
func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestInstallEverything sets up all browsers and all clients at once, one of whose
// configurations is broken: the others are done, and all is as it was in the end.
func TestInstallEverything(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the places here are Linux's")
	}
	home := t.TempDir()
	write(t, home, ".config/google-chrome/Local State", "{}")
	write(t, home, ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Local State", "{}")
	write(t, home, ".config/zed/settings.json", "// mine\n{ \"theme\": \"dark\", }\n")
	write(t, home, ".codex/config.toml", "model = \"x\" # mine\r\n")
	write(t, home, ".cursor/mcp.json", "{ broken")
	before := tree(t, home)
	var browsers []string
	for _, name := range native.Browsers() {
		if name != "arc" {
			browsers = append(browsers, name)
		}
	}
	flags := []string{"--browser", strings.Join(browsers, ","), "--client", strings.Join(setup.Clients(), ",")}
	run := func(args ...string) ran { return finish(t, inHome(t, home, append(args, flags...)...)) }

	r := run("install", "--dry-run")
	r.expectCode(t, exitFailed)
	expectTree(t, "a dry run", home, before)
	r = run("install")
	r.expectCode(t, exitFailed)
	for _, want := range []string{"NOT DONE", ".cursor/mcp.json was left as it is", "Put this into it by hand", `"mcpServers"`, `"context_servers": {"webarea"`, "flatpak override", "chrome://extensions"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("got %v\nwant %q", r, want)
		}
	}
	installed := tree(t, home)
	if got := installed[filepath.Join(home, ".codex/config.toml")]; !strings.Contains(got, "[mcp_servers.webarea]\r\ncommand = \""+program+"\"") {
		t.Errorf("got %q, want our entry", got)
	}
	run("install").expectCode(t, exitFailed)
	expectTree(t, "installing again", home, installed)
	for range 2 {
		run("uninstall").expectCode(t, 0)
		expectTree(t, "uninstalling", home, before)
	}
}

// TestUninstallTakesTheToken has the token of serve stay while anything is set up, and go
// with the last of it, from a folder that goes too unless more is in it.
func TestUninstallTakesTheToken(t *testing.T) {
	t.Parallel()
	home, state := t.TempDir(), t.TempDir()
	token := filepath.Join(state, "webarea", tokenName)
	run := func(args ...string) ran {
		c := inHome(t, home, args...)
		c.Env = append(c.Env, "XDG_STATE_HOME="+state, "LOCALAPPDATA="+state)
		return finish(t, c)
	}
	if runtime.GOOS == "darwin" {
		token = filepath.Join(home, "Library", "Logs", "webarea", tokenName)
	}
	expect := func(what string, want bool, r ran) {
		t.Helper()
		r.expectCode(t, 0)
		_, err := os.Stat(token)
		if there := err == nil; there != want || !want != strings.Contains(r.stdout, "Took away the token of webarea serve: "+token) {
			t.Errorf("after %s: the token is there: %v, want %v; it said\n%s", what, there, want, r.stdout)
		}
	}
	if _, err := openToken(filepath.Dir(token), false); err != nil {
		t.Fatal(err)
	}
	expect("install", true, run("install", "--client", "cursor,zed"))
	expect("uninstall of one", true, run("uninstall", "--client", "zed"))
	expect("a dry run", true, run("uninstall", "--client", "cursor", "--dry-run"))
	expect("uninstall of the last", false, run("uninstall", "--client", "cursor"))
	if _, err := os.Stat(filepath.Dir(token)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the token is still there (%v)", err)
	}
	if r := run("uninstall", "--client", "cursor"); r.code != 0 || strings.Contains(r.stdout, "token") {
		t.Errorf("without a token: got %v, want nothing said of one", r)
	}
}

// TestInstallAsks gives the program a terminal: it asks about what is found, and about
// nothing else.
func TestInstallAsks(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script command of Linux's kind, which makes a terminal")
	}
	home := t.TempDir()
	write(t, home, ".config/vivaldi/Local State", "{}")
	write(t, home, ".gemini/settings.json", "{}\n")
	write(t, home, ".codeium/windsurf/mcp_config.json", "{}\n")
	before := tree(t, home)
	converse := func(does, answers string) ran {
		c := inHome(t, home)
		c.Path, c.Args = script, []string{"script", "-qec", "'" + program + "' " + does, "/dev/null"}
		c.Stdin = strings.NewReader(answers)
		return finish(t, c)
	}
	r := converse("install", "y\nno\n\n")
	r.expectCode(t, 0)
	for _, title := range []string{"Vivaldi", "Windsurf", "Gemini CLI"} {
		if !strings.Contains(r.stdout, "Do this for "+title+"?") {
			t.Errorf("got %v\nwant to be asked about %s", r, title)
		}
	}
	if n := strings.Count(r.stdout, "Do this for"); n != 3 {
		t.Errorf("got %d questions, want 3: %v", n, r)
	}
	after := tree(t, home)
	for name, changed := range map[string]bool{".gemini/settings.json": true, ".codeium/windsurf/mcp_config.json": false} {
		if path := filepath.Join(home, name); (after[path] != before[path]) != changed {
			t.Errorf("%s: got it changed %v, want %v", name, !changed, changed)
		}
	}
	finish(t, inHome(t, home, "install")).expectError(t, exitUsage, "--browser", "found here: vivaldi, windsurf, gemini")
	finish(t, inHome(t, home, "uninstall")).expectError(t, exitUsage, "set up: vivaldi, gemini")
	converse("uninstall", "\n\n").expectCode(t, 0)
	expectTree(t, "uninstalling", home, before)
	if r := converse("uninstall", ""); !strings.Contains(r.stdout, "nothing to undo") {
		t.Errorf("got %v, want that there is nothing", r)
	}
}

// TestInstallUsage gives command lines that cannot be used.
func TestInstallUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"install", "--client", "emacs"}, "zed"},
		{[]string{"install", "--browser", "chrome,netscape"}, "commas"},
		{[]string{"install", "--browser", "chrome,edge", "--user-data-dir", "x"}, "--user-data-dir"},
		{[]string{"uninstall"}, "nothing is set up"},
	} {
		finish(t, inHome(t, t.TempDir(), test.args...)).expectError(t, exitUsage, test.want)
	}
}

// TestInstallAsAnotherUser runs as a user whom some files and folders do not belong to,
// or who may only read them: those stay, and the rest is done and undone.
func TestInstallAsAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	tests := []struct {
		name string
		// foreign is root's, and readOnly may only be read; both below the home folder.
		foreign, readOnly string
		code              int
		want              string
		// changed is whether the client's configuration is.
		changed bool
	}{
		{"its own", "", "", 0, "changed", true},
		{"root's configuration", ".config/zed/settings.json", "", exitFailed, "belongs to another user", false},
		{"a read-only configuration", "", ".config/zed/settings.json", exitFailed, "may only be read", false},
		{"a read-only folder", "", ".config/zed", exitFailed, "permission denied", false},
		{"a read-only browser", "", ".config/chromium", exitFailed, "registering the host with Chromium", true},
		{"root's data", ".local", "", exitFailed, "permission denied", false},
		{"root's home", ".", "", exitFailed, "belongs to another user", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// t.TempDir is for nobody else's eyes.
			root, err := os.MkdirTemp("", "webarea-user-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(root) })
			mine, home := filepath.Join(root, "webarea"), filepath.Join(root, "home")
			if err := os.Chmod(root, 0o755); err != nil {
				t.Fatal(err)
			}
			// Another process copies it: a file that this one had open for writing could not be
			// started while another test is starting something.
			if out, err := exec.Command("cp", program, mine).CombinedOutput(); err != nil {
				t.Fatalf("copying the program: %v\n%s", err, out)
			}
			if err := os.Chmod(mine, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, home, ".config/zed/settings.json", "{} // mine\n")
			write(t, home, ".config/chromium/Local State", "{}")
			write(t, home, ".local/x", "")
			if err := filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
				return errors.Join(err, os.Lchown(path, nobody, nobody))
			}); err != nil {
				t.Fatal(err)
			}
			if test.foreign != "" {
				if err := os.Chown(filepath.Join(home, test.foreign), 0, 0); err != nil {
					t.Fatal(err)
				}
			}
			if path := filepath.Join(home, test.readOnly); test.readOnly != "" {
				info, err := os.Stat(path)
				if err == nil {
					err = os.Chmod(path, info.Mode()&^0o222)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			before := tree(t, home)
			run := func(does string) (string, int) {
				c := exec.Command(mine, does, "--browser", "chromium", "--client", "zed")
				c.Dir, c.Env = root, []string{"HOME=" + home}
				c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				var out bytes.Buffer
				c.Stdout, c.Stderr = &out, &out
				err := c.Run()
				var ended *exec.ExitError
				if err != nil && !errors.As(err, &ended) {
					t.Fatal(err)
				}
				return out.String(), c.ProcessState.ExitCode()
			}
			if out, code := run("install"); code != test.code || !strings.Contains(out, test.want) {
				t.Errorf("got exit %d\n%s\nwant exit %d and %q", code, out, test.code, test.want)
			}
			after, config := tree(t, home), filepath.Join(home, ".config/zed/settings.json")
			if (after[config] != before[config]) != test.changed {
				t.Errorf("got %s, want it changed: %v", after[config], test.changed)
			}
			if out, code := run("uninstall"); code != 0 && test.foreign != "." {
				t.Errorf("uninstalling: got exit %d\n%s\nwant it done", code, out)
			}
			expectTree(t, "uninstalling", home, before)
		})
	}
}

// TestDocsNameInstall finds what docs/install.md does not say of browsers, clients and
// flags.
func TestDocsNameInstall(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"--browser", "--client", "--user-data-dir", "--extension-dir", "--dry-run"}
	for _, name := range append(native.Browsers(), setup.Clients()...) {
		names = append(names, "| `"+name+"` |")
	}
	for _, name := range names {
		if !strings.Contains(string(docs), name) {
			t.Errorf("docs/install.md does not say: %s", name)
		}
	}
}
