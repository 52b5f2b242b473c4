package elements

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rule names one thing that an answer must keep.
type Rule string

// The rules of an answer, in the order of the specification. What one answer
// cannot show is no rule here: that an id stays with its thing (5.4), what is
// worth reporting (5.7), which controls were left out (5.2). Nor is it one that
// an element that is no text sends a picture or a link, for it may describe
// itself in a text (5.5).
const (
	// RuleJSON: an answer is one JSON value, in UTF-8.
	RuleJSON Rule = "json"
	// RuleDuplicate: no object says a name twice.
	RuleDuplicate Rule = "duplicate-name"
	// RuleDepth: nothing lies deeper than [MaxDepth] elements. The
	// specification leaves limits open (5.7); this is the package's own.
	RuleDepth Rule = "depth"
	// RuleType: every field holds the JSON type of its table (5.1, 5.5, 5.6).
	RuleType Rule = "type"
	// RuleField: an element has the fields of 5.1 and no others; anything
	// else goes into attributes.
	RuleField Rule = "unknown-field"
	// RuleRequired: protocol, instance and root, and every element's id and
	// role are there and not empty (5, 5.1).
	RuleRequired Rule = "required"
	// RuleProtocol: protocol is the version whose rules these are (5).
	RuleProtocol Rule = "protocol"
	// RuleIDForm: an id is 1 to 128 letters, digits, hyphens and underscores
	// of ASCII (5.1, 5.4).
	RuleIDForm Rule = "id-form"
	// RuleIDUnique: no two elements of an answer have the same id (5.1).
	RuleIDUnique Rule = "id-unique"
	// RuleTitle: a title is one line a person could read (5.1).
	RuleTitle Rule = "title-line"
	// RuleURL: a url is an address, with its scheme (5.1).
	RuleURL Rule = "url"
	// RuleEmptyList: an empty list is not sent (5.1).
	RuleEmptyList Rule = "empty-list"
	// RuleRole: a role is one of the thirteen words (5.2).
	RuleRole Rule = "role-word"
	// RuleRoot: the root is an Application (5.2).
	RuleRoot Rule = "root-application"
	// RuleOneApplication: no element but the root is an Application (5.2).
	RuleOneApplication Rule = "one-application"
	// RuleStateFalse: selected, focused and hovered are sent only when true
	// (5.3).
	RuleStateFalse Rule = "state-false"
	// RuleVisible: visible is sent only where it differs from the parent's;
	// the root is visible (5.3).
	RuleVisible Rule = "visible-differs"
	// RuleFocusGap: the parent of a focused element is focused, unless it is
	// the root (5.3).
	RuleFocusGap Rule = "focus-gap"
	// RuleFocusSiblings: of an element's children one at most is focused
	// (5.3).
	RuleFocusSiblings Rule = "focus-siblings"
	// RuleOneHover: one element at most is hovered (5.3).
	RuleOneHover Rule = "one-hover"
	// RuleSelectedText: selected text is a Text element with its words as a
	// text block (5.1, 5.5): a selected Text sends words, a Heading or Link
	// is not itself selected, and no other selected element has words for
	// its whole content.
	RuleSelectedText Rule = "selected-text"
	// RuleTextContent: an element that is text and sends content sends a
	// text block (5.5).
	RuleTextContent Rule = "text-content"
	// RuleBlockType: a content block is of one of the five types (5.5).
	RuleBlockType Rule = "block-type"
	// RuleBlockField: a content block has the required fields of its type,
	// and what else it has is as MCP says (5.5).
	RuleBlockField Rule = "block-field"
	// RuleBlockData: data and blob are base64 (5.5).
	RuleBlockData Rule = "block-data"
	// RuleAuthor: the attribute author is a string (5.6).
	RuleAuthor Rule = "author"
	// RuleRelated: the attribute related is a list of objects, each with a
	// relation name and another element's id or an address (5.6). What those
	// two members are called is left open there, and so here: any two texts
	// will do, but what is called id or url must be one.
	RuleRelated Rule = "related"
)

// MaxViolations is how many violations are reported of one answer: enough to
// mend it by, and a bound on what a hostile one can make a reader hold.
const MaxViolations = 1000

// A Violation is one place where an answer breaks a rule.
type Violation struct {
	// Path is the place as a JSON pointer (RFC 6901), such as
	// /root/children/0/title; / is the answer itself.
	Path string
	Rule Rule
	// Message says what is wrong there, for a person.
	Message string
}

// String returns the violation as one line: PATH: RULE: message.
func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s", v.Path, v.Rule, v.Message)
}

// A path is a place in an answer: names and, for the entries of lists, indexes.
type path []string

func (p *path) push(name string) { *p = append(*p, name) }

func (p *path) pushIndex(i int) { *p = append(*p, strconv.Itoa(i)) }

func (p *path) pop() { *p = (*p)[:len(*p)-1] }

// maxPathName is how many bytes of a name are shown in a path; a name in the
// attributes may be as long as its sender likes, and stands before each
// violation under it.
const maxPathName = 64

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// String writes the path so that it is one line of plain text, whatever a
// name holds.
func (p path) String() string {
	if len(p) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, name := range p {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(plain(name, maxPathName)))
	}
	return b.String()
}

// plain returns at most the first n bytes of s, with everything escaped that
// is not to be seen.
func plain(s string, n int) string {
	cut := ""
	if len(s) > n {
		s, cut = s[:n], "…"
	}
	quoted := strconv.Quote(s)
	return quoted[1:len(quoted)-1] + cut
}
