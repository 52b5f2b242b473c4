package oracle

import "strings"

// relate finds which nodes name others, which panel belongs to which tab, and
// which lists are part of a combobox.
func (b *builder) relate() {
	b.labels = map[int64][]*axNode{}
	b.panels, b.owned, b.popups = map[*axNode]*axNode{}, map[*axNode]bool{}, map[*axNode]bool{}
	b.nodes = map[int64]*axNode{}
	byID := map[string]*axNode{}
	var tabs, panels, combos []*axNode
	b.each(func(n *axNode) {
		if n.backend != 0 {
			b.nodes[n.backend] = n
		}
		if id := n.dom.attr("id"); id != "" && byID[id] == nil {
			byID[id] = n
		}
		for _, r := range n.related["labelledby"] {
			if n.source.kind == "relatedElement" {
				b.labels[r.backend] = append(b.labels[r.backend], n)
			}
		}
		switch n.role {
		case roleTab:
			tabs = append(tabs, n)
		case roleTabPanel:
			panels = append(panels, n)
		case roleComboBoxGrouping, roleComboBoxButton, roleTextFieldCombo, roleComboBoxSelect:
			combos = append(combos, n)
		}
	})
	find := func(n *axNode, property, attribute string) []*axNode {
		var found []*axNode
		for _, r := range n.related[property] {
			if to := b.nodes[r.backend]; to != nil {
				found = append(found, to)
			}
		}
		for _, id := range strings.Fields(n.dom.attr(attribute)) {
			if to := byID[id]; to != nil {
				found = append(found, to)
			}
		}
		return found
	}
	for _, tab := range tabs {
		for _, to := range find(tab, "controls", "aria-controls") {
			b.pair(tab, to)
		}
	}
	for _, panel := range panels {
		for _, to := range find(panel, "labelledby", "aria-labelledby") {
			b.pair(to, panel)
		}
	}
	for _, combo := range combos {
		for _, list := range find(combo, "controls", "aria-controls") {
			b.popups[list] = true
		}
		for _, list := range find(combo, "owns", "aria-owns") {
			b.popups[list] = true
		}
		for _, active := range find(combo, "activedescendant", "aria-activedescendant") {
			for ; active != nil; active = active.parent {
				b.popups[active] = b.popups[active] || active.role == roleListBox
			}
		}
	}
}

// pair gives a panel to a tab, where both still can.
func (b *builder) pair(tab, panel *axNode) {
	if tab.role != roleTab || panel.role != roleTabPanel || tab.ignored || panel.ignored {
		return
	}
	if b.panels[tab] == nil && !b.owned[panel] {
		b.panels[tab], b.owned[panel] = panel, true
	}
}

// each visits every node of the document's accessibility tree.
func (b *builder) each(visit func(*axNode)) {
	if b.frame.root == nil {
		return
	}
	for waiting := []*axNode{b.frame.root}; len(waiting) > 0; {
		n := waiting[len(waiting)-1]
		waiting = append(waiting[:len(waiting)-1], n.kids...)
		visit(n)
	}
}

// findMissing finds what is drawn and reported though it is not in the
// accessibility tree: a bare canvas, and a private region with nothing in it
// that Chrome would tell.
func (b *builder) findMissing() {
	b.missing = map[*axNode][]*domNode{}
	listed := map[*domNode]*axNode{}
	b.each(func(n *axNode) {
		if n.dom != nil {
			listed[n.dom] = n
		}
	})
	held := map[*domNode]bool{} // what lies above something that is listed
	for d := range listed {
		for ; d != nil && !held[d]; d = d.parent {
			held[d] = true
		}
	}
	for _, d := range b.frame.doc.nodes {
		if held[d] || !d.boxed || !d.visible {
			continue
		}
		bare := d.tag == "canvas" && d.width > 0 && d.height > 0
		if !bare && !d.has("data-private") {
			continue
		}
		if host := hostOf(d, listed); host != nil {
			b.missing[host] = append(b.missing[host], d)
		}
	}
}

// hostOf returns the nearest node in the tree above one that is not, nil where
// something between keeps it from being reported.
func hostOf(d *domNode, listed map[*domNode]*axNode) *axNode {
	for at := d; at != nil; at = at.parent {
		if n := listed[at]; n != nil {
			return n
		}
		if at.attr("aria-hidden") == "true" || at.has("inert") || at.attr("role") == "none" || at.attr("role") == "presentation" || at != d && at.has("data-private") {
			return nil
		}
	}
	return nil
}
