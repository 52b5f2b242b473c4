package outline

import "github.com/webarea/webarea/elements"

// LineOf tells of which element a line of an outline is, by its id, role and subrole,
// and at which depth, 0 for the root. It is false for what is no such line, as the
// boundary.
func LineOf(text string) (e elements.Element, depth int, ok bool) {
	l := line{s: text}
	depth = l.indent()
	var whole elements.Element
	l.element(&whole)
	if l.err != nil {
		return e, 0, false
	}
	return elements.Element{ID: whole.ID, Role: whole.Role, Subrole: whole.Subrole}, depth, true
}
