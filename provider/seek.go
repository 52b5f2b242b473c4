package provider

import (
	"strconv"
	"strings"

	"github.com/webarea/webarea/cdp"
)

// seek says what a reading has to find for the predicates to be judged as a whole one
// would have them; nil: all there is.
func (v *verifier) seek() *cdp.Seek {
	if v.q.whole {
		return nil
	}
	s := &cdp.Seek{Elements: map[string][]int64{}}
	for i := range v.q.Expect {
		p := &v.q.Expect[i]
		if p.Selection != nil && p.Selection.Within != nil {
			return nil
		}
		if p.Element != nil && !v.seekElement(s, p.Element) {
			return nil
		}
	}
	return s
}

// seekElement adds what a predicate about an element is about; false where that may be
// anything.
func (v *verifier) seekElement(s *cdp.Seek, p *ElementPredicate) bool {
	if p.TextContains != nil {
		// What is in it may be named by anything.
		return false
	}
	of := &p.Selector
	var key string
	switch {
	case of.ElementID != nil:
		key, _ = v.p.ids.key(*of.ElementID)
	case of.ElementToken != nil:
		key, _ = v.p.snapshots.named(v.at.tab.key(), v.at.tab.Page.MainKey(), *of.ElementToken)
	case of.LabelContains != nil && strings.TrimSpace(*of.LabelContains) != "":
		s.Words = append(s.Words, *of.LabelContains)
		return true
	default:
		return false
	}
	// One that names nothing matches nothing, whatever is read.
	document, number, _ := strings.Cut(key, "#")
	// A part of one of the browser's own controls has the number of that.
	number, _, _ = strings.Cut(number, ".")
	if serial, err := strconv.ParseInt(number, 10, 64); err == nil {
		s.Elements[document] = append(s.Elements[document], serial)
	}
	return true
}
