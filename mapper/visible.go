package mapper

// isDrawn tells whether a box, cut to its frame's viewport, is within what is
// visible of the frame.
func (d *document) isDrawn(box *Rect) bool {
	if box == nil {
		return false
	}
	if d.clip == nil {
		return true
	}
	return min(box.X+box.W, d.clip.X+d.clip.W) > max(box.X, d.clip.X) && min(box.Y+box.H, d.clip.Y+d.clip.H) > max(box.Y, d.clip.Y)
}

// frameClip is what is visible of a frame's page, in that page's coordinates: what
// is drawn of the frame's box here, cut by what is visible of this page. A turned
// or scaled frame is taken by its bounds.
func (d *document) frameClip(n *Node) *Rect {
	if n.Box == nil || n.More().FrameBox == nil {
		return &Rect{}
	}
	b := *n.Box
	if d.clip != nil {
		x, y := max(b.X, d.clip.X), max(b.Y, d.clip.Y)
		b = Rect{x, y, min(b.X+b.W, d.clip.X+d.clip.W) - x, min(b.Y+b.H, d.clip.Y+d.clip.H) - y}
	}
	b.X -= n.More().FrameBox.X
	b.Y -= n.More().FrameBox.Y
	return &b
}

// seen settles for each element whether something of it is on screen: it is where
// anything in it is, and nothing is in a tab that is not shown.
func seen(o *out, hidden bool) bool {
	hidden = hidden || o.hidden
	any := false
	for _, k := range o.kids {
		if seen(k, hidden) {
			any = true
		}
	}
	o.drawn = (o.drawn || any) && !hidden
	return o.drawn
}

// say sends visible only where it differs from the parent's (section 5.3).
func sayVisible(o *out, parent bool) {
	if o.drawn != parent {
		v := o.drawn
		o.el.Visible = &v
	}
	for _, k := range o.kids {
		sayVisible(k, o.drawn)
	}
}
