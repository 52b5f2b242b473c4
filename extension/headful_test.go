package extension_test

import (
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/xserver"
)

// A desk is an X server with a window manager, on which a browser's windows are shown
// to nobody, and whose keyboard and mouse a test has.
type desk struct{ t *testing.T }

// deskTools are what it takes.
var deskTools = []string{"openbox", "xdotool", "xwininfo"}

func newDesk(t *testing.T) *desk {
	t.Helper()
	for _, tool := range deskTools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no desktop to show windows on: %v", err)
		}
	}
	d := &desk{t}
	t.Setenv("DISPLAY", xserver.Start(t, 1600, 1200))
	d.begin("openbox")
	return d
}

// begin starts a program that ends with the test.
func (d *desk) begin(name string, args ...string) {
	d.t.Helper()
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		d.t.Fatalf("starting %s: %v", name, err)
	}
	d.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
}

// do has keys pressed, the mouse moved, or windows looked for.
func (d *desk) do(args ...string) string {
	d.t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// window gives the window with a title.
func (d *desk) window(title string) string {
	d.t.Helper()
	var found string
	if !eventually(func() bool {
		out, err := exec.Command("xdotool", "search", "--name", title).Output()
		found = strings.TrimSpace(string(out))
		return err == nil && found != ""
	}) {
		d.t.Fatalf("there is no window %q", title)
	}
	first, _, _ := strings.Cut(found, "\n")
	return first
}

// windows counts those that there are, menus too.
func (d *desk) windows() int {
	d.t.Helper()
	out, err := exec.Command("xwininfo", "-root", "-tree").Output()
	if err != nil {
		d.t.Fatalf("asking what windows there are: %v", err)
	}
	return strings.Count(string(out), "\n")
}

// outlook is where a page is on the screen, in CSS px.
type outlook struct{ X, Y, OuterWidth, OuterHeight, InnerWidth, InnerHeight float64 }

func (t *tab) outlook() outlook {
	t.rig.t.Helper()
	var o outlook
	t.rig.run(t.session, "return {X: screenX, Y: screenY, OuterWidth: outerWidth, OuterHeight: outerHeight, InnerWidth: innerWidth, InnerHeight: innerHeight}", &o)
	return o
}

// awaitElements asks until the answer is as it must be.
func (e *installation) awaitElements(what string, fits func(string) bool) string {
	e.t.Helper()
	return e.expectTold(e.agent(), what, fits)
}

// expectTold has an agent ask until the answer is as it must be.
func (e *installation) expectTold(agent *mcp.ClientSession, what string, fits func(string) bool) string {
	e.t.Helper()
	var got string
	if !eventually(func() bool { got = e.elements(agent, object{"scope": "page"}); return fits(got) }) {
		e.t.Fatalf("never %s:\n%s", what, got)
	}
	return got
}

// TestHeadful does what only a browser with windows has: the shortcuts, the page's
// context menu, Chrome's own bar, zoom, and windows that are minimised or covered.
func TestHeadful(t *testing.T) {
	whole(t)
	d := newDesk(t)
	e := install(t, rigOptions{headful: true})
	page := e.open("/one")
	page.front()
	window := d.window("Page /one")
	d.do("windowactivate", "--sync", window)
	shared := func(got string) bool { return strings.Contains(got, "Words of /one") }
	unshared := func(got string) bool { return !strings.Contains(got, "/one") }
	e.awaitElements("without the tab at first", unshared)

	before := page.outlook()
	d.do("key", "alt+shift+s")
	e.awaitElements("shared by the shortcut", shared)
	d.do("key", "alt+shift+s")
	e.awaitElements("unshared by the shortcut", unshared)

	d.do("key", "alt+shift+e")
	p := e.surface("popup/popup.html")
	p.awaitText("This tab is not shared.")
	p.close()
	d.do("windowactivate", "--sync", window)

	// The entry of ours stands above Chrome's last two.
	menu := func(letters ...string) {
		at := page.outlook()
		d.do("mousemove", fmt.Sprint(at.X+at.InnerWidth/2), fmt.Sprint(at.Y+at.OuterHeight-at.InnerHeight/2))
		windows := d.windows()
		d.do("click", "3")
		if !eventually(func() bool { return d.windows() > windows }) {
			t.Fatal("the page's context menu does not come")
		}
		d.do(append([]string{"key"}, letters...)...)
	}
	menu("Up", "Up", "Up", "Return")
	e.awaitElements("shared by the context menu", shared)

	after := page.outlook()
	bar := before.InnerHeight - after.InnerHeight
	if bar <= 0 {
		t.Fatalf("Chrome shows no bar while a tab is shared: %+v, then %+v", before, after)
	}
	d.do("key", "ctrl+plus")
	zoomed := regexp.MustCompile(`"page_zoom":1\.1`)
	id := regexp.MustCompile(`"id":"(\w+)","role":"Heading"`).FindStringSubmatch(e.awaitElements("shared", shared))
	agent := e.agent()
	if !eventually(func() bool { return zoomed.MatchString(e.call(agent, "locate", object{"id": id[1]})) }) {
		t.Errorf("the page's zoom is not told: %s", e.call(agent, "locate", object{"id": id[1]}))
	}
	d.do("key", "ctrl+0")

	d.do("windowminimize", window)
	e.awaitElements("in a minimised window", func(got string) bool { return shared(got) && strings.Contains(got, `"visible":false`) })
	d.do("windowactivate", "--sync", window)
	e.awaitElements("in a window that is back", func(got string) bool { return shared(got) && !strings.Contains(got, `"visible":false`) })
	over := e.inWindow("/over")
	d.do("windowactivate", "--sync", d.window("Page /over"))
	e.awaitElements("in a covered window, which counts as visible", func(got string) bool {
		return shared(got) && !strings.Contains(got, "/over") && !strings.Contains(got, `"visible":false`)
	})
	over.close()
	d.do("windowactivate", "--sync", window)

	at := page.outlook()
	top := at.Y + at.OuterHeight - at.InnerHeight
	d.do("mousemove", fmt.Sprint(math.Round(at.X+at.OuterWidth-34)), fmt.Sprint(math.Round(top-bar/2)))
	d.do("click", "1")
	e.awaitElements("unshared once Chrome's bar was closed", unshared)
}
