package extension_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// other makes an extension that is not ours, with a page that others may hold in a
// frame, and gives its folder.
func other(t *testing.T, worker string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"Other","version":"1","background":{"service_worker":"w.js"},"permissions":["tabs","storage","scripting"],"host_permissions":["<all_urls>"],
			"web_accessible_resources":[{"resources":["f.html"],"matches":["<all_urls>"]}]}`,
		"f.html": "<!doctype html><p>Of another extension",
		"w.js":   "chrome.runtime.onInstalled.addListener(() => {});\n" + worker,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// otherOrigin gives the origin of the other extension.
func (r *rig) otherOrigin() string {
	r.t.Helper()
	var found string
	ok := eventually(func() bool {
		for _, i := range r.targets() {
			if i.Type == "service_worker" && strings.HasSuffix(i.URL, "/w.js") {
				found = strings.TrimSuffix(i.URL, "w.js")
				return true
			}
		}
		return false
	})
	if !ok {
		r.t.Fatal("the other extension does not run")
	}
	return found
}

func TestOtherExtensionsFrame(t *testing.T) {
	r := newRig(t, rigOptions{others: []string{other(t, "")}})
	h := r.greeted()
	frame := r.otherOrigin() + "f.html"

	t.Run("there at first", func(t *testing.T) {
		page := r.open("/frame?u=" + frame)
		page.share()
		h.awaitState(page.url, "reduced", "other_extension_frame")
		p := page.popup()
		p.awaitText("Agents can see little of this tab.")
		p.awaitText("Another extension shows something inside this page")
		p.close()
		r.run(page.session, "document.querySelector('iframe').remove()", nil)
		h.awaitAttached(page.url)
		page.close()
	})
	t.Run("added later", func(t *testing.T) {
		page := r.open("/late")
		page.share()
		key := h.awaitAttached(page.url)["tab"].(string)
		r.run(page.session, fmt.Sprintf("const f = document.createElement('iframe'); f.src = %q; document.body.append(f)", frame), nil)
		h.awaitGone(key, "detached")
		told := h.awaitState(page.url, "reduced", "other_extension_frame")
		if told["tab"] == key {
			t.Errorf("the key %s came back", key)
		}
		r.run(page.session, "document.querySelector('iframe').remove()", nil)
		h.forget()
		h.awaitAttached(page.url)
	})
}

// A page that Chrome keeps from extensions is told with title and address alone.
func TestRestricted(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{args: []string{"--host-resolver-rules=" + nowhere + ", MAP chromewebstore.google.com 127.0.0.1:9"}})
	h := r.greeted()
	for _, url := range []string{"chrome://version/", "https://chromewebstore.google.com/"} {
		page := r.openURL(url)
		page.share()
		h.awaitState(url, "unreachable", "restricted_page")
		p := page.popup()
		p.awaitText("Chrome lets no extension look into this page.")
		p.close()
		if got := r.badge(page.id()); got != "!" {
			t.Errorf("the badge says %q, want !", got)
		}
	}
}

func TestFileAccess(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte("<!doctype html><title>File</title><p>Local"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := r.openURL("file://" + file)
	page.share()
	h.awaitAttached(page.url)

	// An extension from the store has no access to files until its user gives it; one
	// that is loaded by a switch has, until it is taken away, which loads it anew.
	r.configure("fileAccess: false")
	h = r.greeted()
	page.share()
	h.awaitState(page.url, "unreachable", "file_access")
	p := page.popup()
	p.awaitText("allow Webarea access to file URLs")
}

func TestPDF(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/x.pdf")
	page.share()
	told := h.awaitState(page.url, "attached", "pdf_viewer")
	key := told["tab"].(string)
	if _, failure := h.call(key, "Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": iframes}); failure != nil {
		t.Errorf("following the frames: %v", failure)
	}
	if _, failure := h.call(key, "Page.captureScreenshot", object{"format": "png"}); failure != nil {
		t.Errorf("a picture: %v", failure)
	}
	p := page.popup()
	p.awaitText("This is a PDF")
	p.close()
	enter(h, key)
	page.goTo(r.site.URL + "/plain")
	h.awaitState(r.site.URL+"/plain", "attached", "")
}

func TestCrash(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	if _, failure := h.call(key, "Inspector.enable", object{}); failure != nil {
		t.Fatal(failure)
	}
	enter(h, key)
	page.session.Go(r.ctx, "Page.crash", object{})
	h.await("the crash", func(m object) bool {
		of, _ := m["m"].(object)
		return of["method"] == "Inspector.targetCrashed"
	})
	h.awaitState(page.url, "attached", "tab_crashed")
	p := page.popup()
	p.awaitText("The page has crashed.")
	p.close()
	h.forget()
	r.inWorker(fmt.Sprintf("await chrome.tabs.reload(%d)", page.id()), nil)
	h.awaitState(page.url, "attached", "")
}

// A tab that sleeps is not woken by being shared.
func TestDiscarded(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	r.open("/two")
	r.inWorker(fmt.Sprintf("await chrome.tabs.discard(%d)", page.id()), nil)
	h.await("the key's end", func(m object) bool {
		said, err := json.Marshal(m["gone"])
		return err == nil && strings.Contains(string(said), key)
	})
	told := h.awaitState(page.url, "unreachable", "tab_discarded")
	if told["discarded"] != true {
		t.Errorf("got %v\nwant it discarded", told)
	}
	h.forget()
	r.inWorker(fmt.Sprintf("await chrome.tabs.update(%d, {active: true})", page.id()), nil)
	h.awaitState(page.url, "attached", "")
}

func TestFrozen(t *testing.T) {
	whole(t)
	r, h, page := sharing(t)
	freeze := func(state string) {
		t.Helper()
		if err := page.session.Call(r.ctx, "Page.setWebLifecycleState", object{"state": state}, nil); err != nil {
			t.Fatal(err)
		}
	}
	r.open("/two")
	freeze("frozen")
	h.awaitState(page.url, "attached", "tab_frozen")
	// Its user wakes it by going there.
	h.forget()
	page.front()
	h.awaitAttached(page.url)
}

// A page that cannot answer, since a dialog is open in it, is attached all the same:
// what is to be said of that the host knows.
func TestDialog(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	if err := page.session.Call(r.ctx, "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	opened, stop := page.session.Subscribe("Page.javascriptDialogOpening")
	defer stop()
	page.session.Go(r.ctx, "Runtime.evaluate", object{"expression": "alert('Wait')"})
	select {
	case <-opened:
	case <-time.After(patience):
		t.Fatal("the dialog does not open")
	}
	r.inWorker(fmt.Sprintf("chrome.contextMenus.onClicked.dispatch({menuItemId: 'share'}, await chrome.tabs.get(%d))", page.id()), nil)
	key := h.awaitAttached(page.url)["tab"].(string)
	if err := page.session.Call(r.ctx, "Page.handleJavaScriptDialog", object{"accept": true}, nil); err != nil {
		t.Fatal(err)
	}
	if got := describe(h, key); got != "Page /one" {
		t.Errorf("the page's world says %q, want its title", got)
	}
}

func TestClosed(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	page.close()
	h.awaitGone(key, "closed")
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
}
