package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// answer answers a call: what is of all browsers, and what only this process does, here;
// all else the host that it is for.
func (g *Gateway) answer(ctx context.Context, who Agent, name string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	switch name {
	case getAccessibilityTree.name:
		return g.desk(ctx, who, arguments)
	case getWindowState.name:
		return g.windowState(ctx, who, arguments)
	}
	return g.call(ctx, who, name, arguments)
}

// deskPatience is how long hosts that do not answer are waited for once one has.
const deskPatience = 2 * time.Second

// desk has all hosts tell which windows there are. One that does not answer is left
// out, unless no other does.
func (g *Gateway) desk(ctx context.Context, who Agent, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	arguments, err := getAccessibilityTree.input.complete(arguments)
	if err != nil {
		return nil, err
	}
	all := g.list()
	if len(all) == 0 {
		return nil, errNoBrowser
	}
	type deskOf struct {
		place int
		desk  provider.Desk
		err   error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := make(chan deskOf, len(all))
	for i, instance := range all {
		u := g.upstream(instance)
		g.running.Go(func() {
			d := deskOf{place: i}
			d.err = u.ask(ctx, who, func(ctx context.Context, s *sdk.ClientSession) error {
				r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: getAccessibilityTree.name, Arguments: arguments})
				if err != nil {
					return err
				}
				if r.IsError {
					return failureIn(&sdk.CallToolResult{StructuredContent: asItCame(r)})
				}
				return json.Unmarshal(asItCame(r), &d.desk)
			})
			told <- d
		})
	}
	desks := make([]provider.Desk, len(all))
	var errs []error
	answered := false
	var late <-chan time.Time
	for range all {
		select {
		case d := <-told:
			if errors.Is(d.err, ErrNoHost) {
				g.refresh()
			}
			if d.err != nil {
				errs = append(errs, d.err)
				continue
			}
			desks[d.place], answered = d.desk, true
			if late == nil {
				late = time.After(deskPatience)
			}
			continue
		case <-late:
		}
		break
	}
	merged := &provider.Desk{Browsers: []provider.DeskBrowser{}, Windows: []provider.DeskWindow{}}
	for _, desk := range desks {
		merged.Browsers, merged.Windows = append(merged.Browsers, desk.Browsers...), append(merged.Windows, desk.Windows...)
	}
	if !answered {
		if len(g.list()) == 0 {
			return nil, errNoBrowser
		}
		return nil, errors.Join(errs...)
	}
	if len(merged.Windows) == 0 {
		return nil, errNothingShared
	}
	r, err := deskResult(merged)
	if err != nil {
		return nil, err
	}
	return r.wire(), nil
}

// windowState has a host tell of a window, and writes its picture to a file if that is
// asked for: the host is no process that the agent started.
func (g *Gateway) windowState(ctx context.Context, who Agent, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	var members map[string]json.RawMessage
	var file string
	if json.Unmarshal(arguments, &members) == nil {
		// What is no text is for the host to refuse.
		_ = json.Unmarshal(members[outFileArgument], &file)
	}
	if file == "" {
		return g.call(ctx, who, getWindowState.name, arguments)
	}
	path, err := g.files.check(file)
	if err != nil {
		return nil, err
	}
	delete(members, outFileArgument)
	members["include_screenshot"] = json.RawMessage("true")
	passed, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	r, err := g.call(ctx, who, getWindowState.name, passed)
	if err != nil || r.IsError {
		return r, err
	}
	at := slices.IndexFunc(r.Content, func(c sdk.Content) bool { _, is := c.(*sdk.ImageContent); return is })
	if at < 0 {
		return r, nil
	}
	if err := writePNG(path, r.Content[at].(*sdk.ImageContent).Data); err != nil {
		return nil, err
	}
	r.Content = slices.Delete(slices.Clone(r.Content), at, at+1)
	structured, _ := r.StructuredContent.(json.RawMessage)
	var state map[string]json.RawMessage
	if err := json.Unmarshal(structured, &state); err != nil {
		return nil, err
	}
	if state["screenshot_file_path"], err = encode(path); err != nil {
		return nil, err
	}
	if structured, err = encode(state); err != nil {
		return nil, err
	}
	r.StructuredContent = json.RawMessage(structured)
	return r, nil
}

// outFileArgument names the file that a picture is written to.
const outFileArgument = "screenshot_out_file"
