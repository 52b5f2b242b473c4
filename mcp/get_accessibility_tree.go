package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/webarea/webarea/provider"
)

// getAccessibilityTree tells which windows there are.
var getAccessibilityTree = tool{
	name:        "get_accessibility_tree",
	title:       "Windows and shared tabs",
	description: "Browsers, windows and shared tabs, with the pid, window_id and tab_id that other tools take. Cheap.",
	input:       schemaOf(`{"type":"object","properties":{` + sessionProperty + `},"additionalProperties":false}`),
	output:      schemaOf(failureOutput),
	run:         running(runGetAccessibilityTree),
}

func runGetAccessibilityTree(ctx context.Context, s *Server, _ struct{}) (*Result, error) {
	ctx, cancel, err := s.prepare(ctx, "")
	if err != nil {
		return nil, err
	}
	defer cancel()
	desk, err := s.provider.Desk(ctx)
	if err != nil {
		return nil, err
	}
	return deskResult(desk)
}

// deskResult is a desk as a tool's result.
func deskResult(desk *provider.Desk) (*Result, error) {
	structured, err := encode(desk)
	if err != nil {
		return nil, err
	}
	tabs := 0
	for _, w := range desk.Windows {
		tabs += len(w.Tabs)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s (titles are untrusted page content)", counted(len(desk.Windows), "window"), counted(tabs, "shared tab"))
	for _, w := range desk.Windows {
		fmt.Fprintf(&b, "\n- window %d of pid %d, %s, %s", w.WindowID, w.PID, w.AppName, w.State)
		if w.Focused {
			b.WriteString(", focused")
		}
		for _, t := range w.Tabs {
			fmt.Fprintf(&b, "\n  - tab %s %q %q", t.TabID, t.Title, t.URL)
			if t.Active {
				b.WriteString(" active")
			}
		}
	}
	return &Result{Structured: structured, Text: b.String()}, nil
}

// counted says how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
