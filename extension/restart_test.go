package extension_test

import (
	"fmt"
	"os"
	"testing"
)

// A host that ends is started again, and meanwhile nothing is attached.
func TestHostEnds(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	h.conn.Close()
	next := r.host()
	r.awaitDetached(page.id())
	p := page.popup()
	p.awaitText("This tab is shared, but nobody can see it yet.")
	next.greet()
	p.awaitText("Agents can see this tab.")
	p.close()
	again := next.awaitAttached(page.url)
	if again["tab"] == key {
		t.Errorf("the key %s came back", key)
	}
	if got := describe(next, again["tab"].(string)); got != "Page /one" {
		t.Errorf("the page's world says %q, want its title", got)
	}
	r.noMoreHosts()
}

// A host that does not keep to the protocol is left.
func TestHostIsWrong(t *testing.T) {
	whole(t)
	for name, m := range map[string]object{
		"a command without a method": {"kind": "cdp", "tab": "1.1", "m": object{"id": 1}},
		"a part of parts":            {"kind": "part", "of": 1, "last": true, "text": `{"kind":"part"}`},
		"a part that is no JSON":     {"kind": "part", "of": 1, "last": true, "text": `{"kind`},
		"an answer to nothing":       {"kind": "answer", "id": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			h := r.greeted()
			h.awaitTabs("tabs", func([]object) bool { return true })
			h.send(object{"kind": "unheard of"})
			h.send(m)
			h.awaitEnd()
			r.greeted().awaitTabs("tabs", func([]object) bool { return true })
		})
	}
}

// A host of another protocol says so, and the popup tells its words.
func TestHostRefuses(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.host()
	h.await("hello", kind("hello"))
	h.send(object{"kind": "refused", "code": "protocol", "message": "speak protocol 2"})
	h.conn.Close()
	p := r.open("/one").popup()
	p.awaitText("refuses this extension: speak protocol 2")
}

// Without a host the popup says how to get one, and what is shared is seen by nobody.
func TestNoHost(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{noHost: true})
	page := r.open("/one")
	p := page.popup()
	p.awaitText("is not installed for this browser")
	p.awaitText("webarea install")
	p.click("#share")
	p.awaitText("This tab is shared, but nobody can see it yet.")
	r.awaitDetached(page.id())
	p.close()
	// There is nobody to be back for soon.
	r.expectOneAlarm(seldom)
	// It connects by itself once there is one.
	r.register()
	r.greeted().awaitAttached(page.url)
}

// A worker that is killed in the middle of a command comes back with what was shared.
func TestWorkerKilled(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	told := h.awaitAttached(page.url)
	key := told["tab"].(string)
	world := enter(h, key)
	h.send(object{"kind": "cdp", "tab": key, "m": object{"id": 9999, "method": "Runtime.evaluate",
		"params": object{"expression": "for (const end = Date.now() + 3000; Date.now() < end;);", "contextId": world}}})
	r.killWorker()
	h.awaitEnd()
	// Anything that happens wakes it.
	r.open("/two")
	next := r.greeted()
	again := next.awaitAttached(page.url)
	if again["tab"] == key {
		t.Errorf("the key %s came back", key)
	}
	if got := describe(next, again["tab"].(string)); got != "Page /one" {
		t.Errorf("the page's world says %q, want its title", got)
	}
	if next.heard("/two") {
		t.Errorf("a tab that was not shared is told of:\n%s", next.last())
	}
	p := page.popup()
	p.awaitText("Agents can see this tab.")
	p.click("#stop")
	p.awaitText("This tab is not shared.")
	p.close()
	r.awaitDetached(page.id())
	r.killWorker()
	next.awaitEnd()
	third := r.open("/three")
	last := r.greeted()
	last.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	third.share()
	last.awaitAttached(third.url)
	r.noMoreHosts()
}

// Sites that are always shared outlive the browser. A tab that was shared by itself does
// not where Chrome does not bring it back, and nor does what it was.
func TestBrowserRestarts(t *testing.T) {
	whole(t)
	profile, err := os.MkdirTemp("", "wx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeAll(t, profile) })
	r := newRig(t, rigOptions{profile: profile})
	h := r.greeted()
	other := r.openURL(fmt.Sprintf("http://localhost:%s/once", r.port()))
	other.share()
	h.awaitAttached(other.url)
	page := r.open("/one")
	p := page.popup()
	p.click("#always")
	p.awaitText("You always share")
	p.close()
	h.awaitAttached(page.url)
	if err := r.browser.Close(); err != nil {
		t.Fatal(err)
	}
	r.start()
	h = r.greeted()
	h.awaitAttached(r.site.URL + "/start")
	again := r.openURL(other.url)
	p = again.popup()
	p.awaitText("This tab is not shared.")
	p.close()
	if h.heard("/once") {
		t.Errorf("a tab that was shared before the restart is told of:\n%s", h.last())
	}
}
