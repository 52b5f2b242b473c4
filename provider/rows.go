package provider

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
	"github.com/webarea/webarea/tree"
)

// A detail is what there is to know of a row besides its line.
type detail struct {
	key     string // names the element; empty for words
	id      string // of the element that holder names, once it is told
	holder  string // names the nearest element that answers in the Elements protocol have
	subrole string
	url     string
	states  States
	frame   *cdp.Rect // in the tab's viewport
	visible bool
	unseen  string // why a point in the middle of frame is not it
	unasked bool   // the accessibility tree did not tell of it in time, and nobody named it
	secret  bool   // what it holds is not told
	// holdsValue says that it has a value, even if that is empty.
	holdsValue bool
	// supports has what Chrome tells of such an element, be it so or not.
	supports map[string]bool
}

// States are those that an element is in; what is not so is left out, but where Chrome
// says of such an element that it could be.
type States struct {
	Enabled  *bool  `json:"enabled,omitempty"` // only where it is not
	Selected bool   `json:"selected,omitempty"`
	Checked  string `json:"checked,omitempty"` // true, false or mixed
	Expanded *bool  `json:"expanded,omitempty"`
	Pressed  string `json:"pressed,omitempty"` // true, false or mixed
	Focused  bool   `json:"focused,omitempty"`
	Required bool   `json:"required,omitempty"`
	Invalid  bool   `json:"invalid,omitempty"`
	Readonly bool   `json:"readonly,omitempty"`
}

// A forest is a page's rows, with those of its frames, and how much of the page they
// are.
type forest struct {
	rows    []tree.Row
	details []detail

	visited   int
	pending   *int   // nil: not known
	cut       string // why there are not all: records, time or depth; empty: there are
	whole     bool   // every frame was read whole
	unreached []string
	pdf       bool
	selection string // the selected words
	// selectionCut says that there are more of them.
	selectionCut bool
	selected     int // the row that holds all of them, -1: none, or the document
}

// growth bounds a forest.
type growth struct {
	most    int  // nodes walked; 0: no bound
	inOrder bool // spends that in the order of the document
	words   int  // bytes of a name, a value or a piece of text
}

// grow makes rows of a reading.
func grow(r *cdp.Reading, o growth) *forest {
	g := &grower{
		reading: r, forest: &forest{whole: r.OmittedFrames == 0, selected: -1}, docs: map[string]*cdp.Document{}, ways: r.Places(),
		done: map[*cdp.Document]bool{}, redactor: mapper.NewRedactor(secretsOf(r)), most: o.words,
	}
	for _, d := range r.Documents {
		g.docs[d.Frame] = d
	}
	g.flatten(r.Documents[0], -1, nearest)
	g.afford(o.most, o.inOrder)
	g.done = map[*cdp.Document]bool{}
	g.forest.rows, g.forest.details, g.runs = make([]tree.Row, 0, len(g.flat)), make([]detail, 0, len(g.flat)), make([]run, 0, len(g.flat))
	g.document(r.Documents[0], -1)
	g.tidy()
	g.count()
	return g.forest
}

func secretsOf(r *cdp.Reading) []string {
	var all []string
	for _, d := range r.Documents {
		all = append(all, d.Facts.Secrets...)
	}
	return all
}

// grower is a forest while it is made.
type grower struct {
	reading  *cdp.Reading
	forest   *forest
	docs     map[string]*cdp.Document // by their frames
	ways     map[string]*cdp.Way
	done     map[*cdp.Document]bool
	redactor *mapper.Redactor
	most     int // bytes of words that are told at most
	flat     []flatRecord
	left     map[*cdp.Record]bool // out of the budget
	dropped  int
	runs     []run // of each row of words, what it is of
}

// A run is what words stand in that are one row.
type run struct {
	document *cdp.Document
	number   int
	rest     bool // more was in it than is told
}

// nearest is how far away the way to what has the focus is, by what our script says.
const nearest = -1

// A flatRecord is a record among those of all documents.
type flatRecord struct {
	record *cdp.Record
	parent int
	far    float64
}

