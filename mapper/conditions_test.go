package mapper

import "testing"

// conditions has a test for each row of the role table that holds under a condition
// only, by the row's name.
var conditions = map[string]func(*testing.T){
	"TextField (multiline=true)": func(t *testing.T) {
		area := el(roleTextField).with(func(n *Node) { n.Field, n.Multi, n.Own().InputType, n.Own().Value = true, true, "textarea", "one\ntwo" })
		expect(t, doc(area), Page, "Text/textarea: one\ntwo")
		own := el(roleTextField, words("typed")).with(func(n *Node) { n.Multi = true })
		expect(t, doc(own), Page, "Text/textarea: typed")
	},
	"TextField (input type=password)": func(t *testing.T) {
		field := el(roleTextField, words("••••")).with(func(n *Node) {
			n.Field, n.Own().InputType, n.Secret, n.Own().Value, n.Name, n.Leaf = true, "password", true, "hunter22", "Word", true
		})
		expect(t, doc(field), Page, `Text/password "Word"`)
	},
	"editing host (editable set, parent not editable)": func(t *testing.T) {
		for _, role := range []int{roleGenericContainer, roleParagraph, roleArticle, roleRegion, roleTextField} {
			host := el(role,
				el(roleHeading, words("Title")).with(func(n *Node) { n.Own().Level = 1 }),
				el(roleParagraph, words("Plain")),
				el(roleList, el(roleListItem, words("Entry"))),
			).with(func(n *Node) { n.Editor = true })
			expect(t, doc(host), Page, "Text/editor: Title\nPlain\nEntry",
				"  Heading level=1: Title",
				"  List",
				`    Row "Entry"`)
		}
	},
	"Image/SvgRoot/Canvas/DocCover/GraphicsSymbol with reported children": func(t *testing.T) {
		for role, subrole := range map[int]string{roleImage: "", roleSvgRoot: "/svg", roleCanvas: "/canvas", roleDocCover: "/cover", roleGraphicsSymbol: "/graphics-symbol"} {
			expect(t, doc(el(role).called("Chart")), Page, `Image`+subrole+` "Chart"`)
			expect(t, doc(el(role, el(roleLink, words("Link"))).called("Chart")), Page, `Group`+subrole+` "Chart"`, "  Link: Link")
		}
	},
	"Image with empty alt": func(t *testing.T) {
		// Chrome ignores it, which comes as no role.
		picture := el(roleNone).with(func(n *Node) { n.Tag, n.Inline, n.Leaf, n.URL = "img", true, true, "http://fixture/x.png" })
		expect(t, doc(el(roleParagraph, words("a"), picture, words("b"))), Page, "Text: ab")
	},
	"Button with haspopup": func(t *testing.T) {
		for _, role := range []int{9, 137, 175} {
			expect(t, doc(el(role, words("More"), el(roleLink, words("inside"))).called("More")), Page)
		}
	},
	"Group with the popover attribute, open": func(t *testing.T) {
		expect(t, doc(el(roleGroup, words("Copied")).with(func(n *Node) { n.Popover = true })), Page, "Window/popover", "  Text: Copied")
		expect(t, doc(el(roleGroup, words("Copied"))), Page, "Text: Copied")
	},
	"SpinButton with editable": func(t *testing.T) {
		number := el(roleSpinButton).with(func(n *Node) { n.Field, n.Own().InputType, n.Own().Value, n.Name = true, "number", "12", "Guests" })
		expect(t, doc(number), Page, `Text/number "Guests": 12`)
		expect(t, doc(el(roleSpinButton, words("12")).called("Guests")), Page)
	},
	"ListBox popup of a combobox": func(t *testing.T) {
		for _, relation := range []string{"controls", "owns"} {
			for _, role := range []int{roleTextFieldWithComboBox, roleComboBoxGrouping, roleComboBoxMenuButton} {
				box := el(role).with(func(n *Node) { n.Own().Related = []Relation{{Name: relation, Serial: 2}} })
				d := doc(box, el(roleListBox, el(roleListBoxOption, words("Lima"))))
				want := map[int][]string{roleTextFieldWithComboBox: {"Text/combobox"}}[role]
				expect(t, d, Page, want...)
			}
		}
		expect(t, doc(el(roleTextFieldWithComboBox), el(roleListBox, el(roleListBoxOption, words("Lima")))), Page,
			"Text/combobox", "List/listbox", `  Row/option "Lima"`)
	},
	"RootWebArea under IframePresentational": func(t *testing.T) {
		inner := doc(el(roleParagraph, words("Inside")))
		inner.Key = "d2"
		frame := el(roleIframePresentational).with(func(n *Node) {
			n.Own().Frame, n.Own().FrameBox, n.Box = inner, &Rect{0, 0, 300, 150}, &Rect{0, 0, 300, 150}
		})
		expect(t, doc(el(roleMain, el(roleParagraph, words("Before")), frame)), Page, "Group/main", "  Text: Before", "  Text: Inside")
	},
	"Article / Comment / DocEndnote under a List": func(t *testing.T) {
		for role, subrole := range map[int]string{roleArticle: "article", roleComment: "comment", roleDocEndnote: "endnote"} {
			entry := el(role, el(roleHeading, words("Title")), el(roleParagraph, words("Words")))
			expect(t, doc(el(roleFeed, entry)), Page, "List/feed", "  Row/"+subrole, "    Heading: Title", "    Text: Words")
			expect(t, doc(el(roleMain, entry)), Page, "Group/main", "  Group/"+subrole, "    Heading: Title", "    Text: Words")
		}
	},
	"abstract roles and unknown tokens": func(t *testing.T) {
		for _, word := range []string{"widget", "structure", "window", "password", "text", "hedding"} {
			box := el(roleGenericContainer, el(roleParagraph, words("Words"))).with(func(n *Node) { n.Own().RoleWord = word })
			expect(t, doc(box), Page, "Text: Words")
		}
	},
}

// Roles of Chrome's that no rule names.
const (
	roleListItem = 115
	roleMain     = 118
)

func TestConditions(t *testing.T) {
	for name, test := range conditions {
		t.Run(name, test)
	}
	t.Run("all of the table", func(t *testing.T) {
		known := map[string]bool{}
		for _, row := range roleTable(t) {
			known[row.name] = true
		}
		for name := range conditions {
			if !known[name] {
				t.Errorf("the role table has no row %q", name)
			}
		}
	})
}
