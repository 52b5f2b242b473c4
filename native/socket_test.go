//go:build unix

package native

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shortDir is a folder whose sockets' paths are not too long.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ws")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestRunDir(t *testing.T) {
	tests := []struct {
		name string
		make func(dir string) error
		want string // what the error says; empty: none
	}{
		{"not there", func(string) error { return nil }, ""},
		{"there", func(dir string) error { return os.Mkdir(dir, 0o700) }, ""},
		{"open to others", func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o750)) }, "0700"},
		{"a file", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "no folder"},
		{"a link elsewhere", func(dir string) error { return os.Symlink(filepath.Dir(dir), dir) }, "no folder"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
			if err := test.make(runDirPath()); err != nil {
				t.Fatal(err)
			}
			dir, err := RunDir()
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %q, %v, want an error with %q", dir, err, test.want)
				}
				return
			}
			if info, statErr := os.Lstat(dir); err != nil || statErr != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("got %q, %v, want a folder for its user alone", dir, err)
			}
		})
	}
	t.Run("of another user", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only root can give a folder away")
		}
		dir := t.TempDir()
		if err := errors.Join(os.Chmod(dir, 0o700), os.Chown(dir, 12345, -1)); err != nil {
			t.Fatal(err)
		}
		if err := checkRunDir(dir); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("got %v, want a refusal", err)
		}
	})
	t.Run("without a runtime folder", func(t *testing.T) {
		temp := t.TempDir()
		t.Setenv("XDG_RUNTIME_DIR", "")
		t.Setenv("TMPDIR", temp)
		t.Setenv("HOME", temp)
		before := usersRunDirs
		t.Cleanup(func() { usersRunDirs = before })
		usersRunDirs = filepath.Join(temp, "users")
		if dir, err := RunDir(); err != nil || !strings.HasPrefix(dir, temp) || strings.HasPrefix(dir, usersRunDirs) {
			t.Errorf("got %q, %v, want a folder in %s", dir, err, temp)
		}
		// The folder that the variable would name is found without it.
		own := filepath.Join(usersRunDirs, strconv.Itoa(os.Getuid()))
		if err := os.MkdirAll(own, 0o700); err != nil {
			t.Fatal(err)
		}
		if dir, err := RunDir(); err != nil || filepath.Dir(dir) != own {
			t.Errorf("got %q, %v, want a folder in %s", dir, err, own)
		}
		if err := os.Chmod(own, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir, err := RunDir(); err != nil || filepath.Dir(dir) == own {
			t.Errorf("got %q, %v, want another: it is open to others", dir, err)
		}
	})
}

// Sockets of hosts that died go, those of others stay, and so does what is no socket.
func TestSweep(t *testing.T) {
	dir := shortDir(t)
	live, livePath, err := listenOn(dir, "live")
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	dead, _, err := listenOn(dir, "dead")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	old := filepath.Join(dir, "old"+namelessEnd)
	for path, age := range map[string]time.Duration{old: 2 * freshFor, filepath.Join(dir, "young"+namelessEnd): 0} {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
		if err := os.Chtimes(path, time.Now(), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sweep(t.Context(), dir); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if got, want := strings.Join(left, " "), "live.sock notes.sock young.new"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if info, err := os.Stat(livePath); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want the mode 0600", info.Mode(), err)
	}
}

func TestCheckPeer(t *testing.T) {
	listener, path, err := listenOn(shortDir(t), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		c, err := dialSocket(context.Background(), path)
		if err == nil {
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		}
	}()
	c, err := listener.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := checkPeer(c); err != nil {
		t.Errorf("the same user: got %v", err)
	}
	if err := sameUser(1, 2); err == nil {
		t.Error("another user is let in")
	}
}

func TestBridge(t *testing.T) {
	t.Run("nobody listens", func(t *testing.T) {
		listener, path, err := listenOn(shortDir(t), "x")
		if err != nil {
			t.Fatal(err)
		}
		listener.Close()
		if err := Bridge(t.Context(), path, strings.NewReader(""), io.Discard); !errors.Is(err, errNobodyListens) {
			t.Errorf("got %v, want %v", err, errNobodyListens)
		}
	})
	t.Run("the client ends", func(t *testing.T) {
		e := startHost(t, nil)
		e.greet()
		e.share()
		var out strings.Builder
		ask := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_elements","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
		if err := Bridge(t.Context(), e.socket(), strings.NewReader(ask), &out); err != nil || !strings.Contains(out.String(), "Application") {
			t.Errorf("got %v and %q, want an answer to what was asked before the end", err, out.String())
		}
	})
	t.Run("it is ended", func(t *testing.T) {
		e := startHost(t, nil)
		e.greet()
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		in, _ := io.Pipe()
		ended := make(chan error)
		go func() { ended <- Bridge(ctx, e.socket(), in, io.Discard) }()
		cancel(why)
		if err := <-ended; !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, why)
		}
		in.Close()
	})
}

func TestTooManyAgents(t *testing.T) {
	e := startHost(t, nil)
	e.greet()
	var all []net.Conn
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	for i := range maxClients + 1 {
		c, err := net.Dial("unix", e.socket())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
		if i < maxClients {
			continue
		}
		if line, err := lines(t, c).ReadString('\n'); err != nil || line != tooManyClients {
			t.Errorf("got %q, %v, want %q", line, err, tooManyClients)
		}
	}
}