// flatten lists the records of all documents in the order in which they are told.
func (g *grower) flatten(d *cdp.Document, parent int, far float64) {
	if g.done[d] {
		return
	}
	g.done[d] = true
	at := make([]int, len(d.Facts.Records))
	g.flat = slices.Grow(g.flat, len(at))
	for i := range d.Facts.Records {
		rec := &d.Facts.Records[i]
		in := parent
		if rec.Parent >= 0 && rec.Parent < i {
			in = at[rec.Parent]
		}
		at[i] = len(g.flat)
		g.flat = append(g.flat, flatRecord{rec, in, max(far, rec.More().Distance)})
		if inner := g.docs[rec.More().Frame]; rec.More().Frame != "" && inner != nil && inner != d {
			g.flatten(inner, at[i], max(far, rec.More().Distance))
		}
	}
}

// afford leaves out what is beyond the budget: what is farthest from the screen, or
// last in the document.
func (g *grower) afford(most int, inOrder bool) {
	if most <= 0 || len(g.flat) <= most {
		return
	}
	order := make([]int, len(g.flat))
	for i := range order {
		order[i] = i
	}
	if !inOrder {
		sort.SliceStable(order, func(a, b int) bool { return g.flat[order[a]].far < g.flat[order[b]].far })
	}
	kept := map[int]bool{}
	for _, i := range order {
		var chain []int
		for k := i; k >= 0 && !kept[k]; k = g.flat[k].parent {
			chain = append(chain, k)
		}
		if len(kept)+len(chain) > most {
			break
		}
		for _, k := range chain {
			kept[k] = true
		}
	}
	g.left = map[*cdp.Record]bool{}
	for i, f := range g.flat {
		if !kept[i] {
			g.left[f.record] = true
			g.dropped++
		}
	}
}

// document makes rows of a document, in a row of the one that it is in.
func (g *grower) document(d *cdp.Document, parent int) {
	if g.done[d] {
		return
	}
	g.done[d] = true
	if d.Err != nil {
		g.forest.whole = false
		g.forest.unreached = append(g.forest.unreached, g.redactor.Address(d.URL))
		return
	}
	if d.Facts.PDF {
		g.forest.pdf, g.forest.whole = true, false
	}
	root := len(g.forest.rows)
	g.add(tree.Row{Parent: parent, Role: "document", Name: g.words(d.Facts.Title, false)}, detail{key: d.Key, holder: d.Key, visible: true}, run{})
	g.note(d)
	// at has, of each record, the row that is in its place: its own or one around it; -1
	// where nothing of it is told.
	at := make([]int, len(d.Facts.Records))
	for i := range d.Facts.Records {
		rec := &d.Facts.Records[i]
		in := root
		if rec.Parent >= 0 && rec.Parent < i {
			in = at[rec.Parent]
		}
		if in >= 0 && rec.Parent >= 0 && rec.Parent < i && ends(&d.Facts.Records[rec.Parent]) {
			in = -1
		}
		at[i] = in
		switch {
		case in < 0 || g.left[rec]:
		case rec.Tag == "":
			g.text(d, rec, in)
		case rec.AX != nil && rec.AX.Hidden:
			at[i] = -1
		default:
			at[i] = g.element(d, rec, in)
		}
		g.frame(d, rec, at[i])
	}
	if s := d.Facts.Selection; s != nil && g.forest.selection == "" {
		g.forest.selection, g.forest.selectionCut = g.words(s.Text, s.Cut), s.Cut || len(s.Text) > g.most
		if s.Record >= 0 && s.Record < len(at) {
			g.forest.selected = at[s.Record]
		}
	}
}

// ends tells of a record in which Chrome's tree has nothing, whatever is drawn there.
func ends(r *cdp.Record) bool {
	return r.AX != nil && r.AX.Leaf && !r.AX.Ignored && r.Tag != "select"
}

// note takes over how much of a document was read.
func (g *grower) note(d *cdp.Document) {
	f := &d.Facts
	if f.Cut != "" || f.Left > 0 || f.Unasked > 0 || f.Pending == nil || *f.Pending > 0 {
		g.forest.whole = false
	}
	if g.forest.cut == "" {
		switch {
		case f.Cut != "":
			g.forest.cut = f.Cut
		case f.Unasked > 0:
			g.forest.cut = "time"
		case f.Pending != nil && *f.Pending > 0:
			g.forest.cut = "records"
		}
	}
}

