package extension_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// axe gives the text of axe-core, which npm brings; where that cannot be had, why.
var axe = sync.OnceValues(func() (script, missing string) {
	out, err := exec.Command("../.ci/modules").Output()
	said := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Sprintf("axe-core is not there: %s (%v)", said, err)
	}
	text, err := os.ReadFile(filepath.Join(said, "axe-core", "axe.min.js"))
	if err != nil {
		return "", err.Error()
	}
	return string(text), ""
})

// judge has axe-core look at the page, in light and in dark.
func (p *surface) judge(name string) {
	p.rig.t.Helper()
	script, missing := axe()
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		p.picture(name + " " + scheme)
		if missing != "" {
			continue
		}
		var found string
		p.rig.run(p.session, script+"\n; const got = await axe.run(document, {resultTypes: ['violations', 'incomplete']});"+
			// What is scrolled out of its box is judged when it is in view.
			"const seen = (v) => v.nodes.filter((n) => n.any[0]?.data?.messageKey !== 'elmPartiallyObscured');"+
			"return JSON.stringify([...got.violations, ...got.incomplete].filter((v) => seen(v).length > 0)"+
			".map((v) => [v.id, v.help, seen(v).slice(0, 3).map((n) => n.html + ' ' + (n.any[0]?.message ?? ''))]))", &found)
		if found != "[]" {
			p.rig.t.Errorf("%s, %s: axe-core finds %s", name, scheme, found)
		}
	}
	p.scheme("")
	if missing != "" {
		p.rig.t.Skipf("%s was not looked at: %s", name, missing)
	}
}

func TestPopupLooks(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	p := page.popup()
	p.awaitText("This tab is not shared.")
	p.judge("popup, not shared")
	p.click("#share")
	p.awaitText("Agents can see this tab.")
	h.send(object{"kind": "agents", "agents": []object{{"id": 1, "name": "Test agent", "version": "1.2"}}})
	p.awaitText("One agent is connected: Test agent")
	p.judge("popup, shared")
	p.close()
	page.goTo(strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/private")
	h.awaitTabs("a paused tab", func(tabs []object) bool { return len(tabs) == 1 && tabs[0]["state"] == "paused" })
	p = page.popup()
	p.awaitText("Sharing is paused")
	p.judge("popup, paused")
}

func TestPopupWithoutHostLooks(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{noHost: true})
	p := r.open("/one").popup()
	p.awaitText("webarea install")
	p.judge("popup, no host")
}

// The popup by keyboard alone: share, stop.
func TestPopupByKeyboard(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	p := page.popup()
	p.awaitText("This tab is not shared.")
	p.goToByTab("share")
	p.press("Enter")
	p.awaitText("Agents can see this tab.")
	p.await("document.activeElement.id === 'stop'")
	h.awaitAttached(page.url)
	p.goToByTab("everything")
	p.goToByTab("panel")
	p.goToByTab("options")
	p.goToByTab("stop")
	p.press(" ")
	p.awaitText("This tab is not shared.")
	p.await("document.activeElement.id === 'share'")
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
}

// goToByTab presses Tab until an element has the keyboard.
func (p *surface) goToByTab(id string) {
	p.rig.t.Helper()
	var met []string
	for range 20 {
		var at string
		p.rig.run(p.session, "return document.activeElement?.id ?? ''", &at)
		if at == id {
			return
		}
		met = append(met, at)
		p.press("Tab")
	}
	p.rig.t.Fatalf("Tab does not lead to %s, but through %q", id, met)
}

func TestOptionsLook(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	o := r.page("options/options.html")
	o.awaitText("No site is always shared.")
	o.judge("options, none")
	o.close()
	for _, host := range []string{"127.0.0.1", "localhost"} {
		page := r.openURL(fmt.Sprintf("http://%s:%s/one", host, r.port()))
		p := page.popup()
		p.click("#always")
		p.awaitText("You always share")
		p.close()
		h.awaitAttached(page.url)
	}
	o = r.page("options/options.html")
	o.awaitText("http://localhost:" + r.port())
	o.judge("options, two sites")
	// By keyboard alone; the keyboard is not lost with the entry that it was on.
	o.press("Tab")
	o.press("Enter")
	o.awaitText("is no longer shared.")
	o.await("document.querySelectorAll('#sites li').length === 1 && document.activeElement.closest('#sites')")
	o.goToByTab("all")
	o.press("Enter")
	o.awaitText("No site is always shared any more.")
	h.awaitTabs("no tab", func(tabs []object) bool { return len(tabs) == 0 })
}

// outline is what the host of the test says that agents get.
const outline = "Application: Chromium\n  Window focused: /one\n    Document focused: Page /one\n      Heading: Words of /one\n      Text hovered: More words,\n        on two lines"

// outlineLines are the elements that its lines tell of.
var outlineLines = []object{{"id": "a", "depth": 0}, {"id": "w", "depth": 1}, {"id": "d", "depth": 2}, {"id": "h", "depth": 3}, {"id": "t", "depth": 3}, {"id": "t", "depth": 3}}

