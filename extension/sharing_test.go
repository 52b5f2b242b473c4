package extension_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"
)

func TestShare(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.host()
	hello := h.greet()
	if hello["protocol"] != 1.0 || hello["extension"] == "" {
		t.Errorf("got %v\nwant a hello of protocol 1", hello)
	}
	if name := hello["browser"].(object)["name"]; name == "" {
		t.Errorf("got %v\nwant the browser's name", hello)
	}
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })

	page := r.open("/one")
	other := r.open("/two")
	p := page.popup()
	p.awaitText("This tab is not shared.")
	p.click("#share")
	p.awaitText("Agents can see this tab.")
	told := h.awaitAttached(page.url)
	if told["active"] != true || told["title"] != "Page /one" || told["zoom"] != 1.0 {
		t.Errorf("got %v\nwant it active, with its title, at zoom 1", told)
	}
	key := told["tab"].(string)
	if got := describe(h, key); got != "Page /one" {
		t.Errorf("the page's world says %q, want its title", got)
	}
	if got, want := r.badge(page.id()), "on"; got != want {
		t.Errorf("the badge says %q, want %q", got, want)
	}
	if h.heard(other.url) || h.heard("Page /two") {
		t.Errorf("the host was told of a tab that is not shared:\n%s", h.last())
	}

	r.expectOneAlarm(soon)

	p.click("#stop")
	p.awaitText("This tab is not shared.")
	r.expectOneAlarm(seldom)
	m := h.awaitGone(key, "stopped")
	if n := len(list(m["tabs"])); n != 0 {
		t.Errorf("%d tabs are told of, want none", n)
	}
	if _, failure := h.call(key, "Page.getFrameTree", object{}); failure == nil {
		t.Error("a command for a tab that is not shared any more is carried out")
	}
	r.awaitDetached(page.id())
	if got := r.badge(page.id()); got != "" {
		t.Errorf("the badge says %q, want nothing", got)
	}
	p.click("#share")
	if again := h.awaitTabs("another key", func(tabs []object) bool {
		return len(tabs) == 1 && tabs[0]["state"] == "attached" && tabs[0]["tab"] != key
	}); again == nil {
		t.Fatal("not shared again")
	}
}

// What is under way when a tab is unshared, or leaves its site, tells nothing.
func TestUnderWay(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	elsewhere := strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/private"
	ends := map[string]func(*tab){
		"stopped": func(page *tab) {
			p := page.popup()
			p.click("#stop")
			p.awaitText("This tab is not shared.")
			p.close()
		},
		"left_site": func(page *tab) { page.goTo(elsewhere) },
		"closed":    func(page *tab) { page.close() },
	}
	for reason, end := range ends {
		t.Run(reason, func(t *testing.T) {
			page := r.open("/" + reason)
			page.share()
			key := h.awaitAttached(page.url)["tab"].(string)
			world := enter(h, key)
			// The first answer takes longer than the end does; the others wait behind it.
			h.forget()
			for i, m := range []object{
				{"method": "Runtime.evaluate", "params": object{"expression": "new Promise(() => {}), document.title", "contextId": world, "returnByValue": true}},
				{"method": "Runtime.evaluate", "params": object{"expression": "for (const end = Date.now() + 1500; Date.now() < end;); document.title", "contextId": world, "returnByValue": true}},
				{"method": "Page.captureScreenshot", "params": object{"format": "png"}},
				{"method": "Accessibility.getFullAXTree", "params": object{}},
			} {
				m["id"] = 5000 + i
				h.send(object{"kind": "cdp", "tab": key, "m": m})
			}
			h.await("the first answer", answerTo(5000))
			end(page)
			h.awaitGone(key, reason)
			h.forget()
			// What comes after it, came after all that was under way.
			next := r.open("/next-" + reason)
			next.share()
			enter(h, h.awaitAttached(next.url)["tab"].(string))
			for n := 5001; n <= 5003; n++ {
				if fits := answerTo(n); h.has(fits) {
					t.Errorf("command %d is answered after the tab was %s", n, reason)
				}
			}
			if h.heard(elsewhere) {
				t.Errorf("the other site is told of:\n%s", h.last())
			}
		})
	}
}

