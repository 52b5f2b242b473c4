//go:build unix

package main

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// startDisplay starts an X server that shows nothing to anybody, and gives its name.
func startDisplay(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skipf("there is no X server to show windows on: %v", err)
	}
	c := exec.Command(path, "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1600x1200x24")
	said, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	number := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(said).ReadString('\n')
		number <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, said)
	}()
	select {
	case n := <-number:
		if n != "" {
			return ":" + n
		}
		t.Skip("the X server does not start")
	case <-time.After(runLimit / 4):
		t.Fatal("the X server does not tell its number")
	}
	return ""
}

// TestHeadful has the browser show its windows.
func TestHeadful(t *testing.T) {
	display := startDisplay(t)
	const tell = `document.title = (/Headless/.test(navigator.userAgent) ? 'unseen' : 'seen') + ' ' + innerWidth + ' ' + innerHeight`
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"snapshot", []string{"snapshot", "--headful", "--outline", "--viewport", "900x600", "--eval", tell, "--hover", "[data-subrole=frame]", "../../testpages/fixtures/design-frame.html"}, []string{`"seen 900 600"`, "selected", "hovered", "image/"}},
		{"snapshot unseen", []string{"snapshot", "--outline", "--viewport", "900x600", "--eval", tell, "../../testpages/fixtures/design-frame.html"}, []string{`"unseen 900 600"`}},
		{"call", []string{"call", "get_elements", "--text", "--then", "locate", `{"id":"${1.root.children.0.children.0.children.0.children.0.children.0.id}"}`, "--headful", "--launch", "../../testpages/fixtures/design-frame.html"}, []string{"Storefront file", "rectangles"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := command(t, c.args...)
			cmd.Dir = "."
			cmd.Env = append(cmd.Env, "DISPLAY="+display)
			r := finish(t, cmd)
			r.expectCode(t, 0)
			for _, w := range c.want {
				if !strings.Contains(r.stdout, w) {
					t.Errorf("got %v\nwant on stdout: %s", r, w)
				}
			}
		})
	}
	t.Run("no desktop", func(t *testing.T) {
		cmd := command(t, "snapshot", "--headful", "../../testpages/fixtures/design-frame.html")
		cmd.Dir = "."
		cmd.Env = append(cmd.Env, "DISPLAY=", "WAYLAND_DISPLAY=")
		finish(t, cmd).expectError(t, 1, "no_browser", "DISPLAY")
	})
	t.Run("attached", func(t *testing.T) {
		webarea(t, "snapshot", "--headful", "--attach", "http://127.0.0.1:9", "x.html").expectError(t, 2, "--attach and --headful do not go together")
	})
}
