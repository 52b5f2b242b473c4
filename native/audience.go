package native

import (
	"sort"
	"sync"

	"github.com/webarea/webarea/mcp"
)

// An audience tells the extension who is connected and what they read: an
// mcp.Observer.
type audience struct {
	say func(message any)

	// mu guards who is connected, and what was read last, the newest at the end.
	mu    sync.Mutex
	known map[int]mcp.Agent
	reads []mcp.Read
}

// Came implements mcp.Observer.
func (a *audience) Came(agent mcp.Agent) {
	a.mu.Lock()
	if a.known == nil {
		a.known = map[int]mcp.Agent{}
	}
	a.known[agent.ID] = agent
	a.mu.Unlock()
	a.tell()
}

// Went implements mcp.Observer.
func (a *audience) Went(agent mcp.Agent) {
	a.mu.Lock()
	delete(a.known, agent.ID)
	a.mu.Unlock()
	a.tell()
}

// Read implements mcp.Observer.
func (a *audience) Read(r mcp.Read) {
	a.mu.Lock()
	a.reads = append(a.reads, r)
	a.reads = a.reads[max(0, len(a.reads)-shownReads):]
	a.mu.Unlock()
	a.say(readMessage{
		Kind: kindRead, At: r.Begun.UnixMilli(), Agent: r.Agent.Name, Tool: r.Tool, What: r.What,
		Bytes: r.Bytes, MS: r.Took.Milliseconds(), Outcome: r.Outcome,
	})
}

// list gives who is connected, who came first before others.
func (a *audience) list() []agentFacts {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []agentFacts{}
	for _, agent := range a.known {
		list = append(list, agentFacts(agent))
	}
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

func (a *audience) tell() { a.say(agentsMessage{kindAgents, a.list()}) }
