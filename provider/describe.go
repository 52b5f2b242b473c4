package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
	"github.com/webarea/webarea/tree"
)

// Words of roles that stand for what a person can act on.
var actionable = setOf("button link textbox searchbox combobox checkbox radio switch slider spinbutton option tab menuitem menuitemcheckbox " +
	"menuitemradio treeitem listbox Date DateTime InputTime ColorWell DisclosureTriangle DisclosureTriangleGrouped")

// Roles whose name is made of the words in them, as a rule.
var namedByWords = setOf("button link heading checkbox radio switch option tab menuitem menuitemcheckbox menuitemradio treeitem cell gridcell " +
	"columnheader rowheader tooltip DisclosureTriangle DisclosureTriangleGrouped doc-backlink doc-biblioref doc-glossref doc-noteref listitem image group")

// Roles whose value is told also where nobody can act on them.
var valued = setOf("meter progressbar scrollbar separator slider spinbutton")

// quiet are Chrome's roles that say nothing without a name, besides those that answers
// in the Elements protocol do not report: none, abbr, canvas, caption, code, generic,
// group, image, layout tables, mark, paragraph, section, a drawing, a term, time.
var quiet = map[int]bool{0: true, 1: true, 10: true, 11: true, 16: true, 24: true, 25: true, 88: true, 93: true, 99: true, 105: true, 106: true, 107: true, 119: true,
	128: true, 133: true, 136: true, 154: true, 162: true, 172: true, 80: true, 90: true, 211: true}

// The words for what a person can do with an element.
const (
	actPress    = "press"
	actSet      = "set_value"
	actToggle   = "toggle"
	actExpand   = "expand"
	actCollapse = "collapse"
	actSelect   = "select"
	actMenu     = "show_menu"
	actFocus    = "focus"
	actScroll   = "scroll"
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// roleOf gives Chrome's role of an element, as a number (-1: not known) and a word.
func roleOf(rec *cdp.Record) (int, string) {
	if rec.AX != nil {
		return rec.AX.Role, rec.AX.RoleWord
	}
	if rec.Role != nil && *rec.Role >= 0 {
		return *rec.Role, wordOf(*rec.Role)
	}
	said := rec.More().Word
	if said == "" {
		said = rec.More().Attributes["role"]
	}
	// It is the page's own word, which may be none.
	if said, _, _ = strings.Cut(strings.TrimSpace(strings.ToLower(said)), " "); roleWords()[said] {
		return -1, said
	}
	return -1, byTag(rec)
}

// roleWords are the words of all roles.
var roleWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for role := range mapper.Roles {
		all[wordOf(role)] = true
	}
	return all
})

func wordOf(role int) string {
	rule := mapper.Roles[role]
	if rule.Word != "" {
		return rule.Word
	}
	return rule.Name
}

// tagRoles are the roles of elements of which the accessibility tree did not tell in
// time.
var tagRoles = map[string]string{"a": "link", "area": "link", "button": "button", "summary": "DisclosureTriangle", "select": "combobox", "textarea": "textbox",
	"option": "option", "optgroup": "group", "nav": "navigation", "main": "main", "article": "article", "aside": "complementary", "form": "form", "table": "table",
	"th": "columnheader", "dialog": "dialog", "img": "image", "figure": "figure", "fieldset": "group", "progress": "progressbar", "meter": "meter", "hr": "separator",
	"video": "Video", "audio": "Audio", "output": "status", "search": "search"}

var inputRoles = map[string]string{"checkbox": "checkbox", "radio": "radio", "button": "button", "submit": "button", "reset": "button", "image": "button", "file": "button",
	"range": "slider", "number": "spinbutton", "search": "searchbox", "date": "Date", "time": "InputTime", "color": "ColorWell"}

func byTag(rec *cdp.Record) string {
	if rec.Tag == "input" {
		if role := inputRoles[rec.More().Type]; role != "" {
			return role
		}
		if rec.More().Ticked != "" {
			return "checkbox"
		}
		return "textbox"
	}
	if role := tagRoles[rec.Tag]; role != "" {
		return role
	}
	return "generic"
}

// isQuiet tells of an element that says nothing by being there.
func isQuiet(rec *cdp.Record) bool {
	role, word := roleOf(rec)
	if role < 0 {
		return word == "generic" || word == "none" || word == "presentation" || word == "group"
	}
	action := mapper.Roles[role].Action
	return quiet[role] || action == mapper.DoHoist || action == mapper.DoMerge
}

// reported tells whether answers in the Elements protocol have the element, as a rule.
func reported(rec *cdp.Record) bool {
	role, _ := roleOf(rec)
	if role < 0 {
		return rec.More().Type != ""
	}
	rule := mapper.Roles[role]
	const spinbutton = 156
	return rule.Action == mapper.DoMap && !quiet[role] || role == spinbutton && rec.More().Type != ""
}

