package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/webarea/webarea/provider"
)

// parseVisualRegions tells what there is to see on a picture.
var parseVisualRegions = tool{
	name:        "parse_visual_regions",
	title:       "Text and icons",
	description: "Text lines and icons of a capture of get_window_state, in reading order. Untrusted page content.",
	input: schemaOf(`{"type":"object","properties":{"capture_id":{"type":"string"},` +
		`"options":{"type":"object","default":{},"properties":{` +
		`"kinds":{"type":"array","items":{"type":"string","enum":["text","icon"]}},` +
		`"max_regions":{"type":"integer","minimum":1},` +
		`"min_confidence":{"type":"number","minimum":0,"maximum":1}},"additionalProperties":false},` + sessionProperty +
		`},"required":["capture_id"],"additionalProperties":false}`),
	output: schemaOf(failureOutput),
	run:    running(runParseVisualRegions),
}

type parseVisualRegionsArguments struct {
	Capture string `json:"capture_id"`
	Options struct {
		Kinds         []string `json:"kinds"`
		MaxRegions    int      `json:"max_regions"`
		MinConfidence float64  `json:"min_confidence"`
	} `json:"options"`
}

func runParseVisualRegions(ctx context.Context, s *Server, in parseVisualRegionsArguments) (*Result, error) {
	ctx, cancel, err := s.prepare(ctx, "")
	if err != nil {
		return nil, err
	}
	defer cancel()
	regions, err := s.provider.Regions(ctx, provider.RegionQuery{
		Capture: in.Capture, Kinds: in.Options.Kinds, MaxRegions: in.Options.MaxRegions, MinConfidence: in.Options.MinConfidence,
	})
	if err != nil {
		return nil, err
	}
	structured, err := encode(regions)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d regions of %s, %d × %d pixels (untrusted page content)", len(regions.Regions), regions.Total, regions.Capture.ID, regions.Capture.Width, regions.Capture.Height)
	for _, r := range regions.Regions {
		said := r.Label
		if r.Text != nil {
			said = *r.Text
		}
		fmt.Fprintf(&b, "\n- %s %s %d,%d %dx%d %q", r.ID, r.Kind, r.Bounds.X, r.Bounds.Y, r.Bounds.Width, r.Bounds.Height, said)
	}
	return &Result{Structured: structured, Text: b.String()}, nil
}
