package mapper

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// container makes an element of what holds others: nil where it says nothing.
func (d *document) container(i int, role elements.Role, subrole string, list []item) *out {
	o := d.element(i, role, subrole)
	list = d.takeCaption(o, list)
	o.kids = d.assemble(list, o.key)
	if d.empty(o) {
		d.discard(o)
		return nil
	}
	return o
}

// empty tells whether an element says nothing and holds nothing.
func (d *document) empty(o *out) bool {
	return o.el.Title == "" && len(o.kids) == 0 && o.el.URL == "" && !o.selected && !o.cut && o.words == ""
}

// discard takes an element out again; what was at it is at its parent.
func (d *document) discard(o *out) {
	d.home[o.node] = nil
	delete(d.bySerial, d.from.Nodes[o.node].Serial)
}

// group makes a Group; a Text where its whole content is one; its only child where
// it adds nothing; nothing where it says nothing.
func (d *document) group(i int, subrole string, s surroundings) []item {
	inner := s
	inner.parent, inner.definitions = elements.Group, false
	list := d.items(i, inner)
	o := d.element(i, elements.Group, subrole)
	list = d.takeCaption(o, list)
	o.kids = d.assemble(list, o.key)
	if d.empty(o) {
		d.discard(o)
		return nil
	}
	if o.cut || len(o.kids) != 1 {
		return one(d.inRun(o))
	}
	only := o.kids[0]
	if only.plain && len(only.kids) == 0 {
		d.becomeText(o, only)
		return one(d.inRun(o))
	}
	if o.el.Title == "" && o.el.Subrole == "" {
		d.discard(o)
		return one(only)
	}
	return one(o)
}

// becomeText makes an element the Text that is all of its content.
func (d *document) becomeText(o, text *out) {
	d.absorb(o, text)
	o.el.Role = elements.Text
	if squeeze(o.el.Title) == squeeze(o.words) {
		o.el.Title = ""
	}
}

// inRun makes an inline element a part of the run that it stands in with all its
// text.
func (d *document) inRun(o *out) *out {
	if d.from.Nodes[o.node].Inline && !o.cut {
		o.run = d.oneRun(o.node)
	}
	return o
}

// code makes a block of code: Text where only text and links are in it.
func (d *document) code(i int, subrole string, s surroundings) []item {
	o := d.element(i, elements.Group, subrole)
	o.kids = d.assemble(d.items(i, surroundings{parent: elements.Group}), o.key)
	if d.empty(o) {
		d.discard(o)
		return nil
	}
	if len(o.kids) == 1 && !o.cut && o.kids[0].plain && !slices.ContainsFunc(o.kids[0].kids, func(k *out) bool { return !k.el.Role.IsText() }) {
		d.becomeText(o, o.kids[0])
	}
	return one(o)
}

// absorb has an element say its only Text's words itself.
func (d *document) absorb(o, text *out) {
	o.kids = text.kids
	o.words = text.words
	o.cut = o.cut || text.cut
	o.left += text.left
	o.drawn = o.drawn || text.drawn
	text.instead = o
}

func (d *document) rowOrCell(i int, role elements.Role, subrole string, s surroundings) *out {
	if role == elements.Row {
		return d.row(i, subrole, s)
	}
	return d.entry(i, elements.Cell, subrole, surroundings{parent: elements.Cell})
}

func (d *document) row(i int, subrole string, s surroundings) *out {
	return d.entry(i, elements.Row, subrole, surroundings{parent: elements.Row, rows: s.rows})
}

// maxRunTitle is how long a Row's or Cell's words may be to be its title.
const maxRunTitle = 200

// entry makes a Row or a Cell.
func (d *document) entry(i int, role elements.Role, subrole string, inner surroundings) *out {
	t := &ticks{}
	inner.ticks = t
	list := d.items(i, inner)
	n := &d.from.Nodes[i]
	o := d.element(i, role, subrole)
	o.kids = d.assemble(list, o.key)
	t.say(o)
	// Chrome names these by what is in them, which is said by what is in them.
	if !n.Named && namedByContent(n.role()) && (len(o.kids) > 0 || o.cut) {
		o.el.Title = ""
	}
	text := o.ownRun()
	if text != nil && !n.Named && squeeze(o.el.Title) == squeeze(text.words) {
		o.el.Title = ""
	}
	if text != nil && o.el.Title == "" && !o.cut {
		if utf8.RuneCountInString(text.words) <= maxRunTitle && !text.cut {
			o.el.Title, o.ownTitle = title(text.words), true
			o.kids = slices.DeleteFunc(o.kids, func(k *out) bool { return k == text })
			o.drawn = o.drawn || text.drawn
			text.instead = o
			o.number(clean(n.More().Marker))
			return o
		}
	}
	if !o.cut {
		o.number(clean(n.More().Marker))
	}
	if role == elements.Row && d.empty(o) {
		d.discard(o)
		return nil
	}
	return o
}

