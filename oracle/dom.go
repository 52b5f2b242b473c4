package oracle

import (
	"strings"

	"github.com/chromedp/cdproto/domsnapshot"
)

// The computed styles that a snapshot is asked for, in this order.
var snapshotStyles = []string{"display", "visibility", "-webkit-text-security"}

// A domNode is what a snapshot tells of a node. Parents are those of the flat
// tree: a slotted node's is its slot, and shadow roots are no nodes.
type domNode struct {
	// order counts the nodes of a document as they stand in it.
	order   int
	parent  *domNode
	tag     string
	attrs   map[string]string
	pseudo  string
	value   string
	display string
	visible bool
	covered bool // its text is drawn as bullets
	boxed   bool
	width   float64
	height  float64
}

// attr returns an attribute without the white space around it.
func (d *domNode) attr(name string) string {
	if d == nil {
		return ""
	}
	return strings.TrimSpace(d.attrs[name])
}

func (d *domNode) has(name string) bool {
	if d == nil {
		return false
	}
	_, ok := d.attrs[name]
	return ok
}

// word is the page's own word for what the node is.
func (d *domNode) word() string {
	if w := d.attr("aria-roledescription"); w != "" {
		return w
	}
	return d.attr("data-subrole")
}

// block says whether the node is laid out as a block, and so ends a run.
func (d *domNode) block() bool {
	if d == nil {
		return false
	}
	switch d.display {
	case "", "none", "contents", "inline", "math":
		return false
	}
	return !strings.HasPrefix(d.display, "inline") && !strings.HasPrefix(d.display, "ruby")
}

// template says whether the node is drawn only where something else in the
// picture refers to it. Chrome tells of the text in it all the same.
func (d *domNode) template() bool {
	if d == nil {
		return false
	}
	switch d.tag {
	case "defs", "symbol", "clippath", "mask", "marker", "pattern":
		return true
	}
	return false
}

// A domDocument is one document of a snapshot.
type domDocument struct {
	frame string
	base  string
	nodes []*domNode
	ids   []int64
}

// A snapshotReader gives the strings that a snapshot refers to.
type snapshotReader struct{ strings []string }

func (r snapshotReader) at(i int64) string {
	if i < 0 || i >= int64(len(r.strings)) {
		return ""
	}
	return r.strings[i]
}

// readSnapshot returns the documents of a snapshot.
func readSnapshot(s *domsnapshot.CaptureSnapshotResult) []domDocument {
	r := snapshotReader{s.Strings}
	documents := make([]domDocument, 0, len(s.Documents))
	for _, d := range s.Documents {
		documents = append(documents, r.document(d))
	}
	return documents
}

func (r snapshotReader) document(d *domsnapshot.DocumentSnapshot) domDocument {
	doc := domDocument{frame: r.at(int64(d.FrameID)), base: r.at(int64(d.BaseURL))}
	count := len(d.Nodes.BackendNodeID)
	doc.nodes = make([]*domNode, count)
	for i := range count {
		doc.nodes[i] = &domNode{order: i}
		doc.ids = append(doc.ids, int64(d.Nodes.BackendNodeID[i]))
	}
	for i, n := range doc.nodes {
		if p := d.Nodes.ParentIndex[i]; p >= 0 && p < int64(count) {
			n.parent = doc.nodes[p]
		}
		const element = 1
		if d.Nodes.NodeType[i] != element {
			continue
		}
		n.tag = strings.ToLower(r.at(int64(d.Nodes.NodeName[i])))
		n.attrs = map[string]string{}
		list := d.Nodes.Attributes[i]
		for k := 0; k+1 < len(list); k += 2 {
			n.attrs[strings.ToLower(r.at(int64(list[k])))] = r.at(int64(list[k+1]))
		}
	}
	r.rare(d.Nodes.InputValue, func(i int, v string) { doc.nodes[i].value = v })
	r.rare(d.Nodes.TextValue, func(i int, v string) { doc.nodes[i].value = v })
	r.rare(d.Nodes.PseudoType, func(i int, v string) { doc.nodes[i].pseudo = v })
	for i, at := range d.Layout.NodeIndex {
		n := doc.nodes[at]
		styles := d.Layout.Styles[i]
		if n.boxed || n.tag == "" || len(styles) != len(snapshotStyles) {
			continue
		}
		n.boxed = true
		n.display = r.at(int64(styles[0]))
		n.visible = r.at(int64(styles[1])) == "visible"
		n.covered = r.at(int64(styles[2])) != "none"
		if box := d.Layout.Bounds[i]; len(box) == 4 {
			n.width, n.height = box[2], box[3]
		}
	}
	return doc
}

func (r snapshotReader) rare(data *domsnapshot.RareStringData, tell func(at int, value string)) {
	if data == nil {
		return
	}
	for i, at := range data.Index {
		tell(int(at), r.at(int64(data.Value[i])))
	}
}
