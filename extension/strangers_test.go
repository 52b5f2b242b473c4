package extension_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/target"
)

// A page tries what a page can to reach the extension.
const pageTries = `
	const out = {};
	const paths = ["popup/popup.html", "options/options.html", "sidepanel/sidepanel.html", "worker.js", "manifest.json", "icons/16.png", "popup/popup.html?share=1"];
	for (const p of paths) {
		try { await fetch(BASE + p); out["fetch " + p] = "reached"; } catch { }
		out["image " + p] = await new Promise((done) => { const i = new Image(); i.onload = () => done("reached"); i.onerror = () => done(undefined); i.src = BASE + p; });
		out["script " + p] = await new Promise((done) => { const s = document.createElement("script"); s.onload = () => done("reached"); s.onerror = () => done(undefined); s.src = BASE + p; document.head.append(s); });
	}
	try { await import(BASE + "worker.js"); out["import"] = "reached"; } catch { }
	const f = document.createElement("iframe"); f.src = BASE + "popup/popup.html"; document.body.append(f);
	const w = open(BASE + "popup/popup.html?tab=1&share=1");
	await new Promise((done) => setTimeout(done, 500));
	try { out["frame"] = f.contentDocument?.querySelector("#share") ? "reached" : undefined; } catch { }
	try { out["window"] = w?.document?.querySelector("#share") ? "reached" : undefined; } catch { }
	w?.close(); f.remove();
	const id = BASE.split("/")[2];
	try { out["sendMessage"] = await globalThis.chrome?.runtime?.sendMessage?.(id, {ask: "share", tab: 1}) && "reached"; } catch { }
	try { globalThis.chrome?.runtime?.connect?.(id, {name: "popup"}).postMessage({ask: "share"}); out["connect"] = globalThis.chrome?.runtime?.connect && "reached"; } catch { }
	return JSON.stringify(Object.fromEntries(Object.entries(out).filter(([, v]) => v)));`

// Another extension, with more rights than ours, tries what it can.
const extensionTries = `
	const out = {}, id = BASE.split("/")[2];
	const tabs = await chrome.tabs.query({});
	const wanted = tabs.find((t) => t.url.endsWith("/one")).id;
	const asks = [{ask: "share", tab: wanted}, {ask: "shareSite", tab: wanted}, {kind: "cdp"}, {share: wanted}, "share"];
	for (const ask of asks) try { out["sendMessage " + JSON.stringify(ask)] = (await chrome.runtime.sendMessage(id, ask), "reached"); } catch { }
	for (const name of ["popup", "options", "panel", ""]) {
		out["connect " + name] = await new Promise((done) => {
			const port = chrome.runtime.connect(id, {name});
			port.onDisconnect.addListener(() => { void chrome.runtime.lastError; done(undefined); });
			port.onMessage.addListener(() => done("reached"));
			for (const ask of asks) try { port.postMessage(ask); } catch { }
			setTimeout(() => done("is left open"), 2000);
		});
	}
	for (const p of ["popup/popup.html", "worker.js", "manifest.json"]) try { await fetch(BASE + p); out["fetch " + p] = "reached"; } catch { }
	out["native"] = await new Promise((done) => {
		const port = chrome.runtime.connectNative("com.webarea.host");
		port.onDisconnect.addListener(() => { void chrome.runtime.lastError; done(undefined); });
		port.onMessage.addListener(() => done("reached"));
		port.postMessage({kind: "hello", protocol: 1});
		setTimeout(() => done("is left open"), 2000);
	});
	const opened = await chrome.tabs.create({url: BASE + "popup/popup.html?share=" + wanted, active: false});
	await new Promise((done) => setTimeout(done, 500));
	try { await chrome.scripting.executeScript({target: {tabId: opened.id}, func: () => document.querySelector("#share").click()}); out["script in our page"] = "reached"; } catch { }
	await chrome.storage.local.set({sites: [new URL(tabs.find((t) => t.id === wanted).url).origin], shares: {[wanted]: {site: "x"}}});
	await chrome.storage.session.set({shares: {[wanted]: {site: "x"}}});
	return JSON.stringify(Object.fromEntries(Object.entries(out).filter(([, v]) => v)));`

func TestStrangers(t *testing.T) {
	dir := other(t, "")
	// It may speak to hosts, too, but not to ours.
	path := filepath.Join(dir, "manifest.json")
	var manifest object
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	manifest["permissions"] = []string{"tabs", "storage", "scripting", "nativeMessaging"}
	if raw, err = json.Marshal(manifest); err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, rigOptions{others: []string{dir}})
	h := r.greeted()
	page := r.open("/one")
	base := fmt.Sprintf("const BASE = %q;", origin)

	var reached string
	r.run(page.session, base+pageTries, &reached)
	if reached != "{}" {
		t.Errorf("a page reaches the extension: %s", reached)
	}
	stranger := r.otherOrigin() + "w.js"
	worker, _ := r.awaitTarget("the other worker", func(i target.Info) bool { return i.URL == stranger })
	r.run(worker, base+extensionTries, &reached)
	if reached != "{}" {
		t.Errorf("another extension reaches ours: %s", reached)
	}
	// Our popup, opened in a tab by another, is told nothing and cannot ask.
	popup, _ := r.awaitTarget("the popup in a tab", func(i target.Info) bool {
		return i.Type == "page" && i.URL == fmt.Sprintf("%spopup/popup.html?share=%d", origin, page.id())
	})
	var ready bool
	r.run(popup, "return document.body.dataset.ready === 'yes'", &ready)
	if ready {
		t.Error("the popup works in a tab")
	}
	if n := len(h.await("tabs", kind("tabs"))["tabs"].([]any)); n != 0 || h.heard("/one") {
		t.Errorf("something is shared:\n%s", h.last())
	}
	p := page.popup()
	p.awaitText("This tab is not shared.")
	// A click that is not the user's does nothing.
	r.run(p.session, "document.querySelector('#share').click(); document.querySelector('#always').click(); await new Promise((done) => setTimeout(done, 300))", nil)
	p.awaitText("This tab is not shared.")
	if h.heard("/one") {
		t.Errorf("a script's click shares:\n%s", h.last())
	}
	p.click("#share")
	h.awaitAttached(page.url)
}
