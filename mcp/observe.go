package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// An Observer is told who asks and what they read, for the person whose pages they
// are. Its methods are called from many goroutines, and keep who asks waiting.
type Observer interface {
	// Came tells of an agent that has said who it is.
	Came(Agent)
	// Went tells that such an agent has ended its connection.
	Went(Agent)
	// Read tells what an agent was answered.
	Read(Read)
}

// An Agent is a client as it calls itself.
type Agent struct {
	ID            int // of its connection
	Name, Version string
}

// A Read is a question of an agent that was answered.
type Read struct {
	Agent Agent
	// Tool is the tool's name, or that of the resource or the prompt.
	Tool string
	// What is the scope or the id that was asked about.
	What string
	// Begun is when it was asked, Took how long the answer took.
	Begun time.Time
	Took  time.Duration
	// Bytes is the answer's size, pictures as they are sent.
	Bytes int
	// Outcome is "ok", or the failure's code.
	Outcome string
}

// outcomeOK is the outcome of a question that has an answer.
const outcomeOK = "ok"

// maxName is how much of what a client calls itself is told, in characters.
const maxName = 100

// agents knows who is at which connection, and tells the observer.
type agents struct {
	observer Observer

	// mu guards who has said who they are, and the last number given out.
	mu    sync.Mutex
	known map[sdk.Session]Agent
	last  int
}

// meet gives the agent that a request is from, and tells of it at its first.
func (a *agents) meet(request sdk.Request) Agent {
	said := saysWho(request)
	a.mu.Lock()
	agent, known := a.known[request.GetSession()]
	if !known {
		a.last++
		agent.ID = a.last
	}
	isNew := !known || said.Name != "" && (said.Name != agent.Name || said.Version != agent.Version)
	if said.Name != "" {
		agent.Name, agent.Version = said.Name, said.Version
	}
	a.known[request.GetSession()] = agent
	a.mu.Unlock()
	if isNew {
		a.observer.Came(agent)
	}
	return agent
}

// leave notes that a connection has ended.
func (a *agents) leave(session sdk.Session) {
	a.mu.Lock()
	agent, known := a.known[session]
	delete(a.known, session)
	a.mu.Unlock()
	if known {
		a.observer.Went(agent)
	}
}

// saysWho reads who a request says that it is from: in a handshake, or in each request
// of the modern era.
func saysWho(request sdk.Request) Agent {
	var info *sdk.Implementation
	if p, ok := request.GetParams().(*sdk.InitializeParams); ok && p != nil {
		info = p.ClientInfo
	} else if r, ok := request.(interface{ ClientInfo() *sdk.Implementation }); ok {
		info = r.ClientInfo()
	}
	if info == nil {
		return Agent{}
	}
	return Agent{Name: short(info.Name), Version: short(info.Version)}
}

func short(name string) string {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "\uFFFD")), " ")
	if r := []rune(name); len(r) > maxName {
		name = string(r[:maxName])
	}
	return name
}

// observe tells the observer of what goes through.
func (s *Server) observe(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		agent := s.agents.meet(request)
		if !takesTurns[method] {
			return next(ctx, method, request)
		}
		read := s.asked(request)
		read.Agent, read.Begun = agent, time.Now()
		result, err := next(ctx, method, request)
		read.Took = time.Since(read.Begun)
		read.answered(result, err)
		s.agents.observer.Read(read)
		return result, err
	}
}

// asked says what a request is about.
func (s *Server) asked(request sdk.Request) Read {
	switch p := request.GetParams().(type) {
	case *sdk.CallToolParamsRaw:
		var about struct {
			ID, Scope string
			Tab       string `json:"tab_id"`
			Capture   string `json:"capture_id"`
		}
		// Arguments of another shape are refused, and about nothing.
		_ = json.Unmarshal(p.Arguments, &about)
		what := about.ID
		if what == "" {
			what = cmp.Or(about.Scope, about.Tab, about.Capture)
		}
		if what == "" && p.Name == getElements.name {
			what = string(provider.Pointing)
		}
		return Read{Tool: short(p.Name), What: short(what)}
	case *sdk.ReadResourceParams:
		for i := range resources {
			before, after, isTemplate := strings.Cut(s.address(resources[i].path), placeholder)
			id, starts := strings.CutPrefix(p.URI, before)
			id, ends := strings.CutSuffix(id, after)
			if starts && ends && (id == "" && !isTemplate || isTemplate && !strings.Contains(id, "/")) {
				return Read{Tool: resources[i].name, What: short(id)}
			}
		}
		return Read{Tool: "resource"}
	case *sdk.GetPromptParams:
		return Read{Tool: short(p.Name), What: string(provider.Pointing)}
	}
	return Read{}
}

// answered notes how it ended.
func (r *Read) answered(result sdk.Result, err error) {
	r.Outcome = outcomeOK
	switch p := result.(type) {
	case *sdk.CallToolResult:
		if p == nil {
			break
		}
		structured, _ := p.StructuredContent.(json.RawMessage)
		r.Bytes = len(structured)
		for _, c := range p.Content {
			r.Bytes += contentSize(c)
		}
		if p.IsError {
			r.Outcome = codeIn(structured)
		}
	case *sdk.ReadResourceResult:
		if p == nil {
			break
		}
		for _, c := range p.Contents {
			r.Bytes += len(c.Text) + sent(c.Blob)
		}
	case *sdk.GetPromptResult:
		if p == nil {
			break
		}
		for _, m := range p.Messages {
			r.Bytes += contentSize(m.Content)
		}
	}
	if err != nil {
		r.Bytes, r.Outcome = 0, string(provider.CodeFailed)
		var coded *jsonrpc.Error
		if errors.As(err, &coded) {
			r.Outcome = codeIn(coded.Data)
		}
	}
}

func contentSize(c sdk.Content) int {
	switch c := c.(type) {
	case *sdk.TextContent:
		return len(c.Text)
	case *sdk.ImageContent:
		return sent(c.Data)
	}
	return 0
}

// sent is how many bytes data has as it is sent, in base64.
func sent(data []byte) int { return (len(data) + 2) / 3 * 4 }

// codeIn reads the code of a failure.
func codeIn(structured []byte) string {
	var failure struct{ Code string }
	if json.Unmarshal(structured, &failure) != nil || failure.Code == "" {
		return string(provider.CodeFailed)
	}
	return failure.Code
}
