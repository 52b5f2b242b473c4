// Package mapper turns a reading of web pages into the elements of the Elements
// protocol. It owns the role table and the rules of what is reported, where the
// focus path runs, where a selection stands and what is visible. It is pure: it
// does no I/O, keeps nothing, and the same reading gives the same answer.
package mapper
