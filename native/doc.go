// Package native is the program's side of the user's own browser.
//
// It owns native messaging and all that hangs on it: the frames on standard input
// and output, the messages that the extension and the host say to each other, the
// relay that makes a shared tab a connection of package cdp, the host process that a
// browser starts, the per-user socket on which the host serves agents, and the
// registering of host and extension with a browser.
//
// It never decides what is shared: the extension tells, by its user's acts, and what
// it no longer tells is no longer answered about. It says nothing of a page: packages
// provider and mcp do. Standard output belongs to the browser, and its log has no
// word of a page.
package native