// describe says what an element is, holds and can do.
func (g *grower) describe(rec *cdp.Record) (tree.Row, detail) {
	var n detail
	_, word := roleOf(rec)
	r := tree.Row{Role: word}
	tainted, secret := rec.Flags.Has(cdp.Tainted), rec.Flags.Has(cdp.Secret)
	if !tainted {
		r.Name = g.words(rec.Name, false)
	}
	if ax := rec.AX; ax != nil {
		r.Name, r.Description = "", ""
		if !tainted {
			r.Name, r.Description = g.words(ax.Name, false), g.words(ax.Description, false)
		}
	}
	n.subrole = g.words(rec.More().Attributes["rd"], false)
	n.url = g.redactor.Address(rec.URL)
	p := properties(rec)
	n.supports = map[string]bool{}
	for name := range p {
		n.supports[name] = true
	}
	n.states = statesOf(rec, p)
	n.unasked = rec.Ask != nil && rec.AX == nil && r.Name == "" && !tainted && !secret && word != "listitem" && word != "group"
	n.secret, n.holdsValue = secret, rec.More().Type != "" || p["settable"] != nil || p["editable"] != nil || p["valuemin"] != nil || word == "combobox"
	focusable, _ := p["focusable"].(bool)
	r.Actionable = n.states.Enabled == nil && (focusable || actionable[word] || rec.AX == nil && rec.Ask != nil && actionable[byTag(rec)])
	r.Value = g.value(rec, word, secret, tainted)
	if n.states.Checked != "" && r.Value == "" {
		r.Value = n.states.Checked
	}
	if r.Actionable {
		r.Actions = actionsOf(rec, word, p, n.states, focusable)
	}
	return r, n
}

// value is what an element holds, without what is secret.
func (g *grower) value(rec *cdp.Record, word string, secret, tainted bool) string {
	switch {
	case secret:
		return ""
	case rec.More().Type != "":
		return g.words(rec.More().Value, rec.More().Left > 0)
	case rec.AX != nil && !tainted && (actionable[word] || valued[word] || properties(rec)["editable"] != nil):
		return g.words(rec.AX.Value, false)
	}
	return ""
}

func properties(rec *cdp.Record) map[string]any {
	if rec.AX == nil {
		return nil
	}
	return rec.AX.Properties
}

func statesOf(rec *cdp.Record, p map[string]any) States {
	var s States
	no, yes := false, true
	if is(p["disabled"]) || rec.AX == nil && rec.More().Disabled != 0 {
		s.Enabled = &no
	}
	s.Selected = rec.Flags.Has(cdp.Selected)
	s.Checked, s.Pressed = tristate(p["checked"]), tristate(p["pressed"])
	if s.Checked == "" && rec.AX == nil {
		s.Checked = rec.More().Ticked
	}
	if e, ok := p["expanded"].(bool); ok {
		s.Expanded = &no
		if e {
			s.Expanded = &yes
		}
	}
	s.Focused, s.Required, s.Readonly = is(p["focused"]), is(p["required"]), is(p["readonly"]) && p["editable"] != nil
	if invalid, ok := p["invalid"].(string); ok && invalid != "" && invalid != "false" {
		s.Invalid = true
	}
	return s
}

func is(v any) bool {
	b, _ := v.(bool)
	return b
}

// tristate gives true, false or mixed, and nothing for what is none of them.
func tristate(v any) string {
	switch c := v.(type) {
	case string:
		if slices.Contains([]string{"true", "false", "mixed"}, c) {
			return c
		}
	case bool:
		b, _ := json.Marshal(c)
		return string(b)
	}
	return ""
}

func actionsOf(rec *cdp.Record, word string, p map[string]any, s States, focusable bool) []string {
	var acts []string
	can := func(act string, condition bool) {
		if condition {
			acts = append(acts, act)
		}
	}
	isField := rec.More().Type != "" || p["editable"] != nil
	ticks := s.Checked != "" || s.Pressed != ""
	picks := word == "option" || word == "tab" || word == "treeitem" || word == "radio"
	can(actPress, actionable[word] && !isField && !picks && !ticks && word != "slider" && word != "listbox" && word != "combobox")
	can(actSet, (is(p["settable"]) || isField) && !s.Readonly)
	can(actToggle, ticks && word != "radio")
	can(actSelect, picks || word == "combobox" && !isField)
	can(actExpand, s.Expanded != nil && !*s.Expanded)
	can(actCollapse, s.Expanded != nil && *s.Expanded)
	popup, _ := p["hasPopup"].(string)
	can(actMenu, popup == "menu" && word != "combobox")
	can(actFocus, focusable)
	can(actScroll, rec.More().Scrolls != 0)
	return acts
}
