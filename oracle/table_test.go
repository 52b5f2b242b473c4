package oracle

import (
	"os"
	"strings"
	"testing"
)

// TestTableIsTheOneGiven holds the oracle's columns against the whole table.
func TestTableIsTheOneGiven(t *testing.T) {
	const whole = "../../shared/roles.tsv"
	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Skipf("the whole role table is not beside the project: %v", err)
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	columns := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		columns[name] = i
	}
	ours := strings.Split(strings.TrimRight(tableTSV, "\n"), "\n")
	if len(ours) != len(lines) {
		t.Fatalf("the oracle's table has %d lines, the whole table %d", len(ours), len(lines))
	}
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		var want []string
		for _, name := range strings.Split(ours[0], "\t") {
			want = append(want, fields[columns[name]])
		}
		if got := strings.Split(ours[i], "\t"); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("line %d\n got  %q\n want %q", i+1, got, want)
		}
	}
}

// TestRoleNumbers holds the numbers that the code names against the table.
func TestRoleNumbers(t *testing.T) {
	names := map[int]string{}
	for _, line := range strings.Split(strings.TrimRight(tableTSV, "\n"), "\n")[1:] {
		id, rest, _ := strings.Cut(line, "\t")
		name, _, _ := strings.Cut(rest, "\t")
		var number int
		for _, digit := range id {
			number = number*10 + int(digit-'0')
		}
		if names[number] == "" {
			names[number] = name
		}
	}
	for number, want := range map[int]string{
		roleNone: "None", roleArticle: "Article", roleAudio: "Audio", roleCanvas: "Canvas", roleCaption: "Caption",
		roleCode: "Code", roleComboBoxGrouping: "ComboBoxGrouping", roleComboBoxButton: "ComboBoxMenuButton",
		roleComment: "Comment", roleDefinition: "Definition", roleDescriptionList: "DescriptionList",
		roleDetails: "Details", roleDisclosure: "DisclosureTriangle", roleDocBiblioEntry: "DocBiblioEntry",
		roleDocCover: "DocCover", roleDocEndnote: "DocEndnote", roleEmbeddedObject: "EmbeddedObject",
		roleFigcaption: "Figcaption", roleFigure: "Figure", roleSectionFooter: "SectionFooter",
		roleGeneric: "GenericContainer", roleGraphicsDocument: "GraphicsDocument", roleGraphicsObject: "GraphicsObject",
		roleGraphicsSymbol: "GraphicsSymbol", roleGroup: "Group", roleSectionHeader: "SectionHeader",
		roleHeading: "Heading", roleIframe: "Iframe", roleIframePresented: "IframePresentational", roleImage: "Image",
		roleInlineTextBox: "InlineTextBox", roleLabel: "LabelText", roleLayoutTable: "LayoutTable",
		roleLegend: "Legend", roleLineBreak: "LineBreak", roleLink: "Link", roleListBox: "ListBox",
		roleListBoxOption: "ListBoxOption", roleListMarker: "ListMarker", roleMark: "Mark", roleMath: "Math",
		rolePluginObject: "PluginObject", roleParagraph: "Paragraph", roleRegion: "Region", roleSearchBox: "SearchBox",
		roleSection: "Section", roleSpinButton: "SpinButton", roleStaticText: "StaticText", roleSvgRoot: "SvgRoot",
		roleTab: "Tab", roleTabList: "TabList", roleTabPanel: "TabPanel", roleTerm: "Term", roleTextField: "TextField",
		roleTextFieldCombo: "TextFieldWithComboBox", roleTree: "Tree", roleTreeItem: "TreeItem", roleVideo: "Video",
		roleMathML: "MathMLMath", roleComboBoxSelect: "ComboBoxSelect",
		roleDisclosureGrouped: "DisclosureTriangleGrouped", roleNamelessSection: "SectionWithoutName",
	} {
		if names[number] != want {
			t.Errorf("role %d is %s in the table, not %s", number, names[number], want)
		}
	}
}
