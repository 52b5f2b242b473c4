package native

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

const (
	// askPatience is how long an answer may take; the extension waits no longer.
	askPatience = 14 * time.Second

	// maxAsking is how many questions of the extension's pages are answered at once.
	maxAsking = 16
)

// asking answers what the extension's own pages ask.
type asking struct {
	host    *host
	ctx     context.Context
	places  chan struct{}
	pointer *pointer

	// mu guards the watch over changes, while there is one.
	mu      sync.Mutex
	unwatch func()
}

func newAsking(ctx context.Context, h *host) *asking {
	return &asking{host: h, ctx: ctx, places: make(chan struct{}, maxAsking), pointer: newPointer(h.provider)}
}

// answers are the questions that there are.
var answers = map[question]func(a *asking, ctx context.Context, m askMessage) (any, error){
	askOutline: (*asking).outline,
	askPoint:   (*asking).point,
	askAgents:  (*asking).agents,
}

// answer begins to answer a question.
func (a *asking) answer(m askMessage) {
	select {
	case a.places <- struct{}{}:
	default:
		a.host.say(answerMessage{Kind: kindAnswer, ID: m.ID, Error: &answerFailed{"busy", "too much is asked at once"}})
		return
	}
	a.host.running.Go(func() {
		defer func() { <-a.places }()
		ctx, cancel := context.WithTimeout(a.ctx, askPatience)
		defer cancel()
		a.host.say(a.find(ctx, m))
	})
}

// find gives the answer to a question.
func (a *asking) find(ctx context.Context, m askMessage) answerMessage {
	reply := answerMessage{Kind: kindAnswer, ID: m.ID}
	find := answers[m.What]
	if find == nil {
		reply.Error = &answerFailed{"unknown", "this host does not know what is asked: it may be older than the extension"}
		return reply
	}
	result, err := find(a, ctx, m)
	var told *provider.Error
	switch {
	case err == nil:
		reply.Result = result
	case errors.As(err, &told):
		reply.Error = &answerFailed{string(told.Code), told.Error()}
	default:
		reply.Error = &answerFailed{string(provider.CodeFailed), "it could not be answered"}
	}
	return reply
}

// shownOutline is what an agent would be told now.
type shownOutline struct {
	Text  string      `json:"text"`
	Bytes int         `json:"bytes"` // of all that an agent would be sent
	Lines []shownLine `json:"lines"` // one for each of the text
}

// shownLine is of which element a line of an outline tells.
type shownLine struct {
	ID    string `json:"id"` // empty: of none
	Depth int    `json:"depth"`
	Tab   string `json:"tab,omitzero"` // the key of the tab that it is in
}

func (a *asking) outline(ctx context.Context, _ askMessage) (any, error) {
	r, err := a.host.server.Call(ctx, "get_elements", []byte("{}"))
	if err != nil {
		return nil, err
	}
	shown := shownOutline{Text: r.Text, Bytes: len(r.Text) + len(r.Structured)}
	for _, p := range r.Pictures {
		shown.Bytes += (len(p.Data) + 2) / 3 * 4
	}
	if r.Failed {
		return nil, &provider.Error{Code: provider.CodeFailed, Message: r.Text}
	}
	shown.Lines = linesOf(r.Text, a.host.sharing.names())
	return shown, nil
}

// linesOf says of which element each line of an outline tells; tabs are the keys of
// tabs by the ids of their elements.
func linesOf(text string, tabs map[string]string) []shownLine {
	var lines []shownLine
	tab, tabDepth := "", 0
	for text := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		e, depth, ok := outline.LineOf(text)
		if !ok {
			lines = append(lines, shownLine{})
			continue
		}
		if key := tabs[e.ID]; e.Role == elements.Window && key != "" {
			tab, tabDepth = key, depth
		} else if depth <= tabDepth {
			tab = ""
		}
		lines = append(lines, shownLine{e.ID, depth, tab})
	}
	return lines
}

func (a *asking) point(ctx context.Context, m askMessage) (any, error) {
	return struct{}{}, a.pointer.point(ctx, m.Element)
}

func (a *asking) agents(context.Context, askMessage) (any, error) {
	return agentList{a.host.audience.list()}, nil
}

// watch begins or ends to tell the extension of changes.
func (a *asking) watch(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case on && a.unwatch == nil && a.ctx.Err() == nil:
		a.unwatch = a.host.provider.Watch(func() { a.host.say(changedMessage{kindChanged}) })
	case !on && a.unwatch != nil:
		a.unwatch()
		a.unwatch = nil
	}
}

// end ends what has been begun.
func (a *asking) end() {
	a.watch(false)
	a.pointer.end()
}
