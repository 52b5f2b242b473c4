package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// A tool is one question that agents can ask.
type tool struct {
	name        string
	title       string // for a person
	description string // for an agent: when to ask, and what comes back
	input       *schema
	output      *schema
	// differs says that calling it again is not the same as calling it once.
	differs bool
	// run answers. The arguments keep to the input schema and have its defaults. An
	// error that is a *provider.Error is told to the agent, to mend.
	run func(ctx context.Context, s *Server, arguments []byte) (*Result, error)
}

// A Result is what a tool answers.
type Result struct {
	// Structured is the answer as JSON: an object that keeps to the output schema.
	Structured []byte
	// Text is the same for an agent that reads.
	Text string
	// Pictures are those of the answer, in its order.
	Pictures []Picture
	// Failed says that there is no answer, and that Structured has {code, message,
	// suggestion} instead.
	Failed bool
}

// A Picture is one that is in an answer.
type Picture struct {
	MIMEType string
	Data     []byte
}

// running gives a tool's run by one that takes its arguments as a value.
func running[In any](run func(ctx context.Context, s *Server, in In) (*Result, error)) func(context.Context, *Server, []byte) (*Result, error) {
	return func(ctx context.Context, s *Server, arguments []byte) (*Result, error) {
		var in In
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, fmt.Errorf("decoding arguments that keep to the schema: %w", err)
		}
		return run(ctx, s, in)
	}
}

// declare says the tool in the SDK's words. All tools only read, and read nothing
// but what was shared.
func (t *tool) declare() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name:         t.name,
		Title:        t.title,
		Description:  t.description,
		InputSchema:  t.input.raw,
		OutputSchema: t.output.raw,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint:    true,
			DestructiveHint: &no,
			IdempotentHint:  !t.differs,
			OpenWorldHint:   &no,
		},
	}
}

// handle answers a call that came over the wire.
func (t *tool) handle(s *Server) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		r, err := s.ask(ctx, t, request.Params.Arguments)
		if err != nil {
			return nil, err
		}
		return r.wire(), nil
	}
}

// wire gives the result in the SDK's words.
func (r *Result) wire() *sdk.CallToolResult {
	result := &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: r.Text}},
		StructuredContent: json.RawMessage(r.Structured),
		IsError:           r.Failed,
	}
	for _, p := range r.Pictures {
		result.Content = append(result.Content, &sdk.ImageContent{Data: p.Data, MIMEType: p.MIMEType})
	}
	return result
}

// ask runs a tool. What an agent can mend is a result; the error is for all else.
func (s *Server) ask(ctx context.Context, t *tool, arguments []byte) (*Result, error) {
	r, err := s.run(ctx, t, arguments)
	if err == nil {
		err = r.withinBudget()
	}
	var told *provider.Error
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &told):
		return failure(told)
	case errors.Is(err, context.DeadlineExceeded):
		return failure(tooLong)
	}
	return nil, err
}

func (s *Server) run(ctx context.Context, t *tool, arguments []byte) (*Result, error) {
	complete, err := t.input.complete(arguments)
	if err != nil {
		return nil, err
	}
	s.label(t, complete)
	return t.run(ctx, s, complete)
}

// label logs the label that a call was given, if it was given one. It gives no
// authority.
func (s *Server) label(t *tool, arguments []byte) {
	var labelled struct {
		Session string `json:"session"`
	}
	if json.Unmarshal(arguments, &labelled) == nil && labelled.Session != "" {
		s.log.Info("asked", "tool", t.name, "session", short(labelled.Session))
	}
}
