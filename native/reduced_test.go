package native

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// A tab that the debugger does not reach is read, and its picture taken, by the
// extension; what it answers too late, or not, is done without.
func TestReduced(t *testing.T) {
	tab := open(t, "/")
	var tree page.GetFrameTreeResult
	if err := tab.Session.Call(t.Context(), page.CommandGetFrameTree, nil, &tree); err != nil {
		t.Fatal(err)
	}
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	if err := tab.Session.Call(t.Context(), page.CommandCreateIsolatedWorld, map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "stub"}, &world); err != nil {
		t.Fatal(err)
	}
	evaluate := func(script string) json.RawMessage {
		var got struct {
			Result struct {
				Value json.RawMessage `json:"value"`
			} `json:"result"`
		}
		if err := tab.Session.Call(t.Context(), runtime.CommandEvaluate, map[string]any{"expression": script, "contextId": world.ID, "returnByValue": true}, &got); err != nil {
			t.Error(err)
		}
		return got.Result.Value
	}
	evaluate(cdp.WorldScript() + ";0")
	e := startHost(t, browser.it.Conn)
	e.mu.Lock()
	e.answers = true
	e.mu.Unlock()
	e.greet()
	facts := shared("1.1", 1)
	facts["state"], facts["problem"] = "reduced", "other_extension_frame"
	e.share(facts)
	a := e.connect("an agent")

	allowed := true
	reply := func() {
		m := e.next(kindRequest)
		if m["tab"] != "1.1" {
			t.Errorf("got the request %v, want one about the tab", m)
		}
		answer := message{"kind": "answer", "id": m["id"]}
		switch {
		case !allowed:
			answer["error"] = message{"code": "failed", "message": "no leave"}
		case m["what"] == "reduced" && m["function"] == "alone":
			argument, _ := json.Marshal(m["argument"])
			answer["result"] = message{"value": evaluate(fmt.Sprintf("webarea.alone(%s)", argument))}
		case m["what"] == "capture":
			var shot page.CaptureScreenshotResult
			if err := tab.Session.Call(t.Context(), page.CommandCaptureScreenshot, nil, &shot); err != nil {
				t.Error(err)
			}
			answer["result"] = message{"data": shot.Data}
		default:
			t.Errorf("got the request %v", m)
		}
		e.say(answer)
	}
	ask := func(tool string, args map[string]any) (string, string) {
		type result struct{ text, code string }
		done := make(chan result, 1)
		go func() {
			text, code := a.call(tool, args)
			done <- result{string(text), code}
		}()
		reply()
		r := <-done
		return r.text, r.code
	}
	text, code := ask("get_elements", map[string]any{"scope": "page", "images": "none"})
	if code != "" || !strings.Contains(text, `"problem":"reduced"`) || !strings.Contains(text, "rye flour") || strings.Contains(text, "hunter2") {
		t.Errorf("got %s, want the page's words, without its secret, and that it is reduced", text)
	}
	answer, err := elements.Decode(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	document := answer.Root.Children[0].Children[0].Children[0]
	if text, code := ask("capture_element", map[string]any{"id": document.ID}); code != "" || !strings.Contains(text, `"mime_type":"image/png"`) {
		t.Errorf("a picture: got %s", text)
	}
	allowed = false
	if text, code := ask("capture_element", map[string]any{"id": document.ID}); code != string(provider.CodeNoPicture) {
		t.Errorf("a picture without leave: got %s", text)
	}
	if text, code := ask("get_elements", map[string]any{"images": "none"}); code != "" || !strings.Contains(text, `"problem":"reduced"`) || strings.Contains(text, "rye") {
		t.Errorf("without leave: got %s, want the tab alone", text)
	}
	e.share()
	if text, code := a.call("capture_element", map[string]any{"id": document.ID}); code != string(provider.CodeNotShared) {
		t.Errorf("after unsharing: got %s", text)
	}
}
