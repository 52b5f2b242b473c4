package mapper

// A Reading is everything that was fetched for one answer, before mapping.
type Reading struct {
	App     string // the browser's name, the Application's title
	Windows []*Window
	// OmittedFrames counts frames that were not read.
	OmittedFrames int
}

// A Window is a browser window.
type Window struct {
	Key       string
	Title     string
	Minimized bool
	Focused   bool // the browser's last focused one
	Tabs      []*Tab
}

// A Tab is a shared tab.
type Tab struct {
	Key    string
	Title  string
	URL    string
	Active bool // the one shown in its window
	// Document is the page, nil where nothing of it could be read.
	Document *Document
	// Dialog is an open JavaScript dialog.
	Dialog *Dialog
	// Problem says in a word what keeps the page from being read.
	Problem string
}

// A Dialog is an open JavaScript dialog.
type Dialog struct {
	Type    string // alert, confirm, prompt or beforeunload
	Message string
	URL     string
}

// A Document is one frame's page.
type Document struct {
	Key     string // names it for as long as it lives
	Title   string
	URL     string
	Lang    string
	Subrole string // of a tab's page that is no page, such as pdf
	Nodes   []Node // parents before children, in the order of the page
	// Left counts elements that are known and not in Nodes, Unread those of the page
	// that were not looked at.
	Left, Unread int
	// Unasked counts elements whose role and name are what HTML alone says.
	Unasked int
	// Secrets are values that must not be said.
	Secrets []string

	Focus     *Focus
	Hover     *Hover
	Selection *Selection
	// Target is the index of the one node that was asked for, -1: the document; nil
	// where none was, or it is elsewhere.
	Target *int
	// Problem says in a word why it could not be read.
	Problem string
}

// A Focus is where the keyboard is in a document.
type Focus struct {
	Node       int       // the active element's node, or its nearest ancestor's; -1: the document
	Descendant int       // where aria-activedescendant leads; -1: nowhere
	Frame      *Document // the document of the frame that has the focus
}

// A Hover is what is under the pointer in a document.
type Hover struct {
	Node  int
	Piece int       // the text under the pointer, -1: none of its own
	Frame *Document // the document of the frame under the pointer
	At    float64   // ms since 1970 of the last pointer event there
}

// A Selection is the selected words of a document.
type Selection struct {
	Key   string // the same for the same selection
	Text  string
	Node  int  // the innermost node that holds all of it
	From  int  // the text it begins in, -1: not in one run with To
	To    int  // the text it ends in
	Cut   bool // Text is not all of it
	Total int  // characters of all of it, 0: unknown
}

// A Rect is in CSS px of the document's viewport.
type Rect struct{ X, Y, W, H float64 }

// A Node is an element of the page, or a piece of text. A large page has hundreds of
// thousands: what few of them have stands apart.
type Node struct {
	Parent int   // index, -1: the document
	Serial int64 // names the node in its document; 0 for text that the style sheet made
	IsText bool

	// Of a piece of text.
	Pre  bool // its white space counts
	Text string

	// Of an element.
	Named    bool // by its author: aria-label or aria-labelledby
	Leaf     bool // Chrome's tree has nothing below it
	Inline   bool
	Selected bool // marked so by the page
	Field    bool // an input or textarea
	Editor   bool // root of an editing host
	Multi    bool // a field of several lines
	Secret   bool // a field whose value is never told
	Private  bool // nothing in it is told
	Popover  bool
	Tainted  bool // Name may repeat a secret
	Gone     bool // no longer drawn when its role was asked: nothing of it is reported
	Bare     bool // an ancestor in a pointing read
	Cut      bool // more is in it than the nodes below it
	Tag      string
	Role     int    // Chrome's number, -1: by RoleWord
	Name     string // the accessible name
	URL      string

	// Run numbers the line of text that a piece, or an inline element, stands in.
	Run int
	Box *Rect // what is drawn of it in the frame's viewport; nil: nothing

	// Seldom has the rest, nil where there is none; More reads it.
	Seldom *Particulars
}

// Particulars are what few nodes have.
type Particulars struct {
	// Left counts characters that were cut from Text or Value.
	Left int

	RoleWord  string
	Level     int
	Checked   string // true, false, mixed
	Expanded  string // true, false
	Value     string // what a field holds
	InputType string
	Marker    string // the number of an ordered list's entry
	Word      string // aria-roledescription
	Subrole   string // data-subrole
	Lang      string
	Author    string
	Row, Col  string // aria-rowindex, aria-colindex
	Related   []Relation
	Frame     *Document
	FrameBox  *Rect // the whole box of a frame, drawn or not
}

// none are the particulars of a node that has none; nobody writes them.
var none Particulars

// More gives the particulars of a node, to be read.
func (n *Node) More() *Particulars {
	if n.Seldom == nil {
		return &none
	}
	return n.Seldom
}

// Own gives the particulars of a node, to be written.
func (n *Node) Own() *Particulars {
	if n.Seldom == nil {
		n.Seldom = &Particulars{}
	}
	return n.Seldom
}

// A Relation is a link that is not containment (section 5.6).
type Relation struct {
	Name   string
	Serial int64
	ID     string // of the target in the page, for an address
}
