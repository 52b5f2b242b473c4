package extension_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What a read needs is carried out, in the order in which a read does it.
func TestAllowed(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	must := func(method string, params object) object {
		t.Helper()
		result, failure := h.call(key, method, params)
		if failure != nil {
			t.Fatalf("%s: got %v, want it carried out", method, failure)
		}
		return result
	}
	must("Page.enable", object{})
	must("Inspector.enable", object{})
	must("Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": iframes})
	added := must("Page.addScriptToEvaluateOnNewDocument", object{"source": "1", "worldName": "webarea", "runImmediately": true})
	must("Page.removeScriptToEvaluateOnNewDocument", object{"identifier": added["identifier"]})
	must("Runtime.runIfWaitingForDebugger", object{})
	world := enter(h, key)
	said := must("Runtime.callFunctionOn", object{
		"functionDeclaration": "function(o) { return document.querySelector(o) }", "executionContextId": world, "arguments": []object{{"value": "h1"}},
		"objectGroup": "webarea", "serializationOptions": object{"serialization": "deep", "additionalParameters": object{"maxNodeDepth": 0, "includeShadowTree": "all"}},
	})
	node := said["result"].(object)["deepSerializedValue"].(object)["value"].(object)["backendNodeId"]
	resolved := must("DOM.resolveNode", object{"backendNodeId": node, "executionContextId": world, "objectGroup": "webarea"})
	heading := resolved["object"].(object)["objectId"]
	said = must("Runtime.callFunctionOn", object{"functionDeclaration": "function(o) { return this === o && this.textContent }", "objectId": heading, "arguments": []object{{"objectId": heading}}, "returnByValue": true})
	if got, want := said["result"].(object)["value"], "Words of /one"; got != want {
		t.Errorf("the heading says %v, want %q", got, want)
	}
	must("DOM.describeNode", object{"backendNodeId": node, "depth": 0, "pierce": true})
	must("DOM.getContentQuads", object{"backendNodeId": node})
	must("Accessibility.enable", object{})
	must("Accessibility.getPartialAXTree", object{"backendNodeId": node, "fetchRelatives": false})
	must("Accessibility.getFullAXTree", object{})
	must("Accessibility.disable", object{})
	must("Runtime.releaseObjectGroup", object{"objectGroup": "webarea"})
	must("Runtime.releaseObjectGroup", object{"objectGroup": "webarea.12"})
	for _, binding := range []string{"webareaChanged", "webareaRecords"} {
		must("Runtime.addBinding", object{"name": binding, "executionContextName": "webarea"})
		must("Runtime.evaluate", object{"expression": binding + "('now')", "contextId": world, "returnByValue": true})
		h.await("the call of "+binding, func(m object) bool {
			of, _ := m["m"].(object)
			params, _ := of["params"].(object)
			return of["method"] == "Runtime.bindingCalled" && params["name"] == binding
		})
	}
	must("Page.getLayoutMetrics", object{})
	if shot := must("Page.captureScreenshot", object{"format": "png", "optimizeForSpeed": true}); shot["data"] == "" {
		t.Error("the picture is empty")
	}
	must("DOM.enable", object{})
	must("Overlay.enable", object{})
	must("Overlay.highlightQuad", object{"quad": []int{1, 1, 9, 1, 9, 9, 1, 9}, "outlineColor": object{"r": 1, "g": 2, "b": 3, "a": 1}})
	must("Overlay.highlightRect", object{"x": 1, "y": 1, "width": 9, "height": 9})
	must("Overlay.hideHighlight", object{})
	must("Overlay.disable", object{})
	must("DOM.disable", object{})
}

// iframes is the filter that lets frames of other processes in.
var iframes = []object{{"type": "iframe", "exclude": false}, {"exclude": true}}

