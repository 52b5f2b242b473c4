package mapper

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webarea/webarea/elements"
)

// document is one frame's page while it is being mapped.
type document struct {
	answer   *answer
	from     *Document
	out      *out
	children children
	home     []*out // by index
	bySerial map[int64]*out
	tabs     []*out
	panels   []*out
	// untitled are the words of labels that title nothing, by what they label.
	untitled map[int64]string
	index    *index // see lookup
	// clip is what is visible of the frame, in its own coordinates; nil: all.
	clip *Rect
}

// surroundings are what a node's mapping depends on above it.
type surroundings struct {
	parent elements.Role // of the nearest reported ancestor
	rows   bool          // inside rows of a list, where a group only nests
	// definitions: directly in a description list, where terms are entries.
	definitions bool
	ticks       *ticks // of the nearest Row or Cell
}

// ticks collects the boxes and choosers that a Row or Cell holds.
type ticks struct {
	count int
	name  string
	value string
}

// item is what a node came to: a piece of text, an element, or a caption that its
// parent may take as its title.
type item struct {
	piece   int // index, -1: none
	out     *out
	caption *caption
	through *passage // only on the way from item to gather
}

// passage is a node that is not reported, and whose inside is.
type passage struct {
	node   int
	within surroundings
}

type caption struct {
	node, role int
	items      []item
}

// node is the node of the page that an element is of, nil where it is of none: a
// frame's document is not.
// node is the node of an item's element, nil where it has none.
func (it item) node() *Node {
	if it.out == nil || it.out.node < 0 {
		return nil
	}
	return &it.out.doc.from.Nodes[it.out.node]
}

func (d *document) items(parent int, s surroundings) []item {
	return d.gather(nil, parent, s)
}

// gather adds to a list, which so is copied once however deep hoisted nodes lie in
// one another.
func (d *document) gather(list []item, parent int, s surroundings) []item {
	kids := d.children.of(parent)
	list = slices.Grow(list, len(kids))
	for _, c := range kids {
		if d.from.Nodes[c].IsText {
			list = append(list, item{piece: int(c)})
			continue
		}
		for _, it := range d.item(int(c), s) {
			if it.through != nil {
				list = d.gather(list, it.through.node, it.through.within)
			} else {
				list = append(list, it)
			}
		}
	}
	return list
}

// through has what is in a node take its place.
func through(i int, s surroundings) []item {
	return []item{{piece: -1, through: &passage{node: i, within: s}}}
}

// item maps one element.
func (d *document) item(i int, s surroundings) []item {
	n := &d.from.Nodes[i]
	if n.Gone {
		return nil
	}
	if n.Private {
		o := d.element(i, elements.Group, "private")
		o.drawn = o.drawn || n.Box != nil
		return []item{{piece: -1, out: o}}
	}
	role := n.role()
	rule, known := Roles[role]
	if n.Editor && rule.Action != DoDrop {
		return one(d.editor(i, s))
	}
	if !known {
		if n.Name == "" && !n.Selected {
			return through(i, s)
		}
		rule = RoleRule{Action: DoMap, Role: elements.Group}
	}
	switch rule.Action {
	case DoDrop:
		if n.Field && role == roleSpinButton {
			return one(d.field(i, "number"))
		}
		s.ticks.note(n, role)
		return nil
	case DoHoist:
		return d.hoist(i, role, s)
	case DoMerge:
		return d.merge(i, role, s)
	}
	return d.mapped(i, role, rule, s)
}

func one(o *out) []item {
	if o == nil {
		return nil
	}
	return []item{{piece: -1, out: o}}
}

func (n *Node) role() int {
	if n.Role >= 0 {
		return n.Role
	}
	for w := range strings.FieldsSeq(n.More().RoleWord) {
		if r, ok := byWord[w]; ok {
			return r
		}
	}
	if r, ok := byTag[n.Tag]; ok {
		return r
	}
	return roleGenericContainer
}

// byTag is for elements that could not be asked about (see cdp): the few that
// carry megabytes of attributes.
var byTag = map[string]int{"img": roleImage, "a": roleLink, "iframe": roleIframe, "video": roleVideo, "audio": roleAudio,
	"svg": roleSvgRoot, "object": rolePluginObject, "embed": roleEmbeddedObject, "textarea": roleTextField, "input": roleTextField}

