package extension_test

import (
	"fmt"
	"testing"
)

// TestFacts changes what of a shared tab and its window the host is told, one after the
// other. That a tab is heard is not among it: a browser that must be silent says so of
// none.
func TestFacts(t *testing.T) {
	whole(t)
	r, h, page := sharing(t)
	id := page.id()
	told := func(fits func(tab, window object) bool) func(object) bool {
		return func(m object) bool {
			tabs, windows := list(m["tabs"]), list(m["windows"])
			return m["kind"] == "tabs" && len(tabs) == 1 && len(windows) == 1 && fits(tabs[0], windows[0])
		}
	}
	inWindow := func(change string) string {
		return fmt.Sprintf("await chrome.windows.update((await chrome.tabs.get(%d)).windowId, {%s})", id, change)
	}
	for _, c := range []struct {
		name, act string
		fits      func(tab, window object) bool
	}{
		{"as it is", "", func(tab, window object) bool {
			return tab["pinned"] == false && tab["audible"] == false && tab["index"] == 1.0 && tab["active"] == true && window["state"] == "normal" && window["type"] == "normal"
		}},
		{"pinned", fmt.Sprintf("await chrome.tabs.update(%d, {pinned: true})", id), func(tab, _ object) bool { return tab["pinned"] == true && tab["index"] == 0.0 }},
		{"unpinned", fmt.Sprintf("await chrome.tabs.update(%d, {pinned: false})", id), func(tab, _ object) bool { return tab["pinned"] == false }},
		{"moved", fmt.Sprintf("await chrome.tabs.move(%d, {index: 1})", id), func(tab, _ object) bool { return tab["index"] == 1.0 }},
		{"zoomed", fmt.Sprintf("await chrome.tabs.setZoom(%d, 1.5)", id), func(tab, _ object) bool { return tab["zoom"] == 1.5 }},
		{"window moved", inWindow("left: 40, top: 30, width: 900, height: 650"), func(_, window object) bool {
			b, _ := window["bounds"].(object)
			return b["x"] == 40.0 && b["y"] == 30.0 && b["width"] == 900.0 && b["height"] == 650.0
		}},
		{"window maximized", inWindow("state: 'maximized'"), func(_, window object) bool { return window["state"] == "maximized" }},
		{"window in full screen", inWindow("state: 'fullscreen'"), func(_, window object) bool { return window["state"] == "fullscreen" }},
		{"window minimized", inWindow("state: 'minimized'"), func(_, window object) bool { return window["state"] == "minimized" }},
		{"window back", inWindow("state: 'normal'"), func(_, window object) bool { return window["state"] == "normal" }},
		{"behind another tab", "await chrome.tabs.create({url: 'about:blank'})", func(tab, _ object) bool { return tab["active"] == false }},
	} {
		if c.act != "" {
			h.forget()
			r.inWorker(c.act, nil)
		}
		h.await(c.name, told(c.fits))
	}

	// Nothing is told of windows without a shared tab.
	h.forget()
	r.inWorker(fmt.Sprintf("await chrome.windows.create({url: %q})", r.site.URL+"/other"), nil)
	r.inWorker(fmt.Sprintf("await chrome.tabs.update(%d, {pinned: true})", id), nil)
	h.await("pinned, with another window", told(func(tab, _ object) bool { return tab["pinned"] == true }))
}
