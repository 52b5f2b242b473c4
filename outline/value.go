package outline

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxValueDepth is how many lists and objects may stand in one another in the
// value of an attribute: a little more than a valid answer can have.
const maxValueDepth = 200

// attributes writes each attribute as name=value. A value is JSON without
// spaces, whose strings and names have no quotes where they are plain words.
func (p *printer) attributes(m map[string]any) {
	if len(m) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		p.text(" ")
		p.wordOrQuote(name)
		p.text("=")
		p.value(m[name], 0)
	}
}

func (p *printer) value(v any, depth int) {
	if depth > maxValueDepth {
		p.text("null")
		return
	}
	switch v := v.(type) {
	case nil:
		p.text("null")
	case bool:
		if v {
			p.text("true")
		} else {
			p.text("false")
		}
	case json.Number:
		p.wordOrQuote(string(v))
	case string:
		if isLiteral(v) {
			p.quote(v)
		} else {
			p.wordOrQuote(v)
		}
	case []any:
		p.text("[")
		for i, one := range v {
			if i > 0 {
				p.text(",")
			}
			p.value(one, depth+1)
		}
		p.text("]")
	case map[string]any:
		p.text("{")
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				p.text(",")
			}
			p.wordOrQuote(name)
			p.text(":")
			p.value(v[name], depth+1)
		}
		p.text("}")
	default:
		p.value(plainValue(v), depth+1)
	}
}

// plainValue returns what JSON makes of a Go value, nil if it makes nothing.
func plainValue(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	var plain any
	if dec.Decode(&plain) != nil {
		return nil
	}
	return plain
}

// isLiteral says whether the word s would be read as something other than a
// string.
func isLiteral(s string) bool {
	return s == "true" || s == "false" || s == "null" || isNumber(s)
}

func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

// value reads what printer.value wrote.
func (l *line) value(depth int) any {
	if depth > maxValueDepth {
		l.fail("a value too deep")
		return nil
	}
	switch {
	case l.take(`"`):
		return l.quoted()
	case l.take("["):
		list := []any{}
		if l.take("]") {
			return list
		}
		for l.err == nil {
			list = append(list, l.value(depth+1))
			if !l.take(",") {
				l.want("]")
				break
			}
		}
		return list
	case l.take("{"):
		object := map[string]any{}
		if l.take("}") {
			return object
		}
		for l.err == nil {
			name := l.wordOrQuoted()
			l.want(":")
			object[name] = l.value(depth + 1)
			if !l.take(",") {
				l.want("}")
				break
			}
		}
		return object
	}
	switch word := l.word(); {
	case word == "true" || word == "false":
		return word == "true"
	case word == "null":
		return nil
	case isNumber(word):
		return json.Number(word)
	default:
		return word
	}
}