// A host that asks blindly gets nothing of another site, also where it did not have
// navigations told.
func TestBlindHost(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	elsewhere := strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/private"
	if err := page.session.Call(r.ctx, "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	loaded, stop := page.session.Subscribe("Page.loadEventFired")
	defer stop()
	page.session.Go(r.ctx, "Page.navigate", object{"url": elsewhere})
	for n, done := 0, false; !done; n++ {
		select {
		case <-loaded:
			done = true
		default:
		}
		h.send(object{"kind": "cdp", "tab": key, "m": object{"id": 6000 + n, "method": "Page.getFrameTree", "params": object{}}})
		h.send(object{"kind": "cdp", "tab": key, "m": object{"id": 7000 + n, "method": "Accessibility.getFullAXTree", "params": object{}}})
	}
	h.awaitGone(key, "left_site")
	if h.heard("/private") {
		t.Errorf("the other site is told of:\n%s", h.last())
	}
}

// answerTo fits the answer to a command.
func answerTo(number int) func(object) bool {
	return func(m object) bool {
		of, _ := m["m"].(object)
		return m["kind"] == "cdp" && of["id"] == float64(number)
	}
}

// describe has our world of a page say its title.
func describe(h *host, key string) string {
	h.t.Helper()
	world := enter(h, key)
	said, failure := h.call(key, "Runtime.evaluate", object{"expression": "document.title", "contextId": world, "returnByValue": true})
	if failure != nil {
		h.t.Fatalf("asking the page: %v", failure)
	}
	title, _ := said["result"].(object)["value"].(string)
	return title
}

// enter gives our world in a page's main frame.
func enter(h *host, key string) any {
	h.t.Helper()
	if _, failure := h.call(key, "Page.enable", object{}); failure != nil {
		h.t.Fatalf("enabling the page: %v", failure)
	}
	tree, failure := h.call(key, "Page.getFrameTree", object{})
	if failure != nil {
		h.t.Fatalf("the frame tree: %v", failure)
	}
	frame := tree["frameTree"].(object)["frame"].(object)["id"]
	world, failure := h.call(key, "Page.createIsolatedWorld", object{"frameId": frame, "worldName": "webarea"})
	if failure != nil {
		h.t.Fatalf("entering the page: %v", failure)
	}
	return world["executionContextId"]
}

func TestPause(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	enter(h, key)

	// The same server by another name is another site.
	elsewhere := strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/private"
	h.forget()
	page.goTo(elsewhere)
	h.awaitGone(key, "left_site")
	paused := h.awaitTabs("a paused tab", func(tabs []object) bool { return len(tabs) == 1 && tabs[0]["state"] == "paused" })[0]
	if paused["problem"] != "left_site" || paused["title"] != nil || paused["url"] != nil {
		t.Errorf("got %v\nwant left_site without title and url", paused)
	}
	page.url = elsewhere
	r.awaitDetached(page.id())
	if got := r.badge(page.id()); got != "II" {
		t.Errorf("the badge says %q, want II", got)
	}
	p := page.popup()
	p.awaitText("Sharing is paused in this tab.")
	p.awaitText("You shared " + r.site.URL)
	p.awaitText("Share this page’s site instead")
	p.close()
	if h.heard("private") {
		t.Errorf("the host was told of the other site:\n%s", h.last())
	}

	page.goTo(r.site.URL + "/three")
	back := h.awaitAttached(r.site.URL + "/three")
	if back["tab"] == key {
		t.Errorf("the key %s came back", key)
	}
	if got := describe(h, back["tab"].(string)); got != "Page /three" {
		t.Errorf("the page's world says %q, want its title", got)
	}
}

func TestAlways(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	p := page.popup()
	p.await("document.querySelector('#always').textContent.includes('" + r.site.URL + "')")
	p.click("#always")
	p.awaitText("You always share " + r.site.URL)
	p.close()
	h.awaitAttached(page.url)
	h.awaitAttached(r.site.URL + "/start")

	second := r.open("/two")
	h.awaitAttached(second.url)
	elsewhere := r.openURL(strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/other")
	h.forget()
	third := r.open("/three")
	h.awaitAttached(third.url)
	if h.heard(elsewhere.url) {
		t.Errorf("the host was told of another site:\n%s", h.last())
	}

	// One tab of the site can be left out, for as long as it is there.
	p = second.popup()
	p.click("#stop")
	p.awaitText("This tab is not shared.")
	p.close()
	h.forget()
	second.goTo(r.site.URL + "/four")
	third.goTo(r.site.URL + "/five")
	h.awaitAttached(r.site.URL + "/five")
	if h.heard("/four") {
		t.Errorf("a tab that was stopped is shared again:\n%s", h.last())
	}

	o := r.page("options/options.html")
	o.awaitText(r.site.URL)
	o.click("#sites button")
	o.awaitText("No site is always shared.")
	o.awaitText(r.site.URL + " is no longer shared.")
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	o.close()
	h.forget()
	r.open("/six")
	p = third.popup()
	p.awaitText("This tab is not shared.")
	if h.heard("/six") {
		t.Errorf("a site that was forgotten is shared:\n%s", h.last())
	}
}

func TestStopEverything(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	p := page.popup()
	p.click("#always")
	p.awaitText("You always share")
	h.awaitAttached(page.url)
	p.click("#everything")
	p.awaitText("This tab is not shared.")
	p.awaitGone("#everything")
	p.close()
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	h.forget()
	next := r.open("/two")
	p = next.popup()
	p.awaitText("This tab is not shared.")
	if h.heard("/two") {
		t.Errorf("something is shared still:\n%s", h.last())
	}
}

// Chrome's bar cannot be closed where there is no screen: the event that its closing
// sends is sent instead, for one of two tabs, as Chrome sends it for each.
func TestCanceled(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	one, two := r.open("/one"), r.open("/two")
	one.share()
	two.share()
	first := h.awaitAttached(one.url)["tab"].(string)
	second := h.awaitAttached(two.url)["tab"].(string)
	r.inWorker(fmt.Sprintf("chrome.debugger.onDetach.dispatch({tabId: %d}, 'canceled_by_user')", one.id()), nil)
	h.awaitGone(first, "canceled_by_user")
	h.awaitGone(second, "canceled_by_user")
	p := two.popup()
	p.awaitText("This tab is not shared.")
}

// The shortcut and the menu are Chrome's own windows, which are not there without a
// screen: what they send is sent instead.
func TestShortcutAndMenu(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	n := page.id()
	toggle := fmt.Sprintf("chrome.commands.onCommand.dispatch('toggle-share', await chrome.tabs.get(%d))", n)
	menu := func(entry string) string {
		return fmt.Sprintf("chrome.contextMenus.onClicked.dispatch({menuItemId: %q}, await chrome.tabs.get(%d))", entry, n)
	}
	// Chrome leaves those out that mean something to itself.
	var without []string
	r.inWorker("return (await chrome.commands.getAll()).filter((c) => c.shortcut === '').map((c) => c.name)", &without)
	if len(without) > 0 {
		t.Errorf("Chrome gives no keys to %q", without)
	}
	for _, act := range []struct{ share, stop string }{{toggle, toggle}, {menu("share"), menu("stop")}} {
		h.forget()
		r.inWorker(act.share, nil)
		h.awaitAttached(page.url)
		h.forget()
		r.inWorker(act.stop, nil)
		h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	}

	// In a paused tab it ends the sharing: who means to do that must not share what is
	// there now. Pressed again, it shares that.
	r.inWorker(toggle, nil)
	h.awaitAttached(page.url)
	page.goTo(strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/elsewhere")
	h.awaitTabs("a paused tab", func(tabs []object) bool { return len(tabs) == 1 && tabs[0]["state"] == "paused" })
	h.forget()
	r.inWorker(toggle, nil)
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
	if h.heard("/elsewhere") {
		t.Errorf("the other site is told of:\n%s", h.last())
	}
	r.inWorker(toggle, nil)
	h.awaitAttached(strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/elsewhere")
}

// A tab in an incognito window is not shared with its site, but is by itself.
func TestIncognito(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	r.greeted()
	r.configure("incognitoAccess: true")
	h := r.greeted()
	page := r.open("/one")
	p := page.popup()
	p.click("#always")
	p.awaitText("You always share")
	p.close()
	h.awaitAttached(page.url)
	secret := r.site.URL + "/secret"
	r.inWorker(fmt.Sprintf("await chrome.windows.create({incognito: true, url: %q})", secret), nil)
	s, _ := r.awaitTarget("the incognito page", func(i target.Info) bool { return i.URL == secret })
	r.run(s, "if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done))", nil)
	h.forget()
	next := r.open("/two")
	h.awaitAttached(next.url)
	if h.heard("/secret") {
		t.Fatalf("an incognito tab is shared with its site:\n%s", h.last())
	}
	r.inWorker(fmt.Sprintf("const [tab] = await chrome.tabs.query({url: %q}); chrome.contextMenus.onClicked.dispatch({menuItemId: 'share'}, tab)", secret), nil)
	if told := h.awaitAttached(secret); told["incognito"] != true {
		t.Errorf("got %v\nwant it to be incognito", told)
	}
	// Of two tabs that are shared by themselves the other is kept.
	other := r.openURL(strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/kept")
	r.inWorker(fmt.Sprintf("chrome.contextMenus.onClicked.dispatch({menuItemId: 'share'}, await chrome.tabs.get(%d))", other.id()), nil)
	h.awaitAttached(other.url)
	var kept string
	ok := eventually(func() bool {
		r.inWorker("return JSON.stringify(await chrome.storage.local.get())", &kept)
		return strings.Contains(kept, fmt.Sprintf(`"tab":%d`, other.id()))
	})
	if !ok || strings.Count(kept, `"print"`) != 1 {
		t.Errorf("kept is %s\nwant the tab that is not incognito", kept)
	}
	if strings.Contains(kept, "/secret") {
		t.Errorf("an incognito tab is remembered: %s", kept)
	}
}