func TestRefused(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	unshared := r.open("/two")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	world := enter(h, key).(float64)
	tests := []struct {
		method string
		params object
	}{
		{"Input.dispatchMouseEvent", object{"type": "mousePressed", "x": 1, "y": 1}},
		{"Input.dispatchKeyEvent", object{"type": "keyDown"}},
		{"Input.insertText", object{"text": "x"}},
		{"Page.navigate", object{"url": "about:blank"}},
		{"Page.reload", object{}},
		{"Page.close", object{}},
		{"Page.setDocumentContent", object{"frameId": "x", "html": ""}},
		{"Page.handleJavaScriptDialog", object{"accept": true}},
		{"Network.enable", object{}},
		{"Network.getCookies", object{}},
		{"Network.getAllCookies", object{}},
		{"Storage.getCookies", object{}},
		{"Fetch.enable", object{}},
		{"Runtime.enable", object{}},
		{"Debugger.enable", object{}},
		{"Log.enable", object{}},
		{"DOM.getDocument", object{"depth": -1}},
		{"DOM.setAttributeValue", object{"nodeId": 1, "name": "x", "value": "y"}},
		{"DOM.setFileInputFiles", object{"files": []string{"/etc/passwd"}, "backendNodeId": 1}},
		{"Emulation.setDeviceMetricsOverride", object{"width": 1, "height": 1, "deviceScaleFactor": 1, "mobile": false}},
		{"Target.getTargets", object{}},
		{"Target.attachToTarget", object{"targetId": string(unshared.target), "flatten": true}},
		{"Target.createTarget", object{"url": "about:blank"}},
		{"Target.getTargetInfo", object{"targetId": string(unshared.target)}},
		// It tells where a page is about to go.
		{"Target.getTargetInfo", object{}},
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}},
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": []object{{}}}},
		{"Browser.getVersion", object{}},
		{"constructor", object{}},
		{"__proto__", object{}},
		{"toString", object{}},
		{"Page.createIsolatedWorld", object{"frameId": "x", "worldName": "other"}},
		{"Page.createIsolatedWorld", object{"frameId": "x", "worldName": "webarea", "grantUniveralAccess": true}},
		{"Page.addScriptToEvaluateOnNewDocument", object{"source": "1"}},
		{"Page.addScriptToEvaluateOnNewDocument", object{"source": "1", "worldName": ""}},
		{"Page.captureScreenshot", object{"format": "png", "unknown": true}},
		{"Runtime.evaluate", object{"expression": "1"}},
		{"Runtime.evaluate", object{"expression": "1", "contextId": world + 1}},
		{"Runtime.evaluate", object{"expression": "1", "contextId": world - 1}},
		{"Runtime.evaluate", object{"expression": "1", "contextId": fmt.Sprint(world)}},
		{"Runtime.evaluate", object{"expression": "1", "uniqueContextId": "1.1"}},
		{"Runtime.evaluate", object{"expression": "1", "contextId": world, "includeCommandLineAPI": true}},
		{"Runtime.evaluate", object{"expression": "1", "contextId": world, "userGesture": true}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}"}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "executionContextId": world - 1}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "objectId": fmt.Sprintf("1.%v.1", world-1)}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "objectId": fmt.Sprintf("1.%v.1 ", world)}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "executionContextId": world, "objectId": fmt.Sprintf("1.%v.1", world)}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "executionContextId": world, "arguments": []object{{"objectId": "1.1.1"}}}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "executionContextId": world, "userGesture": true}},
		{"Runtime.callFunctionOn", object{"functionDeclaration": "function() {}", "executionContextId": world, "objectGroup": "other"}},
		{"Runtime.releaseObjectGroup", object{"objectGroup": "console"}},
		{"Runtime.releaseObjectGroup", object{"objectGroup": "webarea.x"}},
		{"Runtime.addBinding", object{"name": "webareaChanged"}},
		{"Runtime.addBinding", object{"name": "other", "executionContextName": "webarea"}},
		{"DOM.resolveNode", object{"backendNodeId": 1}},
		{"DOM.resolveNode", object{"backendNodeId": 1, "executionContextId": world - 1}},
		{"Overlay.setInspectMode", object{"mode": "searchForNode", "highlightConfig": object{}}},
	}
	for _, test := range tests {
		result, failure := h.call(key, test.method, test.params)
		if failure == nil || failure["code"] != -32000.0 || !strings.HasPrefix(failure["message"].(string), test.method) {
			t.Errorf("%s %v\ngot  %v %v\nwant a refusal by us", test.method, test.params, result, failure)
		}
	}
	for _, key := range []string{"", "0", "1.1", "constructor"} {
		if _, failure := h.call(key, "Page.getFrameTree", object{}); failure == nil {
			t.Errorf("a command for the tab %q is carried out", key)
		}
	}
	if _, failure := h.callIn(key, "NOSUCHSESSION", "Page.getFrameTree", object{}); failure["code"] != -32001.0 {
		t.Errorf("a command of a session that is not there: got %v, want the code -32001", failure)
	}
	if h.heard(unshared.url) || h.heard("Page /two") {
		t.Errorf("the host was told of a tab that is not shared:\n%s", h.last())
	}
}

