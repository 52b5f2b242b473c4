package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/webarea/webarea/provider"
)

func answering(name string, run func(ctx context.Context) (*Result, error)) tool {
	return tool{
		name: name, title: name, description: name, input: schemaOf(`{"type":"object"}`), output: schemaOf(`{"type":"object"}`),
		run: func(ctx context.Context, _ *Server, _ []byte) (*Result, error) { return run(ctx) },
	}
}

// A handler that is at fault costs its own answer only, and tells nothing of what it
// was about.
func TestHandlersAtFault(t *testing.T) {
	const secret = "correct horse"
	var log bytes.Buffer
	s := newServer(Options{Provider: provider.New("Test"), Log: slog.New(slog.NewTextHandler(&log, nil))}, []tool{
		answering("panics", func(context.Context) (*Result, error) { panic(errors.New(secret)) }),
		answering("overruns", func(context.Context) (*Result, error) { return &Result{Text: []string{}[len(secret)]}, nil }),
		answering("fails", func(context.Context) (*Result, error) { return nil, errors.New("a fault of ours") }),
		answering("answers", func(context.Context) (*Result, error) { return &Result{Structured: []byte(`{}`)}, nil }),
	})
	w := dial(t, s)
	for _, name := range []string{"panics", "overruns", "fails"} {
		got := w.ask(name, "tools/call", `"name":"`+name+`"`)
		if got.ID != name || got.Error == nil || got.Error.Code != -32603 {
			t.Errorf("%s: got id %v, error %+v, want -32603", name, got.ID, got.Error)
		}
		result[any](t, w.ask("next", "tools/call", `"name":"answers"`))
	}
	for _, want := range []string{"*errors.errorString", "index out of range", "a fault of ours"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, log.String())
		}
	}
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log has what the panic was about:\n%s", log.String())
	}
}

// A failure that an agent can mend is a result, of which the schema's clients too
// can make something.
func TestFailuresAreResults(t *testing.T) {
	gone := &provider.Error{Code: provider.CodeGone, Message: "the thing is gone", Mend: "look again"}
	big := &Result{Structured: []byte(`{}`), Pictures: []Picture{{"image/png", make([]byte, maxResult)}}}
	s := serverWith(
		answering("gone", func(context.Context) (*Result, error) { return nil, fmt.Errorf("asking: %w", gone) }),
		answering("late", func(context.Context) (*Result, error) { return nil, context.DeadlineExceeded }),
		answering("big", func(context.Context) (*Result, error) { return big, nil }),
	)
	w := dial(t, s)
	for _, c := range []struct{ tool, arguments, code, words string }{
		{"gone", `{}`, "gone", "gone: the thing is gone: look again"},
		{"late", `{}`, "timeout", "in time"},
		{"big", `{}`, "budget", "20 MB"},
		{"get_elements", `{"id":"nope1"}`, "unknown_id", `"nope1"`},
		{"get_elements", `{"instance":"other"}`, "unknown_instance", s.provider.Instance()},
		{"get_elements", `{"scope":"all"}`, "invalid", "scope: enum: all does not equal any of: [pointing visible page]"},
		{"get_elements", `{"max_depth":0}`, "invalid", "max_depth: minimum: 0 is less than 1"},
		{"get_elements", `{"max_elements":"7"}`, "invalid", "max_elements"},
		{"get_elements", `{"max_elements":2.5}`, "invalid", "max_elements"},
		{"get_elements", `{"id":"a b"}`, "invalid", "id"},
		{"get_elements", `{"bogus":1}`, "invalid", "bogus"},
		{"get_elements", `{"Scope":"page"}`, "invalid", "Scope"},
		{"get_elements", `[]`, "invalid", "not a JSON object"},
		{"locate", `{}`, "invalid", "id"},
		{"locate", `{"id":"nope1"}`, "unknown_id", `"nope1"`},
		{"capture_element", `{"id":"nope1","format":"gif"}`, "invalid", "format"},
		{"capture_element", `{"id":"nope1"}`, "unknown_id", `"nope1"`},
	} {
		t.Run(c.tool+c.arguments, func(t *testing.T) {
			m := w.ask(1, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, c.tool, c.arguments))
			got := result[struct {
				Content           []struct{ Type, Text string }
				StructuredContent struct{ Code, Message, Suggestion string }
				IsError           bool
			}](t, m)
			if !got.IsError || got.StructuredContent.Code != c.code || got.StructuredContent.Suggestion == "" {
				t.Errorf("got  %+v\nwant isError, code %q and a suggestion", got, c.code)
			}
			if len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, c.words) || !strings.HasPrefix(got.Content[0].Text, c.code+": ") {
				t.Errorf("got  %+v\nwant one text that begins with %q and has %q", got.Content, c.code, c.words)
			}
		})
	}
}

// A call that is withdrawn stops and is not answered, and the others go on.
func TestWithdrawnCalls(t *testing.T) {
	stopped := make(chan struct{}, 1)
	asked := make(chan struct{}, 1)
	w := dial(t, serverWith(answering("waits", func(ctx context.Context) (*Result, error) {
		asked <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		return nil, ctx.Err()
	})))
	for i := range 20 {
		w.send(request(i, "tools/call", `"name":"waits"`))
		<-asked
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{%s,"requestId":%d}}`, meta, i))
		<-stopped
	}
	for i := range 20 {
		if m := w.ask(100+i, "tools/list", ""); m.ID != float64(100+i) || m.Error != nil {
			t.Errorf("got id %v, error %+v, want the answer to %d only", m.ID, m.Error, 100+i)
		}
	}
}

// No more questions than there are turns are asked at once, and none is lost.
func TestTurns(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	all := make(chan struct{})
	var once sync.Once
	w := dial(t, serverWith(answering("counts", func(context.Context) (*Result, error) {
		mu.Lock()
		now++
		if most = max(most, now); now == maxTurns {
			once.Do(func() { close(all) })
		}
		mu.Unlock()
		<-all
		mu.Lock()
		defer mu.Unlock()
		now--
		return &Result{Structured: []byte(`{}`)}, nil
	})))
	const calls = 4 * maxTurns
	for i := range calls {
		w.send(request(i, "tools/call", `"name":"counts"`))
	}
	for range calls {
		result[any](t, w.receive())
	}
	if most != maxTurns {
		t.Errorf("got %d at once, want %d", most, maxTurns)
	}
}
