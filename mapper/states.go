package mapper

import (
	"github.com/webarea/webarea/elements"
)

// at gives the element that stands for a node: its own, or that of the nearest
// ancestor that has one. exact tells that it is its own.
func (d *document) at(i int) (o *out, exact bool) {
	exact = true
	for ; i >= 0; i = d.from.Nodes[i].Parent {
		if o := d.home[i]; o != nil {
			for o.instead != nil {
				o, exact = o.instead, false
			}
			if o.attached() {
				return o, exact
			}
		}
		exact = false
	}
	return d.stand(), false
}

// stand is the document's own element, or, where its frame says nothing of its
// own, what stands for it.
func (d *document) stand() *out {
	o := d.out
	for o.instead != nil {
		o = o.instead
	}
	return o
}

func (o *out) attached() bool {
	for ; o.parent != nil; o = o.parent {
	}
	return o.key == "app"
}

// link sets every element's parent, once the tree is whole.
func link(o *out) {
	for _, k := range o.kids {
		k.parent = o
		link(k)
	}
}

// states marks what the user points at.
func (a *answer) states(r *Reading) {
	for _, t := range a.tabs {
		link(t.window)
	}
	byDoc := map[*Document]*document{}
	for _, d := range a.docs {
		byDoc[d.from] = d
	}
	a.markFocus(r, byDoc)
	a.markHover(r, byDoc)
	for _, d := range a.docs {
		a.markSelection(d)
		if d.from.Target != nil && *d.from.Target >= 0 {
			a.target, _ = d.at(*d.from.Target)
		}
	}
	if a.options.Scope == One {
		a.findTarget()
	}
}

// findTarget finds the element that a key names, where it is no node of a page.
func (a *answer) findTarget() {
	var visit func(o *out)
	visit = func(o *out) {
		if o.key == a.options.Target {
			a.target = o
		}
		for _, k := range o.kids {
			visit(k)
		}
	}
	for _, t := range a.tabs {
		root := t.window.parent
		if root.key == a.options.Target {
			a.target = root
		}
		visit(t.window)
	}
}

// markFocus follows the focus from the browser's last focused window down.
func (a *answer) markFocus(r *Reading, byDoc map[*Document]*document) {
	for k, w := range r.Windows {
		if !w.Focused {
			continue
		}
		root := a.root()
		if root == nil {
			return
		}
		end := root.kids[k]
		for _, t := range a.tabs {
			if t.window != end || !t.from.Active {
				continue
			}
			end = t.out
			if t.dialog != nil {
				end = t.dialog
			} else if t.doc != nil {
				end = focusIn(t.doc, byDoc)
			}
			break
		}
		a.focus = end
		for o := end; o != nil && o.parent != nil; o = o.parent {
			o.onPath = true
			o.el.Focused = true
		}
		return
	}
}

func (a *answer) root() *out {
	if len(a.tabs) == 0 {
		return nil
	}
	return a.tabs[0].window.parent
}

// focusIn gives the end of the focus path in a document and the frames below it.
func focusIn(d *document, byDoc map[*Document]*document) *out {
	f := d.from.Focus
	if f == nil {
		return d.stand()
	}
	if f.Frame != nil {
		if in := byDoc[f.Frame]; in != nil && in.stand().attached() {
			return focusIn(in, byDoc)
		}
	}
	if f.Descendant >= 0 {
		if o, exact := d.at(f.Descendant); exact {
			return o
		}
	}
	o, _ := d.at(f.Node)
	return o
}

// markHover marks the innermost reported element under the pointer, of the window
// whose page told of the pointer last.
func (a *answer) markHover(r *Reading, byDoc map[*Document]*document) {
	var best *document
	for _, t := range a.tabs {
		if t.doc == nil || !t.from.Active {
			continue
		}
		d := t.hovered()
		if d != nil && (best == nil || d.from.Hover.At > best.from.Hover.At) {
			best = d
		}
	}
	if best == nil {
		return
	}
	a.hover = hoverIn(best, byDoc)
	a.hover.el.Hovered = true
}

// hovered is the outermost document of a tab that is under the pointer. While the
// pointer is over a frame of another site nothing in the page outside matches
// :hover, so that the page itself may not know.
func (t *tab) hovered() *document {
	if t.doc.from.Hover != nil {
		return t.doc
	}
	for _, d := range t.doc.answer.docs {
		if d.from.Hover != nil && t.doc.holds(d) && d.stand().attached() {
			return d
		}
	}
	return nil
}

func hoverIn(d *document, byDoc map[*Document]*document) *out {
	h := d.from.Hover
	if h.Frame != nil {
		if in := byDoc[h.Frame]; in != nil && in.stand().attached() {
			if in.from.Hover != nil {
				return hoverIn(in, byDoc)
			}
			return in.stand()
		}
	}
	if h.Piece >= 0 {
		if o, _ := d.at(h.Piece); o.node < 0 || d.from.Nodes[h.Piece].Parent == h.Node {
			return o
		}
	}
	o, _ := d.at(h.Node)
	return o
}

// markSelection puts the selected words into the innermost reported element that
// holds all of them, and marks what the page itself has selected.
func (a *answer) markSelection(d *document) {
	for i := range d.from.Nodes {
		if o := d.home[i]; o != nil && o.selected && o.node == i && o.instead == nil {
			o.el.Selected = o.selectable()
		}
	}
	s := d.from.Selection
	if s == nil {
		return
	}
	words := clean(s.Text)
	if words == "" {
		return
	}
	holder, _ := d.at(s.Node)
	if s.From >= 0 && s.To >= 0 {
		from, _ := d.at(s.From)
		to, _ := d.at(s.To)
		if c := common(from, to); c != nil {
			holder = c
		}
	}
	o := &out{key: d.from.Key + "#s" + s.Key, doc: d, node: -1, run: -1, words: words, drawn: holder.drawn,
		el: &elements.Element{Role: elements.Text, Selected: true}}
	if s.Cut {
		o.cut = true
		a.omit("selected", max(s.Total-len(s.Text), 1))
	}
	a.insert(holder, o, s.From)
}

// selectable tells whether an element itself can be what is selected: of what is
// text only a Text is, by its words (section 5.5).
func (o *out) selectable() bool {
	return !o.el.Role.IsText() || o.el.Role == elements.Text && o.words != ""
}

// insert puts the selected words after what begins before them.
func (a *answer) insert(holder, o *out, from int) {
	o.parent = holder
	at := len(holder.kids)
	if from >= 0 {
		at = 0
		for at < len(holder.kids) && holder.kids[at].at <= from {
			at++
		}
	}
	o.at = from
	holder.kids = append(holder.kids[:at:at], append([]*out{o}, holder.kids[at:]...)...)
}

// common is the innermost element that holds both.
func common(a, b *out) *out {
	up := map[*out]bool{}
	for o := a; o != nil; o = o.parent {
		up[o] = true
	}
	for o := b; o != nil; o = o.parent {
		if up[o] {
			return o
		}
	}
	return nil
}
