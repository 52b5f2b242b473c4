package mcp

import (
	"context"
	"fmt"
	"testing"

	"github.com/webarea/webarea/provider"
)

// subscribing is a request for notices about an address.
func subscribing(uri string) string {
	return fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, uri)
}

// A subscription has what it is about brought up, and that ends when the last client
// that subscribed has gone.
func TestSubscriptionBringsUp(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	s := New(Options{
		Provider: provider.New("Test"),
		Ready: func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			close(ended)
			return ctx.Err()
		},
	})
	uri := s.address(elementsPath)
	first, second := dial(t, s), dial(t, s)
	for _, w := range []*wire{first, second} {
		if m := w.ask(1, "subscriptions/listen", subscribing(uri)); m.Method != "notifications/subscriptions/acknowledged" {
			t.Fatalf("got %+v, want the acknowledgement", m)
		}
	}
	<-began
	first.in.Close()
	if err := first.waitEnd(); err != nil {
		t.Errorf("the first client's session ended with %v", err)
	}
	select {
	case <-ended:
		t.Error("it ended with the first of two clients")
	default:
	}
	second.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{%s,"requestId":1}}`, meta))
	<-ended
}

// Subscribing again and again is subscribing once; what was not subscribed to can be
// unsubscribed from.
func TestSubscriptionsOfOneClient(t *testing.T) {
	s := serverWith()
	uri := s.address(elementsPath)
	w := dial(t, s)
	w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`)
	w.receive()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, c := range []struct {
		method string
		uri    string
		code   int
		told   int
	}{
		{"resources/unsubscribe", uri, 0, 0},
		{"resources/subscribe", uri, 0, 1},
		{"resources/subscribe", uri, 0, 1},
		{"resources/subscribe", uri + "/x1", -32602, 1},
		{"resources/unsubscribe", uri + "/x1", 0, 1},
		{"resources/unsubscribe", uri, 0, 0},
		{"resources/unsubscribe", uri, 0, 0},
		{"resources/subscribe", uri, 0, 1},
	} {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"uri":%q}}`, i+1, c.method, c.uri))
		code := 0
		if m := w.receive(); m.Error != nil {
			code = m.Error.Code
		}
		s.updates.mu.Lock()
		told := len(s.updates.sessions)
		s.updates.mu.Unlock()
		if code != c.code || told != c.told {
			t.Errorf("%d, %s %s: got code %d and %d clients told, want %d and %d", i, c.method, c.uri, code, told, c.code, c.told)
		}
	}
}
