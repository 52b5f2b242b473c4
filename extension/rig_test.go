package extension_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// nowhere lets a browser reach nothing but this machine.
const nowhere = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// A rig is a browser with the extension, a web site, and the place at which the hosts
// that the browser starts report.
type rig struct {
	t       testing.TB
	ctx     context.Context
	browser *cdp.Browser
	site    *httptest.Server
	hosts   net.Listener
	options rigOptions
	folder  string // of the extension
}

// rigOptions say what is different in a rig.
type rigOptions struct {
	profile string   // kept; else one that is removed with the rig
	others  []string // folders of other extensions
	args    []string // more switches for the browser
	leave   bool     // its user gave leave to look into all sites by scripts
	noHost  bool     // no host is registered
	headful bool     // windows are shown
	site    *httptest.Server
	url     string // what the browser is started with, else /start of the site
}

// newRig starts all that; it ends with the test.
func newRig(t testing.TB, o rigOptions) *rig {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows finds hosts by its registry, which a test leaves alone")
	}
	r := &rig{t: t, ctx: t.Context(), options: o, site: o.site, folder: t.TempDir()}
	if err := installed(r.folder, o.leave); err != nil {
		t.Fatal(err)
	}
	if r.site == nil {
		r.site = httptest.NewServer(http.HandlerFunc(serve))
		t.Cleanup(r.site.Close)
	}
	if r.options.profile == "" {
		dir, err := os.MkdirTemp("", "wx")
		if err != nil {
			t.Fatal(err)
		}
		// The browser is closed by then: cleanups run from the last to the first.
		t.Cleanup(func() { removeAll(t, dir) })
		r.options.profile = dir
	}
	if !o.noHost {
		r.register()
	}
	r.start()
	return r
}

// whole leaves a test out of the short run.
func whole(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is part of the whole run: each test starts a browser")
	}
}

// removeAll removes a folder in which dying processes may still write.
func removeAll(t testing.TB, dir string) {
	var err error
	if !eventually(func() bool { err = os.RemoveAll(dir); return err == nil }) {
		t.Errorf("removing a profile: %v", err)
	}
}

// eventually waits until the condition holds, and reports whether it came to.
func eventually(condition func() bool) bool {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

// start starts the browser.
func (r *rig) start() {
	r.t.Helper()
	var err error
	url := r.options.url
	if url == "" {
		url = r.site.URL + "/start"
	}
	r.browser, err = cdp.Launch(r.ctx, cdp.LaunchOptions{
		Headful: r.options.headful, Extensions: append([]string{r.folder}, r.options.others...), Profile: r.options.profile, HostRules: nowhere,
		URL: url, Width: 1000, Height: 700, Args: r.options.args,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	b := r.browser
	r.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			r.t.Errorf("closing the browser: %v", err)
		}
	})
}

// installed copies the extension as it is installed, with our script beside it. Chrome
// asks its user for leave to look into sites by scripts in a window of its own, where a
// test has no mouse: with leave the copy has what else it asks for.
func installed(dir string, leave bool) error {
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "world.js"), []byte(cdp.WorldScript()), 0o600); err != nil || !leave {
		return err
	}
	path := filepath.Join(dir, "manifest.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte(`"optional_host_permissions"`), []byte(`"host_permissions"`), 1)
	return os.WriteFile(path, text, 0o600)
}

// register has Chrome find the test binary as the host.
func (r *rig) register() {
	r.t.Helper()
	dir := r.options.profile
	socket := filepath.Join(dir, "host.sock")
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	if r.hosts, err = net.Listen("unix", socket); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { r.hosts.Close() })
	script := filepath.Join(dir, "host.sh")
	text := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s'\n", socketVariable, socket, self)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
	manifest, err := json.Marshal(object{"name": "com.webarea.host", "description": "test", "path": script, "type": "stdio", "allowed_origins": []string{origin}})
	if err != nil {
		r.t.Fatal(err)
	}
	folder := filepath.Join(dir, "NativeMessagingHosts")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "com.webarea.host.json"), manifest, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// host gives the next host that the browser starts.
func (r *rig) host() *host {
	r.t.Helper()
	if err := r.hosts.(*net.UnixListener).SetDeadline(time.Now().Add(patience)); err != nil {
		r.t.Fatal(err)
	}
	c, err := r.hosts.Accept()
	if err != nil {
		r.t.Fatalf("the browser started no host: %v", err)
	}
	h := newHost(r.t, c)
	r.t.Cleanup(func() { c.Close() })
	return h
}

// greeted gives the next host, after its greeting.
func (r *rig) greeted() *host {
	r.t.Helper()
	h := r.host()
	h.greet()
	return h
}

