// Package elements is the Elements protocol, version 0.2.0: what a provider
// answers, how it is written and read as JSON, and which rules it must keep.
//
// An [Answer] is a tree of [Element] values rooted at the app. [Encode] and
// [Decode] are its wire form, [Validate] and [ValidateJSON] name every rule of
// section 5 that an answer breaks, and [Schema] is its JSON Schema.
//
// The package knows no browser and does no I/O but on the readers and writers
// it is handed. It decides nothing about what an app should report.
package elements

import "iter"

// Version is the version of the protocol that this package speaks; it is what
// an answer's Protocol says.
const Version = "0.2.0"

// MaxDepth is how many elements may lie on the way from the root, counted with
// it, down to any element. Most JSON readers give up at some depth
// (encoding/json at 10,000 levels); an element takes two levels, and what is
// left is for the attributes of the deepest.
const MaxDepth = 4900

// An Answer is everything a provider says about its app at one moment.
type Answer struct {
	// Protocol is the version of the protocol; see [Version].
	Protocol string `json:"protocol"`
	// Instance names one run of the provider (5.4).
	Instance string `json:"instance"`
	// Root is the app; its role is Application (5.2).
	Root *Element `json:"root"`
}

// An Element is one thing the app shows (5.1). A field that is empty is not
// sent.
type Element struct {
	// ID names one appearance of a thing within the provider's run (5.4):
	// 1 to 128 ASCII letters, digits, hyphens and underscores.
	ID string `json:"id"`
	// Role is how the thing is shown (5.2).
	Role Role `json:"role"`
	// Subrole is what the thing is, in the app's own word.
	Subrole string `json:"subrole,omitempty"`
	// Title is one line a person could read.
	Title string `json:"title,omitempty"`
	// Content is what an agent can read or see of the element (5.5).
	Content []Block `json:"content,omitempty"`
	// URL is an address for the thing.
	URL string `json:"url,omitempty"`
	// Selected says that the user selected this (5.3).
	Selected bool `json:"selected,omitempty"`
	// Focused says that the keyboard or cursor is here, or inside here (5.3).
	Focused bool `json:"focused,omitempty"`
	// Visible says whether the element is drawn on screen; nil says the same
	// as the parent, and true at the root (5.3).
	Visible *bool `json:"visible,omitempty"`
	// Hovered says that the pointer is over this and nothing reported inside
	// it (5.3).
	Hovered bool `json:"hovered,omitempty"`
	// Children are the elements inside this one, in the app's order.
	Children []*Element `json:"children,omitempty"`
	// Attributes are named values the app defines freely (5.6). Values are
	// what JSON can say; numbers that were decoded are json.Number, so that
	// none loses a digit.
	Attributes map[string]any `json:"attributes,omitempty"`
}

// Walk visits the element and everything under it, parents first and in
// order, with each element's parent (nil for e itself) and its depth below e
// (0 for e itself). Where visit returns false, that element's children are
// left out. It does not recurse, however deep the tree.
func (e *Element) Walk(visit func(e, parent *Element, depth int) bool) {
	e.walk(func(e, parent *Element, depth int) step {
		if visit(e, parent, depth) {
			return into
		}
		return over
	})
}

// A step is where a walk goes from the element it stands on.
type step int

const (
	into step = iota
	over
	stop
)

func (e *Element) walk(visit func(e, parent *Element, depth int) step) {
	if e == nil || visit(e, nil, 0) != into {
		return
	}
	type level struct {
		of   *Element
		next int
	}
	way := []level{{of: e}}
	for len(way) > 0 {
		here := &way[len(way)-1]
		if here.next == len(here.of.Children) {
			way = way[:len(way)-1]
			continue
		}
		child := here.of.Children[here.next]
		here.next++
		if child == nil {
			continue
		}
		switch visit(child, here.of, len(way)) {
		case into:
			way = append(way, level{of: child})
		case stop:
			return
		}
	}
}

// Find returns the element with the given id, nil if the answer has none.
func (a *Answer) Find(id string) *Element {
	for e := range a.All() {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// All yields every element of the answer, parents first and in order.
func (a *Answer) All() iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		a.Root.walk(func(e, _ *Element, _ int) step {
			if yield(e) {
				return into
			}
			return stop
		})
	}
}
