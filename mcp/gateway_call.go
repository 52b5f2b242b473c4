package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// Call answers a question of somebody in this process, under a name, as if an agent had
// asked. The error is for a tool that there is not, or a host that is at fault.
func (g *Gateway) Call(ctx context.Context, who Agent, name string, arguments []byte) (*Result, error) {
	if !slices.ContainsFunc(tools, func(t tool) bool { return t.name == name }) {
		return nil, fmt.Errorf("there is no tool %q", name)
	}
	g.begin()
	result, err := g.answer(ctx, who, name, arguments)
	var told *provider.Error
	switch {
	case errors.As(err, &told):
		return failure(told)
	case err != nil:
		return nil, err
	}
	return unwired(result)
}

// unwired is the way back of Result.wire.
func unwired(r *sdk.CallToolResult) (*Result, error) {
	out := &Result{Failed: r.IsError}
	switch structured := r.StructuredContent.(type) {
	case json.RawMessage:
		out.Structured = structured
	default:
		raw, err := json.Marshal(structured)
		if err != nil {
			return nil, fmt.Errorf("taking an answer: %w", err)
		}
		out.Structured = raw
	}
	isFirst := true
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			if isFirst {
				out.Text = c.Text
			}
			isFirst = false
		case *sdk.ImageContent:
			out.Pictures = append(out.Pictures, Picture{MIMEType: c.MIMEType, Data: c.Data})
		}
	}
	return out, nil
}
