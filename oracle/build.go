package oracle

import (
	"slices"
	"strings"

	"github.com/webarea/webarea/elements"
)

// A builder makes the expected elements of one document.
type builder struct {
	roles table
	frame *frame
	// nodes has the document's accessibility tree by the ids of the document.
	nodes map[int64]*axNode
	// labels has the nodes that each node gives its words to as their name.
	labels map[int64][]*axNode
	// panels has the panel of each tab that has one in the tree, and owned says
	// which panels those are.
	panels map[*axNode]*axNode
	owned  map[*axNode]bool
	// popups are the lists that are part of a combobox.
	popups map[*axNode]bool
	// missing are the nodes that are reported though Chrome's tree has them not,
	// by the node in the tree that they lie in.
	missing map[*axNode][]*domNode
}

// A scope is what the surroundings of a node say about it.
type scope struct {
	// parent is the nearest element above that is reported, and of what role the
	// node is that made it one.
	parent *Element
	role   int
	// titled is the nearest table, figure, group of fields or details above, with
	// its node, for what inside it may be its title.
	titled     *Element
	titledNode *axNode
	editing    bool
}

func newBuilder(roles table, f *frame) *builder {
	b := &builder{roles: roles, frame: f}
	b.relate()
	b.findMissing()
	return b
}

// document makes the element of the whole document. holder is the node of the
// frame that it is in, nil for a page.
func (b *builder) document(holder *axNode) *Element {
	root := b.frame.root
	el := &Element{Role: elements.Document, kept: true}
	if holder != nil {
		el.Subrole = b.subroleOf(holder)
		el.Title = titled(holder.name)
	}
	if root == nil {
		return el
	}
	if el.Title == "" {
		el.Title = titled(root.name)
	}
	el.URL = address(root.props["url"])
	el.Children = assemble(b.inside(root, scope{parent: el, role: root.role}))
	b.hideSecrets(el)
	return el
}

// inside gives the tokens of what is in a node.
func (b *builder) inside(n *axNode, sc scope) []token {
	var kids []kid
	for _, k := range n.kids {
		kids = append(kids, kid{node: k, way: wayTo(n.dom, k.dom)})
	}
	for _, d := range b.missing[n] {
		kids = insert(kids, kid{node: &axNode{dom: d, role: roleCanvas}, way: wayTo(n.dom, d)})
	}
	return b.spread(kids, sc)
}

// A kid is a node with the elements that lie between it and its parent in the
// document but that the accessibility tree leaves out, outermost first.
type kid struct {
	node *axNode
	way  []*domNode
}

func wayTo(top, of *domNode) []*domNode {
	if top == nil || of == nil {
		return nil
	}
	var way []*domNode
	for d := of.parent; d != top; d = d.parent {
		if d == nil {
			return nil
		}
		way = append(way, d)
	}
	slices.Reverse(way)
	return way
}

// insert puts a kid before the first that comes after it in the document.
func insert(kids []kid, k kid) []kid {
	for i, other := range kids {
		if other.node.dom != nil && other.node.dom.order > k.node.dom.order {
			return slices.Insert(kids, i, k)
		}
	}
	return append(kids, k)
}

// spread gives the tokens of kids, and of the elements that were left out round
// them.
func (b *builder) spread(kids []kid, sc scope) []token {
	var out []token
	for i := 0; i < len(kids); {
		if len(kids[i].way) == 0 {
			out = append(out, b.visit(kids[i].node, sc)...)
			i++
			continue
		}
		head := kids[i].way[0]
		var inner []kid
		for ; i < len(kids) && len(kids[i].way) > 0 && kids[i].way[0] == head; i++ {
			inner = append(inner, kid{kids[i].node, kids[i].way[1:]})
		}
		out = append(out, b.leftOut(head, inner, sc)...)
	}
	return out
}

// leftOut gives the tokens of an element that is not in the accessibility tree
// but for what is in it.
func (b *builder) leftOut(d *domNode, kids []kid, sc scope) []token {
	n := &axNode{role: roleGeneric, dom: d}
	switch {
	case d.template():
		return nil
	case d.has("data-private"):
		return b.private(n)
	case d.word() != "":
		return b.container(n, b.roles.plain[roleGroup], sc, func(sc scope) []token { return b.spread(kids, sc) })
	}
	return wrap(n, b.spread(kids, sc))
}

