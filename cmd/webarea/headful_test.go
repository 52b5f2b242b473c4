//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/webarea/webarea/xserver"
)

// TestHeadful has the browser show its windows.
func TestHeadful(t *testing.T) {
	display := xserver.Start(t, 1600, 1200)
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
