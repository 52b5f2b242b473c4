package extension_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

const (
	// walkTime is the time that a call has for a page where it says nothing else.
	walkTime = time.Second

	// verifyTime is the same of a question whether a page is as expected.
	verifyTime = 5 * time.Second

	// walkSlack is ten times the half second by which an answer may come later: a busy
	// machine is no failure, a call that hangs is one.
	walkSlack = 5 * time.Second
)

// structured calls a tool, and decodes what it answers for programs.
func (e *installation) structured(agent *mcp.ClientSession, tool string, arguments object, into any) {
	e.t.Helper()
	var answer struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	text := e.call(agent, tool, arguments)
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.IsError {
		e.t.Fatalf("%s: got %.500s, %v", tool, text, err)
	}
	if err := json.Unmarshal(answer.StructuredContent, into); err != nil {
		e.t.Fatalf("%s: got %.500s: %v", tool, text, err)
	}
}

// window gives the address of the one window of which agents are told.
func (e *installation) window(agent *mcp.ClientSession) object {
	e.t.Helper()
	var desk provider.Desk
	if !eventually(func() bool {
		e.structured(agent, "get_accessibility_tree", object{}, &desk)
		return len(desk.Windows) == 1
	}) {
		e.t.Fatalf("got the windows %+v, want one", desk.Windows)
	}
	return object{"pid": desk.Windows[0].PID, "window_id": desk.Windows[0].WindowID}
}

// with is an object with more in it.
func with(of, more object) object {
	all := maps.Clone(of)
	maps.Copy(all, more)
	return all
}

// linksOnScreen gives the words of all links that are on screen, by the page's own
// account.
func (t *tab) linksOnScreen() []string {
	t.rig.t.Helper()
	var words []string
	t.rig.run(t.session, `return [...document.querySelectorAll("a")].filter((a) => {
		const r = a.getBoundingClientRect(), y = (r.top + r.bottom) / 2;
		return y > 0 && y < innerHeight;
	}).map((a) => a.textContent)`, &words)
	return words
}

