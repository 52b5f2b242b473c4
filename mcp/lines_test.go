package mcp

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A line that is no message is answered with what it is, and the next is served.
func TestLinesThatAreNoMessages(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	deep := strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000)
	for _, c := range []struct {
		name, line string
		id         any
		code       int
	}{
		{"words", "hello", nil, -32700},
		{"cut short", `{"jsonrpc":"2.0","id":1`, nil, -32700},
		{"two on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, nil, -32700},
		{"not UTF-8 outside strings", "\xff\xfe", nil, -32700},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, nil, -32600},
		{"an empty batch", `[]`, nil, -32600},
		{"a number", `7`, nil, -32600},
		{"null", `null`, nil, -32600},
		{"an empty object", `{}`, nil, -32600},
		{"another version", `{"jsonrpc":"1.0","id":4,"method":"ping"}`, 4.0, -32600},
		{"no version", `{"id":"a","method":"ping"}`, "a", -32600},
		{"neither request nor response", `{"jsonrpc":"2.0"}`, nil, -32600},
		{"a method that is no string", `{"jsonrpc":"2.0","id":5,"method":[]}`, 5.0, -32600},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, -32600},
		{"an id that is no number of a thing", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, -32600},
		{"an id that rounds", `{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, nil, -32600},
		{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, -32600},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, -32600},
		{"longer than is taken", `{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`, nil, -32600},
		{"deep", `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":` + deep + `}`, 6.0, -32600},
		{"before the handshake", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, 7.0, -32600},
		{"a method that there is not", request(8, "tools/none", ""), 8.0, -32601},
		{"a tool that there is not", request(9, "tools/call", `"name":"none"`), 9.0, -32602},
		{"params that are none", `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{` + meta + `,"name":7}}`, 10.0, -32602},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := dial(t, serverWith())
			w.send(c.line)
			got := w.receive()
			if got.Error == nil || got.Error.Code != c.code || got.ID != c.id || got.Error.Message == "" {
				t.Errorf("got  id %v, error %+v, result %s\nwant id %v, error %d", got.ID, got.Error, got.Result, c.id, c.code)
			}
			result[struct{ Tools []any }](t, w.ask("next", "tools/list", ""))
		})
	}
}

// Empty lines, carriage returns and answers to nothing are passed over.
func TestLinesThatSayNothing(t *testing.T) {
	w := dial(t, serverWith())
	w.send("")
	w.send(" \t\r")
	w.send(`{"jsonrpc":"2.0","id":99,"result":{}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	w.send(request(1, "tools/list", "") + "\r")
	if got := w.receive(); got.ID != 1.0 {
		t.Errorf("got id %v, want 1", got.ID)
	}
}

// holding is a tool that answers when it is let, and tells when it was asked.
func holding() (hold tool, asked chan struct{}, release func()) {
	asked, let := make(chan struct{}, 1000), make(chan struct{})
	return tool{
		name: "hold", title: "Hold", description: "Answers when it is let.", input: schemaOf(`{"type":"object"}`), output: schemaOf(`{"type":"object"}`),
		run: func(ctx context.Context, _ *Server, _ []byte) (*Result, error) {
			asked <- struct{}{}
			select {
			case <-let:
				return &Result{Structured: []byte(`{}`), Text: "held"}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	}, asked, func() { close(let) }
}

// The id of a request that waits is not another's, and is free once it is answered.
func TestIDsInUse(t *testing.T) {
	hold, asked, release := holding()
	w := dial(t, serverWith(hold))
	w.send(request("a", "tools/call", `"name":"hold"`))
	<-asked
	if got := w.ask("a", "tools/list", ""); got.Error == nil || got.Error.Code != -32600 || got.ID != nil {
		t.Errorf("the same id again: got id %v, error %+v, want -32600 without an id", got.ID, got.Error)
	}
	release()
	if got := w.receive(); got.ID != "a" || got.Error != nil {
		t.Errorf("got id %v, error %+v, want the answer to a", got.ID, got.Error)
	}
	result[struct{ Tools []any }](t, w.ask("a", "tools/list", ""))
}

// A client that takes no answers cannot have the server keep as many as it likes.
func TestRequestsInFlight(t *testing.T) {
	hold, _, release := holding()
	w := dial(t, serverWith(hold))
	for i := range maxInFlight {
		w.send(request(i, "tools/call", `"name":"hold"`))
	}
	if got := w.ask("more", "tools/list", ""); got.ID != "more" || got.Error == nil || got.Error.Code != -32600 {
		t.Errorf("got id %v, error %+v, want -32600 for one more than %d", got.ID, got.Error, maxInFlight)
	}
	release()
	seen := map[any]bool{}
	for range maxInFlight {
		m := w.receive()
		if m.Error != nil {
			t.Fatalf("got error %+v for %v", m.Error, m.ID)
		}
		seen[m.ID] = true
	}
	if len(seen) != maxInFlight {
		t.Errorf("got %d answers, want %d", len(seen), maxInFlight)
	}
}

// What was asked before the client closed its side is answered, as for what a shell
// pipes in.
func TestAnswersAfterTheInputEnded(t *testing.T) {
	hold, asked, release := holding()
	w := dial(t, serverWith(hold))
	w.send(request(1, "tools/call", `"name":"hold"`))
	w.send(request(2, "subscriptions/listen", `"notifications":{}`))
	<-asked
	if _, err := io.WriteString(w.in, request(3, "tools/list", "")); err != nil { // without a newline
		t.Fatal(err)
	}
	w.in.Close()
	got := map[string]bool{}
	for !got["1"] || !got["3"] || !got["<nil>notifications/subscriptions/acknowledged"] {
		m := w.receive()
		if m.ID == 3.0 {
			release()
		}
		got[fmt.Sprint(m.ID, m.Method)] = true
	}
	// Whether a subscription is answered when it ends with the connection is left to
	// the SDK.
	for range w.lines {
	}
	if err := w.waitEnd(); err != nil {
		t.Errorf("got %v, want an end without an error", err)
	}
}