// ownRun is the one plain run that an entry's own words are, nil where they are
// more; the words of lists and rows in it are theirs.
func (o *out) ownRun() *out {
	var text *out
	for _, k := range o.kids {
		switch {
		case k.plain && len(k.kids) == 0 && text == nil:
			text = k
		case k.el.Role == elements.List || k.el.Role == elements.Row || k.el.Role == elements.Table || k.el.Role == elements.Image:
		default:
			return nil
		}
	}
	return text
}

// namedByContent: ARIA's roles that take their name from what is in them, among
// those that become Rows and Cells.
func namedByContent(role int) bool {
	switch role {
	case roleCell, roleColumnHeader, roleRowHeader, roleGridCell, roleRow, roleTreeItem, roleListBoxOption:
		return true
	}
	return false
}

// textual makes an element that says its own words: Text, Heading, Link.
func (d *document) textual(i int, role elements.Role, subrole string, s surroundings) *out {
	inner := s
	inner.parent, inner.definitions = role, false
	list := d.items(i, inner)
	o := d.element(i, role, subrole)
	d.fill(o, list)
	n := &d.from.Nodes[i]
	if n.Cut && n.Bare && !n.Named {
		o.el.Title = ""
	}
	if squeeze(o.el.Title) == squeeze(title(o.words)) {
		o.el.Title = ""
	}
	if (role == elements.Text || role == elements.Heading) && d.empty(o) {
		d.discard(o)
		return nil
	}
	if role == elements.Link && d.empty(o) && n.Box == nil {
		d.discard(o)
		return nil
	}
	o.plain = role == elements.Text && o.el.Subrole == "" && o.el.Title == "" && len(o.el.Attributes) == 0 && !o.bare
	if d.answer.options.Scope == Pointing && role == elements.Text && o.el.Subrole == "" && o.el.Title == "" && len(o.el.Attributes) == 0 {
		o.plain = true
	}
	if n.Inline && (role == elements.Link || subrole != "") {
		o.run = d.oneRun(i)
	}
	return o
}

// paragraph makes a paragraph's Text; the Link alone where that is all of it.
func (d *document) paragraph(i int, s surroundings) []item {
	o := d.textual(i, elements.Text, "", s)
	if o != nil && o.plain && !o.cut && len(o.kids) == 1 && (o.words == "" || o.kids[0].run >= 0 && squeeze(o.words) == squeeze(o.kids[0].words)) {
		d.discard(o)
		return one(o.kids[0])
	}
	return one(o)
}

// fill gives a textual element its words and what else is in it: plain text is in
// the words, links are both.
func (d *document) fill(o *out, list []item) {
	whole := o.el.Role != elements.Text || d.from.Nodes[o.node].Editor
	b := joiner{full: d.answer.said > maxSaid}
	for _, k := range d.assembleKeeping(list, o) {
		if k.piece >= 0 {
			n := &d.from.Nodes[k.piece]
			b.run(n.Run)
			b.add(n.Text, n.Pre)
			d.home[k.piece] = o
			o.drawn = o.drawn || d.isDrawn(n.Box)
			o.cut = o.cut || n.Cut
			o.left += n.More().Left
			continue
		}
		in := k.out
		switch {
		case in.run >= 0:
			b.run(in.run)
			b.spaced(in)
			o.kids = append(o.kids, in)
		case in.plain:
			b.line()
			b.add(in.words, true)
			b.line()
			in.instead = o
			o.kids = append(o.kids, in.kids...)
			o.drawn = o.drawn || in.drawn
		default:
			if whole || in.el.Role == elements.Link {
				if words := allWords(in); words != "" {
					b.line()
					b.add(words, true)
					b.line()
				}
			}
			o.kids = append(o.kids, in)
		}
	}
	o.words = b.String()
	d.answer.said += len(o.words)
	if b.left > 0 {
		o.cut = true
		d.answer.omit("text", b.left)
	}
}

// maxSaid is how many bytes of words are said by what is round others that say
// them too. A page of thousands of headings or links inside one another, with
// megabytes in the innermost, would otherwise say them thousands of times.
const maxSaid = 64 << 20

// assembleKeeping resolves captions, and leaves pieces as they are.
func (d *document) assembleKeeping(list []item, o *out) []item {
	var flat []item
	for _, it := range list {
		if it.caption != nil {
			flat = append(flat, d.assembleKeeping(d.uncaption(it.caption), o)...)
		} else {
			flat = append(flat, it)
		}
	}
	return flat
}

// allWords is what an element and what is in it say, in order.
func allWords(o *out) string {
	if o.words != "" {
		return o.words
	}
	if (o.el.Role == elements.Row || o.el.Role == elements.Cell) && o.el.Title != "" && len(o.kids) == 0 {
		return o.el.Title
	}
	var parts []string
	for _, k := range o.kids {
		if k.el.Role == elements.Image {
			continue
		}
		if w := allWords(k); w != "" {
			parts = append(parts, w)
		}
	}
	return strings.Join(parts, "\n")
}

