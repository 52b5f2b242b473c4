package extension_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
)

// A restart ends a browser and starts it again with its profile.
type restart struct {
	end func(r *rig)
	// back has Chrome bring back the tabs.
	back bool
}

// restarts are the ways.
var restarts = map[string]restart{
	"closed":                {end: closed, back: true},
	"killed":                {end: killed, back: true},
	"closed without return": {end: closed},
	"killed without return": {end: killed},
}

func closed(r *rig) {
	r.t.Helper()
	if err := r.browser.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// killed ends the browser by a signal that it cannot answer. Its user is asked then
// whether to restore the tabs, in a bubble that a test cannot click at: the profile is
// changed to what a yes comes to.
func killed(r *rig) {
	r.t.Helper()
	// Chrome notes what tabs there are every few seconds.
	sessions := filepath.Join(r.options.profile, "Default", "Sessions", "Session_*")
	noted := func() bool {
		files, err := filepath.Glob(sessions)
		if err != nil {
			r.t.Fatal(err)
		}
		return slices.ContainsFunc(files, func(file string) bool {
			raw, err := os.ReadFile(file)
			return err == nil && bytes.Contains(raw, []byte(r.site.URL+last))
		})
	}
	if !eventually(noted) {
		r.t.Fatalf("Chrome does not note its tabs in %s", sessions)
	}
	kill(r.t, r.browser.PID)
	closed(r)
	path := filepath.Join(r.options.profile, "Default", "Preferences")
	preferences := object{"profile": object{}}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &preferences)
	}
	// A browser that has just begun has not written it.
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	preferences["profile"].(object)["exit_type"] = "Normal"
	if raw, err = json.Marshal(preferences); err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// again starts the browser after its end, with an address on the command line.
func (r *rig) again(back bool, url string) {
	r.t.Helper()
	r.options.args = nil
	if back {
		r.options.args = []string{"--restore-last-session"}
	}
	r.options.url = url
	r.start()
}

// newProfile gives a folder for a browser that is started more than once.
func newProfile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeAll(t, dir) })
	return dir
}

// kept gives what of the extension's memory of single tabs is on disk.
func (r *rig) kept() string {
	r.t.Helper()
	var text string
	r.inWorker("return JSON.stringify((await chrome.storage.local.get('restorable')).restorable ?? null)", &text)
	return text
}

// awaitKept waits until so many tabs are kept.
func (r *rig) awaitKept(n int) string {
	r.t.Helper()
	var text string
	if !eventually(func() bool { text = r.kept(); return strings.Count(text, `"print"`) == n }) {
		r.t.Fatalf("kept is %s, want %d tabs", text, n)
	}
	return text
}

// found gives a tab that Chrome brought back.
func (r *rig) found(url string) *tab {
	r.t.Helper()
	s, id := r.awaitTarget(url, func(i target.Info) bool { return i.Type == "page" && i.URL == url })
	return &tab{rig: r, session: s, target: id, url: url}
}

// last is the page of the tab that is opened last.
const last = "/last"

// TestRestored has a single tab shared when its browser ends: it is shared again where
// Chrome brings it back, and nothing else is, also not what shows the same address.
func TestRestored(t *testing.T) {
	whole(t)
	for name, way := range restarts {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{profile: newProfile(t)})
			h := r.greeted()
			// It loads itself anew, as a page may to seem restored.
			page := r.open("/text?html=" + base64.URLEncoding.EncodeToString([]byte("<!doctype html><title>Word</title><script>"+
				"if (performance.getEntriesByType('navigation')[0].type === 'navigate') location.reload()</script>")))
			r.open(last)
			page.share()
			h.awaitAttached(page.url)
			if kept := r.awaitKept(1); strings.Contains(kept, "html=") || strings.Contains(kept, "127.0.0.1") {
				t.Errorf("the address is kept: %s", kept)
			}
			way.end(r)
			// The command line names the same address.
			r.again(way.back, page.url)
			h = r.greeted()
			if !way.back {
				r.expectNotClaimed(h, page.url)
				other := r.found(page.url)
				r.awaitDetached(other.id())
				p := other.popup()
				p.awaitText("This tab is not shared.")
				p.close()
				return
			}
			told := h.awaitAttached(page.url)
			if told["index"] != 1.0 {
				t.Errorf("got %v\nwant the tab in its old place", told)
			}
			if h.heard(last) {
				t.Errorf("a tab that was not shared is told of:\n%s", h.last())
			}
			tabs := h.awaitTabs("one tab", func(tabs []object) bool { return len(tabs) > 0 })
			if len(tabs) != 1 {
				t.Errorf("got %v\nwant one tab", tabs)
			}
			var id float64
			r.inWorker(fmt.Sprintf("return (await chrome.tabs.query({url: %q})).find((t) => t.index === 1).id", page.url), &id)
			if got := r.badge(int(id)); got != "on" {
				t.Errorf("the badge says %q, want on", got)
			}
			r.inWorker(fmt.Sprintf("await chrome.tabs.update(%d, {active: true})", int(id)), nil)
			p := r.popup()
			p.awaitText("Agents can see this tab.")
			r.awaitKept(1)
			p.click("#stop")
			p.awaitText("This tab is not shared.")
			p.close()
			r.awaitKept(0)
		})
	}
}

