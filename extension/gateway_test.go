package extension_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// gateway connects an agent to all browsers, as agents' programs do.
func (e *installation) gateway(name string) *mcp.ClientSession {
	e.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(e.program, "mcp")}, nil)
	if err != nil {
		e.t.Fatalf("connecting an agent: %v", err)
	}
	e.t.Cleanup(func() { _ = session.Close() })
	return session
}

// newSocket waits for the socket of a host that was not there before.
func (e *installation) newSocket(before []string) string {
	e.t.Helper()
	var socket string
	if !eventually(func() bool {
		for _, s := range e.sockets() {
			if !slices.Contains(before, s) {
				socket = s
			}
		}
		return socket != ""
	}) {
		e.t.Fatalf("the sockets are %q, want another", e.sockets())
	}
	return socket
}

func instanceOf(socket string) string { return strings.TrimSuffix(filepath.Base(socket), ".sock") }

// Two profiles share tabs with three agents through the gateway. A host that is killed
// fails nobody's questions to the other, and is back by itself.
func TestGatewayTwoProfiles(t *testing.T) {
	one := install(t, rigOptions{})
	first := one.newSocket(nil)
	var agents []*mcp.ClientSession
	for i := range 3 {
		agents = append(agents, one.gateway(fmt.Sprintf("Agent %d", i)))
	}
	if got := one.elements(agents[0], object{}); !strings.Contains(got, `"nothing_shared"`) || !strings.Contains(got, "No tab is shared") {
		t.Errorf("before anything is shared: got %s", got)
	}
	two := installIn(t, one.program, one.run, rigOptions{})
	second := two.newSocket([]string{first})
	two.open("/pears").share()
	if got := one.elements(agents[0], object{}); !strings.Contains(got, "/pears") {
		t.Errorf("with a tab of the second browser: got %s", got)
	}
	one.open("/apples").share()

	ask := func(agent *mcp.ClientSession, socket string) (string, error) {
		got, err := agent.CallTool(context.Background(), &mcp.CallToolParams{Name: "get_elements", Arguments: object{"scope": "page", "instance": instanceOf(socket)}})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(got.StructuredContent), nil
	}
	var all sync.WaitGroup
	for _, agent := range agents {
		all.Go(func() {
			for range 5 {
				for socket, words := range map[string]string{first: "Words of /apples", second: "Words of /pears"} {
					if got, err := ask(agent, socket); err != nil || !strings.Contains(got, words) {
						t.Errorf("%s: got %s, %v, want %s", instanceOf(socket), got, err, words)
					}
				}
			}
		})
	}
	all.Wait()
	panel := two.page("sidepanel/sidepanel.html")
	for i := range agents {
		panel.awaitText(fmt.Sprintf("Agent %d", i))
	}
	panel.close()

	// One agent asks the second again and again, until its host is killed meanwhile.
	failed := make(chan string)
	go func() {
		for {
			if got, err := ask(agents[0], second); err != nil || !strings.Contains(got, "/pears") {
				failed <- fmt.Sprint(got, err)
				return
			}
		}
	}()
	ended := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
			}
			if got, err := ask(agents[1], first); err != nil || !strings.Contains(got, "Words of /apples") {
				t.Errorf("the other browser: got %s, %v", got, err)
				return
			}
		}
	})
	host, err := os.FindProcess(two.hostPID(second))
	if err == nil {
		err = host.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := <-failed; !strings.Contains(got, "browser_gone") && !strings.Contains(got, "unknown_instance") {
		t.Errorf("the browser whose host was killed: got %s, want that it is gone", got)
	}
	again := two.newSocket([]string{first, second})
	if !eventually(func() bool {
		got, err := ask(agents[0], again)
		return err == nil && strings.Contains(got, "Words of /pears")
	}) {
		t.Error("the browser whose host was killed is not answered about again")
	}
	close(ended)
	all.Wait()
	list, err := agents[2].ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Errorf("got %+v, %v, want the current browser and two", list, err)
	}
}
