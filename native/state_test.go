package native

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// What is told of a window through the relay is what is told directly.
func TestWindowState(t *testing.T) {
	tab := open(t, "/")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.share()
	a := e.connect("an agent")
	e.attach("1.1", tab.Target)
	e.share(shared("1.1", 1))
	a.await("the page can be read", func(a *elements.Answer) bool { return problemOf(a) == nil })

	text, code := a.call("get_accessibility_tree", map[string]any{})
	var desk provider.Desk
	if err := json.Unmarshal(text, &desk); err != nil || code != "" || len(desk.Windows) != 1 || len(desk.Windows[0].Tabs) != 1 {
		t.Fatalf("got %s, %v", text, err)
	}
	w := desk.Windows[0]
	if w.WindowID != 1 || w.Title == nil || *w.Title != "Bread at home" || w.Bounds == nil || w.Bounds.Width != 800 || w.ZIndex == nil || !w.Focused || w.Tabs[0].Pinned == nil || *w.Tabs[0].Pinned {
		t.Errorf("got the window %s", text)
	}
	if want, _ := parentBrowser(); w.PID != int64(want) || w.PID == int64(os.Getpid()) {
		t.Errorf("got the process %d, want %d", w.PID, want)
	}

	direct := provider.New("Chromium")
	defer direct.Close()
	if _, err := direct.Share(t.Context(), browser.it.Conn, tab.Target); err != nil {
		t.Fatal(err)
	}
	at, err := direct.Desk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := direct.State(t.Context(), provider.StateQuery{
		WindowAddress: provider.WindowAddress{PID: at.Windows[0].PID, Window: at.Windows[0].WindowID}, Tree: true, MaxElements: 2000, MaxDepth: 25, Timeout: patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	address := map[string]any{"pid": w.PID, "window_id": w.WindowID}
	with := func(more map[string]any) map[string]any {
		for k, v := range address {
			more[k] = v
		}
		return more
	}
	text, code = a.call("get_window_state", with(map[string]any{"timeout_ms": 20000}))
	var got provider.State
	if err := json.Unmarshal(text, &got); err != nil || code != "" {
		t.Fatalf("got %s, %v", text, err)
	}
	if got.Markdown != want.Markdown || !got.Complete || !want.Complete {
		t.Errorf("got, complete %v\n%s\nwant, complete %v\n%s", got.Complete, got.Markdown, want.Complete, want.Markdown)
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("the secret is told")
	}
	if got.Screenshot == nil || got.CaptureID == "" {
		t.Fatalf("there is no picture: %+v", got.PictureError)
	}
	text, code = a.call("verify_state", with(map[string]any{"expect": []any{map[string]any{"element": map[string]any{"selector": map[string]any{"role": "link"}, "count": 1}}}}))
	if code != "" || !strings.Contains(string(text), `"status":"satisfied"`) {
		t.Errorf("got %s", text)
	}
	text, code = a.call("parse_visual_regions", map[string]any{"capture_id": got.CaptureID})
	if code != "" || !strings.Contains(string(text), `"text":"Words of the frame."`) {
		t.Errorf("got %s", text)
	}
	if _, code = a.call("get_window_state", with(map[string]any{"screenshot_out_file": t.TempDir() + "/x.png"})); code != "not_supported_here" {
		t.Errorf("a file of the host's: got %q", code)
	}

	// What the user stops to share is told of no more, not even from what was captured.
	e.share()
	for tool, arguments := range map[string]map[string]any{
		"get_window_state": with(map[string]any{}), "verify_state": with(map[string]any{"tab_id": got.TabID, "expect": []any{map[string]any{}}}),
		"parse_visual_regions": {"capture_id": got.CaptureID},
	} {
		if text, code := a.call(tool, arguments); code == "" && !strings.Contains(string(text), "unknown") || strings.Contains(string(text), "Bread") {
			t.Errorf("%s of what is not shared: got %s", tool, text)
		}
	}
	if text, _ := a.call("get_accessibility_tree", map[string]any{}); fmt.Sprint(string(text)) != `{"browsers":[],"windows":[]}` {
		t.Errorf("nothing is shared: got %s", text)
	}
}