func TestPanel(t *testing.T) {
	r, h, _ := sharing(t)
	h.send(object{"kind": "agents", "agents": []object{{"id": 1, "name": "Test agent", "version": "1.2"}, {"id": 2, "name": "Other", "version": "3"}}})
	for i := range 205 {
		h.send(object{"kind": "read", "at": 1_800_000_000_000 + i, "agent": "Test agent", "tool": "get_elements", "what": fmt.Sprintf("pointing %d", i), "bytes": 1234, "ms": 5, "outcome": "ok"})
	}
	h.send(object{"kind": "read", "at": 1_800_000_001_000, "agent": "Other", "tool": "locate", "what": "x1", "bytes": 10, "ms": 5, "outcome": "tab_not_shared"})

	panel := r.page("sidepanel/sidepanel.html")
	h.await("a watch", func(m object) bool { return m["kind"] == "watch" && m["on"] == true })
	h.answerAsk("outline", object{"text": outline, "bytes": len(outline), "lines": outlineLines})
	panel.awaitText("Heading: Words of /one")
	panel.awaitText("Test agent 1.2")
	panel.awaitText("locate · x1 · tab_not_shared")
	var rows float64
	r.run(panel.session, "return document.querySelectorAll('#reads tr').length", &rows)
	if rows != 200 {
		t.Errorf("%v reads are shown, want the last 200", rows)
	}

	// A change brings another outline.
	h.send(object{"kind": "changed"})
	h.answerAsk("outline", object{"text": strings.Replace(outline, "More words", "Other words", 1), "bytes": len(outline), "lines": outlineLines})
	panel.awaitText("Other words")
	// As wide as Chrome makes it.
	panel.width(360)
	panel.judge("panel")

	// By keyboard.
	panel.goToByTab("lines")
	h.awaitPoint("a")
	for range 4 {
		panel.press("ArrowDown")
	}
	h.awaitPoint("t")
	panel.await("document.querySelectorAll('#lines .pointed').length === 2")
	panel.picture("panel, pointing")
	panel.press("Escape")
	h.awaitPoint("")
	panel.press("Home")
	h.forget()

	// By mouse.
	panel.click("#line-3")
	h.awaitPoint("h")
	panel.click("#clear")
	panel.awaitText("Nothing was read yet.")
	h.forget()
	panel.close()
	h.await("the watch's end", func(m object) bool { return m["kind"] == "watch" && m["on"] == false })
}

// The popup leads to the options and to the side panel.
func TestPopupLeads(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.popup().click("#options")
	r.surface("options/options.html")
	p := page.popup()
	p.click("#panel")
	h.await("a watch", func(m object) bool { return m["kind"] == "watch" && m["on"] == true })
}

// Without a host the panel says so.
func TestPanelWithoutHost(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{noHost: true})
	panel := r.page("sidepanel/sidepanel.html")
	panel.awaitText("is not installed for this browser")
	panel.judge("panel, no host")
}

// answerAsk waits for a question of our pages that is not answered yet, and answers it.
func (h *host) answerAsk(what string, result object) {
	h.t.Helper()
	m := h.await("the question "+what, func(m object) bool { return m["kind"] == "ask" && m["what"] == what && m["answered"] == nil })
	h.mark(m)
	h.send(object{"kind": "answer", "id": m["id"], "result": result})
}

// awaitPoint waits until an element is asked to be outlined, and answers all that were.
func (h *host) awaitPoint(element string) {
	h.t.Helper()
	m := h.await(fmt.Sprintf("point %q", element), func(m object) bool {
		return m["kind"] == "ask" && m["what"] == "point" && m["element"] == element && m["answered"] == nil
	})
	h.mark(m)
	h.send(object{"kind": "answer", "id": m["id"], "result": object{}})
}

// mark notes that a question was answered.
func (h *host) mark(m object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m["answered"] = true
}

// patterns find the messages that a file names.
var patterns = []*regexp.Regexp{
	regexp.MustCompile(`data-(?:words|label)="(\w+)"`),
	regexp.MustCompile(`(?:words|getMessage)\(\s*"(\w+)"`),
	regexp.MustCompile(`__MSG_(\w+)__`),
}

// made are the messages whose names are put together: the beginning, and the file that
// has the ends as words of its own.
var made = map[string]string{"host_": "relay.js", "problem_": "debuggee.js sharing.js"}

// The extension has no words of its own: all are in _locales, and none is there for
// nothing.
func TestWords(t *testing.T) {
	raw, err := os.ReadFile("_locales/en/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var messages map[string]object
	if err := json.Unmarshal(raw, &messages); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, pattern := range []string{"*.js", "*.json", "*/*.js", "*/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
		}
	}
	var all strings.Builder
	for file, text := range texts {
		all.WriteString(text)
		for _, pattern := range patterns {
			for _, found := range pattern.FindAllStringSubmatch(text, -1) {
				if messages[found[1]] == nil {
					t.Errorf("%s: there is no message %q", file, found[1])
				}
			}
		}
	}
	for name := range messages {
		used := strings.Contains(all.String(), `"`+name+`"`) || strings.Contains(all.String(), "__MSG_"+name+"__")
		for start, files := range made {
			end, is := strings.CutPrefix(name, start)
			for file := range strings.FieldsSeq(files) {
				used = used || is && strings.Contains(texts[file], `"`+end+`"`)
			}
		}
		if !used {
			t.Errorf("nobody says the message %q", name)
		}
	}
}
