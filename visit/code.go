package visit

import (
	"context"
	"errors"
	"fmt"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// A Code names a kind of failure to a script. Codes are never renamed.
type Code string

// The codes of everything that can keep a target from being answered about. The
// first four are for whoever names targets and finds browsers; no visit ends with
// them.
const (
	CodeBadTarget    Code = "bad_target"        // it names no page that can be opened
	CodeNotFound     Code = "not_found"         // there is no such file
	CodeUnreadable   Code = "unreadable"        // the file or the input cannot be read
	CodeNoBrowser    Code = "no_browser"        // no browser could be started or attached to
	CodeLoad         Code = "load_failed"       // the browser could not load the page
	CodeAct          Code = "act_failed"        // nothing matches, or what does cannot be pointed at so
	CodeEval         Code = "eval_failed"       // the script threw, or its promise was rejected
	CodeTimeout      Code = "timeout"           // it took too long to get to the reading
	CodeUnresponsive Code = "page_unresponsive" // the page did not let itself be read in time
	CodePage         Code = "page_unreadable"   // the page cannot be read for another reason
	CodeTabClosed    Code = "tab_closed"        // the page or somebody else closed the tab
	CodeBrowserGone  Code = "browser_gone"      // the browser ended
	CodeInterrupted  Code = "interrupted"       // whoever asked has stopped waiting
	CodeFailed       Code = "failed"            // anything else
)

// Codes returns all codes.
func Codes() []Code {
	return []Code{
		CodeBadTarget, CodeNotFound, CodeUnreadable, CodeNoBrowser, CodeLoad, CodeAct, CodeEval, CodeTimeout,
		CodeUnresponsive, CodePage, CodeTabClosed, CodeBrowserGone, CodeInterrupted, CodeFailed,
	}
}

// Reached is how far a visit had come when it ended. Whoever wants to make it again
// can tell by it what would be done twice.
type Reached int

// How far visits come.
const (
	ReachedNothing Reached = iota // nothing was asked of the page or its server
	ReachedPage                   // the page was asked for, and may have loaded
	ReachedActs                   // something was done in it, or was about to be
)

// An Error is why there is no answer about a page.
type Error struct {
	Code    Code
	Message string // for a person, with the mend where there is one
	Reached Reached
	cause   error
}

// Failure returns an error with the code. The cause may be nil; what there is to
// say of it is in the message.
func Failure(code Code, cause error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), cause: cause}
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// kinds tells which errors of others have which code, the most telling first.
var kinds = []struct {
	code Code
	is   func(error) bool
}{
	{CodeBrowserGone, wraps(cdp.ErrBrowserGone)},
	{CodeTabClosed, wraps(cdp.ErrTargetGone)},
	{CodeAct, kind[*driver.ActError]},
	{CodeEval, kind[*driver.ScriptError]},
	{CodeLoad, kind[*driver.LoadError]},
	{CodeInterrupted, wraps(context.Canceled)},
	{CodeTimeout, wraps(context.DeadlineExceeded)},
}

func wraps(sentinel error) func(error) bool {
	return func(err error) bool { return errors.Is(err, sentinel) }
}

func kind[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// failed gives an error of a visit its code.
func failed(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	code := CodeFailed
	for _, k := range kinds {
		if k.is(err) {
			code = k.code
			break
		}
	}
	var told *provider.Error
	if errors.As(err, &told) && told.Code == provider.CodeBrowserGone {
		code = CodeBrowserGone
	}
	return Failure(code, err, "%v", err)
}
