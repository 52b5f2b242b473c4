package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// locate tells where an element is drawn.
var locate = tool{
	name:  "locate",
	title: "Where an element is",
	description: "Where an element is drawn: a list of rectangles, one a line for text, empty if nothing is drawn, in CSS px of its tab's viewport; " +
		"screen has the same on the screen, null if unknown, an estimate unless screen_exact.",
	input: schemaOf(`{"type":"object","properties":{` +
		idProperty + `,` + instanceProperty + `,` +
		`"visible":{"type":"boolean","default":false,"description":"only the part on screen"}` +
		`},"required":["id"],"additionalProperties":false}`),
	output: schemaOf(`{"type":"object","properties":{"id":{"type":"string"},` +
		`"rectangles":{"type":"array","items":{"type":"object","properties":{` +
		`"x":{"type":"number"},"y":{"type":"number"},"width":{"type":"number"},"height":{"type":"number"}}}},` +
		`"screen_exact":{"type":"boolean"},"viewport":{"type":"object"},` +
		failureProperties + `}}`),
	run: running(runLocate),
}

type locateArguments struct {
	ID       string `json:"id"`
	Instance string `json:"instance"`
	Visible  bool   `json:"visible"`
}

// A location is what locate answers.
type location struct {
	ID          string            `json:"id"`
	Rectangles  []provider.Rect   `json:"rectangles"`
	Screen      []provider.Rect   `json:"screen"` // null where it is not known
	ScreenExact bool              `json:"screen_exact"`
	Viewport    provider.Viewport `json:"viewport"`
}

func runLocate(ctx context.Context, s *Server, in locateArguments) (*Result, error) {
	text, err := s.locate(ctx, in)
	if err != nil {
		return nil, err
	}
	return &Result{Structured: text, Text: string(text)}, nil
}

func (s *Server) locate(ctx context.Context, in locateArguments) ([]byte, error) {
	ctx, cancel, err := s.prepare(ctx, in.Instance)
	if err != nil {
		return nil, err
	}
	defer cancel()
	l, err := s.provider.Locate(ctx, in.ID, provider.LocateOptions{Visible: in.Visible})
	if err != nil {
		return nil, err
	}
	return encode(location(*l))
}

func readLocation(ctx context.Context, s *Server, id string) (*sdk.ResourceContents, error) {
	text, err := s.locate(ctx, locateArguments{ID: id})
	if err != nil {
		return nil, err
	}
	return &sdk.ResourceContents{Text: string(text)}, nil
}