// frame makes rows of what a record holds that is a frame.
func (g *grower) frame(d *cdp.Document, rec *cdp.Record, row int) {
	switch rec.Tag {
	case "iframe", "frame", "fencedframe", "object", "embed":
	default:
		return
	}
	if row < 0 || g.left[rec] {
		return
	}
	inner := g.docs[rec.More().Frame]
	switch {
	case rec.More().Frame != "" && inner != nil && inner != d:
		g.document(inner, row)
	case rec.Tag == "embed" || rec.Tag == "object":
		if strings.HasSuffix(strings.ToLower(rec.URL), ".pdf") {
			g.forest.pdf, g.forest.whole = true, false
		}
	default:
		g.forest.whole = false
		g.forest.unreached = append(g.forest.unreached, g.redactor.Address(rec.URL))
	}
}

// elementKey names an element of a document.
func elementKey(document string, serial int64) string {
	return document + "#" + strconv.FormatInt(serial, 10)
}

func (g *grower) add(r tree.Row, n detail, of run) int {
	g.forest.rows = append(g.forest.rows, r)
	g.forest.details = append(g.forest.details, n)
	g.runs = append(g.runs, of)
	return len(g.forest.rows) - 1
}

// words are words without secrets and without more white space than they need; … ends
// those that go on.
func (g *grower) words(s string, cut bool) string {
	cut = cut || len(s) > g.most
	s = strings.Join(strings.Fields(g.redactor.Words(clip(s, g.most), cut)), " ")
	if cut && s != "" {
		s += "…"
	}
	return s
}

const (
	// maxWords is how many bytes of a name, a value or a piece of text are told.
	maxWords = 8000

	// allWords is the same where it is searched, not told: as much as a page may have
	// in one piece without being an attack.
	allWords = 4 << 20
)

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// text makes a row of words, or goes on with one of the same run.
func (g *grower) text(d *cdp.Document, rec *cdp.Record, in int) {
	last := len(g.forest.rows) - 1
	if of := g.runs[last]; of.document == d && of.number == rec.Run && g.forest.rows[last].Parent == in {
		g.forest.rows[last].Name += rec.Text
		g.runs[last].rest = g.runs[last].rest || rec.More().Left > 0
		g.forest.details[last].visible = g.forest.details[last].visible || len(rec.Box) == 4
		return
	}
	g.add(tree.Row{Parent: in, Role: "text", Name: rec.Text}, detail{holder: g.forest.details[in].holder, visible: len(rec.Box) == 4}, run{d, rec.Run, rec.More().Left > 0})
}

// element makes a row of an element, and gives it, or the one that it is in where it
// says nothing.
func (g *grower) element(d *cdp.Document, rec *cdp.Record, in int) int {
	if rec.AX != nil && rec.AX.Ignored {
		return in
	}
	key := elementKey(d.Key, rec.Serial)
	if rec.Flags.Has(cdp.Hides) && !rec.Flags.Has(cdp.Secret) {
		return g.add(tree.Row{Parent: in, Role: "group"}, detail{key: key, holder: key, subrole: "private", visible: len(rec.Box) == 4}, run{})
	}
	r, n := g.describe(rec)
	r.Parent, n.key, n.holder = in, key, g.forest.details[in].holder
	if reported(rec) {
		n.holder = key
	}
	g.place(d, rec, &n)
	if !r.Actionable && r.Name == "" && r.Value == "" && r.Description == "" && n.subrole == "" && isQuiet(rec) {
		return in
	}
	row := g.add(r, n, run{})
	g.inner(d, rec, row)
	return row
}

// inner makes rows of the parts of one of the browser's own controls.
func (g *grower) inner(d *cdp.Document, of *cdp.Record, row int) {
	for i := range of.More().Inner {
		rec := &cdp.Record{Tag: of.Tag, AX: of.More().Inner[i].AX, Seldom: &cdp.Particulars{Bounds: of.More().Inner[i].Bounds}}
		if len(of.Box) == 4 && len(rec.More().Bounds) == 4 {
			rec.Box = rec.More().Bounds
		}
		r, n := g.describe(rec)
		if !r.Actionable && r.Name == "" && r.Value == "" && r.Description == "" && isQuiet(rec) {
			continue
		}
		holder := &g.forest.details[row]
		r.Parent, n.key, n.holder = row, holder.key+"."+strconv.FormatInt(rec.AX.Backend, 10), holder.holder
		g.place(d, rec, &n)
		n.visible = n.visible && holder.visible
		g.add(r, n, run{})
	}
}