func (b *builder) private(n *axNode) []token {
	return place(n, &Element{Role: elements.Group, Subrole: "private", kept: true}, nil)
}

// visit gives the tokens of a node.
func (b *builder) visit(n *axNode, sc scope) []token {
	r, known := b.roles.plain[n.role]
	switch {
	case n.dom.template():
		return nil
	case n.dom.has("data-private"):
		return b.private(n)
	case n.ignored && n.reasons["labelFor"]:
		return wrap(n, append(b.labelWords(n), b.inside(n, sc)...))
	case n.ignored && n.dom.word() == "":
		return wrap(n, b.inside(n, sc))
	case b.isEditingHost(n, sc):
		return b.editor(n, sc)
	case n.ignored:
		r = b.roles.plain[roleGeneric]
	case !known:
		r = row{action: actionHoist}
	}
	if tokens, done := b.special(n, r, sc); done {
		return tokens
	}
	switch r.action {
	case actionDrop:
		return wrap(n, nil)
	case actionMerge, actionHoist:
		return wrap(n, b.inside(n, sc))
	}
	if r.element.IsText() {
		return b.textual(n, r, sc)
	}
	return b.container(n, r, sc, func(sc scope) []token { return b.inside(n, sc) })
}

// special gives the tokens of a node whose role the table alone does not settle.
func (b *builder) special(n *axNode, r row, sc scope) (tokens []token, done bool) {
	switch n.role {
	case roleStaticText:
		return staticText(n), true
	case roleLineBreak:
		return []token{{kind: word, text: "\n"}}, true
	case roleListMarker:
		return marker(n.name), true
	case roleNone, roleGeneric, roleSection, roleNamelessSection:
		if n.dom.word() == "" && !n.authored() {
			return nil, false
		}
		group := row{actionMap, elements.Group, ""}
		return b.container(n, group, sc, func(sc scope) []token { return b.inside(n, sc) }), true
	case roleSectionFooter, roleSectionHeader, roleGraphicsObject, roleLayoutTable:
		if n.dom.word() != "" || n.authored() {
			return nil, false
		}
		return wrap(n, b.inside(n, sc)), true
	case roleGroup:
		if n.dom.has("popover") {
			popover := b.roles.conditional[rowPopover]
			return b.container(n, popover, sc, func(sc scope) []token { return b.inside(n, sc) }), true
		}
		if sc.role == roleTree || sc.role == roleTreeItem || sc.role == roleListBox {
			return wrap(n, b.inside(n, sc)), true
		}
	case roleParagraph:
		if n.dom.word() == "" && !n.authored() && !marked(n) {
			return wrap(n, b.inside(n, sc)), true
		}
	case roleIframe, roleIframePresented, roleEmbeddedObject, rolePluginObject:
		return b.embedded(n, r, sc), true
	case roleTextField, roleSearchBox, roleTextFieldCombo:
		return b.field(n, r, sc), true
	case roleSpinButton:
		if n.props["editable"] != "" {
			return b.field(n, b.roles.conditional[rowNumber], sc), true
		}
	case roleListBox:
		if b.popups[n] {
			return wrap(n, nil), true
		}
	case roleImage, roleCanvas, roleSvgRoot, roleGraphicsSymbol, roleDocCover, roleGraphicsDocument:
		return b.picture(n, r, sc), true
	case roleVideo, roleAudio:
		return b.player(n, r), true
	case roleLabel, roleLegend, roleCaption, roleFigcaption, roleDisclosure, roleDisclosureGrouped:
		return b.titling(n, sc), true
	case roleTabList, roleTab, roleTabPanel:
		return b.tabbed(n, r, sc), true
	case roleCode, roleMark, roleMath, roleMathML, roleTerm:
		return b.inline(n, r, sc), true
	}
	return nil, false
}

func staticText(n *axNode) []token {
	if n.parent != nil && n.parent.dom != nil && n.parent.dom.pseudo == "marker" {
		return marker(n.name)
	}
	return []token{{kind: word, text: n.name}}
}

// marked says whether the page itself calls the node selected.
func marked(n *axNode) bool { return n.dom.attr("aria-selected") == "true" }

// subroleOf is the page's own word for a node, else what the table says.
func (b *builder) subroleOf(n *axNode) string {
	if word := n.dom.word(); word != "" {
		return word
	}
	return b.roles.plain[n.role].subrole
}

