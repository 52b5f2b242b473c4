package mapper

import (
	"github.com/webarea/webarea/elements"
)

// finish turns the tree into the protocol's elements: ids, states of visibility,
// words, relations; secrets taken out; and what was left out told at the root.
func (a *answer) finish(root *out) {
	ids := map[*out]string{}
	var name func(o *out)
	name = func(o *out) {
		ids[o] = a.options.ID(o.key)
		for _, k := range o.kids {
			name(k)
		}
	}
	name(root)
	secrets := map[*document]*redactor{}
	for _, t := range a.tabs {
		if t.doc == nil {
			continue
		}
		r := newRedactor(t.doc.secrets())
		for _, d := range a.docs {
			if d == t.doc || t.doc.holds(d) {
				secrets[d] = r
			}
		}
		r.element(t.out.el)
		if t.dialog != nil {
			r.element(t.dialog.el)
			for _, k := range t.dialog.kids {
				k.words = r.said(k.words)
			}
		}
		// The window's title is its active tab's.
		r.element(t.window.el)
	}
	var visit func(o *out)
	visit = func(o *out) {
		e := o.el
		e.ID = ids[o]
		if o.words != "" {
			e.Content = []elements.Block{{Type: elements.TextType, Text: o.words}}
		}
		if o.words != "" {
			a.omit("text", o.left)
		}
		if o.missing {
			a.omit("frames", 1)
		}
		if o.hasMore() && o.words != "" && a.options.Link != nil {
			e.Content = append(e.Content, elements.LinkBlock(a.options.Link(e.ID, "text"), "all of its words"))
		}
		o.related(ids)
		if r := secrets[o.doc]; r != nil {
			r.element(e)
			if o.cut && o.words != "" {
				e.Content[0].Text = r.cut(e.Content[0].Text)
			}
		}
		e.Children = nil
		for _, k := range o.kids {
			visit(k)
			e.Children = append(e.Children, k.el)
		}
	}
	visit(root)
	a.pictures()
	sayVisible(root, true)
	if len(a.omitted) > 0 {
		left := map[string]any{}
		for what, n := range a.omitted {
			left[what] = n
		}
		root.attribute("omitted", left)
	}
}

// hasMore tells whether an element has more words than it says, which it says whole where
// it is asked for by its id.
func (o *out) hasMore() bool {
	if o.isSelection() {
		return o.cut
	}
	return (o.textCut || o.left > 0) && !o.el.Selected
}

// isSelection tells whether it is the words that are selected, and no element of the page.
func (o *out) isSelection() bool { return o.node < 0 && o.el.Selected }

// said are the relations that are told; the others only say what belongs together.
var said = map[string]bool{"controls": true, "details": true, "describedby": true, "flowto": true, "errormessage": true}

// pictured are the subroles of Groups that are pictures all the same.
var pictured = map[string]bool{"figure": true, "canvas": true, "svg": true, "video": true, "graphics-document": true, "chart": true}

// pictures tells of the elements that are pointed at and are pictures: images, what
// shows one, and a Group that the page marks as selected, such as a frame in a design
// tool, which has no words of its own to send (section 5.5).
func (a *answer) pictures() {
	if a.options.Picture == nil {
		return
	}
	for _, t := range a.tabs {
		var visit func(o *out)
		visit = func(o *out) {
			e := o.el
			pointed := e.Selected || e.Hovered || o == a.focus
			if pointed && o.drawn && o.node >= 0 && (e.Role == elements.Image || e.Role == elements.Group && (pictured[e.Subrole] || e.Selected)) {
				a.options.Picture(Picture{Element: e, Document: o.doc.from.Key, Serial: o.doc.from.Nodes[o.node].Serial, Tab: t.from.Key})
			}
			for _, k := range o.kids {
				visit(k)
			}
		}
		visit(t.out)
	}
}

// related sends the links that are not containment (section 5.6): by id where the
// target is in the answer, else by address.
func (o *out) related(ids map[*out]string) {
	if o.doc == nil || o.node < 0 || o.node >= len(o.doc.from.Nodes) || o.el.Role == elements.Document {
		return
	}
	n := &o.doc.from.Nodes[o.node]
	var list []any
	for _, r := range n.More().Related {
		if !said[r.Name] {
			continue
		}
		if to := o.doc.bySerial[r.Serial]; to != nil {
			for to.instead != nil {
				to = to.instead
			}
			if id := ids[to]; id != "" && to != o {
				list = append(list, map[string]any{"relation": r.Name, "id": id})
				continue
			} else if to == o {
				continue
			}
		}
		if r.ID != "" && o.doc.from.URL != "" {
			if u := fragment(o.doc.from.URL, r.ID); u != "" {
				list = append(list, map[string]any{"relation": r.Name, "url": u})
			}
		}
	}
	if len(list) > 0 {
		o.attribute("related", list)
	}
}

// holds tells whether a document is in a frame of this one, however deep.
func (d *document) holds(in *document) bool {
	for i := range d.from.Nodes {
		f := d.from.Nodes[i].More().Frame
		if f == nil {
			continue
		}
		if f == in.from {
			return true
		}
		for _, sub := range d.answer.docs {
			if sub.from == f && sub.holds(in) {
				return true
			}
		}
	}
	return false
}

// secrets are the values that no document of the page may say.
func (d *document) secrets() []string {
	list := append([]string{}, d.from.Secrets...)
	for _, in := range d.answer.docs {
		if in != d && d.holds(in) {
			list = append(list, in.from.Secrets...)
		}
	}
	return list
}