// sharing gives a rig with one page that is shared, and the host that serves it.
func sharing(t *testing.T) (*rig, *host, *tab) {
	t.Helper()
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	h.awaitAttached(page.url)
	return r, h, page
}

// serve is the site: /start and any other page with its path as title; /x.pdf a PDF;
// /frame?u=… a page with a frame; /text?html=… what it is told, in base64.
func serve(w http.ResponseWriter, q *http.Request) {
	switch {
	case strings.HasSuffix(q.URL.Path, ".pdf"):
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
			"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF")
	case q.URL.Path == "/text":
		text, err := base64.URLEncoding.DecodeString(q.URL.Query().Get("html"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = w.Write(text)
	case q.URL.Path == "/large":
		table(w, rows)
	case q.URL.Path == "/middle":
		table(w, rows/10)
	case q.URL.Path == "/long":
		longPage(w)
	case q.URL.Path == "/frame":
		fmt.Fprintf(w, "<!doctype html><title>Frame</title><p>Around</p><iframe src=%q></iframe>", q.URL.Query().Get("u"))
	default:
		fmt.Fprintf(w, "<!doctype html><title>Page %s</title><h1>Words of %[1]s</h1><p>More words.</p>", q.URL.Path)
	}
}

// targets gives all that the browser has.
func (r *rig) targets() []target.Info {
	r.t.Helper()
	var got struct {
		Infos []target.Info `json:"targetInfos"`
	}
	if err := r.browser.Conn.Browser().Call(r.ctx, "Target.getTargets", object{"filter": []object{{}}}, &got); err != nil {
		r.t.Fatal(err)
	}
	return got.Infos
}

// awaitTarget waits for a target and attaches to it.
func (r *rig) awaitTarget(what string, fits func(target.Info) bool) (*cdp.Session, target.ID) {
	r.t.Helper()
	var found target.ID
	ok := eventually(func() bool {
		for _, info := range r.targets() {
			if fits(info) {
				found = info.TargetID
				return true
			}
		}
		return false
	})
	if !ok {
		r.t.Fatalf("there is no %s among %v", what, r.targets())
	}
	return r.attach(found), found
}

// attach attaches to a target.
func (r *rig) attach(id target.ID) *cdp.Session {
	r.t.Helper()
	var at struct {
		SessionID target.SessionID `json:"sessionId"`
	}
	if err := r.browser.Conn.Browser().Call(r.ctx, "Target.attachToTarget", object{"targetId": id, "flatten": true}, &at); err != nil {
		r.t.Fatal(err)
	}
	return r.browser.Conn.Session(at.SessionID)
}

func isWorker(t target.Info) bool {
	return t.Type == "service_worker" && t.URL == origin+"worker.js"
}

// inWorker runs a script in the extension's worker and decodes its value: what only
// the test does, such as opening the popup without a mouse on Chrome's own button.
func (r *rig) inWorker(script string, result any) {
	r.t.Helper()
	s, _ := r.awaitTarget("worker", isWorker)
	r.run(s, script, result)
	r.detach(s)
}

// detach lets go of a target.
func (r *rig) detach(s *cdp.Session) {
	r.t.Helper()
	if err := r.browser.Conn.Browser().Call(r.ctx, "Target.detachFromTarget", object{"sessionId": s.ID()}, nil); err != nil {
		r.t.Fatal(err)
	}
}

// run runs the body of an async function somewhere.
func (r *rig) run(s *cdp.Session, script string, result any) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	if result == nil {
		script, result = script+"; return null", new(any)
	}
	if err := driver.Value(ctx, s, "(async () => {"+script+"})()", result); err != nil {
		r.t.Fatalf("running %s: %v", script, err)
	}
}

// A tab is a tab of the browser's window.
type tab struct {
	rig     *rig
	session *cdp.Session
	target  target.ID
	url     string
}

// open opens a tab in front with a page of the site.
func (r *rig) open(path string) *tab {
	r.t.Helper()
	return r.openURL(r.site.URL + path)
}

func (r *rig) openURL(url string) *tab {
	r.t.Helper()
	var made struct {
		ID target.ID `json:"targetId"`
	}
	if err := r.browser.Conn.Browser().Call(r.ctx, "Target.createTarget", object{"url": url}, &made); err != nil {
		r.t.Fatal(err)
	}
	t := &tab{rig: r, session: r.attach(made.ID), target: made.ID, url: url}
	there := eventually(func() bool {
		return slices.ContainsFunc(r.targets(), func(i target.Info) bool { return i.TargetID == made.ID && i.URL == url })
	})
	if !there {
		r.t.Fatalf("%s does not open: there is %v", url, r.targets())
	}
	return t
}