// expectNotClaimed holds that what is looked for after the browser's start is not
// found, and is forgotten once its time is over.
func (r *rig) expectNotClaimed(h *host, url string) {
	r.t.Helper()
	// It looks a second after the last tab came, which is over by then.
	r.noMoreHosts()
	// Its time is over when the worker starts next.
	r.inWorker("await chrome.storage.session.set({restoring: 1})", nil)
	r.killWorker()
	h.awaitEnd()
	r.open("/four")
	next := r.greeted()
	next.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	r.awaitKept(0)
	if h.heard(url) || next.heard(url) {
		r.t.Errorf("a tab that was opened by the command line is shared:\n%s", next.last())
	}
}

// TestRestoredTwins has two tabs with one address: the one that was shared is found by
// its place, and where that cannot be told, neither is shared.
func TestRestoredTwins(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{profile: newProfile(t)})
	h := r.greeted()
	first, second := r.open("/twin"), r.open("/twin")
	second.share()
	h.awaitAttached(second.url)
	r.inWorker(fmt.Sprintf("await chrome.windows.create({url: %q})", r.site.URL+"/twin"), nil)
	if !eventually(func() bool { return strings.Contains(r.kept(), `"alone":false`) }) {
		t.Errorf("kept is %s, want that the tab is not alone", r.kept())
	}
	closed(r)
	r.again(true, "")
	h = r.greeted()
	told := h.awaitAttached(first.url)
	if told["index"] != 2.0 {
		t.Errorf("got %v\nwant the tab in its old place", told)
	}
	tabs := h.awaitTabs("one tab", func(tabs []object) bool { return len(tabs) > 0 })
	if len(tabs) != 1 {
		t.Errorf("got %v\nwant one tab", tabs)
	}
	r.awaitKept(1)

	// There is none in that place the next time.
	r.inWorker("const all = await chrome.storage.local.get('restorable'); all.restorable.kept[0].index = 9; await chrome.storage.local.set(all)", nil)
	closed(r)
	r.again(true, "")
	h = r.greeted()
	r.expectNotClaimed(h, first.url)
}

// TestForgotten ends sharing in each way that there is: nothing is kept of the tab.
func TestForgotten(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	r.greeted()
	elsewhere := strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/elsewhere"
	popup := func(button string) func(*tab) {
		return func(page *tab) {
			p := page.popup()
			p.click(button)
			p.awaitText("This tab is not shared.")
			p.close()
		}
	}
	for name, end := range map[string]func(*tab){
		"stop":            popup("#stop"),
		"stop everything": popup("#everything"),
		"bar closed": func(page *tab) {
			r.inWorker(fmt.Sprintf("chrome.debugger.onDetach.dispatch({tabId: %d}, 'canceled_by_user')", page.id()), nil)
		},
		"tab closed": func(page *tab) { page.close() },
		"site left":  func(page *tab) { page.goTo(elsewhere) },
		"window closed": func(page *tab) {
			r.inWorker(fmt.Sprintf("await chrome.windows.remove((await chrome.tabs.get(%d)).windowId)", page.id()), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := *r
			r.t = t
			page := &tab{rig: &r, url: r.site.URL + "/" + strings.ReplaceAll(name, " ", "-")}
			r.inWorker(fmt.Sprintf("await chrome.windows.create({url: %q})", page.url), nil)
			page = r.found(page.url)
			page.share()
			r.awaitKept(1)
			end(page)
			r.awaitKept(0)
		})
	}
}

// TestLetPass has what is kept of a shared tab forgotten on the options page: it is
// shared still, and ends with the browser.
func TestLetPass(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{profile: newProfile(t)})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	h.awaitAttached(page.url)
	o := r.page("options/options.html")
	o.awaitText("One tab would be shared again.")
	o.judge("options, a tab that may come back")
	o.goToByTab("pass")
	o.press("Enter")
	o.awaitText("Nothing is kept of any tab.")
	o.awaitGone("#pass")
	o.await("document.activeElement.id === 'kept-title'")
	o.close()
	p := page.popup()
	p.awaitText("Agents can see this tab.")
	p.close()
	// It is not kept again when it moves.
	r.open("/two")
	r.inWorker(fmt.Sprintf("await chrome.tabs.move(%d, {index: 0})", page.id()), nil)
	two := r.open("/three")
	two.share()
	r.awaitKept(1)
	closed(r)
	r.again(true, "")
	h = r.greeted()
	h.awaitAttached(two.url)
	if h.heard(page.url) {
		t.Errorf("a tab that was to end with the browser is shared:\n%s", h.last())
	}
}

// TestLoadedAnew has the extension loaded anew while the browser runs: that ends what was
// shared, also of a tab that Chrome would say of that it loaded it again.
func TestLoadedAnew(t *testing.T) {
	whole(t)
	r, _, page := sharing(t)
	if err := page.session.Call(r.ctx, "Page.reload", object{}, nil); err != nil {
		t.Fatal(err)
	}
	r.awaitKept(1)
	r.configure("fileAccess: false")
	next := r.greeted()
	r.awaitKept(0)
	r.noMoreHosts()
	p := page.popup()
	p.awaitText("This tab is not shared.")
	if next.heard(page.url) {
		t.Errorf("the tab is shared again:\n%s", next.last())
	}
}
