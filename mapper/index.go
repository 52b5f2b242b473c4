package mapper

// index finds what is asked of a document's nodes again and again.
type index struct {
	bySerial map[int64]int  // elements by their number
	popups   map[int64]bool // numbers of the lists that belong to a combobox
}

// lookup gives the document's index, made when it is first needed.
func (d *document) lookup() *index {
	if d.index != nil {
		return d.index
	}
	d.index = &index{bySerial: map[int64]int{}, popups: map[int64]bool{}}
	for i := range d.from.Nodes {
		n := &d.from.Nodes[i]
		if n.IsText {
			continue
		}
		d.index.bySerial[n.Serial] = i
		switch n.role() {
		case roleTextFieldWithComboBox, roleComboBoxGrouping, roleComboBoxMenuButton:
			for _, r := range n.More().Related {
				if r.Name == "controls" || r.Name == "owns" {
					d.index.popups[r.Serial] = true
				}
			}
		}
	}
	return d.index
}

// nameOf is the accessible name of the node of a serial.
func (d *document) nameOf(serial int64) string {
	if i, ok := d.lookup().bySerial[serial]; ok && !d.from.Nodes[i].Tainted {
		return d.from.Nodes[i].Name
	}
	return ""
}

// isPopup tells whether a list belongs to a combobox: part of a control.
func (d *document) isPopup(serial int64) bool { return d.lookup().popups[serial] }