// front brings the tab in front.
func (t *tab) front() {
	t.rig.t.Helper()
	if err := t.rig.browser.Conn.Browser().Call(t.rig.ctx, "Target.activateTarget", object{"targetId": t.target}, nil); err != nil {
		t.rig.t.Fatal(err)
	}
}

// goTo has the tab go to an address.
func (t *tab) goTo(url string) {
	t.rig.t.Helper()
	if err := t.session.Call(t.rig.ctx, "Page.navigate", object{"url": url}, nil); err != nil {
		t.rig.t.Fatal(err)
	}
}

// close closes the tab.
func (t *tab) close() {
	t.rig.t.Helper()
	if err := t.rig.browser.Conn.Browser().Call(t.rig.ctx, "Target.closeTarget", object{"targetId": t.target}, nil); err != nil {
		t.rig.t.Fatal(err)
	}
}

// id gives Chrome's number of the tab, by its address.
func (t *tab) id() int {
	t.rig.t.Helper()
	var n float64
	known := eventually(func() bool {
		t.rig.inWorker(fmt.Sprintf("return (await chrome.tabs.query({})).find((t) => t.url === %q)?.id ?? 0", t.url), &n)
		return n != 0
	})
	if !known {
		t.rig.t.Fatalf("there is no tab with %s", t.url)
	}
	return int(n)
}

// share shares the tab by a click in the popup.
func (t *tab) share() {
	t.rig.t.Helper()
	p := t.popup()
	p.click("#share")
	p.awaitGone("#share")
	p.close()
}

// popup opens the popup over the tab.
func (t *tab) popup() *surface {
	t.rig.t.Helper()
	t.front()
	return t.rig.popup()
}

// configure changes what the user may on Chrome's page of extensions, which loads the
// extension anew.
func (r *rig) configure(what string) {
	r.t.Helper()
	settings := r.openURL("chrome://extensions/")
	ready := eventually(func() bool {
		var yes bool
		ctx, cancel := context.WithTimeout(r.ctx, patience)
		defer cancel()
		return driver.Value(ctx, settings.session, "Boolean(globalThis.chrome?.developerPrivate)", &yes) == nil && yes
	})
	if !ready {
		r.t.Fatal("Chrome's page of extensions does not open")
	}
	// One that is not from the store stays switched on in developer mode alone.
	r.run(settings.session, fmt.Sprintf("await new Promise((done) => chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true}, done)); "+
		"await new Promise((done) => chrome.developerPrivate.updateExtensionConfiguration({extensionId: %q, %s}, done))", id, what), nil)
}

// badge gives what is written on our button in a tab.
func (r *rig) badge(id int) string {
	r.t.Helper()
	var text string
	r.inWorker(fmt.Sprintf("return await chrome.action.getBadgeText({tabId: %d})", id), &text)
	return text
}

// awaitDetached waits until our debugger is off a tab.
func (r *rig) awaitDetached(id int) {
	r.t.Helper()
	var said string
	ok := eventually(func() bool {
		r.inWorker(fmt.Sprintf("try { await chrome.debugger.sendCommand({tabId: %d}, 'Page.getFrameTree'); return 'attached' } catch (e) { return e.message }", id), &said)
		return strings.Contains(said, "not attached")
	})
	if !ok {
		r.t.Fatalf("the debugger is on tab %d still: %s", id, said)
	}
}

// killWorker ends the extension's worker, as Chrome does when it likes.
func (r *rig) killWorker() {
	r.t.Helper()
	for _, i := range r.targets() {
		if isWorker(i) {
			if err := r.browser.Conn.Browser().Call(r.ctx, "Target.closeTarget", object{"targetId": i.TargetID}, nil); err != nil {
				r.t.Fatal(err)
			}
			return
		}
	}
	r.t.Fatal("there is no worker to kill")
}

// settled is how long a second host would take at most to report.
const settled = 2 * time.Second

// noMoreHosts holds that the browser has started no host but those that were taken.
func (r *rig) noMoreHosts() {
	r.t.Helper()
	if err := r.hosts.(*net.UnixListener).SetDeadline(time.Now().Add(settled)); err != nil {
		r.t.Fatal(err)
	}
	if c, err := r.hosts.Accept(); err == nil {
		c.Close()
		r.t.Error("there is a second host")
	}
}

// port gives the site's.
func (r *rig) port() string {
	_, port, _ := strings.Cut(strings.TrimPrefix(r.site.URL, "http://"), ":")
	return port
}
