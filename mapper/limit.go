package mapper

import (
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// limit keeps within the caller's budgets: what is pointed at first, then what is
// on screen, then the rest in order.
func (a *answer) limit(root *out) {
	a.limitDepth(root, 0, elements.MaxDepth-1)
	if a.options.MaxDepth > 0 {
		// Of one element that was asked for it is the depth below it.
		from := root
		if a.options.Scope == One && a.target != nil {
			from = a.target
		}
		a.limitDepth(from, 0, a.options.MaxDepth)
	}
	if n := a.options.MaxElements; n > 0 && count(root) > n {
		a.limitElements(root, n)
	}
	if a.options.MaxText > 0 {
		a.limitAllText(root, a.options.MaxText)
	}
}

func (a *answer) limitDepth(o *out, at, most int) {
	if at >= most {
		for _, k := range o.kids {
			a.omit("elements", count(k))
		}
		o.kids = nil
		return
	}
	for _, k := range o.kids {
		a.limitDepth(k, at+1, most)
	}
}

func (a *answer) limitElements(root *out, most int) {
	total := count(root)
	chosen := map[*out]bool{root: true}
	if a.options.Scope == One {
		// What was asked for is said in any case.
		for o := a.target; o != nil; o = o.parent {
			chosen[o] = true
		}
	}
	choose := func(o *out) {
		var way []*out
		for p := o; p != nil && !chosen[p]; p = p.parent {
			way = append(way, p)
		}
		if len(chosen)+len(way) > most {
			return
		}
		for _, p := range way {
			chosen[p] = true
		}
	}
	first := func(o *out) bool { return o == a.target }
	for _, want := range append([]func(o *out) bool{first}, byUse...) {
		var visit func(o *out)
		visit = func(o *out) {
			if len(chosen) >= most {
				return
			}
			if !chosen[o] && want(o) {
				choose(o)
			}
			for _, k := range o.kids {
				visit(k)
			}
		}
		visit(root)
	}
	drop(root, func(o *out) bool { return chosen[o] })
	a.omit("elements", total-count(root))
}

// byUse are the rounds in which a budget is spent.
var byUse = []func(o *out) bool{
	func(o *out) bool { return o.el.Selected },
	func(o *out) bool { return o.el.Focused || o.el.Hovered },
	func(o *out) bool { return o.drawn },
	func(o *out) bool { return true },
}

// limitAllText cuts words to a number of bytes.
func (a *answer) limitAllText(root *out, left int) {
	done := map[*out]bool{}
	for _, want := range byUse {
		a.limitText(root, &left, done, want)
	}
	// Without any words left a selection is none.
	total := count(root)
	drop(root, func(o *out) bool {
		if o.el.Selected && !o.selectable() {
			o.el.Selected = false
			return o.node >= 0
		}
		return true
	})
	a.omit("elements", total-count(root))
}

func (a *answer) limitText(o *out, left *int, done map[*out]bool, want func(o *out) bool) {
	if o.words != "" && !done[o] && want(o) {
		done[o] = true
		if len(o.words) > *left {
			n := *left
			for n > 0 && !utf8.RuneStart(o.words[n]) {
				n--
			}
			a.omit("text", len(o.words)-n)
			o.words = o.words[:n]
			o.cut, o.textCut = true, true
		}
		*left -= len(o.words)
	}
	for _, k := range o.kids {
		a.limitText(k, left, done, want)
	}
}
