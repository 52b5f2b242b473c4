package testpages

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/webarea/webarea/elements"
)

// Format writes an element and all in it for a person: one line an element,
// indented, without ids, which are others in every run. It is what golden files
// hold.
//
//	Document focused "Bread" <http://fixture/bread.html> language="en"
//	  Text: "Ask the miller."
//	    Link <http://fixture/miller>: "the miller"
//	  Row/comment hidden "Old news" author="Ada L."
//
// A line has the role, the subrole, the states (hidden and shown are visible false
// and true), the title, the url, the attributes by name with their values as JSON,
// the types of the content blocks that are not text, and the words. Where an
// attribute holds the id of another element, @ and that one's role and title, or
// its words, stand for it.
func Format(e *elements.Element) string {
	return strings.Join(lines(e, namesIn(e)), "\n") + "\n"
}

// lines gives the lines of an element and all in it, in order.
func lines(root *elements.Element, names map[string]string) []string {
	var out []string
	root.Walk(func(e, _ *elements.Element, depth int) bool {
		out = append(out, strings.Repeat("  ", depth)+line(e, names))
		return true
	})
	return out
}

func line(e *elements.Element, names map[string]string) string {
	var b strings.Builder
	b.WriteString(string(e.Role))
	if e.Subrole != "" {
		b.WriteString("/" + word(e.Subrole))
	}
	for _, state := range []struct {
		is   bool
		word string
	}{
		{e.Selected, "selected"},
		{e.Focused, "focused"},
		{e.Hovered, "hovered"},
		{e.Visible != nil && !*e.Visible, "hidden"},
		{e.Visible != nil && *e.Visible, "shown"},
	} {
		if state.is {
			b.WriteString(" " + state.word)
		}
	}
	if e.Title != "" {
		b.WriteString(" " + strconv.Quote(e.Title))
	}
	if e.URL != "" {
		b.WriteString(" <" + e.URL + ">")
	}
	for _, name := range slices.Sorted(maps.Keys(e.Attributes)) {
		b.WriteString(" " + word(name) + "=" + value(e.Attributes[name], names))
	}
	var words []string
	for _, block := range e.Content {
		if block.Type == elements.TextType {
			words = append(words, strconv.Quote(block.Text))
			continue
		}
		b.WriteString(" [" + strings.TrimSpace(string(block.Type)+" "+block.MIMEType) + "]")
	}
	if len(words) > 0 {
		b.WriteString(": " + strings.Join(words, " | "))
	}
	return b.String()
}

// word leaves a plain word as it is and quotes all else.
func word(s string) string {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return strconv.Quote(s)
		}
	}
	return s
}

// value writes what an attribute holds as JSON, with names in the place of ids.
func value(v any, names map[string]string) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(named(v, names)); err != nil {
		return strconv.Quote(err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// named gives a copy of an attribute's value in which each member called id has a
// name for the element it names.
func named(v any, names map[string]string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = named(v[i], names)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if id, isText := member.(string); isText && name == "id" && names[id] != "" {
				out[name] = names[id]
				continue
			}
			out[name] = named(member, names)
		}
		return out
	}
	return v
}

// namesIn gives a name for each id that an answer can refer to: @, the role, and
// the title, or without a title the words.
func namesIn(root *elements.Element) map[string]string {
	names := map[string]string{}
	root.Walk(func(e, _ *elements.Element, _ int) bool {
		said := e.Title
		for _, block := range e.Content {
			if said == "" && block.Type == elements.TextType {
				said = block.Text
			}
		}
		names[e.ID] = strings.TrimSpace("@" + string(e.Role) + " " + said)
		return true
	})
	return names
}
