package mapper

import "github.com/webarea/webarea/elements"

// An Action is what becomes of a node of the accessibility tree.
type Action int

// The actions.
const (
	DoHoist Action = iota // not reported: its children take its place
	DoMap                 // an element
	DoMerge               // its text joins the run, row or heading round it, or titles its parent
	DoDrop                // not reported, nor is anything in it
)

// A RoleRule says what becomes of one of Chrome's roles.
type RoleRule struct {
	Name    string // Chrome's name of the role
	Action  Action
	Role    elements.Role // section 5.2; empty where nothing is reported
	Subrole string        // what the role language loses
	Word    string        // AXNode.role.value, where it is not Name
}

// Roles is the whole table, by AXNode.chromeRole: no other file decides what a
// role becomes, but for what depends on an element's surroundings (see build.go).
var Roles = map[int]RoleRule{
	0:   {Name: "None", Action: DoHoist, Word: "none"},
	1:   {Name: "Abbr", Action: DoMerge},
	2:   {Name: "Alert", Action: DoMap, Role: elements.Group, Subrole: "alert", Word: "alert"},
	3:   {Name: "AlertDialog", Action: DoMap, Role: elements.Window, Subrole: "alertdialog", Word: "alertdialog"},
	4:   {Name: "Application", Action: DoMap, Role: elements.Group, Subrole: "application", Word: "application"},
	5:   {Name: "Article", Action: DoMap, Role: elements.Group, Subrole: "article", Word: "article"},
	6:   {Name: "Audio", Action: DoMap, Role: elements.Group, Subrole: "audio"},
	7:   {Name: "Banner", Action: DoMap, Role: elements.Group, Subrole: "banner", Word: "banner"},
	8:   {Name: "Blockquote", Action: DoMap, Role: elements.Group, Subrole: "blockquote", Word: "blockquote"},
	9:   {Name: "Button", Action: DoDrop, Word: "button"},
	10:  {Name: "Canvas", Action: DoMap, Role: elements.Image, Subrole: "canvas"},
	11:  {Name: "Caption", Action: DoMerge, Word: "caption"},
	12:  {Name: "Caret", Action: DoDrop},
	13:  {Name: "Cell", Action: DoMap, Role: elements.Cell, Word: "cell"},
	14:  {Name: "CheckBox", Action: DoDrop, Word: "checkbox"},
	15:  {Name: "Client", Action: DoHoist},
	16:  {Name: "Code", Action: DoMap, Role: elements.Text, Subrole: "code", Word: "code"},
	17:  {Name: "ColorWell", Action: DoDrop},
	18:  {Name: "Column", Action: DoHoist},
	19:  {Name: "ColumnHeader", Action: DoMap, Role: elements.Cell, Subrole: "columnheader", Word: "columnheader"},
	20:  {Name: "ComboBoxGrouping", Action: DoHoist, Word: "combobox"},
	21:  {Name: "ComboBoxMenuButton", Action: DoDrop, Word: "combobox"},
	22:  {Name: "Complementary", Action: DoMap, Role: elements.Group, Subrole: "complementary", Word: "complementary"},
	23:  {Name: "Comment", Action: DoMap, Role: elements.Group, Subrole: "comment", Word: "comment"},
	24:  {Name: "ContentDeletion", Action: DoMap, Role: elements.Text, Subrole: "deletion", Word: "deletion"},
	25:  {Name: "ContentInsertion", Action: DoMap, Role: elements.Text, Subrole: "insertion", Word: "insertion"},
	26:  {Name: "ContentInfo", Action: DoMap, Role: elements.Group, Subrole: "contentinfo", Word: "contentinfo"},
	27:  {Name: "Date", Action: DoDrop},
	28:  {Name: "DateTime", Action: DoDrop},
	29:  {Name: "Definition", Action: DoMap, Role: elements.Row, Subrole: "definition", Word: "definition"},
	30:  {Name: "DescriptionList", Action: DoMap, Role: elements.List, Subrole: "definitions"},
	31:  {Name: "DescriptionListDetailDeprecated", Action: DoHoist},
	32:  {Name: "DescriptionListTermDeprecated", Action: DoHoist},
	33:  {Name: "Desktop", Action: DoHoist},
	34:  {Name: "Details", Action: DoMap, Role: elements.Group, Subrole: "details", Word: "group"},
	35:  {Name: "Dialog", Action: DoMap, Role: elements.Window, Subrole: "dialog", Word: "dialog"},
	36:  {Name: "DirectoryDeprecated", Action: DoMap, Role: elements.List},
	37:  {Name: "DisclosureTriangle", Action: DoMerge},
	38:  {Name: "DocAbstract", Action: DoMap, Role: elements.Group, Subrole: "abstract", Word: "doc-abstract"},
	39:  {Name: "DocAcknowledgments", Action: DoMap, Role: elements.Group, Subrole: "acknowledgments", Word: "doc-acknowledgments"},
	40:  {Name: "DocAfterword", Action: DoMap, Role: elements.Group, Subrole: "afterword", Word: "doc-afterword"},
	41:  {Name: "DocAppendix", Action: DoMap, Role: elements.Group, Subrole: "appendix", Word: "doc-appendix"},
	42:  {Name: "DocBackLink", Action: DoMap, Role: elements.Link, Subrole: "backlink", Word: "doc-backlink"},
	43:  {Name: "DocBiblioEntry", Action: DoMap, Role: elements.Row, Subrole: "biblioentry", Word: "doc-biblioentry"},
	44:  {Name: "DocBibliography", Action: DoMap, Role: elements.Group, Subrole: "bibliography", Word: "doc-bibliography"},
	45:  {Name: "DocBiblioRef", Action: DoMap, Role: elements.Link, Subrole: "biblioref", Word: "doc-biblioref"},
	46:  {Name: "DocChapter", Action: DoMap, Role: elements.Group, Subrole: "chapter", Word: "doc-chapter"},
	47:  {Name: "DocColophon", Action: DoMap, Role: elements.Group, Subrole: "colophon", Word: "doc-colophon"},
	48:  {Name: "DocConclusion", Action: DoMap, Role: elements.Group, Subrole: "conclusion", Word: "doc-conclusion"},
	49:  {Name: "DocCover", Action: DoMap, Role: elements.Image, Subrole: "cover", Word: "doc-cover"},
	50:  {Name: "DocCredit", Action: DoMap, Role: elements.Group, Subrole: "credit", Word: "doc-credit"},
	51:  {Name: "DocCredits", Action: DoMap, Role: elements.Group, Subrole: "credits", Word: "doc-credits"},
	52:  {Name: "DocDedication", Action: DoMap, Role: elements.Group, Subrole: "dedication", Word: "doc-dedication"},
	53:  {Name: "DocEndnote", Action: DoMap, Role: elements.Row, Subrole: "endnote", Word: "doc-endnote"},
	54:  {Name: "DocEndnotes", Action: DoMap, Role: elements.Group, Subrole: "endnotes", Word: "doc-endnotes"},
	55:  {Name: "DocEpigraph", Action: DoMap, Role: elements.Group, Subrole: "epigraph", Word: "doc-epigraph"},
	56:  {Name: "DocEpilogue", Action: DoMap, Role: elements.Group, Subrole: "epilogue", Word: "doc-epilogue"},
	57:  {Name: "DocErrata", Action: DoMap, Role: elements.Group, Subrole: "errata", Word: "doc-errata"},
	58:  {Name: "DocExample", Action: DoMap, Role: elements.Group, Subrole: "example", Word: "doc-example"},
	59:  {Name: "DocFootnote", Action: DoMap, Role: elements.Group, Subrole: "footnote", Word: "doc-footnote"},
	60:  {Name: "DocForeword", Action: DoMap, Role: elements.Group, Subrole: "foreword", Word: "doc-foreword"},
	61:  {Name: "DocGlossary", Action: DoMap, Role: elements.Group, Subrole: "glossary", Word: "doc-glossary"},
	62:  {Name: "DocGlossRef", Action: DoMap, Role: elements.Link, Subrole: "glossref", Word: "doc-glossref"},
	63:  {Name: "DocIndex", Action: DoMap, Role: elements.Group, Subrole: "index", Word: "doc-index"},
	64:  {Name: "DocIntroduction", Action: DoMap, Role: elements.Group, Subrole: "introduction", Word: "doc-introduction"},
	65:  {Name: "DocNoteRef", Action: DoMap, Role: elements.Link, Subrole: "noteref", Word: "doc-noteref"},
	66:  {Name: "DocNotice", Action: DoMap, Role: elements.Group, Subrole: "notice", Word: "doc-notice"},
	67:  {Name: "DocPageBreak", Action: DoDrop, Word: "doc-pagebreak"},
	68:  {Name: "DocPageFooter", Action: DoMap, Role: elements.Group, Subrole: "pagefooter", Word: "doc-pagefooter"},
	69:  {Name: "DocPageHeader", Action: DoMap, Role: elements.Group, Subrole: "pageheader", Word: "doc-pageheader"},
	70:  {Name: "DocPageList", Action: DoMap, Role: elements.Group, Subrole: "pagelist", Word: "doc-pagelist"},
	71:  {Name: "DocPart", Action: DoMap, Role: elements.Group, Subrole: "part", Word: "doc-part"},
	72:  {Name: "DocPreface", Action: DoMap, Role: elements.Group, Subrole: "preface", Word: "doc-preface"},
	73:  {Name: "DocPrologue", Action: DoMap, Role: elements.Group, Subrole: "prologue", Word: "doc-prologue"},
	74:  {Name: "DocPullquote", Action: DoMap, Role: elements.Group, Subrole: "pullquote", Word: "doc-pullquote"},
	75:  {Name: "DocQna", Action: DoMap, Role: elements.Group, Subrole: "qna", Word: "doc-qna"},
	76:  {Name: "DocSubtitle", Action: DoMap, Role: elements.Heading, Subrole: "subtitle", Word: "doc-subtitle"},
	77:  {Name: "DocTip", Action: DoMap, Role: elements.Group, Subrole: "tip", Word: "doc-tip"},
	78:  {Name: "DocToc", Action: DoMap, Role: elements.Group, Subrole: "toc", Word: "doc-toc"},
	79:  {Name: "Document", Action: DoMap, Role: elements.Document, Subrole: "document", Word: "document"},
	80:  {Name: "EmbeddedObject", Action: DoMap, Role: elements.Group, Subrole: "embed"},
	81:  {Name: "Emphasis", Action: DoMerge, Word: "emphasis"},
	82:  {Name: "Feed", Action: DoMap, Role: elements.List, Subrole: "feed", Word: "feed"},
	83:  {Name: "Figcaption", Action: DoMerge},
	84:  {Name: "Figure", Action: DoMap, Role: elements.Group, Subrole: "figure", Word: "figure"},
	85:  {Name: "Footer", Action: DoMap, Role: elements.Group, Subrole: "contentinfo", Word: "contentinfo"},
	86:  {Name: "SectionFooter", Action: DoMap, Role: elements.Group, Subrole: "sectionfooter", Word: "sectionfooter"},
	87:  {Name: "Form", Action: DoMap, Role: elements.Group, Subrole: "form", Word: "form"},
	88:  {Name: "GenericContainer", Action: DoHoist, Word: "generic"},
	89:  {Name: "GraphicsDocument", Action: DoMap, Role: elements.Group, Subrole: "graphics-document", Word: "graphics-document"},
	90:  {Name: "GraphicsObject", Action: DoMap, Role: elements.Group, Subrole: "graphics-object", Word: "graphics-object"},
	91:  {Name: "GraphicsSymbol", Action: DoMap, Role: elements.Image, Subrole: "graphics-symbol", Word: "graphics-symbol"},
	92:  {Name: "Grid", Action: DoMap, Role: elements.Table, Subrole: "grid", Word: "grid"},
	93:  {Name: "Group", Action: DoMap, Role: elements.Group, Word: "group"},
	94:  {Name: "Header", Action: DoMap, Role: elements.Group, Subrole: "banner", Word: "banner"},
	95:  {Name: "SectionHeader", Action: DoMap, Role: elements.Group, Subrole: "sectionheader", Word: "sectionheader"},
	96:  {Name: "Heading", Action: DoMap, Role: elements.Heading, Word: "heading"},
	97:  {Name: "Iframe", Action: DoMap, Role: elements.Document, Subrole: "iframe"},
	98:  {Name: "IframePresentational", Action: DoHoist},
	99:  {Name: "Image", Action: DoMap, Role: elements.Image, Word: "image"},
	100: {Name: "ImeCandidate", Action: DoDrop},
	101: {Name: "InlineTextBox", Action: DoDrop},
	102: {Name: "InputTime", Action: DoDrop},
	103: {Name: "Keyboard", Action: DoDrop},
	104: {Name: "LabelText", Action: DoMerge},
	105: {Name: "LayoutTable", Action: DoMap, Role: elements.Group, Subrole: "layout"},
	106: {Name: "LayoutTableCell", Action: DoHoist},
	107: {Name: "LayoutTableRow", Action: DoHoist},
	108: {Name: "Legend", Action: DoMerge},
	109: {Name: "LineBreak", Action: DoMerge},
	110: {Name: "Link", Action: DoMap, Role: elements.Link, Word: "link"},
	111: {Name: "List", Action: DoMap, Role: elements.List, Word: "list"},
	112: {Name: "ListBox", Action: DoMap, Role: elements.List, Subrole: "listbox", Word: "listbox"},
	113: {Name: "ListBoxOption", Action: DoMap, Role: elements.Row, Subrole: "option", Word: "option"},
	114: {Name: "ListGrid", Action: DoMap, Role: elements.Table},
	115: {Name: "ListItem", Action: DoMap, Role: elements.Row, Word: "listitem"},
	116: {Name: "ListMarker", Action: DoDrop},
	117: {Name: "Log", Action: DoMap, Role: elements.Group, Subrole: "log", Word: "log"},
	118: {Name: "Main", Action: DoMap, Role: elements.Group, Subrole: "main", Word: "main"},
	119: {Name: "Mark", Action: DoMerge, Word: "mark"},
	120: {Name: "Marquee", Action: DoMap, Role: elements.Group, Subrole: "marquee", Word: "marquee"},
	121: {Name: "Math", Action: DoMap, Role: elements.Text, Subrole: "math", Word: "math"},
	122: {Name: "Menu", Action: DoDrop, Word: "menu"},
	123: {Name: "MenuBar", Action: DoDrop, Word: "menubar"},
	124: {Name: "MenuItem", Action: DoDrop, Word: "menuitem"},
	125: {Name: "MenuItemCheckBox", Action: DoDrop, Word: "menuitemcheckbox"},
	126: {Name: "MenuItemRadio", Action: DoDrop, Word: "menuitemradio"},
	127: {Name: "MenuListOption", Action: DoDrop, Word: "option"},
	128: {Name: "MenuListPopup", Action: DoDrop},
	129: {Name: "Meter", Action: DoDrop, Word: "meter"},
	130: {Name: "Navigation", Action: DoMap, Role: elements.Group, Subrole: "navigation", Word: "navigation"},
	131: {Name: "Note", Action: DoMap, Role: elements.Group, Subrole: "note", Word: "note"},
	132: {Name: "Pane", Action: DoMap, Role: elements.Window, Subrole: "pane"},
	133: {Name: "Paragraph", Action: DoMap, Role: elements.Text, Word: "paragraph"},
	134: {Name: "PdfActionableHighlight", Action: DoHoist},
	135: {Name: "PdfRoot", Action: DoMap, Role: elements.Document, Subrole: "pdf"},
	136: {Name: "PluginObject", Action: DoMap, Role: elements.Group, Subrole: "object"},
	137: {Name: "PopUpButton", Action: DoDrop, Word: "button"},
	138: {Name: "PortalDeprecated", Action: DoHoist},
	139: {Name: "PreDeprecated", Action: DoHoist},
	140: {Name: "ProgressIndicator", Action: DoDrop, Word: "progressbar"},
	141: {Name: "RadioButton", Action: DoDrop, Word: "radio"},
	142: {Name: "RadioGroup", Action: DoHoist, Word: "radiogroup"},
	143: {Name: "Region", Action: DoMap, Role: elements.Group, Subrole: "region", Word: "region"},
	144: {Name: "RootWebArea", Action: DoMap, Role: elements.Document},
	145: {Name: "Row", Action: DoMap, Role: elements.Row, Word: "row"},
	146: {Name: "RowGroup", Action: DoHoist, Word: "rowgroup"},
	147: {Name: "RowHeader", Action: DoMap, Role: elements.Cell, Subrole: "rowheader", Word: "rowheader"},
	148: {Name: "Ruby", Action: DoMerge},
	149: {Name: "RubyAnnotation", Action: DoDrop},
	150: {Name: "ScrollBar", Action: DoDrop, Word: "scrollbar"},
	151: {Name: "ScrollView", Action: DoMap, Role: elements.Group},
	152: {Name: "Search", Action: DoMap, Role: elements.Group, Subrole: "search", Word: "search"},
	153: {Name: "SearchBox", Action: DoMap, Role: elements.Text, Subrole: "searchbox", Word: "searchbox"},
	154: {Name: "Section", Action: DoHoist},
	155: {Name: "Slider", Action: DoDrop, Word: "slider"},
	156: {Name: "SpinButton", Action: DoDrop, Word: "spinbutton"},
	157: {Name: "Splitter", Action: DoDrop, Word: "separator"},
	158: {Name: "StaticText", Action: DoMap, Role: elements.Text},
	159: {Name: "Status", Action: DoMap, Role: elements.Group, Subrole: "status", Word: "status"},
	160: {Name: "Strong", Action: DoMerge, Word: "strong"},
	161: {Name: "Suggestion", Action: DoMap, Role: elements.Text, Subrole: "suggestion", Word: "suggestion"},
	162: {Name: "SvgRoot", Action: DoMap, Role: elements.Image, Subrole: "svg"},
	163: {Name: "Switch", Action: DoDrop, Word: "switch"},
	164: {Name: "Tab", Action: DoMap, Role: elements.Window, Subrole: "tab", Word: "tab"},
	165: {Name: "TabList", Action: DoMap, Role: elements.Window, Subrole: "tabs", Word: "tablist"},
	166: {Name: "TabPanel", Action: DoMap, Role: elements.Window, Subrole: "tab", Word: "tabpanel"},
	167: {Name: "Table", Action: DoMap, Role: elements.Table, Word: "table"},
	168: {Name: "TableHeaderContainer", Action: DoDrop},
	169: {Name: "Term", Action: DoMap, Role: elements.Row, Subrole: "term", Word: "term"},
	170: {Name: "TextField", Action: DoMap, Role: elements.Text, Word: "textbox"},
	171: {Name: "TextFieldWithComboBox", Action: DoMap, Role: elements.Text, Subrole: "combobox", Word: "combobox"},
	172: {Name: "Time", Action: DoMerge, Word: "time"},
	173: {Name: "Timer", Action: DoMap, Role: elements.Group, Subrole: "timer", Word: "timer"},
	174: {Name: "TitleBar", Action: DoDrop},
	175: {Name: "ToggleButton", Action: DoDrop, Word: "button"},
	176: {Name: "Toolbar", Action: DoHoist, Word: "toolbar"},
	177: {Name: "Tooltip", Action: DoMap, Role: elements.Group, Subrole: "tooltip", Word: "tooltip"},
	178: {Name: "Tree", Action: DoMap, Role: elements.List, Subrole: "tree", Word: "tree"},
	179: {Name: "TreeGrid", Action: DoMap, Role: elements.Table, Subrole: "treegrid", Word: "treegrid"},
	180: {Name: "TreeItem", Action: DoMap, Role: elements.Row, Word: "treeitem"},
	181: {Name: "Unknown", Action: DoHoist},
	182: {Name: "Video", Action: DoMap, Role: elements.Group, Subrole: "video"},
	183: {Name: "WebView", Action: DoHoist},
	184: {Name: "Window", Action: DoMap, Role: elements.Window},
	185: {Name: "Subscript", Action: DoMerge, Word: "subscript"},
	186: {Name: "Superscript", Action: DoMerge, Word: "superscript"},
	187: {Name: "MathMLMath", Action: DoMap, Role: elements.Text, Subrole: "math"},
	188: {Name: "MathMLFraction", Action: DoMerge},
	189: {Name: "MathMLIdentifier", Action: DoMerge},
	190: {Name: "MathMLMultiscripts", Action: DoMerge},
	191: {Name: "MathMLNoneScript", Action: DoMerge},
	192: {Name: "MathMLNumber", Action: DoMerge},
	193: {Name: "MathMLOperator", Action: DoMerge},
	194: {Name: "MathMLOver", Action: DoMerge},
	195: {Name: "MathMLPrescriptDelimiter", Action: DoMerge},
	196: {Name: "MathMLRoot", Action: DoMerge},
	197: {Name: "MathMLRow", Action: DoMerge},
	198: {Name: "MathMLSquareRoot", Action: DoMerge},
	199: {Name: "MathMLStringLiteral", Action: DoMerge},
	200: {Name: "MathMLSub", Action: DoMerge},
	201: {Name: "MathMLSubSup", Action: DoMerge},
	202: {Name: "MathMLSup", Action: DoMerge},
	203: {Name: "MathMLTable", Action: DoMerge},
	204: {Name: "MathMLTableCell", Action: DoMerge},
	205: {Name: "MathMLTableRow", Action: DoMerge},
	206: {Name: "MathMLText", Action: DoMerge},
	207: {Name: "MathMLUnder", Action: DoMerge},
	208: {Name: "MathMLUnderOver", Action: DoMerge},
	209: {Name: "ComboBoxSelect", Action: DoDrop, Word: "combobox"},
	210: {Name: "DisclosureTriangleGrouped", Action: DoMerge},
	211: {Name: "SectionWithoutName", Action: DoHoist, Word: "generic"},
	212: {Name: "GridCell", Action: DoMap, Role: elements.Cell, Subrole: "gridcell", Word: "gridcell"},
}

