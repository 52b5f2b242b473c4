package cdp

import (
	"errors"
	"fmt"
)

var (
	// ErrBrowserGone is what every call fails with once the connection to the
	// browser has ended, for whatever reason. The error that carries it wraps
	// the reason too.
	ErrBrowserGone = errors.New("the browser is gone")

	// ErrTargetGone is what every call of a session fails with once its target
	// was closed, replaced or detached.
	ErrTargetGone = errors.New("the page is gone")

	// ErrNoBrowser is returned by Find, and by what uses it, when no browser is
	// installed in any usual place.
	ErrNoBrowser = errors.New("no Chrome or Chromium found")

	errClosedByUs = errors.New("the connection was closed")
)

// codeSessionNotFound is the protocol error code for a session id that the
// browser does not know, or no longer.
const codeSessionNotFound = -32001

// A CallError is a command that the browser refused or could not carry out.
type CallError struct {
	Method  string // the command, such as "Page.navigate"
	Code    int    // the JSON-RPC error code, such as -32000
	Message string // the browser's words
}

// Error names the command and gives the browser's words.
func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}

// Is reports that the error is also ErrTargetGone when the browser no longer
// knows the session.
func (e *CallError) Is(target error) bool {
	return target == ErrTargetGone && e.Code == codeSessionNotFound
}
