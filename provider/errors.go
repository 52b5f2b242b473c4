package provider

import "fmt"

// A Code names a kind of failure to an agent.
type Code string

// The codes.
const (
	CodeUnknownID   Code = "unknown_id"   // no such id was given out in this run
	CodeGone        Code = "gone"         // what the id named is no longer there
	CodeInvalid     Code = "invalid"      // the question is not one
	CodeBrowserGone Code = "browser_gone" // the browser has ended
	// CodePageUnresponsive: the page's own script keeps it from answering.
	CodePageUnresponsive Code = "page_unresponsive"
	CodeTabCrashed       Code = "tab_crashed" // the page's process has died
	CodeNotDrawn         Code = "not_drawn"   // it has no box on the page
	CodeNoPicture        Code = "no_picture"  // no picture of it can be had now
	CodeFailed           Code = "failed"      // anything else
)

// An Error is a failure told to an agent: what is wrong, and what mends it.
type Error struct {
	Code    Code
	Message string
	Mend    string
	cause   error
}

// Error gives the message and the mend.
func (e *Error) Error() string {
	if e.Mend == "" {
		return e.Message
	}
	return e.Message + ": " + e.Mend
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

func failure(code Code, cause error, mend, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Mend: mend, cause: cause}
}

// The words for what keeps a tab's page from being read, in its "problem"
// attribute.
const (
	ProblemCrashed      = "tab_crashed"
	ProblemUnresponsive = "page_unresponsive"
	ProblemDialog       = "js_dialog_open"
	ProblemUnreachable  = "frame_unreachable"
	ProblemUnread       = "page_unreadable"
)
