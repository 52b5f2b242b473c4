package extension_test

import (
	"testing"
)

func TestShare(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.host()
	hello := h.greet()
	if hello["protocol"] != 1.0 || hello["extension"] == "" {
		t.Errorf("got %v\nwant a hello of protocol 1", hello)
	}
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })

	page := r.open("/one")
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

	p.click("#stop")
	p.awaitText("This tab is not shared.")
	m := h.await("the key in gone", func(m object) bool {
		for _, g := range list(m["gone"]) {
			if g["tab"] == key {
				return g["reason"] == "stopped"
			}
		}
		return false
	})
	if n := len(list(m["tabs"])); n != 0 {
		t.Errorf("%d tabs are told of, want none", n)
	}
	if _, failure := h.call(key, "Page.getFrameTree", object{}); failure == nil {
		t.Error("a command for a tab that is not shared any more is carried out")
	}
	var attached int
	r.inWorker("return (await chrome.debugger.getTargets()).filter((t) => t.attached && t.tabId && t.url.endsWith('/one')).length", &attached)
	if attached != 1 { // the test's own
		t.Logf("attached: %d", attached)
	}
}

// describe has our world of a page say its title.
func describe(h *host, key string) string {
	tree, failure := h.call(key, "Page.getFrameTree", object{})
	if failure != nil {
		h.t.Fatalf("the frame tree: %v", failure)
	}
	frame := tree["frameTree"].(object)["frame"].(object)["id"]
	world, failure := h.call(key, "Page.createIsolatedWorld", object{"frameId": frame, "worldName": "webarea"})
	if failure != nil {
		h.t.Fatalf("entering the page: %v", failure)
	}
	said, failure := h.call(key, "Runtime.evaluate", object{"expression": "document.title", "contextId": world["executionContextId"], "returnByValue": true})
	if failure != nil {
		h.t.Fatalf("asking the page: %v", failure)
	}
	title, _ := said["result"].(object)["value"].(string)
	return title
}