func (t *ticks) note(n *Node, role int) {
	if t == nil {
		return
	}
	switch role {
	case roleCheckBox, roleRadioButton, roleSwitch:
		if n.More().Checked == "" {
			return
		}
		t.count++
		t.name, t.value = "checked", n.More().Checked
	case roleComboBoxMenuButton:
		t.count++
		t.name, t.value = "value", n.More().Value
	}
}

// say puts the one control's state on the Row or Cell that holds it.
func (t *ticks) say(o *out) {
	if t.count != 1 || t.value == "" {
		return
	}
	switch t.value {
	case "true":
		o.attribute(t.name, true)
	case "false":
		o.attribute(t.name, false)
	default:
		o.attribute(t.name, title(t.value))
	}
}

func (d *document) hoist(i, role int, s surroundings) []item {
	n := &d.from.Nodes[i]
	if role != roleIframePresentational && (n.More().Word != "" || n.More().Subrole != "") {
		return d.group(i, "", s)
	}
	switch role {
	case roleIframePresentational:
		if n.More().Frame == nil {
			return nil
		}
		return d.splice(i)
	case roleGenericContainer:
		if n.Name != "" && !n.Tainted {
			return d.group(i, "", s)
		}
	case roleLayoutTableCell, roleLayoutTableRow:
		if n.Named {
			return d.group(i, "", s)
		}
	}
	return through(i, s)
}

func (d *document) merge(i, role int, s surroundings) []item {
	n := &d.from.Nodes[i]
	switch role {
	case roleCaption, roleFigcaption, roleLegend, roleDisclosureTriangle, roleDisclosureTriangleGrouped:
		return []item{{piece: -1, caption: &caption{node: i, role: role, items: d.items(i, s)}}}
	case roleLabelText:
		return d.label(i, s)
	}
	if n.More().Subrole != "" || n.More().Word != "" {
		return d.group(i, "", s)
	}
	return through(i, s)
}

// mapped makes the element of a role that has one.
func (d *document) mapped(i, role int, rule RoleRule, s surroundings) []item {
	n := &d.from.Nodes[i]
	switch role {
	case roleParagraph:
		return d.paragraph(i, s)
	case roleInsertion, roleDeletion, roleSuggestion, roleMath, roleMathMLMath:
		return one(d.textual(i, elements.Text, rule.Subrole, s))
	case roleHeading, roleDocSubtitle:
		return one(d.textual(i, elements.Heading, rule.Subrole, s))
	case roleCode:
		if n.Inline {
			return through(i, s)
		}
		return d.code(i, rule.Subrole, s)
	case roleTextField, roleSearchBox, roleTextFieldWithComboBox:
		return one(d.field(i, rule.Subrole))
	case roleIframe, roleEmbeddedObject, rolePluginObject:
		return d.frame(i, rule.Subrole, role, s)
	case roleVideo, roleAudio:
		return one(d.player(i, rule.Subrole))
	case roleImage, roleCanvas, roleSvgRoot, roleDocCover, roleGraphicsSymbol:
		return d.image(i, rule.Subrole, s)
	case roleListBox:
		if d.isPopup(n.Serial) {
			return nil
		}
	case roleTooltip:
		if n.Box == nil {
			return nil
		}
	case roleTab:
		o := d.element(i, elements.Window, "tab")
		o.hidden = !n.Selected
		o.selected = false
		d.tabs = append(d.tabs, o)
		return one(o)
	case roleTabList:
		return d.tabList(i, s)
	case roleTabPanel:
		o := d.container(i, elements.Window, "tab", d.items(i, surroundings{parent: elements.Window}))
		if o != nil {
			d.panels = append(d.panels, o)
		}
		return one(o)
	case roleDefinition:
		if !s.definitions {
			return d.group(i, "definition", s)
		}
	case roleTerm:
		if !s.definitions {
			return through(i, s)
		}
	case roleDetails:
		return one(d.details(i, s))
	case roleGroup:
		if n.Popover {
			return one(d.container(i, elements.Window, "popover", d.items(i, surroundings{parent: elements.Window})))
		}
		if s.rows {
			return through(i, s)
		}
	case roleLayoutTable, roleGraphicsObject, roleSectionHeader, roleSectionFooter:
		if n.Name == "" && n.More().Word == "" && n.More().Subrole == "" {
			return through(i, s)
		}
	case roleRegion:
		if strings.EqualFold(n.More().Word, "page") {
			return one(d.container(i, elements.Page, "", d.items(i, surroundings{parent: elements.Page})))
		}
	case roleArticle, roleComment, roleDocEndnote:
		if s.parent == elements.List {
			return one(d.row(i, rule.Subrole, s))
		}
		return d.group(i, rule.Subrole, s)
	case roleDocBiblioEntry:
		if s.parent != elements.List {
			return d.group(i, rule.Subrole, s)
		}
	}
	switch rule.Role {
	case elements.Link:
		return one(d.textual(i, elements.Link, rule.Subrole, s))
	case elements.Row, elements.Cell:
		return one(d.rowOrCell(i, rule.Role, rule.Subrole, s))
	case elements.Group:
		return d.group(i, rule.Subrole, s)
	case elements.List, elements.Table:
		inner := surroundings{parent: rule.Role, rows: role == roleTree || role == roleListBox, definitions: role == roleDescriptionList}
		return one(d.container(i, rule.Role, rule.Subrole, d.items(i, inner)))
	case elements.Text:
		return one(d.textual(i, elements.Text, rule.Subrole, s))
	}
	return one(d.container(i, rule.Role, rule.Subrole, d.items(i, surroundings{parent: rule.Role})))
}

