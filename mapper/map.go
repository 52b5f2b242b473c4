package mapper

import (
	"github.com/webarea/webarea/elements"
)

// A Scope is how much of the reading is said.
type Scope int

// The scopes: what is pointed at; what is on screen too; all of it; one element.
const (
	Pointing Scope = iota
	Visible
	Page
	One
)

// Options say what of a reading is wanted, and how much. Zero limits are none.
type Options struct {
	Scope       Scope
	Target      string // with One: the key of the element
	MaxElements int
	MaxDepth    int // levels below the Application
	MaxText     int // bytes of text blocks, UTF-8
	// ID gives the id of the thing that a key names.
	ID func(key string) string
	// Link gives the address of a part ("text") of the element of an id, for words
	// that were cut; nil where nobody could open one.
	Link func(id, part string) string
	// Picture is told of each element whose picture belongs in the answer: what is
	// selected, hovered or has the focus, and is a picture.
	Picture func(p Picture)
}

// A Picture is an element whose picture belongs in the answer.
type Picture struct {
	Element  *elements.Element
	Document string // the document's key
	Serial   int64  // of its node
	Tab      string // the tab's key
}

// subtreeElements is how many elements of a selected or focused element's inside
// a pointing answer carries: a row or a form in full, not a table.
const subtreeElements = 50

// Map gives the answer's root. The reading is not changed.
func Map(r *Reading, o Options) *elements.Element {
	a := &answer{options: o, omitted: map[string]int{}}
	a.omit("frames", r.OmittedFrames)
	root := a.add(nil, &out{key: "app", el: &elements.Element{Role: elements.Application, Title: title(r.App)}, drawn: true})
	for _, w := range r.Windows {
		a.window(root, w)
	}
	a.states(r)
	a.prune(root)
	a.limit(root)
	a.finish(root)
	return root.el
}

// answer is one mapping under way.
type answer struct {
	options Options
	docs    []*document
	tabs    []*tab
	focus   *out // where the focus path ends
	hover   *out
	target  *out
	omitted map[string]int
	said    int // bytes of words that elements said, see maxSaid
}

// tab is a tab's element with what it came from.
type tab struct {
	from   *Tab
	out    *out
	window *out
	doc    *document
	dialog *out
}

// out is an element on its way into the answer.
type out struct {
	el     *elements.Element
	key    string
	doc    *document // nil above documents
	node   int       // its own node, -1: none
	at     int       // the node it begins at, for the order of siblings
	parent *out
	kids   []*out

	words string // what its text block says
	run   int    // the run it stands in as one of its parts, -1: none
	plain bool   // a Text that says its words and nothing else
	// instead is what took its place.
	instead *out

	left     int  // characters of its words that were not read
	ownTitle bool // its title is its own words
	missing  bool // a frame whose page was not read
	textCut  bool // its words were cut to the budget
	drawn    bool // something of it, or of what is in it, is on screen
	hidden   bool // never visible, whatever is drawn
	bare     bool
	cut      bool
	onPath   bool // of the focus
	kept     bool
	selected bool // the page marks it so
}

func (a *answer) add(parent, o *out) *out {
	o.parent = parent
	if parent != nil {
		parent.kids = append(parent.kids, o)
	}
	return o
}

func (a *answer) omit(what string, n int) {
	if n > 0 {
		a.omitted[what] += n
	}
}

func (a *answer) window(root *out, w *Window) {
	win := a.add(root, &out{key: w.Key, el: &elements.Element{Role: elements.Window, Title: title(w.Title)}, drawn: !w.Minimized, hidden: w.Minimized})
	for _, t := range w.Tabs {
		o := a.add(win, &out{key: t.Key, drawn: t.Active && !w.Minimized, hidden: !t.Active || w.Minimized,
			el: &elements.Element{Role: elements.Window, Subrole: "tab", Title: title(t.Title), URL: address(t.URL)}})
		this := &tab{from: t, out: o, window: win}
		a.tabs = append(a.tabs, this)
		if t.Problem != "" {
			o.el.Attributes = map[string]any{"problem": t.Problem}
		}
		if t.Document != nil {
			o.el.URL = ""
			this.doc = a.document(o, t.Document, t.Document.Subrole, nil)
		}
		if t.Dialog != nil {
			this.dialog = a.dialog(o, t)
		}
	}
}

// dialog gives a JavaScript dialog as a window in its tab.
func (a *answer) dialog(o *out, t *Tab) *out {
	d := &out{key: t.Key + "!dialog", drawn: o.drawn, el: &elements.Element{Role: elements.Window, Subrole: t.Dialog.Type, Title: title(t.Dialog.Message)}}
	a.add(o, d)
	if words := clean(t.Dialog.Message); words != "" && words != d.el.Title {
		a.add(d, &out{key: t.Key + "!words", drawn: o.drawn, words: words, el: &elements.Element{Role: elements.Text}})
	}
	return d
}

// document maps one frame's page below parent.
func (a *answer) document(parent *out, d *Document, subrole string, clip *Rect) *document {
	b := &document{clip: clip, answer: a, from: d, home: make([]*out, len(d.Nodes)), untitled: map[int64]string{}}
	a.docs = append(a.docs, b)
	a.omit("elements", d.Left)
	a.omit("unread", d.Unread)
	a.omit("unasked", d.Unasked)
	b.out = &out{key: d.Key, doc: b, node: -1, drawn: parent == nil || parent.drawn,
		el: &elements.Element{Role: elements.Document, Subrole: subrole, Title: title(d.Title), URL: address(d.URL)}}
	if parent != nil {
		a.add(parent, b.out)
	}
	if d.Problem != "" {
		b.out.attribute("problem", d.Problem)
	}
	if d.Lang != "" {
		b.out.attribute("language", title(d.Lang))
	}
	b.children = childrenOf(d.Nodes)
	elements := 0
	for i := range d.Nodes {
		if !d.Nodes[i].IsText {
			elements++
		}
	}
	b.bySerial = make(map[int64]*out, elements)
	for _, o := range b.assemble(b.items(-1, surroundings{}), d.Key) {
		a.add(b.out, o)
	}
	b.mergeTabs()
	b.untitle()
	if d.Target != nil && *d.Target < 0 {
		a.target = b.out
	}
	return b
}

// children are what is in each node of a document, in two pieces of memory: those of a
// node begin in list where first says.
type children struct{ first, list []int32 }

// of gives what is in a node, -1: in the document.
func (c *children) of(i int) []int32 { return c.list[c.first[i+1]:c.first[i+2]] }

func childrenOf(nodes []Node) children {
	// Chrome's tree ends in a leaf: what is inside is drawn, but not said.
	isSaid := func(n *Node) bool { return n.Parent < 0 || !nodes[n.Parent].Leaf }
	// Counted one place further on, so that the sum before a node is where its own begin.
	c := children{first: make([]int32, len(nodes)+3)}
	for i := range nodes {
		if isSaid(&nodes[i]) {
			c.first[nodes[i].Parent+3]++
		}
	}
	for i := 1; i < len(c.first); i++ {
		c.first[i] += c.first[i-1]
	}
	c.list = make([]int32, c.first[len(c.first)-1])
	for i := range nodes {
		if isSaid(&nodes[i]) {
			at := &c.first[nodes[i].Parent+2]
			c.list[*at] = int32(i)
			*at++
		}
	}
	return c
}

func (o *out) attribute(name string, v any) {
	if o.el.Attributes == nil {
		o.el.Attributes = map[string]any{}
	}
	o.el.Attributes[name] = v
}
