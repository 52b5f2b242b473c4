package mapper

import "github.com/webarea/webarea/elements"

// prune leaves what the scope asks for.
func (a *answer) prune(root *out) {
	seen(root, false)
	root.drawn = true
	switch a.options.Scope {
	case Pointing, Visible:
		a.keepPointed(root)
	case One:
		a.keepOne(root)
	}
}

// keepPointed keeps every tab's line, the focus path, selections and the hovered
// element with their ancestors bare, and what is in a selected element and in the
// last of the focus path; with the visible scope, also what is on screen.
func (a *answer) keepPointed(root *out) {
	onScreen := a.options.Scope == Visible
	said := map[*out]bool{}
	for _, w := range root.kids {
		keep(w)
	}
	for _, t := range a.tabs {
		keep(t.out)
		if t.dialog != nil {
			keep(t.dialog)
			for _, k := range t.dialog.kids {
				keep(k)
				said[k] = true
			}
		}
		if t.doc != nil && t.from.Active {
			keep(t.doc.out)
		}
	}
	var whole []*out
	var visit func(o *out)
	visit = func(o *out) {
		if o.el.Selected {
			keep(o)
			whole = append(whole, o)
		}
		if o.el.Focused || o.el.Hovered {
			keep(o)
		}
		if onScreen && (o.drawn || o.hidden && o.el.Role == elements.Window) {
			keep(o)
			said[o] = true
		}
		for _, k := range o.kids {
			visit(k)
		}
	}
	visit(root)
	if f := a.focus; f != nil && !f.el.Selected && f.el.Role != elements.Window && f.el.Role != elements.Document {
		whole = append(whole, f)
	}
	if a.hover != nil {
		said[a.hover] = true
	}
	for _, o := range whole {
		keepWhole(o, said)
	}
	a.omit("elements", missing(whole))
	drop(root, func(o *out) bool {
		if !said[o] {
			o.words = ""
		}
		return o.kept
	})
	root.skipBare()
}

// skipBare leaves out plain Texts that have nothing left to say: what is in them
// takes their place.
func (o *out) skipBare() {
	var kids []*out
	for _, k := range o.kids {
		k.skipBare()
		e := k.el
		if e.Role == elements.Text && k.words == "" && e.Title == "" && e.Subrole == "" && !e.Focused && !e.Selected && !e.Hovered && len(e.Attributes) == 0 && k.doc != nil && len(k.kids) > 0 {
			for _, g := range k.kids {
				g.parent = o
			}
			kids = append(kids, k.kids...)
			continue
		}
		kids = append(kids, k)
	}
	o.kids = kids
}

// keepWhole keeps an element with what is in it, within the bound.
func keepWhole(o *out, said map[*out]bool) {
	left := subtreeElements
	var visit func(o *out)
	visit = func(o *out) {
		said[o] = true
		for _, k := range o.kids {
			if !k.kept {
				if left == 0 {
					continue
				}
				left--
				k.kept = true
			}
			visit(k)
		}
	}
	keep(o)
	visit(o)
}

// missing counts what is in the elements and was not kept.
func missing(whole []*out) int {
	n := 0
	seen := map[*out]bool{}
	var visit func(o *out)
	visit = func(o *out) {
		if seen[o] {
			return
		}
		seen[o] = true
		for _, k := range o.kids {
			if k.kept {
				visit(k)
			} else {
				n += count(k)
			}
		}
	}
	for _, o := range whole {
		visit(o)
	}
	return n
}

func count(o *out) int {
	n := 1
	for _, k := range o.kids {
		n += count(k)
	}
	return n
}

// keep keeps an element and its ancestors.
func keep(o *out) {
	for ; o != nil && !o.kept; o = o.parent {
		o.kept = true
	}
}

// drop takes out what does not stay.
func drop(o *out, stays func(*out) bool) {
	kept := o.kids[:0]
	for _, k := range o.kids {
		if stays(k) {
			kept = append(kept, k)
			drop(k, stays)
		}
	}
	o.kids = kept
}

// keepOne keeps one element with what is in it; its ancestors come bare.
func (a *answer) keepOne(root *out) {
	if a.target == nil {
		root.kids = nil
		return
	}
	keep(a.target)
	inside := map[*out]bool{}
	var visit func(o *out)
	visit = func(o *out) {
		inside[o] = true
		o.kept = true
		for _, k := range o.kids {
			visit(k)
		}
	}
	visit(a.target)
	drop(root, func(o *out) bool {
		// What is selected is so by its words (section 5.5).
		if o.kept && !inside[o] && !o.el.Selected {
			o.words = ""
		}
		return o.kept
	})
}
