package provider

import (
	"math"
	"slices"
	"strings"
)

// A Predicate says one thing of a window: of itself, of an element, or of what is
// selected. One of the three is set.
type Predicate struct {
	Window    *WindowPredicate    `json:"window"`
	Element   *ElementPredicate   `json:"element"`
	Selection *SelectionPredicate `json:"text_selection"`
}

// A WindowPredicate says how a window is. Words are looked for whatever their case.
type WindowPredicate struct {
	Exists        *bool            `json:"exists"`
	Bounds        *BoundsPredicate `json:"bounds"`
	TitleContains *string          `json:"title_contains"`
	URLEquals     *string          `json:"url_equals"`
	URLContains   *string          `json:"url_contains"`
	LoadState     *string          `json:"load_state"` // loading or complete
	TabActive     *bool            `json:"tab_active"`
}

// A BoundsPredicate says where a window is, px of the screen.
type BoundsPredicate struct {
	X         float64  `json:"x"`
	Y         float64  `json:"y"`
	Width     float64  `json:"width"`
	Height    float64  `json:"height"`
	Tolerance *float64 `json:"tolerance_px"`
}

// A Selector says which elements are meant: those of which all of it is so.
type Selector struct {
	Role          *string `json:"role"`
	LabelContains *string `json:"label_contains"` // whatever its case
	ElementID     *string `json:"element_id"`
	ElementToken  *string `json:"element_token"`
}

// An ElementPredicate says of an element that there is one, or how it is.
type ElementPredicate struct {
	Selector     Selector `json:"selector"`
	Exists       *bool    `json:"exists"`
	Count        *int     `json:"count"`
	ValueEquals  *string  `json:"value_equals"`
	TextContains *string  `json:"text_contains"` // whatever its case
	Enabled      *bool    `json:"enabled"`
	Selected     *bool    `json:"selected"`
	Checked      any      `json:"checked"` // true, false or "mixed"
	Expanded     *bool    `json:"expanded"`
	Pressed      *bool    `json:"pressed"`
	Focused      *bool    `json:"focused"`
	Visible      *bool    `json:"visible"`
}

// A SelectionPredicate says what words are selected.
type SelectionPredicate struct {
	Equals   *string `json:"equals"`
	Contains *string `json:"contains"` // whatever their case
	Within   *string `json:"within_element_id"`
}

// defaultTolerance is how far a window may be off, px.
const defaultTolerance = 1

// judge holds a predicate against what was seen.
func (v *verifier) judge(p *Predicate, o *observation) Outcome {
	kinds := 0
	for _, is := range []bool{p.Window != nil, p.Element != nil, p.Selection != nil} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return unknown(UnknownInvalid)
	case p.Window != nil:
		return p.Window.judge(o)
	case !o.present || v.gone:
		return unknown(UnknownMissing)
	case p.Element != nil:
		return v.judgeElement(p.Element, o)
	}
	return v.judgeSelection(p.Selection, o)
}

func unknown(reason string) Outcome {
	return Outcome{Status: Unknown, Reason: reason, Observed: map[string]any{}}
}

// A finding is a field of a predicate: whether it is so, or why that is not known.
type finding struct {
	ok      bool
	unknown string
}

func known(ok bool) finding          { return finding{ok: ok} }
func notKnown(reason string) finding { return finding{unknown: reason} }
func contains(text, words string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(words))
}
func concludes(all []finding, o *Outcome) { o.Status, o.Reason = conclusion(all) }

func conclusion(all []finding) (status, reason string) {
	status = Satisfied
	for _, f := range all {
		switch {
		case f.unknown == "" && !f.ok:
			return Unsatisfied, ""
		case f.unknown != "":
			status, reason = Unknown, f.unknown
		}
	}
	return status, reason
}