// newElement makes the element of a node by a row of the table.
func (b *builder) newElement(n *axNode, r row, sc scope) *Element {
	el := &Element{Role: b.roleOf(n, r, sc), Subrole: r.subrole, URL: address(n.props["url"]), kept: marked(n)}
	if word := n.dom.word(); word != "" {
		el.Subrole = word
	}
	if n.authored() {
		el.Title = titled(n.name)
		el.named = el.Title != ""
	}
	return el
}

// roleOf is the role of an element where it depends on where it is, or on what
// it calls itself.
func (b *builder) roleOf(n *axNode, r row, sc scope) elements.Role {
	inList := sc.parent != nil && sc.parent.Role == elements.List
	switch n.role {
	case roleArticle, roleComment:
		if inList {
			return elements.Row
		}
	case roleDocEndnote, roleDocBiblioEntry:
		if !inList {
			return elements.Group
		}
	case roleDefinition:
		if sc.role != roleDescriptionList {
			return elements.Text
		}
	}
	if r.element != elements.Group {
		return r.element
	}
	switch strings.ToLower(n.dom.word()) {
	case "pane":
		return elements.Window
	case "page":
		if n.role == roleRegion {
			return elements.Page
		}
	}
	return r.element
}

// textual gives the tokens of an element that sends the words inside it.
func (b *builder) textual(n *axNode, r row, sc scope) []token {
	el := b.newElement(n, r, sc)
	inside := b.inside(n, sc.below(el, n))
	el.Text = wordsOf(inside)
	el.Children = things(inside)
	if el.Role != elements.Text || n.authored() {
		el.nameBy(n)
	}
	if !n.authored() && el.Text == "" && len(el.Children) == 0 && b.holdsTitling(n) {
		el.Title = "" // what it holds has been said as another's title
	}
	if el.empty() {
		return wrap(n, nil)
	}
	return place(n, el, inside)
}

// nameBy titles an element that is text by its node's name where that is not
// what it says.
func (e *Element) nameBy(n *axNode) {
	e.Title = titled(n.name)
	if squeeze(n.name) == squeeze(e.Text) {
		e.Title = ""
	}
}

func (e *Element) empty() bool {
	return e.Title == "" && e.URL == "" && e.Text == "" && len(e.Children) == 0 && !e.kept && !e.field
}

func (sc scope) below(el *Element, n *axNode) scope {
	sc.parent, sc.role = el, n.role
	return sc
}

// container gives the tokens of an element that holds others.
func (b *builder) container(n *axNode, r row, sc scope, inside func(scope) []token) []token {
	el := b.newElement(n, r, sc)
	if el.Role == elements.Text {
		return b.textual(n, r, sc)
	}
	below := sc.below(el, n)
	switch n.role {
	case roleFigure, roleDetails, roleGroup:
		below.titled, below.titledNode = el, n
	}
	if el.Role == elements.Table {
		below.titled, below.titledNode = el, n
	}
	tokens := inside(below)
	el.Children = assemble(tokens)
	if isEntry(el.Role) {
		el.takeTitle(n)
	}
	return b.finish(n, el, tokens)
}

// finish decides what becomes of a container now that its children are known.
func (b *builder) finish(n *axNode, el *Element, tokens []token) []token {
	switch el.Role {
	case elements.Group, elements.List, elements.Table, elements.Row:
		if el.empty() {
			return wrap(n, nil)
		}
	}
	if el.Role != elements.Group || len(el.Children) != 1 {
		return place(n, el, tokens)
	}
	only := el.Children[0]
	switch {
	case el.Title == "" && el.Subrole == "" && el.URL == "" && !el.kept:
		return wrap(n, tokens)
	case only.plain():
		el.Role, el.Text, el.Children = elements.Text, only.Text, nil
	}
	return place(n, el, tokens)
}

// takeTitle has a Row or Cell say its words as its title, where they are one
// plain run.
func (e *Element) takeTitle(n *axNode) {
	if e.named {
		return
	}
	run := -1
	for i, kid := range e.Children {
		switch {
		case kid.Role == elements.List || kid.Role == elements.Row:
		case kid.plain() && run < 0 && len([]rune(kid.Text)) <= maxTitle:
			run = i
		case kid.words() != "":
			return
		}
	}
	switch {
	case run >= 0:
		e.Title = titled(e.Children[run].Text)
		e.Children = append(e.Children[:run:run], e.Children[run+1:]...)
	case len(e.Children) == 0 && n.role == roleListBoxOption:
		e.Title = titled(n.name)
	}
}