// Another process counts its worlds from 1: what was ours before a navigation is not
// ours after it.
func TestRefusedAfterNavigation(t *testing.T) {
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	world := enter(h, key)
	page.goTo(r.site.URL + "/two")
	h.await("a new document", func(m object) bool {
		of, _ := m["m"].(object)
		return of["method"] == "Page.frameNavigated"
	})
	if _, failure := h.call(key, "Runtime.evaluate", object{"expression": "1", "contextId": world, "returnByValue": true}); failure == nil || !strings.Contains(failure["message"].(string), "contextId") {
		t.Errorf("got %v\nwant the old world refused", failure)
	}
	if got := describe(h, key); got != "Page /two" {
		t.Errorf("the page's world says %q, want its title", got)
	}
}

// A frame of another process has a session of its own, with worlds of its own.
func TestFrames(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{args: []string{"--site-per-process"}})
	h := r.greeted()
	inner := strings.Replace(r.site.URL, "127.0.0.1", "localhost", 1) + "/inner"
	page := r.open("/frame?u=" + inner)
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	if _, failure := h.call(key, "Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": iframes}); failure != nil {
		t.Fatal(failure)
	}
	told := h.await("the frame's session", func(m object) bool {
		of, _ := m["m"].(object)
		return of["method"] == "Target.attachedToTarget"
	})["m"].(object)["params"].(object)
	session := told["sessionId"].(string)
	frame := told["targetInfo"].(object)["targetId"]
	world, failure := h.callIn(key, session, "Page.createIsolatedWorld", object{"frameId": frame, "worldName": "webarea"})
	if failure != nil {
		t.Fatal(failure)
	}
	said, failure := h.callIn(key, session, "Runtime.evaluate", object{"expression": "document.title", "contextId": world["executionContextId"], "returnByValue": true})
	if failure != nil {
		t.Fatal(failure)
	}
	if got, want := said["result"].(object)["value"], "Page /inner"; got != want {
		t.Errorf("the frame says %v, want %q", got, want)
	}
	if _, failure := h.callIn(key, session, "Runtime.evaluate", object{"expression": "1"}); failure == nil {
		t.Error("a script runs in the main world of the frame")
	}
}

// A long answer comes in parts, and a long command may.
func TestParts(t *testing.T) {
	whole(t)
	r := newRig(t, rigOptions{})
	h := r.greeted()
	page := r.open("/one")
	page.share()
	key := h.awaitAttached(page.url)["tab"].(string)
	world := enter(h, key)
	said, failure := h.call(key, "Runtime.evaluate", object{"expression": "'\U0001F600'.repeat(10_000_001)", "contextId": world, "returnByValue": true})
	if failure != nil {
		t.Fatal(failure)
	}
	text := said["result"].(object)["value"].(string)
	if got, want := len(text), 4*10_000_001; got != want || strings.Trim(text, "\U0001F600") != "" {
		t.Errorf("got %d bytes that may be others, want %d bytes as they were sent", got, want)
	}
	body := fmt.Sprintf(`{"kind":"cdp","tab":%q,"m":{"id":77,"method":"Runtime.evaluate","params":{"expression":"%s","contextId":%v,"returnByValue":true}}}`, key, "1;"+strings.Repeat(" ", 2_000_000)+"2", world)
	for i, part := range slices.Collect(slices.Chunk([]byte(body), 900_000)) {
		h.send(object{"kind": "part", "of": 5, "last": (i+1)*900_000 >= len(body), "text": string(part)})
	}
	h.await("the answer to a command in parts", func(m object) bool {
		of, _ := m["m"].(object)
		result, _ := of["result"].(object)
		value, _ := result["result"].(object)
		return of["id"] == 77.0 && maps.Equal(value, object{"type": "number", "value": 2.0, "description": "2"})
	})
}
