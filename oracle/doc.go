// Package oracle says what a page-scope answer about a page must hold: which
// elements, in which order and nesting, and every word exactly as often as the
// rules say. Tests hold real answers against it.
//
// Its worth is its independence. It reads Chrome's raw accessibility tree of
// every frame, takes what that tree does not tell (attributes, display, values)
// from a DOM snapshot, and applies the role table and the word rules with a
// loop of its own. It shares no code with what it judges: it never imports the
// mapper or the provider, nor calls the page reading of package cdp, and no
// shipped code imports it.
//
// It is as slow as the whole tree is large, and it tells nothing of states and
// attributes.
package oracle