// oneRun is the run that an inline element stands in with all its text, -1 where
// something in it ends the run.
func (d *document) oneRun(i int) int {
	run, ok := d.from.Nodes[i].Run, true
	var visit func(int)
	visit = func(k int) {
		n := &d.from.Nodes[k]
		if n.IsText {
			ok = ok && run == n.Run
			return
		}
		for _, c := range d.children.of(k) {
			visit(int(c))
		}
	}
	visit(i)
	if !ok {
		return -1
	}
	return run
}

// editor makes the Text of an editing host: rich content stays inside it.
func (d *document) editor(i int, s surroundings) *out {
	n := &d.from.Nodes[i]
	o := d.element(i, elements.Text, "editor")
	if n.Secret || n.Private {
		o.el.Title = d.name(n)
		return o
	}
	d.fill(o, d.items(i, surroundings{parent: elements.Text}))
	if squeeze(o.el.Title) == squeeze(o.words) {
		o.el.Title = ""
	}
	return o
}

// field makes the Text of an input or textarea.
func (d *document) field(i int, subrole string) *out {
	n := &d.from.Nodes[i]
	switch {
	case n.More().InputType == "password":
		subrole = "password"
	case n.Multi:
		subrole = "textarea"
	case n.More().InputType == "number":
		subrole = "number"
	}
	if !n.Field {
		return d.ownField(i, subrole)
	}
	o := d.element(i, elements.Text, subrole)
	if n.Secret {
		return o
	}
	o.words, o.left = clean(n.More().Value), n.More().Left
	if squeeze(o.el.Title) == squeeze(o.words) {
		o.el.Title = ""
	}
	return o
}

// ownField is a textbox that the page made of other elements and that is no
// editing host: its words are its value.
func (d *document) ownField(i int, subrole string) *out {
	o := d.element(i, elements.Text, subrole)
	if !d.from.Nodes[i].Secret {
		list := d.items(i, surroundings{parent: elements.Text})
		d.fill(o, list)
	}
	if squeeze(o.el.Title) == squeeze(o.words) {
		o.el.Title = ""
	}
	return o
}

// image makes an Image, or a Group where elements are in it (Chromium's own rule
// for macOS).
func (d *document) image(i int, subrole string, s surroundings) []item {
	o := d.element(i, elements.Image, subrole)
	o.kids = d.assemble(d.items(i, surroundings{parent: elements.Image}), o.key)
	if len(o.kids) > 0 || o.cut {
		o.el.Role = elements.Group
	}
	if len(o.kids) == 1 && o.kids[0].plain && len(o.kids[0].kids) == 0 && !o.cut {
		d.becomeText(o, o.kids[0])
	}
	return one(d.inRun(o))
}

// details takes its summary as its title.
func (d *document) details(i int, s surroundings) *out {
	list := d.items(i, surroundings{parent: elements.Group})
	o := d.element(i, elements.Group, "details")
	o.el.Title = ""
	if d.from.Nodes[i].Named {
		o.el.Title = d.name(&d.from.Nodes[i])
	}
	for _, it := range list {
		if it.caption != nil {
			if e := d.from.Nodes[it.caption.node].More().Expanded; e != "" {
				o.attribute("expanded", e == "true")
			}
			break
		}
	}
	list = d.takeCaption(o, list)
	o.kids = d.assemble(list, o.key)
	if d.empty(o) {
		d.discard(o)
		return nil
	}
	return o
}

// player makes the Group of a video or audio: what is in it are its controls. A
// title is the page's own; Chrome names one that does not play itself.
func (d *document) player(i int, subrole string) *out {
	o := d.element(i, elements.Group, subrole)
	if !d.from.Nodes[i].Named {
		o.el.Title = ""
	}
	if d.empty(o) {
		d.discard(o)
		return nil
	}
	return o
}

// frame makes one Document of a frame and the page in it.
func (d *document) frame(i int, subrole string, role int, s surroundings) []item {
	n := &d.from.Nodes[i]
	if n.More().Frame == nil {
		if role != roleIframe {
			return d.group(i, subrole, s)
		}
		o := d.element(i, elements.Document, subrole)
		o.missing = true
		return one(o)
	}
	in := d.answer.document(nil, n.More().Frame, subrole, d.frameClip(n))
	o := in.out
	o.run, o.at = -1, i
	if n.More().Subrole != "" || n.More().Word != "" {
		o.el.Subrole = title(n.More().Word)
		if o.el.Subrole == "" {
			o.el.Subrole = title(n.More().Subrole)
		}
	}
	if name := d.name(n); name != "" {
		o.el.Title = name
	}
	if o.el.URL == "" {
		o.el.URL = address(n.URL)
	}
	o.drawn = d.isDrawn(n.Box)
	o.bare = n.Bare
	d.home[i] = o
	d.bySerial[n.Serial] = o
	return one(o)
}

// splice puts the content of a presentational frame in the frame's place.
func (d *document) splice(i int) []item {
	n := &d.from.Nodes[i]
	in := d.answer.document(nil, n.More().Frame, "", d.frameClip(n))
	in.out.instead = d.out
	var list []item
	for _, k := range in.out.kids {
		k.parent = nil
		list = append(list, item{piece: -1, out: k})
	}
	return list
}
