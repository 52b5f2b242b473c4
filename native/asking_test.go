package native

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// What the extension's own pages ask, about what agents are told and who they are.
func TestAsking(t *testing.T) {
	tab := open(t, "/")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.share(shared("1.1", 1))

	if answer := e.ask(1, "agents", nil); fmt.Sprint(answer["result"]) != "map[agents:[]]" {
		t.Errorf("nobody is connected, but got %v", answer)
	}
	a := e.connect("an agent")
	came := e.next(kindAgents)
	if got, want := fmt.Sprint(came["agents"]), "[map[id:1 name:an agent version:v7]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a.await("the page can be read", func(a *elements.Answer) bool { return problemOf(a) == nil })
	for {
		read := e.next(kindRead)
		if read["agent"] != "an agent" || read["tool"] != "get_elements" || read["what"] != "pointing" || read["outcome"] != "ok" || read["bytes"].(float64) < 100 || read["at"].(float64) < 1e12 {
			t.Errorf("got %v, want what was read", read)
		}
		if len(e.said[kindRead]) == 0 {
			break
		}
	}

	answer := e.ask(2, "outline", nil)
	result, ok := answer["result"].(map[string]any)
	if !ok {
		t.Fatalf("got %v, want an outline", answer)
	}
	text := strings.Split(strings.TrimSuffix(result["text"].(string), "\n"), "\n")
	about := result["lines"].([]any)
	if len(text) != len(about) || result["bytes"].(float64) < float64(len(result["text"].(string))) {
		t.Fatalf("got %d lines for %d, %v bytes", len(about), len(text), result["bytes"])
	}
	var selected string
	for i, line := range text {
		l := about[i].(map[string]any)
		id := l["id"].(string)
		if id != "" && !strings.Contains(line, " "+id+" ") && !strings.HasSuffix(line, " "+id) {
			t.Errorf("%q is said to be of %q", line, id)
		}
		if boundary := strings.HasPrefix(line, "==="); (id == "") != boundary {
			t.Errorf("%q is said to be of %q", line, id)
		}
		if isIn := strings.Contains(line, "Document") || strings.Contains(line, "Window/tab"); isIn && l["tab"] != "1.1" {
			t.Errorf("%q is said to be in the tab %v", line, l["tab"])
		}
		if strings.Contains(line, "Text ") {
			selected = id
		}
	}
	if len(e.said[kindRead]) > 0 {
		t.Errorf("our own question is told as a read: %v", e.next(kindRead))
	}

	e.calls("")
	if answer := e.ask(3, "point", message{"element": selected}); answer["error"] != nil {
		t.Errorf("pointing at %s: got %v", selected, answer)
	}
	if n := e.calls("Overlay.highlightRect"); n != 1 {
		t.Errorf("%d outlines were drawn, want one", n)
	}
	if answer := e.ask(4, "point", message{"element": ""}); answer["error"] != nil {
		t.Errorf("pointing at nothing: got %v", answer)
	}
	if n := e.calls("Overlay.hideHighlight"); n != 1 {
		t.Errorf("the outline was taken away %d times, want once", n)
	}
	if answer := e.ask(5, "point", message{"element": "nothing"}); answer["error"] == nil {
		t.Errorf("pointing at what is not there: got %v", answer)
	}
	if answer := e.ask(6, "something new", nil); fmt.Sprint(answer["error"].(map[string]any)["code"]) != "unknown" {
		t.Errorf("a question that is not known: got %v", answer)
	}
	a.Close()
	if got := fmt.Sprint(e.next(kindAgents)["agents"]); got != "[]" {
		t.Errorf("after the agent went: got %s", got)
	}
}

func TestWatch(t *testing.T) {
	e := startHost(t, nil)
	e.greet()
	reduced := shared("1.1", 1)
	reduced["state"] = "reduced"
	e.share(reduced)
	e.say(message{"kind": "watch", "on": true})
	if answer := e.ask(1, "agents", nil); answer["result"] == nil {
		t.Fatal(answer)
	}
	e.share()
	e.next(kindChanged)
	e.say(message{"kind": "watch", "on": false})
	e.ask(2, "agents", nil)
	for len(e.said[kindChanged]) > 0 {
		e.next(kindChanged)
	}
	e.share(reduced)
	e.ask(3, "outline", nil)
	if len(e.said[kindChanged]) > 0 {
		t.Errorf("got %v after the watch ended", e.next(kindChanged))
	}
}
