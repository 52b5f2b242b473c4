package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/webarea/webarea/cdp"
)

// errDialog is what waiting for an answer ends with when the page shows a dialog
// instead: it answers nothing before that is closed.
var errDialog = errors.New("a JavaScript dialog is open")

// A ScriptError is an exception that a script threw or a promise was rejected
// with.
type ScriptError struct {
	// Message is the exception as the page tells it, without the stack.
	Message string
}

// Error gives the exception.
func (e *ScriptError) Error() string { return "the script failed: " + e.Message }

// Eval runs a script in the page's main world and, if its value is a promise,
// waits for that. It returns, with nil, when the script opens a dialog. The script
// counts as something the user did, as it must to go fullscreen or to keep the page
// from being left. An exception is a *ScriptError.
func Eval(ctx context.Context, s *cdp.Session, script string) error {
	gesture := true
	err := evaluate(ctx, mainWorld(s), runtime.EvaluateParams{Expression: script, UserGesture: &gesture}, nil)
	if errors.Is(err, errDialog) {
		return nil
	}
	return err
}

// Value is Eval for a script whose value, as JSON, is decoded into result. A
// dialog is an error.
func Value(ctx context.Context, s *cdp.Session, script string, result any) error {
	return evaluate(ctx, mainWorld(s), runtime.EvaluateParams{Expression: script}, result)
}

// mainWorld is the place in which a session's own scripts run.
func mainWorld(s *cdp.Session) *place { return &place{session: s, page: s} }

// evaluate runs a script, waits for its promise and decodes its value unless
// result is nil.
func evaluate(ctx context.Context, p *place, params runtime.EvaluateParams, result any) error {
	yes, byValue := true, result != nil
	params.AwaitPromise = &yes
	params.ReturnByValue = &byValue
	var answer answered
	if err := p.call(ctx, runtime.CommandEvaluate, params, &answer); err != nil {
		return err
	}
	return answer.decode(result)
}

// answered is what the browser says about a script that it ran.
type answered struct {
	Result struct {
		Value jsonv2.Value `json:"value"`
	} `json:"result"`
	Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
}

func (a *answered) decode(result any) error {
	if a.Exception != nil {
		return &ScriptError{Message: describeException(a.Exception)}
	}
	if result == nil {
		return nil
	}
	if len(a.Result.Value) == 0 {
		return errors.New("the script's value is undefined")
	}
	if err := jsonv2.Unmarshal(a.Result.Value, result, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("decoding the script's value: %w", err)
	}
	return nil
}

// callUnlessDialog sends a command by the function send and waits for the answer.
// It ends with errDialog when the page opens a dialog first.
func callUnlessDialog(ctx context.Context, pageSession *cdp.Session, send func(context.Context, string, any) *cdp.Pending, method string, params, result any) error {
	// An answer that nobody waits for any more is not kept a place for.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opened, stop := onDialog(pageSession)
	defer stop()
	// The events of the page domain tell of dialogs. Commands are carried out in
	// order, so there is no need to wait for this one.
	pageSession.Go(ctx, page.CommandEnable, nil)
	answer := send(ctx, method, params)
	select {
	case <-answer.Done():
	case <-opened:
		select {
		case <-answer.Done():
		default:
			return errDialog
		}
	}
	return answer.Wait(ctx, result)
}

// onDialog returns a channel that is closed when a dialog opens.
func onDialog(s *cdp.Session) (opened <-chan struct{}, stop func()) {
	channel := make(chan struct{})
	var once sync.Once
	stop = s.On("Page.javascriptDialogOpening", func(jsonv2.Value) { once.Do(func() { close(channel) }) })
	return channel, stop
}

func describeException(details *runtime.ExceptionDetails) string {
	message := details.Text
	if e := details.Exception; e != nil {
		switch {
		case e.Description != "":
			message, _, _ = strings.Cut(e.Description, "\n    at ")
		case len(e.Value) > 0:
			message = strings.TrimSpace(strings.TrimPrefix(details.Text, "Uncaught") + " " + string(e.Value))
		}
	}
	const enough = 2000
	if len(message) > enough {
		message = strings.ToValidUTF8(message[:enough], "") + "…"
	}
	return message
}