func (w *WindowPredicate) judge(o *observation) Outcome {
	out := Outcome{Observed: map[string]any{"exists": o.present}}
	if *w == (WindowPredicate{}) {
		return unknown(UnknownInvalid)
	}
	var all []finding
	if w.Exists != nil {
		all = append(all, known(o.present == *w.Exists))
	}
	others := *w
	others.Exists = nil
	if others == (WindowPredicate{}) {
		concludes(all, &out)
		return out
	}
	if o.at == nil {
		concludes(append(all, notKnown(UnknownMissing)), &out)
		return out
	}
	seen := o.title != "" || o.url != "" || o.state != ""
	said := func(ok bool) finding {
		if !seen {
			return notKnown(UnknownUnobserved)
		}
		return known(ok)
	}
	out.Observed["title"], out.Observed["url"], out.Observed["tab_active"] = short(o.title), short(o.url), o.at.active
	if o.state != "" {
		out.Observed["load_state"] = loadState(o.state)
	}
	if o.at.bounds != nil {
		out.Observed["bounds"] = *o.at.bounds
	}
	if w.Bounds != nil {
		all = append(all, w.Bounds.judge(o.at.bounds))
	}
	if w.TitleContains != nil {
		all = append(all, said(contains(o.title, *w.TitleContains)))
	}
	if w.URLEquals != nil {
		all = append(all, said(o.url == *w.URLEquals))
	}
	if w.URLContains != nil {
		all = append(all, said(contains(o.url, *w.URLContains)))
	}
	if w.LoadState != nil {
		if o.state == "" {
			all = append(all, notKnown(UnknownUnobserved))
		} else {
			all = append(all, known(loadState(o.state) == *w.LoadState))
		}
	}
	if w.TabActive != nil {
		all = append(all, known(o.at.active == *w.TabActive))
	}
	concludes(all, &out)
	return out
}

func loadState(ready string) string {
	if ready == "complete" {
		return ready
	}
	return "loading"
}

func (b *BoundsPredicate) judge(at *Rect) finding {
	if at == nil {
		return notKnown(UnknownUnsupported)
	}
	most := float64(defaultTolerance)
	if b.Tolerance != nil {
		most = *b.Tolerance
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= most }
	return known(near(at.X, b.X) && near(at.Y, b.Y) && near(at.Width, b.Width) && near(at.Height, b.Height))
}

// maxObserved is how many characters of a text an outcome tells.
const maxObserved = 400

func short(s string) string {
	if r := []rune(s); len(r) > maxObserved {
		return string(r[:maxObserved-1]) + "…"
	}
	return s
}

// plain tells whether an element is only asked for, not how it is.
func (p *ElementPredicate) plain() bool {
	return p.ValueEquals == nil && p.TextContains == nil && p.Enabled == nil && p.Selected == nil && p.Checked == nil && p.Expanded == nil &&
		p.Pressed == nil && p.Focused == nil && p.Visible == nil
}

func (v *verifier) judgeElement(p *ElementPredicate, o *observation) Outcome {
	switch {
	case p.Selector == (Selector{}), p.Exists == nil && p.Count == nil && p.plain(), p.Exists != nil && !*p.Exists && (!p.plain() || p.Count != nil):
		return unknown(UnknownInvalid)
	case o.forest == nil:
		return unknown(UnknownUnobserved)
	}
	matches, ok := v.rowsOf(&p.Selector, o)
	if !ok {
		return unknown(UnknownUnobserved)
	}
	exhaustive := o.exhaustive()
	out := Outcome{Observed: map[string]any{"matches": len(matches), "exhaustive": exhaustive}}
	for _, i := range matches {
		out.keys = append(out.keys, o.forest.details[i].key)
	}
	if len(matches) == 1 {
		out.Observed["element"] = v.observed(o, matches[0])
	}
	var all []finding
	if p.Exists != nil {
		switch {
		case len(matches) > 0:
			all = append(all, known(*p.Exists))
		case exhaustive:
			all = append(all, known(!*p.Exists))
		default:
			all = append(all, notKnown(UnknownUnobserved))
		}
	}
	if p.Count != nil {
		if exhaustive || len(matches) > *p.Count {
			all = append(all, known(len(matches) == *p.Count))
		} else {
			all = append(all, notKnown(UnknownUnobserved))
		}
	}
	// How something is, is asked of an element rather than of words of the same name.
	if others := o.forest.withoutWords(matches); !p.plain() && len(matches) > 1 && len(others) == 1 {
		matches = others
		out.Observed["element"] = v.observed(o, matches[0])
	}
	switch {
	case p.plain():
	case len(matches) > 1:
		all = append(all, notKnown(UnknownMultiMatch))
	case len(matches) == 1:
		all = append(all, o.forest.hold(matches[0], p)...)
	case exhaustive:
		all = append(all, known(false))
	default:
		all = append(all, notKnown(UnknownUnobserved))
	}
	concludes(all, &out)
	return out
}

// rowsOf gives the rows that a selector means; false where it names one in a way that is
// not known here.
func (v *verifier) rowsOf(s *Selector, o *observation) (rows []int, ok bool) {
	var key, token string
	if s.ElementID != nil {
		if key, ok = v.p.ids.key(*s.ElementID); !ok {
			return nil, false
		}
	}
	if s.ElementToken != nil {
		if token, ok = v.p.snapshots.named(o.at.tab.key(), o.main, *s.ElementToken); !ok {
			return nil, false
		}
	}
	for i := range o.forest.rows {
		r, d := &o.forest.rows[i], &o.forest.details[i]
		if s.Role != nil && !strings.EqualFold(r.Role, *s.Role) || s.LabelContains != nil && (r.Name == "" || !contains(r.Name, *s.LabelContains)) ||
			s.ElementID != nil && d.key != key || s.ElementToken != nil && d.key != token {
			continue
		}
		rows = append(rows, i)
	}
	return rows, true
}

