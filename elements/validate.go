package elements

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Validate returns where an answer breaks a rule of section 5, in the order
// of the tree, at most [MaxViolations]; none if it is valid. It judges what
// [Encode] would send: what an encoding cannot say wrong, such as an empty
// list of children, is for [ValidateJSON] to find.
func Validate(a Answer) []Violation {
	c := checker{ids: map[string]*Element{}}
	c.answer(&a)
	return c.found.inOrder()
}

// ValidateJSON returns where the JSON of an answer breaks a rule, as
// [Validate] does. Where the text is not JSON, or deeper than can be read,
// the violations end there.
func ValidateJSON(data []byte) []Violation {
	var a Answer
	in := newReader(bytes.NewReader(data), asJudge)
	if !utf8.Valid(data) {
		in.found.add(RuleJSON, "is not UTF-8")
		return in.found.inOrder()
	}
	in.answer(&a)
	if in.err == nil {
		in.end()
	}
	if in.err != nil {
		return in.found.inOrder()
	}
	c := checker{raw: true, settled: in.settled, ids: map[string]*Element{}}
	c.found.list = in.found.list
	c.answer(&a)
	return c.found.inOrder()
}

// IsID says whether s has the form of an id (5.1).
func IsID(s string) bool {
	if s == "" || len(s) > maxID {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// IsTitle says whether s is one line a person could read (5.1): something
// that is not blank, without line breaks and, tabs apart, control characters.
func IsTitle(s string) bool {
	return strings.TrimSpace(s) != "" && strings.IndexFunc(s, breaksLine) < 0
}

// IsAddress says whether s can be a url (5.1): a scheme, a colon and more,
// without control characters.
func IsAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" || scheme == "" {
		return false
	}
	for i := range len(scheme) {
		c := scheme[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(scheme[i]))) {
			return false
		}
	}
	return strings.IndexFunc(rest, unicode.IsControl) < 0
}

const (
	// maxID is the characters of the longest id (5.1).
	maxID = 128
	// maxShown is how many bytes of a wrong value a message shows.
	maxShown = 40
)

func breaksLine(r rune) bool {
	return r == '\u2028' || r == '\u2029' || r != '\t' && unicode.IsControl(r)
}

// findings gathers violations while something goes over an answer.
type findings struct {
	list []finding
	// at is the place being looked at, and order counts the elements met on
	// the way to it.
	at    path
	order int
}

type finding struct {
	Violation
	order int
}

func (f *findings) full() bool { return len(f.list) >= MaxViolations }

func (f *findings) add(rule Rule, format string, args ...any) {
	if f.full() {
		return
	}
	v := Violation{Path: f.at.String(), Rule: rule, Message: fmt.Sprintf(format, args...)}
	f.list = append(f.list, finding{v, f.order})
}

func (f *findings) inOrder() []Violation {
	slices.SortStableFunc(f.list, func(a, b finding) int { return a.order - b.order })
	var vs []Violation
	for _, one := range f.list {
		vs = append(vs, one.Violation)
	}
	return vs
}

// A place is a field of an element, or of one of its content blocks; block is
// -1 outside content, element nil for the answer's own fields.
type place struct {
	element *Element
	block   int
	field   string
}

// checker goes over an answer once, parents first.
type checker struct {
	found findings
	// raw says that the answer was read from JSON whose shape was judged
	// already, with what that settled.
	raw     bool
	settled map[place]bool
	// ids are those met, and hovered is the path of the hovered element, if
	// one was met.
	ids     map[string]*Element
	hovered string
	// block is the content block being checked, -1 if none is.
	block int
}

// wrong notes a violation at a field of e, unless it was settled. The field is
// a path from the place the checker is at; none is that place itself.
func (c *checker) wrong(e *Element, field string, rule Rule, format string, args ...any) {
	if c.settled[place{e, c.block, field}] || c.found.full() {
		return
	}
	depth := len(c.found.at)
	if field != "" {
		for name := range strings.SplitSeq(field, "/") {
			c.found.at.push(name)
		}
	}
	c.found.add(rule, format, args...)
	c.found.at = c.found.at[:depth]
}

func (c *checker) required(e *Element, field, value string) bool {
	if value == "" {
		c.wrong(e, field, RuleRequired, "is missing or empty")
	}
	return value != ""
}

func (c *checker) answer(a *Answer) {
	c.block = -1
	if c.settled[place{nil, -1, ""}] {
		return
	}
	if c.required(nil, "protocol", a.Protocol) && a.Protocol != Version {
		c.wrong(nil, "protocol", RuleProtocol, "is %q, these are the rules of %s", plain(a.Protocol, maxShown), Version)
	}
	c.required(nil, "instance", a.Instance)
	if a.Root == nil {
		c.wrong(nil, "root", RuleRequired, "is missing")
		return
	}
	if a.Root.Role != Application && a.Root.Role != "" {
		c.found.order = 1
		c.wrong(nil, "root/role", RuleRoot, "is %s, the root is an Application", plain(string(a.Root.Role), maxShown))
		c.found.order = 0
	}
	c.found.at.push("root")
	c.element(a.Root, 1, true, true)
	c.found.at.pop()
}