// place says where an element is.
func (g *grower) place(d *cdp.Document, rec *cdp.Record, n *detail) {
	way := g.ways[d.Frame]
	if way == nil || len(rec.More().Bounds) != 4 {
		return
	}
	own := cdp.Rect{X: rec.More().Bounds[0], Y: rec.More().Bounds[1], Width: rec.More().Bounds[2], Height: rec.More().Bounds[3]}
	frame := way.Up(own)
	n.frame, n.unseen = &frame, rec.More().Unseen
	if len(rec.Box) != 4 {
		return
	}
	_, n.visible = way.Drawn(cdp.Rect{X: rec.Box[0], Y: rec.Box[1], Width: rec.Box[2], Height: rec.Box[3]})
	middle := cdp.Rect{X: own.X + own.Width/2, Y: own.Y + own.Height/2, Width: 1, Height: 1}
	if _, seen := way.Drawn(middle); n.unseen == "" && !seen {
		n.unseen = "clipped"
	}
	if n.unseen == "covered" {
		n.visible = false
	}
}

// tidy writes words as they are said, and leaves out those that the rows above say.
func (g *grower) tidy() {
	f := g.forest
	g.nameByWords()
	keep := make([]bool, len(f.rows))
	for i := range f.rows {
		keep[i] = true
		if g.runs[i].document == nil {
			continue
		}
		f.rows[i].Name = g.words(f.rows[i].Name, g.runs[i].rest)
		keep[i] = f.rows[i].Name != "" && !g.isSaid(i)
	}
	rows, places := tree.Prune(f.rows, keep)
	details := make([]detail, len(rows))
	selected := -1
	for now, was := range places {
		details[now] = f.details[was]
		if was == f.selected {
			selected = now
		}
	}
	f.rows, f.details, f.selected = rows, details, selected
}

// maxGuess is how many bytes of what is in an element name it at most, where nobody
// else has.
const maxGuess = 200

// nameByWords names elements of which the accessibility tree did not tell in time by
// what is in them.
func (g *grower) nameByWords() {
	f := g.forest
	for i := range f.rows {
		if g.runs[i].document == nil {
			continue
		}
		at := f.rows[i].Parent
		for n := 0; at >= 0 && n < sayAbove; n++ {
			if r := &f.rows[at]; f.details[at].unasked && namedByWords[r.Role] && len(r.Name) < maxGuess {
				r.Name = strings.TrimSpace(r.Name + " " + g.words(f.rows[i].Name, g.runs[i].rest))
			}
			at = f.rows[at].Parent
		}
	}
}

// sayAbove is how many rows up words are looked for that say the same.
const sayAbove = 6

func (g *grower) isSaid(i int) bool {
	words := squeezed(g.forest.rows[i].Name)
	at := g.forest.rows[i].Parent
	for n := 0; at >= 0 && n < sayAbove; n++ {
		r := &g.forest.rows[at]
		if namedByWords[r.Role] && strings.Contains(squeezed(r.Name), words) || g.forest.details[at].supports["editable"] && strings.Contains(squeezed(r.Value), words) {
			return true
		}
		at = r.Parent
	}
	return false
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// count says how many nodes were walked, and how many not.
func (g *grower) count() {
	f := g.forest
	f.visited = len(g.flat) - g.dropped
	pending := g.dropped
	for _, d := range g.reading.Documents {
		if d.Err != nil {
			continue
		}
		if d.Facts.Pending == nil {
			f.pending = nil
			return
		}
		pending += *d.Facts.Pending
	}
	f.pending = &pending
	if g.dropped > 0 {
		f.whole = false
		if f.cut == "" {
			f.cut = "records"
		}
	}
}

// limit leaves the rows that are at most so deep.
func (f *forest) limit(depth int) {
	if depth <= 0 {
		return
	}
	keep := tree.Within(f.rows, depth)
	if !slices.Contains(keep, false) {
		return
	}
	rows, places := tree.Prune(f.rows, keep)
	details := make([]detail, len(rows))
	for now, was := range places {
		details[now] = f.details[was]
	}
	f.rows, f.details, f.whole = rows, details, false
	if f.cut == "" {
		f.cut = "depth"
	}
}
