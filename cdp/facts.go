package cdp

import (
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Facts are what our script tells about one document at one moment. Coordinates
// are CSS px in the frame's own viewport.
type Facts struct {
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	State    string   `json:"state"` // document.readyState
	Lang     string   `json:"lang"`
	Visible  bool     `json:"visible"` // document.visibilityState is "visible"
	HasFocus bool     `json:"hasFocus"`
	Width    float64  `json:"width"` // of the viewport
	Height   float64  `json:"height"`
	Scale    float64  `json:"scale"` // device pixels in a CSS px
	ScreenX  float64  `json:"x"`     // of the window, screen px
	ScreenY  float64  `json:"y"`
	Total    int      `json:"total"` // elements in the document's light tree; 0 in a pointing reading with few questions
	Records  []Record `json:"records"`
	// Streamed says where Records belong, nil once they are all; see stream.
	Streamed *struct {
		At    []int `json:"at"`
		Parts int   `json:"parts"`
		Count int   `json:"count"`
	} `json:"streamed"`
	// Plain lists elements without a record, in a reading that verifies: tag, index
	// in what was asked, serial.
	Plain [][]any `json:"plain"`
	// Cut says why records stop early: "records", "time" or "depth".
	Cut string `json:"cut"`
	// Left counts elements that are known and left out; Unread those of the page that
	// were not looked at, where Cut says why.
	Left   int `json:"left"`
	Unread int `json:"unread"`
	// Unasked counts elements of which the accessibility tree did not tell in time:
	// their roles and names are what HTML alone says.
	Unasked int `json:"-"`
	// Secrets are the values that must not leave, in the document's secret fields.
	Secrets   []string   `json:"secrets"`
	Focus     *FocusAt   `json:"focus"`
	Hover     *HoverAt   `json:"hover"`
	Selection *Selection `json:"selection"`
	// Target is the record that the options asked for by number.
	Target     *int `json:"target"`
	TargetGone bool `json:"targetGone"`
	// Pending counts, in a reading of rows, those that the budget left out; nil where
	// that is not known.
	Pending *int `json:"pending"`
	// Stirred is what was changed since the reading whose marks the options have; nil:
	// that is not known.
	Stirred *Stirred `json:"stirred"`
	// PDF says that the document is a viewer's, whose words are out of reach.
	PDF bool `json:"pdf"`
	// Seen is, in the main document of a reading with View, what the script tells of that.
	Seen *outlook `json:"view"`
}

// Stirred is what was changed in a document.
type Stirred struct {
	// Touched are the numbers of the elements that were changed, or hold what was; nil:
	// any may have been.
	Touched []int64 `json:"touched"`
	// Away says that an element may have gone, or become hidden.
	Away bool `json:"away"`
	// Mark stands for what the document is now; see Marks.
	Mark string `json:"mark"`
}

// FocusAt is where the keyboard is: the record of the active element, or of the
// nearest of its ancestors that has one (-1: none but the document).
type FocusAt struct {
	Record     int    `json:"rec"`
	Descendant *int   `json:"deep"`  // the record that aria-activedescendant leads to
	Frame      string `json:"frame"` // the frame that the active element holds
}

// HoverAt is what is under the pointer.
type HoverAt struct {
	Record int     `json:"rec"`
	Piece  *int    `json:"piece"` // a text record that stands directly in it
	Frame  string  `json:"frame"`
	At     float64 `json:"at"` // when the page last told of a pointer event, ms since 1970
}

// Selection is the document's selected words.
type Selection struct {
	Text   string `json:"text"`
	Record int    `json:"rec"` // the innermost record that holds all of it, -1: the document
	// Pieces are the text records of the first words and, where both stand in one
	// run, of the last.
	Pieces []*int `json:"same"`
	Key    string `json:"key"`
	Cut    bool   `json:"cut"`
	Length int    `json:"length"` // of all of it, characters, where it is known
}

// A Record is an element, or, where Tag is empty, a piece of text. A large page has
// hundreds of thousands: what few of them have stands apart.
type Record struct {
	Parent int       `json:"p"` // index, -1: the document
	Serial int64     `json:"i"` // the node's number in its document; 0 for generated text
	Tag    string    `json:"t"`
	Text   string    `json:"x"`
	Run    int       `json:"b"` // pieces of one number stand in one run of text
	Flags  Flag      `json:"s"`
	Role   *int      `json:"c"` // Chrome's role where HTML settles it; -1: by Tag and RoleWord
	Ask    *int      `json:"q"` // index in what the accessibility tree was asked
	Box    []float64 `json:"r"` // x, y, width, height of what is drawn; empty where nothing is
	Name   string    `json:"n"`
	URL    string    `json:"u"`

	// AX is the accessibility tree's answer, nil where it was not asked or the node
	// is gone.
	AX *AXNode `json:"-"`

	// Seldom has the rest, nil where there is none; More reads it.
	Seldom *Particulars `json:",inline"`
}

// Particulars are what few records have.
type Particulars struct {
	Pre    int    `json:"w"` // 1: white space counts
	Level  int    `json:"l"`
	Word   string `json:"e"` // the role attribute, where Role is -1
	Value  string `json:"v"`
	Ticked string `json:"k"`
	Left   int    `json:"z"` // characters of Text or Value that were cut
	Marker string `json:"m"` // the number of an ordered list's entry
	Frame  string `json:"f"`
	// Holder is an index in the elements that may hold a frame that the script has not
	// been told of yet; -1 where its attributes are too large to name it so.
	Holder *int      `json:"j"`
	Whole  []float64 `json:"g"` // a frame's whole box, drawn or not
	Type   string    `json:"y"` // of an input, or "textarea"
	// Attributes are those of the DOM that count, by short names (see world/70-walk.js).
	Attributes map[string]string     `json:"a"`
	Related    map[string][]Relation `json:"o"`

	// What only a reading of rows has. Distance is how far it is from the viewport, CSS
	// px, and -1 of what has the focus and what that is in; Bounds is its box, also where
	// that is not drawn; Unseen is why a point in the middle of that is not it: "covered",
	// "clipped" or empty.
	Distance float64    `json:"d"`
	Bounds   []float64  `json:"o4"`
	Unseen   string     `json:"h"`
	Disabled int        `json:"no"`
	Scrolls  int        `json:"sc"`
	Step     *frameStep `json:"fs"` // from inside a frame to outside
	// Settled is settled or settledFocused where the accessibility tree has nothing to add
	// to Role, Name and Level.
	Settled int `json:"pl"`
	// Description is that of what is settled.
	Description string `json:"de"`

	// Inner are, in a reading of rows, the parts of one of the browser's own controls.
	Inner []Inner `json:"-"`
}

// none are the particulars of a record that has none; nobody writes them.
var none Particulars

// More gives the particulars of a record, to be read.
func (r *Record) More() *Particulars {
	if r.Seldom == nil {
		return &none
	}
	return r.Seldom
}

// own gives the particulars of a record, to be written.
func (r *Record) own() *Particulars {
	if r.Seldom == nil {
		r.Seldom = &Particulars{}
	}
	return r.Seldom
}

// A Relation leads to another element: its number, and its id attribute.
type Relation struct {
	Serial int64
	ID     string
}

// UnmarshalJSON takes the pair that the script sends.
func (r *Relation) UnmarshalJSON(b []byte) error {
	var pair [2]jsonv2.Value
	if err := jsonv2.Unmarshal(b, &pair, tolerant); err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(pair[0], &r.Serial); err != nil {
		return err
	}
	return jsonv2.Unmarshal(pair[1], &r.ID, tolerant)
}

// A Flag is a bit of Record.Flags; the same names stand in world/70-walk.js.
type Flag int

// The flags of a record.
const (
	Bare     Flag = 1 << iota // an ancestor: only its own facts count
	Cut                       // more is in it than the records below it
	Selected                  // the page marks it as selected
	Secret                    // a field whose value is never told
	Hides                     // nothing in it may be told
	Named                     // its author gave it a name
	Tainted                   // its computed name may repeat a secret
	Inline                    // stands in a line of text
	Popover                   // has the popover attribute
	Editor                    // the root of an editing host
)

// Has tells whether all bits of g are set.
func (f Flag) Has(g Flag) bool { return f&g == g }

// decodeFacts decodes the script's text. Lone surrogates, which pages do have,
// become U+FFFD.
func decodeFacts(text string, into *Facts) error {
	into.Records = make([]Record, 0, strings.Count(text, recordStart))
	if err := jsonv2.Unmarshal([]byte(text), into, tolerant); err != nil {
		return err
	}
	settle(into.Records)
	return nil
}

// settle has records that need no question say what they are.
func settle(records []Record) {
	for i := range records {
		if rec := &records[i]; rec.More().Settled >= settled && rec.Ask == nil {
			rec.AX = rec.settledNode()
		}
	}
}

// Chrome's roles of what may be settled without a question (AXNode.chromeRole), of which
// there is more to tell.
const (
	roleColumnHeader = 19
	roleHeading      = 96
	roleLink         = 110
	roleRowHeader    = 147
)

// settledWords are role.value of the roles that may be settled.
var settledWords = map[int]string{5: "article", 7: "banner", roleColumnHeader: "columnheader", 22: "complementary", 26: "contentinfo", 87: "form", 93: "group",
	roleHeading: "heading", roleLink: "link", 111: "list", 118: "main", 130: "navigation", 131: "note", 143: "region", roleRowHeader: "rowheader", 152: "search",
	roleTable: "table"}

// What Record.Settled says.
const (
	settled        = 1
	settledFocused = 2 // and that the element has the focus
)

// settledNode is what the accessibility tree would say of what is settled.
func (r *Record) settledNode() *AXNode {
	n := &AXNode{Name: r.Name, Role: -1, Description: r.More().Description}
	if r.Role != nil {
		n.Role = *r.Role
	}
	n.RoleWord = settledWords[n.Role]
	switch n.Role {
	case roleLink:
		n.Properties = map[string]any{"focusable": true}
		if r.More().Settled == settledFocused {
			n.Properties["focused"] = true
		}
	case roleColumnHeader, roleRowHeader:
		n.Properties = map[string]any{"readonly": false, "required": false}
	case roleTable:
		if n.Name != "" {
			n.Properties = map[string]any{"labelledby": nil}
		}
	case roleHeading:
		n.Properties = map[string]any{"level": float64(r.More().Level)}
	}
	return n
}

// recordStart begins a record, whose parent comes first, and can stand in no string:
// its quotes would be escaped. Room made for all of them at once is a third of what
// growing to it costs.
const recordStart = `{"p":`