// element starts the element of a node, with what every element has.
func (d *document) element(i int, role elements.Role, subrole string) *out {
	n := &d.from.Nodes[i]
	if n.More().Subrole != "" {
		subrole = n.More().Subrole
	}
	if n.More().Word != "" {
		subrole = n.More().Word
	}
	if n.Private {
		subrole = "private"
	}
	o := &out{doc: d, node: i, at: i, run: -1, key: d.from.Key + "#" + strconv.FormatInt(n.Serial, 10),
		el:    &elements.Element{Role: role, Subrole: title(subrole), URL: address(n.URL)},
		drawn: d.isDrawn(n.Box), bare: n.Bare, cut: n.Cut, selected: n.Selected}
	d.home[i] = o
	d.bySerial[n.Serial] = o
	if n.Private {
		o.el.URL = ""
		return o
	}
	if role != elements.Link && role != elements.Image && role != elements.Document && !addressed[n.role()] {
		o.el.URL = ""
	}
	if role == elements.Group && (n.More().Word == "pane" || n.More().Word == "" && n.More().Subrole == "pane") {
		// The spec's own word for a part of a window (section 5.2).
		o.el.Role = elements.Window
	}
	o.el.Title = d.name(n)
	d.attributes(o, n)
	return o
}

// addressed are the roles that have an address though they become Groups.
var addressed = map[int]bool{roleVideo: true, roleAudio: true, roleImage: true, roleEmbeddedObject: true, rolePluginObject: true}

// name is the accessible name as a title, unless it may repeat a secret.
func (d *document) name(n *Node) string {
	if n.Tainted {
		return ""
	}
	return title(n.Name)
}

func (d *document) attributes(o *out, n *Node) {
	if n.More().Level > 0 && levelled[n.role()] {
		o.attribute("level", n.More().Level)
	}
	if n.More().Checked != "" {
		switch n.More().Checked {
		case "true", "false":
			o.attribute("checked", n.More().Checked == "true")
		default:
			o.attribute("checked", n.More().Checked)
		}
	}
	if n.More().Expanded != "" {
		o.attribute("expanded", n.More().Expanded == "true")
	}
	for _, place := range [...]struct{ name, number string }{{"row", n.More().Row}, {"column", n.More().Col}} {
		if place.number == "" {
			continue
		}
		if v, err := strconv.Atoi(place.number); err == nil {
			o.attribute(place.name, v)
		}
	}
	if n.More().Lang != "" {
		o.attribute("language", title(n.More().Lang))
	}
	if n.More().Author != "" {
		o.attribute("author", title(n.More().Author))
	}
}

// levelled are the roles whose level says something that nesting does not:
// headings, and rows of a treegrid.
var levelled = map[int]bool{roleHeading: true, roleDocSubtitle: true, roleRow: true}
