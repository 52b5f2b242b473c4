package mapper

import "github.com/webarea/webarea/elements"

// tabList leaves its tabs where it stands when it holds nothing else.
func (d *document) tabList(i int, s surroundings) []item {
	list := d.items(i, surroundings{parent: elements.Window})
	for _, it := range list {
		if n := it.node(); n == nil || it.out.el.Subrole != "tab" && n.role() != roleTab {
			o := d.element(i, elements.Window, "tabs")
			o.kids = d.assemble(list, o.key)
			if d.empty(o) {
				d.discard(o)
				return nil
			}
			return one(o)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// mergeTabs moves what a tab panel holds into the Window of its tab: one tab, one
// element.
func (d *document) mergeTabs() {
	if len(d.tabs) == 0 || len(d.panels) == 0 {
		return
	}
	moved := map[*out]bool{}
	for _, p := range d.panels {
		t := d.tabOf(p)
		if t == nil || within(t, p) {
			continue
		}
		t.kids = append(t.kids, p.kids...)
		t.drawn = t.drawn || p.drawn
		t.bare = t.bare && p.bare
		t.cut = t.cut || p.cut
		p.kids = nil
		p.instead = t
		moved[p] = true
	}
	if len(moved) > 0 {
		removeAll(d.out, moved)
	}
}

func (d *document) tabOf(panel *out) *out {
	n := &d.from.Nodes[panel.node]
	for _, t := range d.tabs {
		tn := &d.from.Nodes[t.node]
		for _, r := range tn.More().Related {
			if r.Name == "controls" && r.Serial == n.Serial {
				return t
			}
		}
		for _, r := range n.More().Related {
			if r.Name == "labelledby" && r.Serial == tn.Serial {
				return t
			}
		}
	}
	return nil
}

func within(o, of *out) bool {
	if o == of {
		return true
	}
	for _, k := range of.kids {
		if within(o, k) {
			return true
		}
	}
	return false
}

func removeAll(o *out, gone map[*out]bool) {
	kept := o.kids[:0]
	for _, k := range o.kids {
		if !gone[k] {
			kept = append(kept, k)
			removeAll(k, gone)
		}
	}
	o.kids = kept
}
