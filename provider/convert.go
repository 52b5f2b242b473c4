package provider

import (
	"encoding/json"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
)

// convert gives the mapper's form of a page's reading: the main frame's document,
// with the others at the elements that hold them.
func convert(r *cdp.Reading, opts cdp.ReadOptions) *mapper.Document {
	docs := map[string]*mapper.Document{}
	for _, d := range r.Documents {
		docs[d.Frame] = document(d, opts)
	}
	for _, d := range r.Documents {
		in := docs[d.Frame]
		for i := range d.Facts.Records {
			if id := d.Facts.Records[i].More().Frame; id != "" && id != d.Frame {
				in.Nodes[i].Own().Frame = docs[id]
			}
		}
		if f := d.Facts.Focus; f != nil {
			in.Focus.Frame = docs[f.Frame]
		}
		if h := d.Facts.Hover; h != nil {
			in.Hover.Frame = docs[h.Frame]
		}
	}
	return docs[r.Documents[0].Frame]
}

func document(d *cdp.Document, opts cdp.ReadOptions) *mapper.Document {
	f := &d.Facts
	m := &mapper.Document{Key: d.Key, Title: f.Title, URL: f.URL, Lang: f.Lang, Secrets: f.Secrets, Left: f.Left, Unread: f.Unread, Unasked: f.Unasked,
		Nodes: make([]mapper.Node, len(f.Records))}
	if d.Err != nil {
		m.URL, m.Problem = d.URL, ProblemUnreachable
		if m.Key == "" {
			m.Key = "f/" + d.Frame
		}
	}
	for i := range f.Records {
		node(&f.Records[i], &m.Nodes[i])
	}
	if f.Focus != nil {
		m.Focus = &mapper.Focus{Node: f.Focus.Record, Descendant: index(f.Focus.Descendant)}
	}
	if f.Hover != nil {
		m.Hover = &mapper.Hover{Node: f.Hover.Record, Piece: index(f.Hover.Piece), At: f.Hover.At}
	}
	if s := f.Selection; s != nil {
		m.Selection = &mapper.Selection{Key: s.Key, Text: s.Text, Node: s.Record, From: -1, To: -1, Cut: s.Cut, Total: s.Length}
		if len(s.Pieces) > 0 {
			m.Selection.From = index(s.Pieces[0])
		}
		if len(s.Pieces) == 2 {
			m.Selection.To = index(s.Pieces[1])
		}
	}
	if opts.Document == d.Key && opts.Target > 0 && f.Target != nil {
		m.Target = f.Target
	}
	return m
}

func index(i *int) int {
	if i == nil {
		return -1
	}
	return *i
}

// node merges what the page and the accessibility tree say of an element.
func node(r *cdp.Record, n *mapper.Node) {
	*n = mapper.Node{Parent: r.Parent, Serial: r.Serial, Run: r.Run, Cut: r.Flags.Has(cdp.Cut)}
	few := r.More()
	if few.Left != 0 {
		n.Own().Left = few.Left
	}
	if len(r.Box) == 4 {
		n.Box = &mapper.Rect{X: r.Box[0], Y: r.Box[1], W: r.Box[2], H: r.Box[3]}
	}
	if r.Tag == "" {
		n.IsText, n.Text, n.Pre = true, r.Text, few.Pre != 0
		return
	}
	n.Tag, n.Name, n.URL = r.Tag, r.Name, r.URL
	n.Field = few.Type != ""
	n.Multi = few.Type == "textarea"
	n.Role = -1
	if r.Role != nil {
		n.Role = *r.Role
	}
	has := r.Flags.Has
	n.Bare, n.Selected, n.Secret = has(cdp.Bare), has(cdp.Selected), has(cdp.Secret)
	n.Private = has(cdp.Hides) && !n.Secret
	n.Named, n.Tainted, n.Inline, n.Popover = has(cdp.Named), has(cdp.Tainted), has(cdp.Inline), has(cdp.Popover)
	n.Editor = has(cdp.Editor) && !n.Field
	if r.Seldom != nil {
		particulars(few, n.Own())
	}
	switch {
	case r.AX != nil:
		accessible(r, n)
	case r.Role == nil && few.Attributes["role"] != "":
		n.Own().RoleWord = few.Attributes["role"]
	}
}

// particulars takes over what few elements have.
func particulars(r *cdp.Particulars, n *mapper.Particulars) {
	if len(r.Whole) == 4 {
		n.FrameBox = &mapper.Rect{X: r.Whole[0], Y: r.Whole[1], W: r.Whole[2], H: r.Whole[3]}
	}
	n.Level, n.Value, n.Marker, n.InputType, n.Checked, n.RoleWord = r.Level, r.Value, r.Marker, r.Type, r.Ticked, r.Word
	n.Word, n.Subrole, n.Lang = r.Attributes["rd"], r.Attributes["ds"], r.Attributes["lang"]
	n.Author, n.Row, n.Col = r.Attributes["author"], r.Attributes["row"], r.Attributes["col"]
	for _, name := range relations {
		for _, to := range r.Related[name] {
			n.Related = append(n.Related, mapper.Relation{Name: name, Serial: to.Serial, ID: to.ID})
		}
	}
}

// relations in the order in which they are told.
var relations = []string{"controls", "details", "describedby", "flowto", "errormessage", "owns", "labelledby", "for"}

// roleCanvas is AXNode.chromeRole of a canvas.
const roleCanvas = 10

func accessible(r *cdp.Record, n *mapper.Node) {
	ax := r.AX
	n.Gone = ax.Hidden
	n.Name = ax.Name
	if r.More().Type == "" && !n.Tainted && ax.Value != n.More().Value {
		n.Own().Value = ax.Value
	}
	if r.Role == nil || *r.Role < 0 {
		n.Role, n.Own().RoleWord = ax.Role, ax.RoleWord
		if ax.Ignored {
			n.Role = 0
		}
		n.Leaf = ax.Leaf && !ax.Ignored
		if r.Tag == "canvas" && ax.Ignored && r.More().Attributes["role"] == "" {
			// Chrome leaves out a canvas that nothing speaks for; it is drawn all the same.
			n.Role = roleCanvas
		}
	}
	if ax.Ignored && r.Role == nil {
		n.Name = ""
	}
	if l, ok := ax.Properties["level"].(float64); ok && n.More().Level == 0 {
		n.Own().Level = int(l)
	}
	if e, ok := ax.Properties["expanded"].(bool); ok {
		n.Own().Expanded = "false"
		if e {
			n.Own().Expanded = "true"
		}
	}
	switch c := ax.Properties["checked"].(type) {
	case string:
		n.Own().Checked = c
	case bool:
		b, _ := json.Marshal(c)
		n.Own().Checked = string(b)
	}
	if m, ok := ax.Properties["multiline"].(bool); ok && m {
		n.Multi = true
	}
}
