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
	id       string  // of a thing that the host told of
	of       *naming // what kind of thing that is
}

// A naming is an argument that names a thing which a host told of, and what is said of
// one that none has.
type naming struct {
	argument string
	code     provider.Code
	unknown  string // a format of the id
	again    string // what to call for another
}

var (
	byElement = &naming{"id", provider.CodeUnknownID, "no running browser has told of %q", "ask get_elements anew"}
	byCapture = &naming{"capture_id", provider.CodeCaptureNotFound, "no running browser has the capture %q", "call get_window_state for a new one"}
)

// again is what to call once a browser that was meant has ended.
func (t target) again() string {
	switch {
	case t.of != nil:
		return t.of.again
	case t.pid != 0:
		return "call get_accessibility_tree to see what there is now"
	}
	return byElement.again
}

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
	for _, n := range []*naming{byElement, byCapture} {
		if json.Unmarshal(members[n.argument], &t.id) == nil && t.id != "" {
			t.of = n
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
			return t.mended(err, instance, all)
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
	return &provider.Error{Code: provider.CodeBrowserGone, Message: "the browser has ended", Mend: t.again()}
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
				Code:    t.of.code,
				Message: fmt.Sprintf(t.of.unknown, t.id),
				Mend:    "the browser that did may have been closed: " + t.again(),
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

// mended says of a host that does not answer which others there are, and of one that
// died what went with it.
func (t target) mended(err error, instance string, all []string) error {
	if errors.Is(err, errHostDied) && t.of != nil {
		e := *errHostDied
		e.Mend = "what it told of went with it: " + t.of.again
		return &e
	}
	if !errors.Is(err, errHostStuck) || len(all) < 2 {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == instance })
	e := *errHostStuck
	e.Mend += ", or ask about another by its instance: " + strings.Join(others, ", ")
	return &e
}