// Chrome's roles that rules name.
const (
	roleNone                      = 0
	roleAudio                     = 6
	roleArticle                   = 5
	roleCanvas                    = 10
	roleCaption                   = 11
	roleCell                      = 13
	roleCheckBox                  = 14
	roleCode                      = 16
	roleComboBoxGrouping          = 20
	roleComboBoxMenuButton        = 21
	roleComment                   = 23
	roleDeletion                  = 24
	roleInsertion                 = 25
	roleDefinition                = 29
	roleDescriptionList           = 30
	roleDetails                   = 34
	roleDialog                    = 35
	roleDisclosureTriangle        = 37
	roleDocBiblioEntry            = 43
	roleDocCover                  = 49
	roleDocEndnote                = 53
	roleEmbeddedObject            = 80
	roleFeed                      = 82
	roleFigcaption                = 83
	roleFigure                    = 84
	roleSectionFooter             = 86
	roleGenericContainer          = 88
	roleGraphicsObject            = 90
	roleGraphicsSymbol            = 91
	roleGroup                     = 93
	roleSectionHeader             = 95
	roleHeading                   = 96
	roleIframe                    = 97
	roleIframePresentational      = 98
	roleImage                     = 99
	roleLabelText                 = 104
	roleLayoutTable               = 105
	roleLayoutTableCell           = 106
	roleLayoutTableRow            = 107
	roleLegend                    = 108
	roleLineBreak                 = 109
	roleLink                      = 110
	roleList                      = 111
	roleListBox                   = 112
	roleListBoxOption             = 113
	roleMath                      = 121
	roleParagraph                 = 133
	roleRadioButton               = 141
	roleRegion                    = 143
	roleRootWebArea               = 144
	roleSpinButton                = 156
	roleSuggestion                = 161
	roleSvgRoot                   = 162
	roleSwitch                    = 163
	roleDocSubtitle               = 76
	roleRow                       = 145
	roleTree                      = 178
	roleColumnHeader              = 19
	roleRowHeader                 = 147
	roleGridCell                  = 212
	roleTab                       = 164
	roleTabList                   = 165
	roleTabPanel                  = 166
	roleTerm                      = 169
	roleTextField                 = 170
	roleTextFieldWithComboBox     = 171
	roleSearchBox                 = 153
	roleTooltip                   = 177
	roleTreeItem                  = 180
	roleUnknown                   = 181
	roleVideo                     = 182
	roleMathMLMath                = 187
	roleComboBoxSelect            = 209
	roleDisclosureTriangleGrouped = 210
	rolePluginObject              = 136
)

// byWord finds a rule for a role that came without its number.
var byWord = func() map[string]int {
	m := map[string]int{"img": roleImage}
	for n := range Roles {
		w := Roles[n].Word
		if w == "" {
			w = Roles[n].Name
		}
		if old, ok := m[w]; !ok || n < old {
			m[w] = n
		}
	}
	return m
}()