// missing gives those of the links that a state does not tell of, with frame and token.
func missing(s *provider.State, links []string) []string {
	told := map[string]bool{}
	for _, row := range s.Elements {
		if row.Visible && row.Frame != nil && row.Token != "" {
			told[row.Role+" "+row.Label] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(links), func(l string) bool { return told["link "+l] })
}

// TestLargeWindow reads a page of 30,000 nodes by the tools for windows, over the whole
// way from an agent through host and extension.
func TestLargeWindow(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	page := e.open("/large")
	page.share()
	agent := e.agent()
	at := e.window(agent)
	state := func(what string, arguments object) *provider.State {
		t.Helper()
		s := &provider.State{}
		begun := time.Now()
		e.structured(agent, "get_window_state", with(at, arguments), s)
		took := time.Since(begun)
		limit := walkTime
		if ms, ok := arguments["timeout_ms"].(int); ok {
			limit = time.Duration(ms) * time.Millisecond
		}
		if took > limit+walkSlack {
			t.Errorf("%s: took %v, want at most %v", what, took, limit+walkSlack)
		}
		if arguments["include_accessibility_tree"] == false {
			return s
		}
		if s.Tree == nil {
			t.Fatalf("%s: got %+v, want a tree", what, s)
		}
		t.Logf("%s: %d ms, %d of them walking, %d elements, %d visited, %q %q, picture %v", what, took.Milliseconds(), s.ElapsedMS, s.ElementCount, s.Visited, s.Reason, s.Degraded, s.Screenshot != nil)
		return s
	}
	// expectWhole asks until all that is on screen is told: how often depends on the
	// machine, the time of each call does not.
	expectWhole := func(what string, arguments object) *provider.State {
		t.Helper()
		links := page.linksOnScreen()
		if len(links) < 10 {
			t.Fatalf("%s: only %d links are on screen", what, len(links))
		}
		var s *provider.State
		if !eventually(func() bool { s = state(what, arguments); return len(missing(s, links)) == 0 }) {
			t.Errorf("%s: %q of %d links on screen are not told\n%.2000s", what, missing(s, links), len(links), s.Markdown)
		}
		if !s.Truncated || s.Complete || s.Reason == "" || s.Pending != nil && *s.Pending == 0 {
			t.Errorf("%s: got truncated %v for %q, complete %v, pending %v; want it told that this is not all", what, s.Truncated, s.Reason, s.Complete, s.Pending)
		}
		return s
	}

	cold := state("cold", object{})
	if cold.Viewport == nil || cold.Viewport.Width == 0 || !cold.Truncated || cold.Complete || cold.Degraded == "" && !strings.Contains(cold.Markdown, "Large page") {
		t.Errorf("cold: got %q, truncated %v, complete %v, viewport %+v\n%.1000s", cold.Degraded, cold.Truncated, cold.Complete, cold.Viewport, cold.Markdown)
	}
	expectWhole("after that", object{})
	warm := expectWhole("warm", object{})
	state("in a tenth of a second", object{"timeout_ms": 100})
	small := state("few nodes", object{"max_elements": 300, "include_screenshot": false})
	if small.Visited != 300 || small.Reason != provider.TruncatedNodes {
		t.Errorf("few nodes: got %d visited, %q", small.Visited, small.Reason)
	}
	page.session.Go(e.ctx, "Runtime.evaluate", object{"expression": "scrollTo(0, 1e7)"})
	if !eventually(func() bool { return slices.Contains(page.linksOnScreen(), fmt.Sprintf("Tool %d", rows-1)) }) {
		t.Fatal("the page does not scroll")
	}
	last := expectWhole("at the end", object{})
	if first := []string{"Tool 0"}; len(missing(warm, first)) > 0 || len(missing(last, first)) == 0 {
		t.Errorf("the first link is told to be on screen: %v, and at the end %v; want true, false", len(missing(warm, first)) == 0, len(missing(last, first)) == 0)
	}

	// A token of the newest answer names its element to verify_state, until the next.
	named := func(s *provider.State) string {
		for _, row := range s.Elements {
			if row.Label == fmt.Sprintf("Tool %d", rows-1) {
				return row.Token
			}
		}
		return ""
	}
	if !eventually(func() bool { last = state("for a token", object{}); return named(last) != "" }) {
		t.Fatalf("there is no last link in\n%.2000s", last.Markdown)
	}
	verifyFor := func(expect object, ms int) *provider.Verdict {
		t.Helper()
		v := &provider.Verdict{}
		e.structured(agent, "verify_state", with(at, object{"expect": []object{expect}, "timeout_ms": ms, "stable_samples": 1}), v)
		t.Logf("verified: %s in %d ms, %d samples", v.Status, v.ElapsedMS, v.Samples)
		return v
	}
	old := named(last)
	byToken := func(token string) object {
		return object{"element": object{"selector": object{"element_token": token}, "exists": true}}
	}
	// How often it takes depends on the machine, which may not read all in time.
	verify := func(expect object) (v *provider.Verdict) {
		t.Helper()
		eventually(func() bool { v = verifyFor(expect, 10_000); return v.Status != provider.Unknown })
		return v
	}
	if v := verify(byToken(old)); v.Status != provider.Satisfied {
		t.Errorf("by its token: got %+v", v)
	}
	if next := state("another", object{}); named(next) == old || !slices.Contains(next.Invalidated, last.SnapshotID) {
		t.Errorf("another: got %s, ending %v; want it to end %s", next.SnapshotID, next.Invalidated, last.SnapshotID)
	}
	if v := verifyFor(byToken(old), 0); v.Status != provider.Unknown {
		t.Errorf("by a token that has ended: got %+v", v)
	}
	// The whole page is searched, on screen or not.
	if v := verify(object{"element": object{"selector": object{"role": "link", "label_contains": "Tool 1000"}, "count": 1}}); v.Status != provider.Satisfied {
		t.Errorf("in the middle of the page: got %+v", v)
	}
	// As it is asked without saying more: two samples, the second of which finds the page
	// to be still the same.
	var usual provider.Verdict
	if !eventually(func() bool {
		usual = provider.Verdict{}
		begun := time.Now()
		e.structured(agent, "verify_state", with(at, object{"expect": []object{{"element": object{"selector": object{"label_contains": "Tool 1000"}, "exists": true}}}}), &usual)
		took := time.Since(begun)
		t.Logf("by default: %s in %d ms, %d samples", usual.Status, took.Milliseconds(), usual.Samples)
		if took > verifyTime+walkSlack {
			t.Errorf("by default: took %v, want at most %v", took, verifyTime+walkSlack)
		}
		return usual.Status == provider.Satisfied
	}) || usual.Samples < 2 {
		t.Errorf("by default: got %+v, want it satisfied by two samples", usual)
	}

	var before, after provider.Regions
	var shot *provider.State
	// What is in a picture is told where there was time for it.
	if !eventually(func() bool {
		shot = state("a picture", object{"include_accessibility_tree": false, "timeout_ms": 5000})
		if shot.Screenshot == nil || shot.CaptureID == "" || shot.Screenshot.Width == 0 {
			return false
		}
		before = provider.Regions{}
		e.structured(agent, "parse_visual_regions", object{"capture_id": shot.CaptureID}, &before)
		return len(before.Warnings) == 0
	}) {
		t.Fatalf("got no picture, or not what is in it: %+v, %v", shot.PictureError, before.Warnings)
	}
	words := func(r *provider.Regions) []string {
		var all []string
		for _, region := range r.Regions {
			if region.Text != nil {
				all = append(all, *region.Text)
			}
		}
		return all
	}
	if left := slices.DeleteFunc(page.linksOnScreen(), func(l string) bool { return slices.Contains(words(&before), l) }); len(left) > 0 {
		t.Errorf("in the picture: %q are not told among %q", left, words(&before))
	}
	page.session.Go(e.ctx, "Runtime.evaluate", object{"expression": "document.body.textContent = 'Nothing of it'"})
	if !eventually(func() bool { return len(page.linksOnScreen()) == 0 }) {
		t.Fatal("the page does not change")
	}
	e.structured(agent, "parse_visual_regions", object{"capture_id": shot.CaptureID}, &after)
	if !slices.Equal(words(&before), words(&after)) || after.Capture != before.Capture {
		t.Errorf("the page changed, and with it what the capture shows: %q, then %q", words(&before), words(&after))
	}
}

// TestStuckWindow asks about a page whose script does not end, over the whole way.
func TestStuckWindow(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	page := e.open("/one")
	page.share()
	agent := e.agent()
	at := e.window(agent)
	page.session.Go(e.ctx, "Runtime.evaluate", object{"expression": "setTimeout(() => { const end = Date.now() + 120000; while (Date.now() < end); })"})
	for _, ms := range []int{100, 1000} {
		limit := time.Duration(ms) * time.Millisecond
		begun := time.Now()
		s := &provider.State{}
		e.structured(agent, "get_window_state", with(at, object{"timeout_ms": ms}), s)
		if took := time.Since(begun); took > limit+walkSlack || s.Degraded != provider.DegradedUnresolved || s.Detail != provider.ProblemUnresponsive || len(s.Elements) > 0 {
			t.Errorf("in %v: got after %v %+v, want it told that the page does not answer", limit, took, s)
		}
		begun = time.Now()
		v := &provider.Verdict{}
		e.structured(agent, "verify_state", with(at, object{"timeout_ms": ms, "expect": []object{{"element": object{"selector": object{"role": "heading"}, "exists": true}}}}), v)
		if took := time.Since(begun); took > limit+walkSlack || v.Status != provider.Unknown {
			t.Errorf("in %v: verified after %v %+v, want it unknown", limit, took, v)
		}
	}
}
