package oracle

import (
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Numbers of Chrome's roles that the rules name. All other roles are decided by
// the table alone.
const (
	roleNone              = 0
	roleArticle           = 5
	roleAudio             = 6
	roleCanvas            = 10
	roleCaption           = 11
	roleCode              = 16
	roleComboBoxGrouping  = 20
	roleComboBoxButton    = 21
	roleComment           = 23
	roleDefinition        = 29
	roleDescriptionList   = 30
	roleDetails           = 34
	roleDisclosure        = 37
	roleDocBiblioEntry    = 43
	roleDocCover          = 49
	roleDocEndnote        = 53
	roleEmbeddedObject    = 80
	roleFigcaption        = 83
	roleFigure            = 84
	roleSectionFooter     = 86
	roleGeneric           = 88
	roleGraphicsDocument  = 89
	roleGraphicsObject    = 90
	roleGraphicsSymbol    = 91
	roleGroup             = 93
	roleSectionHeader     = 95
	roleHeading           = 96
	roleIframe            = 97
	roleIframePresented   = 98
	roleImage             = 99
	roleInlineTextBox     = 101
	roleLabel             = 104
	roleLayoutTable       = 105
	roleLegend            = 108
	roleLineBreak         = 109
	roleLink              = 110
	roleListBox           = 112
	roleListBoxOption     = 113
	roleListMarker        = 116
	roleMark              = 119
	roleMath              = 121
	rolePluginObject      = 136
	roleParagraph         = 133
	roleRegion            = 143
	roleSearchBox         = 153
	roleSection           = 154
	roleSpinButton        = 156
	roleStaticText        = 158
	roleSvgRoot           = 162
	roleTab               = 164
	roleTabList           = 165
	roleTabPanel          = 166
	roleTerm              = 169
	roleTextField         = 170
	roleTextFieldCombo    = 171
	roleTree              = 178
	roleTreeItem          = 180
	roleVideo             = 182
	roleMathML            = 187
	roleComboBoxSelect    = 209
	roleDisclosureGrouped = 210
	roleNamelessSection   = 211
)

// An axNode is a node of one document's raw accessibility tree.
type axNode struct {
	id      accessibility.NodeID
	role    int
	word    string // the role as Chrome says it
	ignored bool
	reasons map[string]bool
	name    string
	// source is where the name comes from; its zero value is the browser itself.
	source  nameSource
	value   string
	props   map[string]string
	related map[string][]related
	backend int64
	dom     *domNode
	parent  *axNode
	kids    []*axNode
}

// A nameSource is the type of what a name was taken from, and the attribute or
// the native markup it was.
type nameSource struct{ kind, attribute, native string }

// A related is a node that a property points to, with the words it gave.
type related struct {
	backend int64
	text    string
}

// authored says whether the page gave the name, and not Chrome from the words
// inside.
func (n *axNode) authored() bool {
	return n.name != "" && n.source.kind != "" && n.source.kind != "contents"
}

func (n *axNode) pointsTo(property string, backend int64) bool {
	for _, r := range n.related[property] {
		if r.backend == backend {
			return true
		}
	}
	return false
}

// linkTree makes a tree of the nodes as they came, and returns its root.
func linkTree(raw []*accessibility.Node, dom map[int64]*domNode) *axNode {
	byID := make(map[accessibility.NodeID]*axNode, len(raw))
	for _, r := range raw {
		byID[r.NodeID] = newNode(r, dom)
	}
	for _, r := range raw {
		n := byID[r.NodeID]
		for _, id := range r.ChildIDs {
			kid := byID[id]
			if kid == nil || kid.parent != nil || kid.role == roleInlineTextBox {
				continue
			}
			kid.parent = n
			n.kids = append(n.kids, kid)
		}
	}
	if len(raw) == 0 {
		return nil
	}
	return byID[raw[0].NodeID]
}

func newNode(r *accessibility.Node, dom map[int64]*domNode) *axNode {
	n := &axNode{
		id:      r.NodeID,
		ignored: r.Ignored,
		reasons: map[string]bool{},
		props:   map[string]string{},
		related: map[string][]related{},
		backend: int64(r.BackendDOMNodeID),
	}
	n.dom = dom[n.backend]
	if r.ChromeRole != nil {
		_ = json.Unmarshal(r.ChromeRole.Value, &n.role)
	}
	if r.Role != nil {
		n.word = scalar(r.Role.Value)
	}
	if r.Name != nil {
		n.name = scalar(r.Name.Value)
		n.source = sourceOf(r.Name)
	}
	if r.Value != nil {
		n.value = scalar(r.Value.Value)
	}
	for _, p := range r.IgnoredReasons {
		n.reasons[string(p.Name)] = true
	}
	for _, p := range r.Properties {
		if p.Value == nil {
			continue
		}
		n.props[string(p.Name)] = scalar(p.Value.Value)
		for _, to := range p.Value.RelatedNodes {
			n.related[string(p.Name)] = append(n.related[string(p.Name)], related{int64(to.BackendDOMNodeID), to.Text})
		}
	}
	return n
}

func sourceOf(name *accessibility.Value) nameSource {
	for _, s := range name.Sources {
		if s.Superseded || s.Value == nil || scalar(s.Value.Value) == "" {
			continue
		}
		return nameSource{string(s.Type), s.Attribute, string(s.NativeSource)}
	}
	return nameSource{}
}

// scalar is a JSON string as it is, and any other JSON value as it is written.
func scalar(v jsonv2.Value) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text
	}
	return strings.TrimSpace(string(v))
}