// withoutWords leaves the rows that are more than words.
func (f *forest) withoutWords(rows []int) []int {
	return slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return f.rows[i].Role == "text" })
}

// hold holds what is asked of an element against it.
func (f *forest) hold(i int, p *ElementPredicate) []finding {
	d := &f.details[i]
	var all []finding
	is := func(want *bool, is, supported bool) {
		switch {
		case want == nil:
		case !supported:
			all = append(all, notKnown(UnknownUnsupported))
		default:
			all = append(all, known(is == *want))
		}
	}
	if p.ValueEquals != nil {
		if d.secret || !d.holdsValue && f.rows[i].Value == "" {
			all = append(all, notKnown(UnknownUnsupported))
		} else {
			all = append(all, known(f.rows[i].Value == *p.ValueEquals))
		}
	}
	if p.TextContains != nil {
		all = append(all, known(contains(f.text(i), *p.TextContains)))
	}
	is(p.Enabled, d.states.Enabled == nil, true)
	is(p.Selected, d.states.Selected, d.supports["selected"] || d.states.Selected || selectable[f.rows[i].Role])
	is(p.Expanded, d.states.Expanded != nil && *d.states.Expanded, d.states.Expanded != nil)
	is(p.Pressed, d.states.Pressed == "true", d.states.Pressed == "true" || d.states.Pressed == "false")
	is(p.Focused, d.states.Focused, true)
	is(p.Visible, d.visible, true)
	if p.Checked != nil {
		if d.states.Checked == "" {
			all = append(all, notKnown(UnknownUnsupported))
		} else {
			all = append(all, known(d.states.Checked == tristate(p.Checked)))
		}
	}
	return all
}

// selectable are the roles of what can be selected.
var selectable = setOf("option tab treeitem row cell gridcell columnheader rowheader")

// text is what a row and those in it say.
func (f *forest) text(i int) string {
	in := map[int]bool{i: true}
	words := []string{f.rows[i].Name, f.rows[i].Value}
	for k := i + 1; k < len(f.rows) && in[f.rows[k].Parent]; k++ {
		in[k] = true
		words = append(words, f.rows[k].Name, f.rows[k].Value)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// observed is what an outcome tells of an element; its index is that in the newest
// snapshot, where it is in there.
func (v *verifier) observed(o *observation, i int) map[string]any {
	r, d := &o.forest.rows[i], &o.forest.details[i]
	said := map[string]any{"role": r.Role, "label": short(r.Name), "visible": d.visible}
	if index := v.p.snapshots.index(o.at.tab.key(), o.main, d.key); index >= 0 {
		said["element_index"] = index
	}
	if r.Value != "" {
		said["value"] = short(r.Value)
	}
	if d.states != (States{}) {
		said["states"] = d.states
	}
	return said
}

func (v *verifier) judgeSelection(p *SelectionPredicate, o *observation) Outcome {
	if *p == (SelectionPredicate{}) {
		return unknown(UnknownInvalid)
	}
	if o.forest == nil {
		return unknown(UnknownUnobserved)
	}
	out := Outcome{Observed: map[string]any{"text": short(o.forest.selection)}}
	var all []finding
	none := o.forest.selection == ""
	said := func(ok bool) finding {
		if none && !o.exhaustive() {
			return notKnown(UnknownUnobserved)
		}
		return known(ok)
	}
	if p.Equals != nil {
		want := strings.Join(strings.Fields(*p.Equals), " ")
		if o.forest.selectionCut && strings.HasPrefix(want, strings.TrimSuffix(o.forest.selection, "…")) {
			all = append(all, notKnown(UnknownUnobserved))
		} else {
			all = append(all, said(o.forest.selection == want))
		}
	}
	if p.Contains != nil {
		all = append(all, said(contains(o.forest.selection, *p.Contains)))
	}
	if p.Within != nil {
		key, ok := v.p.ids.key(*p.Within)
		if !ok {
			all = append(all, notKnown(UnknownUnobserved))
		} else {
			all = append(all, said(o.forest.isWithin(key)))
		}
	}
	concludes(all, &out)
	return out
}

// isWithin tells whether what is selected lies in the element.
func (f *forest) isWithin(key string) bool {
	for i := f.selected; i >= 0; i = f.rows[i].Parent {
		if f.details[i].key == key || f.details[i].holder == key {
			return true
		}
	}
	return false
}