// element checks e and all under it. depth counts it; shown says whether it is
// drawn unless it says otherwise, and focus whether it may be focused.
func (c *checker) element(e *Element, depth int, shown, focus bool) {
	c.found.order++
	if c.found.full() {
		return
	}
	if depth > MaxDepth {
		c.wrong(e, "", RuleDepth, "more than %d elements deep", MaxDepth)
		return
	}
	if !c.id(e) {
		return
	}
	c.role(e, depth)
	if e.Title != "" && !IsTitle(e.Title) {
		c.wrong(e, "title", RuleTitle, "is blank, or holds a line break or control character")
	}
	c.content(e)
	if e.URL != "" && !IsAddress(e.URL) {
		c.wrong(e, "url", RuleURL, "is no address: %q", plain(e.URL, maxShown))
	}
	c.states(e, shown, focus)
	c.attributes(e)
	if e.Visible != nil {
		shown = *e.Visible
	}
	c.children(e, depth, shown)
}

func (c *checker) children(e *Element, depth int, shown bool) {
	focused := -1
	c.found.at.push("children")
	for i, child := range e.Children {
		c.found.at.pushIndex(i)
		switch {
		case child == nil:
			c.found.order++
			if !c.raw {
				c.wrong(e, "", RuleType, "is nil where an element belongs")
			}
		default:
			if child.Focused && focused >= 0 {
				c.wrong(child, "focused", RuleFocusSiblings, "its sibling %d is focused too", focused)
			} else if child.Focused {
				focused = i
			}
			c.element(child, depth+1, shown, depth == 1 || e.Focused)
		}
		c.found.at.pop()
	}
	c.found.at.pop()
}

// id checks the id. It returns false if this very element was met before,
// which in a tree would never end.
func (c *checker) id(e *Element) bool {
	if !c.required(e, "id", e.ID) {
		return true
	}
	if !IsID(e.ID) {
		c.wrong(e, "id", RuleIDForm, "is %q, an id is 1 to %d letters, digits, hyphens and underscores", plain(e.ID, maxShown), maxID)
	}
	other, taken := c.ids[e.ID]
	if taken {
		c.wrong(e, "id", RuleIDUnique, "%q is another element's too", plain(e.ID, maxShown))
	} else {
		c.ids[e.ID] = e
	}
	return other != e
}

func (c *checker) role(e *Element, depth int) {
	switch {
	case !c.required(e, "role", string(e.Role)):
	case !e.Role.Known():
		c.wrong(e, "role", RuleRole, "%q is none of the thirteen roles", plain(string(e.Role), maxShown))
	case e.Role == Application && depth > 1:
		c.wrong(e, "role", RuleOneApplication, "is Application, and only the root is one")
	}
}

func (c *checker) states(e *Element, shown, focus bool) {
	if e.Visible != nil && *e.Visible == shown {
		c.wrong(e, "visible", RuleVisible, "is %t, and without it would be too", shown)
	}
	if e.Focused && !focus {
		c.wrong(e, "focused", RuleFocusGap, "its parent is not focused")
	}
	if e.Hovered {
		if c.hovered != "" {
			c.wrong(e, "hovered", RuleOneHover, "%s is hovered too", c.hovered)
		} else {
			c.hovered = c.found.at.String()
		}
	}
}

func (c *checker) attributes(e *Element) {
	if author, ok := e.Attributes["author"]; ok {
		if _, ok := author.(string); !ok {
			c.wrong(e, "attributes/author", RuleAuthor, "is no string")
		}
	}
	if related, ok := e.Attributes["related"]; ok {
		c.related(e, related)
	}
}

func (c *checker) related(e *Element, v any) {
	list, ok := asList(v)
	if !ok {
		c.wrong(e, "attributes/related", RuleRelated, "is no list")
		return
	}
	if len(list) == 0 {
		c.wrong(e, "attributes/related", RuleEmptyList, "is empty")
	}
	for i, entry := range list {
		c.relation(e, "attributes/related/"+strconv.Itoa(i), entry)
	}
}

func (c *checker) relation(e *Element, at string, v any) {
	entry, ok := v.(map[string]any)
	if !ok {
		c.wrong(e, at, RuleRelated, "is no object")
		return
	}
	texts := 0
	for _, value := range entry {
		if s, ok := value.(string); ok && s != "" {
			texts++
		}
	}
	if texts < 2 {
		c.wrong(e, at, RuleRelated, "does not say a relation and an id or address")
	}
	if id, ok := entry["id"]; ok {
		if s, _ := id.(string); !IsID(s) {
			c.wrong(e, at+"/id", RuleRelated, "is no id")
		} else if s == e.ID {
			c.wrong(e, at+"/id", RuleRelated, "is the element's own")
		}
	}
	if url, ok := entry["url"]; ok {
		if s, _ := url.(string); !IsAddress(s) {
			c.wrong(e, at+"/url", RuleRelated, "is no address")
		}
	}
}

// asList takes the lists that Go programs put into attributes.
func asList(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []map[string]any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = v[i]
		}
		return list, true
	}
	return nil, false
}
