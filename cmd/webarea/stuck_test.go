//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// TestStuckPageDelaysNoOther has an agent wait for a page in an endless loop, while
// others ask about another tab, and about all: they have their answers before that one.
func TestStuckPageDelaysNoOther(t *testing.T) {
	t.Parallel()
	loop, looping := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, html)
		})
	}
	page("/stuck", `<title>Stuck</title><p>before<script>
		fetch("/loop").then(() => { const told = new XMLHttpRequest(); told.open("GET", "/looping", false); told.send(); for (;;); })
		</script>`)
	page("/well", `<title>Well</title><h1>Another page</h1><p id=p tabindex=0 autofocus>All is well.`)
	mux.HandleFunc("/loop", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-loop:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/looping", func(http.ResponseWriter, *http.Request) { close(looping) })
	address := serveHandler(t, mux)

	b := startBrowser(t)
	var stuck, well tab
	b.ask(t, http.MethodPut, "/json/new?"+address+"/stuck", &stuck)
	// Of another site, so that it has a renderer of its own.
	b.ask(t, http.MethodPut, "/json/new?"+strings.Replace(address, "127.0.0.1", "localhost", 1)+"/well", &well)
	shared := newShare("", b.address, "", func(string) {})
	server := newServer(shared, io.Discard)
	var clients []*pipeClient
	client := func() *pipeClient {
		c := connectPipe(server)
		clients = append(clients, c)
		return c
	}
	t.Cleanup(func() {
		// A client whose question is still being answered would be waited for.
		if err := shared.close(); err != nil {
			t.Error(err)
		}
		for _, c := range clients {
			_ = c.end()
		}
	})
	ask := func(c *pipeClient, tool string, arguments map[string]any) toolResult {
		t.Helper()
		text, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.ask(1, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, text))
		if err != nil {
			t.Fatal(err)
		}
		return toolResultOf(t, m)
	}

	second := client()
	tabs := map[string]*elements.Element{}
	var desk struct {
		Windows []struct {
			PID      int64 `json:"pid"`
			WindowID int64 `json:"window_id"`
			Tabs     []struct {
				TabID string `json:"tab_id"`
				Title string `json:"title"`
			} `json:"tabs"`
		} `json:"windows"`
	}
	windowOf := map[string]map[string]any{}
	eventually(t, "both tabs to have loaded", func() bool {
		for _, e := range ask(second, "get_elements", map[string]any{"scope": "visible"}).answer(t).Root.Children[0].Children {
			tabs[e.Title] = e
		}
		if err := json.Unmarshal(ask(second, "get_accessibility_tree", map[string]any{}).StructuredContent, &desk); err != nil {
			t.Fatal(err)
		}
		for _, w := range desk.Windows {
			for _, one := range w.Tabs {
				windowOf[one.Title] = map[string]any{"pid": w.PID, "window_id": w.WindowID, "tab_id": one.TabID}
			}
		}
		return tabs["Stuck"] != nil && tabs["Well"] != nil && len(tabs["Well"].Children) > 0 && windowOf["Stuck"] != nil && windowOf["Well"] != nil
	})
	heading := find(t, &elements.Answer{Root: tabs["Well"]}, "heading", func(e *elements.Element) bool { return e.Role == elements.Heading })
	close(loop)
	<-looping

	// It waits for as long as it may.
	first := client()
	arguments, err := json.Marshal(with(windowOf["Stuck"], "timeout_ms", 120_000, "include_screenshot", false))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.send(1, "tools/call", `"name":"get_window_state","arguments":`+string(arguments)); err != nil {
		t.Fatal(err)
	}
	answered := make(chan serverMessage, 1)
	go func() {
		m, err := first.receive()
		if err == nil {
			answered <- m
		}
	}()

	for _, question := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"get_elements", map[string]any{"id": heading.ID}, "Another page"},
		{"locate", map[string]any{"id": heading.ID}, "rectangles"},
		{"capture_element", map[string]any{"id": heading.ID}, ""},
		{"get_window_state", with(windowOf["Well"], "timeout_ms", 60_000), "All is well."},
		{"get_accessibility_tree", map[string]any{}, "Well"},
		// Of all tabs: the stuck one is told as one.
		{"get_elements", map[string]any{}, provider.ProblemUnresponsive},
		{"get_elements", map[string]any{"scope": "visible"}, "All is well."},
	} {
		r := ask(second, question.tool, question.arguments)
		if said := string(r.StructuredContent); r.IsError || !strings.Contains(said, question.want) {
			t.Errorf("%s %v: got %.2000s\nwant an answer with %q", question.tool, question.arguments, said, question.want)
		}
		select {
		case m := <-answered:
			t.Fatalf("%s %v: the answer came after that about the stuck page: %.300s", question.tool, question.arguments, m.line)
		default:
		}
	}
}

// with gives arguments with some more.
func with(arguments map[string]any, more ...any) map[string]any {
	all := map[string]any{}
	for name, value := range arguments {
		all[name] = value
	}
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1]
	}
	return all
}
