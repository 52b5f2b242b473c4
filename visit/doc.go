// Package visit is one look at one page: opened in a tab of its own, pointed at,
// read, and closed again.
//
// It owns the tab and the order and the time of what happens in it. It never owns
// a browser or a connection, and it never touches a tab that it did not open: the
// tab is shared with a provider while it is read, by whoever asked for the visit.
package visit
