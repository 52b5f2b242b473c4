package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// captureElement gives a picture of an element.
var captureElement = tool{
	name:  "capture_element",
	title: "A picture of an element",
	description: "A picture of an element as it is drawn now: what is on screen of it, or all of it if nothing is. " +
		"The page is not scrolled or changed; what is secret is painted over.",
	input: schemaOf(`{"type":"object","properties":{` +
		idProperty + `,` + instanceProperty + `,` +
		`"max_dimension":{"type":"integer","minimum":1,"maximum":4096,"default":1568,"description":"px of the long edge"},` +
		`"format":{"type":"string","enum":["png","jpeg"],"default":"png"}` +
		`},"required":["id"],"additionalProperties":false}`),
	output: schemaOf(`{"type":"object","properties":{"id":{"type":"string"},"mime_type":{"type":"string"},` +
		`"width":{"type":"integer"},"height":{"type":"integer"},` +
		failureProperties + `}}`),
	run: running(runCaptureElement),
}

type captureElementArguments struct {
	ID           string `json:"id"`
	Instance     string `json:"instance"`
	MaxDimension int    `json:"max_dimension"`
	Format       string `json:"format"`
}

// A capture says of a picture what it is.
type capture struct {
	ID       string `json:"id"`
	MIMEType string `json:"mime_type"`
	Width    int    `json:"width"` // pixels
	Height   int    `json:"height"`
}

func runCaptureElement(ctx context.Context, s *Server, in captureElementArguments) (*Result, error) {
	p, err := s.capture(ctx, in.Instance, in.ID, provider.CaptureOptions{MaxDimension: in.MaxDimension, Format: in.Format})
	if err != nil {
		return nil, err
	}
	structured, err := encode(capture{in.ID, p.MIMEType, p.Width, p.Height})
	if err != nil {
		return nil, err
	}
	return &Result{
		Structured: structured,
		Text:       fmt.Sprintf("%s, %d × %d pixels (untrusted page content): %s", in.ID, p.Width, p.Height, p.MIMEType),
		Pictures:   []Picture{{MIMEType: p.MIMEType, Data: p.Data}},
	}, nil
}

func (s *Server) capture(ctx context.Context, instance, id string, o provider.CaptureOptions) (*provider.Picture, error) {
	ctx, cancel, err := s.prepare(ctx, instance)
	if err != nil {
		return nil, err
	}
	defer cancel()
	return s.provider.Capture(ctx, id, o)
}

// readPicture gives the picture of an element in full, whose size only its bytes bound.
func readPicture(ctx context.Context, s *Server, id string) (*sdk.ResourceContents, error) {
	p, err := s.capture(ctx, "", id, provider.CaptureOptions{})
	if err != nil {
		return nil, err
	}
	full := Result{Pictures: []Picture{{MIMEType: p.MIMEType, Data: p.Data}}}
	if err := full.withinBudget(); err != nil {
		return nil, err
	}
	return &sdk.ResourceContents{MIMEType: p.MIMEType, Blob: p.Data}, nil
}
