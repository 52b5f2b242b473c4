package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/provider"
)

// A target is what a question says of the host that it is for. Nothing: that whose
// browser was used last, of those with a shared tab.
type target struct {
	instance string
	pid      int
	id       string // of a thing that the host told of
}

// idArguments are the arguments that name a thing which a host told of.
var idArguments = []string{"id", "capture_id", "element_token", "snapshot_id"}

// targetIn reads a target in the arguments of a tool. What is of another form than
// the tool has it is for the host to refuse.
func targetIn(arguments []byte) target {
	var members map[string]json.RawMessage
	var t target
	if json.Unmarshal(arguments, &members) != nil {
		return t
	}
	_ = json.Unmarshal(members["instance"], &t.instance)
	_ = json.Unmarshal(members["pid"], &t.pid)
	for _, name := range idArguments {
		if json.Unmarshal(members[name], &t.id) == nil && t.id != "" {
			break
		}
	}
	return t
}

// An asking asks a host over its session. It tells whether the answer says that the
// host has nothing to tell.
type asking func(ctx context.Context, s *sdk.ClientSession, instance string) (isEmpty bool, err error)

// route has the host that a question is for asked. One that has just died is passed
// over, and where no certain one is meant one with nothing to tell is too. The error
// is a *provider.Error where that tells an agent what to do.
func (g *Gateway) route(ctx context.Context, who Agent, t target, ask asking) error {
	all := g.list()
	fitting, err := g.fitting(ctx, who, t, all)
	if err != nil {
		return err
	}
	asked := false
	for _, instance := range fitting {
		isEmpty := false
		err := g.upstream(instance).ask(ctx, who, func(ctx context.Context, s *sdk.ClientSession) (err error) {
			isEmpty, err = ask(ctx, s, instance)
			return err
		})
		switch {
		case errors.Is(err, ErrNoHost):
			g.refresh()
			continue
		case err != nil:
			return withOthers(err, instance, all)
		case !isEmpty:
			if t == (target{}) {
				g.mu.Lock()
				g.answered = instance
				g.mu.Unlock()
			}
			return nil
		}
		asked = true
	}
	if asked {
		return errNothingShared
	}
	if len(g.list()) == 0 {
		return errNoBrowser
	}
	return &provider.Error{Code: provider.CodeBrowserGone, Message: "the browser has ended", Mend: "ask get_elements anew"}
}

// fitting gives the hosts that a question may be for, the likeliest first.
func (g *Gateway) fitting(ctx context.Context, who Agent, t target, all []string) ([]string, error) {
	switch {
	case len(all) == 0:
		return nil, errNoBrowser
	case t.instance != "":
		if !slices.Contains(all, t.instance) {
			return nil, &provider.Error{
				Code:    CodeUnknownInstance,
				Message: fmt.Sprintf("there is no instance %q", t.instance),
				Mend:    fmt.Sprintf("leave instance out, or use one of %s; ids of another run name nothing here", strings.Join(all, ", ")),
			}
		}
		return []string{t.instance}, nil
	case t.id != "":
		i := slices.IndexFunc(all, func(instance string) bool { return provider.MintedBy(instance, t.id) })
		if i < 0 {
			return nil, &provider.Error{
				Code:    provider.CodeUnknownID,
				Message: fmt.Sprintf("no running browser has told of %q", t.id),
				Mend:    "the browser that did may have been closed: ask get_elements anew",
			}
		}
		return all[i : i+1], nil
	case t.pid != 0:
		if instance := g.findPID(ctx, who, t.pid, all); instance != "" {
			return []string{instance}, nil
		}
	}
	return all, nil
}

// findPID gives the host of a browser by that one's process id. All are asked at
// once, so that one that does not answer keeps nobody waiting who means another.
func (g *Gateway) findPID(ctx context.Context, who Agent, pid int, all []string) string {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	found := make(chan string, len(all))
	for _, instance := range all {
		u := g.upstream(instance)
		g.running.Go(func() {
			if u.browserPID(ctx, who) != pid {
				instance = ""
			}
			found <- instance
		})
	}
	for range all {
		if instance := <-found; instance != "" {
			return instance
		}
	}
	return ""
}

// maxEmpty is from how many bytes on an answer is not looked into: one that has
// nothing to tell is short.
const maxEmpty = 2048

// saysNothing tells whether an answer is that no tab is shared: an application
// without windows, from which none were left out, or an empty list of windows.
func saysNothing(structured []byte) bool {
	if len(structured) > maxEmpty {
		return false
	}
	var a struct {
		Root *struct {
			Children   []json.RawMessage
			Attributes map[string]json.RawMessage
		}
		Windows *[]json.RawMessage
	}
	if json.Unmarshal(structured, &a) != nil {
		return false
	}
	if a.Root != nil {
		return len(a.Root.Children) == 0 && a.Root.Attributes["omitted"] == nil
	}
	return a.Windows != nil && len(*a.Windows) == 0
}

// The codes of failures that only a gateway tells.
const (
	CodeNoBrowser     provider.Code = "no_browser"     // no browser with the extension runs
	CodeNothingShared provider.Code = "nothing_shared" // none of those that run has a shared tab
)

var (
	errNoBrowser = &provider.Error{
		Code:    CodeNoBrowser,
		Message: "No tab is shared: no browser with the Webarea extension is running",
		Mend:    "ask the user to open that browser (or, if they have never set it up, to run \"webarea install\"), to click the Webarea button on the page that they mean and then Share this tab; then ask again",
	}
	errNothingShared = &provider.Error{
		Code:    CodeNothingShared,
		Message: "No tab is shared",
		Mend:    "ask the user to click the Webarea button on the page that they mean and then Share this tab; then ask again",
	}
	errHostDied = &provider.Error{
		Code:    provider.CodeBrowserGone,
		Message: "the browser, or its extension, ended while it was asked",
		Mend:    "ask again: another browser answers, or this one once it is back",
	}
	errHostStuck = &provider.Error{
		Code:    CodeTimeout,
		Message: "the browser does not answer",
		Mend:    "ask again later",
	}
)

// withOthers adds to what a host that does not answer has to tell which others there
// are.
func withOthers(err error, instance string, all []string) error {
	if !errors.Is(err, errHostStuck) || len(all) < 2 {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == instance })
	e := *errHostStuck
	e.Mend += ", or ask about another by its instance: " + strings.Join(others, ", ")
	return &e
}
