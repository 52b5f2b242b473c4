// Package cdp is one connection to a Chrome browser over its DevTools Protocol.
//
// It owns the connection from both ends: finding, launching and ending a
// browser, attaching to one that runs already, the transports that carry whole
// protocol messages, the flat sessions that commands and events travel in, and
// the reading of pages over them. It knows nothing of the Elements protocol, of
// who may see which tab, or of who asks, and it never acts on a page: package
// driver does, on pages that belong to us.
package cdp
