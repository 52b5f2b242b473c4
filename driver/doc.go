// Package driver acts on pages that we opened ourselves: it opens a tab, loads a
// page into it, and then does what a person at the keyboard and the mouse would
// do to point at something, so that there is something to read. The command line
// and the tests use it. It owns no connection and no browser, it reports nothing
// about a page but whether an act was possible, and it is never used on a tab
// that a user shared.
//
// The acts work on a session of a page target that others may use at the same
// time. Each ends with its context. A JavaScript dialog that an act opens ends the
// act, successfully, with the dialog open; while one is open from before, nothing
// in the page answers and every act lasts until its context ends.
package driver
