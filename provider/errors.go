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
	// CodeNotShared: what the id named was in a tab that is not shared, whether or not
	// there still is such a tab.
	CodeNotShared Code = "tab_not_shared"
)

// An Error is a failure told to an agent: what is wrong, and what mends it.
type Error struct {
	Code    Code
	Message string
	Mend    string
	// More is what a failure says besides, by name, such as who owns a window.
	More  map[string]any
	cause error
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

	// Those of a tab that its browser tells of.
	ProblemAttaching      = "attaching"             // its page can be read in a moment
	ProblemReduced        = "reduced"               // only little of it can be read
	ProblemPaused         = "paused"                // its user shared another site than it shows
	ProblemUnreachableTab = "unreachable"           // there is no way to its page
	ProblemDiscarded      = "tab_discarded"         // the browser has put its page away
	ProblemFrozen         = "tab_frozen"            // its page's scripts stand still
	ProblemRestricted     = "restricted_page"       // the browser lets nobody read such a page
	ProblemOtherExtension = "other_extension_frame" // for another extension's frame nobody may read it
	ProblemFileAccess     = "file_access"           // its user has not allowed the reading of files
	ProblemPDF            = "pdf_viewer"            // its words are out of reach
	ProblemLeftSite       = "left_site"             // as paused
	ProblemBusy           = "debugger_busy"         // somebody else holds it
)
