package mcp

import (
	"fmt"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// wait waits until an agent is told of an address.
func (a *agent) wait(uri string) {
	a.t.Helper()
	for late := time.After(patience); ; {
		select {
		case got := <-a.updated:
			if got == uri {
				return
			}
		case <-late:
			a.t.Fatalf("nothing is told of %s", uri)
		}
	}
}

// Clients are told of hosts that come and go, and of what changes at them, by one
// subscription at the host however many they are.
func TestGatewayNotices(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s := newStreet(t)
			g := gatewayOf(t, s)
			one, two := agentOf(t, g, "one", era.legacy), agentOf(t, g, "one", era.legacy)
			p := provider.New("Told")
			p.Mention("1.1", provider.Place{Window: 1, Title: "First", URL: "https://example.com/", Problem: provider.ProblemReduced, Active: true})
			server := newServer(Options{Provider: p}, tools)
			if era.legacy {
				if list, err := one.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 1 {
					t.Fatalf("got %+v, %v, want the current browser only", list, err)
				}
			}
			n := s.move(server, p.Instance())
			own := "webarea://" + p.Instance() + "/elements"
			if era.legacy {
				<-one.listed
			}
			for _, a := range []*agent{one, two} {
				// One listening connection of the modern era is of one subscription.
				uris := []string{own, "webarea://current/elements"}
				if !era.legacy {
					uris = uris[:1]
				}
				for _, uri := range uris {
					if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
						t.Fatal(err)
					}
				}
			}
			telling := func(clients int) func() bool {
				return func() bool {
					server.updates.mu.Lock()
					defer server.updates.mu.Unlock()
					return len(server.updates.sessions) == clients
				}
			}
			eventually(t, "the host tells of changes", telling(1))
			if n.dialled() != 1 {
				t.Errorf("the host has %d connections, want one", n.dialled())
			}

			p.Mention("2.1", provider.Place{Window: 1, Index: 1, URL: "https://example.com/2", Problem: provider.ProblemReduced})
			for _, a := range []*agent{one, two} {
				a.wait(own)
				if era.legacy {
					a.wait("webarea://current/elements")
				}
			}
			if err := one.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "webarea://nobody/elements"}); err == nil && era.legacy {
				t.Error("what is not there can be subscribed to")
			}

			if era.legacy {
				for _, a := range []*agent{one, two} {
					for _, uri := range []string{own, "webarea://current/elements"} {
						if err := a.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: uri}); err != nil {
							t.Fatal(err)
						}
					}
				}
				eventually(t, "the host tells nobody any more", telling(0))
				if err := one.Subscribe(t.Context(), &sdk.SubscribeParams{URI: own}); err != nil {
					t.Fatal(err)
				}
				eventually(t, "the host tells of changes again", telling(1))
			}
			s.kill(n)
			one.wait(own) // its last
			if era.legacy {
				<-one.listed
			}
		})
	}
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to be that %s", what)
		}
	}
}

// Who has subscribed to the browser used last is told when that is another, when it
// changes, and when one is that is answered about because it shares nothing, but not of
// others.
func TestGatewayNoticesOfTheBrowserUsedLast(t *testing.T) {
	s := newStreet(t)
	one, two := s.sharing("One"), s.sharing("Two")
	g := gatewayOf(t, s)
	a := agentOf(t, g, "test", true)
	const uri = "webarea://current/elements"
	if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	for _, n := range []*neighbour{one, two} {
		eventually(t, "hosts tell of changes", func() bool {
			n.server.updates.mu.Lock()
			defer n.server.updates.mu.Unlock()
			return len(n.server.updates.sessions) == 1
		})
	}
	changes := 0
	change := func(n *neighbour) {
		changes++
		n.server.provider.Mention(fmt.Sprint("9.", changes), provider.Place{Window: 1, URL: fmt.Sprint("https://example.com/", changes), Problem: provider.ProblemReduced})
	}
	a.expect(`{}`, false, `"Two"`)
	change(two)
	a.wait(uri)
	s.use(one)
	a.wait(uri)
	a.expect(`{}`, false, `"One"`)
	s.sharing("")
	a.wait(uri)
	a.expect(`{}`, false, `"One"`)
	change(one)
	a.wait(uri)
	s.use(two)
	a.wait(uri)
	a.expect(`{}`, false, `"Two"`)
	if g.concernsCurrent(one.instance) {
		t.Error("a change of a browser that is not the one used last is told as if it were")
	}
	change(two)
	a.wait(uri)
	s.kill(two)
	if _, err := a.ListResources(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	a.wait(uri)
}
