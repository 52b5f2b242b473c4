package elements

import (
	"encoding/json"
	"slices"
	"strconv"
)

func (c *checker) content(e *Element) {
	for i := range e.Content {
		c.block = i
		c.found.at.push("content")
		c.found.at.pushIndex(i)
		if !c.settled[place{e, i, ""}] {
			c.contentBlock(e, &e.Content[i])
		}
		c.found.at.pop()
		c.found.at.pop()
	}
	c.block = -1
	c.words(e)
}

// words checks that what is text says so, and that selected text is a Text.
func (c *checker) words(e *Element) {
	has := func(types ...BlockType) bool {
		return slices.ContainsFunc(e.Content, func(b Block) bool { return slices.Contains(types, b.Type) })
	}
	switch {
	case e.Selected && e.Role == Text:
		if !slices.ContainsFunc(e.Content, func(b Block) bool { return b.Type == TextType && b.Text != "" }) {
			c.wrong(e, "content", RuleSelectedText, "a selected Text says which words")
			return
		}
	case e.Selected && e.Role.IsText():
		c.wrong(e, "selected", RuleSelectedText, "the selected words of a %s are a Text inside it", e.Role)
	case e.Selected && has(TextType) && !has(ImageType, AudioType, ResourceLinkType, ResourceType):
		c.wrong(e, "selected", RuleSelectedText, "selected words are a Text, this is a %s", plain(string(e.Role), maxShown))
	}
	if e.Role.IsText() && len(e.Content) > 0 && !has(TextType) {
		c.wrong(e, "content", RuleTextContent, "a %s sends a text block", e.Role)
	}
}

func (c *checker) contentBlock(e *Element, b *Block) {
	need := func(field, value string) {
		if value == "" {
			c.wrong(e, field, RuleBlockField, "is missing or empty")
		}
	}
	switch b.Type {
	case TextType:
	case ImageType, AudioType:
		if len(b.Data) == 0 {
			c.wrong(e, "data", RuleBlockField, "is missing or empty")
		}
		need("mimeType", b.MIMEType)
	case ResourceLinkType:
		need("uri", b.URI)
		need("name", b.Name)
		c.icons(e, b.Icons)
		if b.Size < 0 {
			c.wrong(e, "size", RuleBlockField, "is no count of bytes")
		}
	case ResourceType:
		if b.Resource == nil {
			c.wrong(e, "resource", RuleBlockField, "is missing")
		} else {
			need("resource/uri", b.Resource.URI)
		}
	case "":
		c.wrong(e, "type", RuleBlockType, "is missing or empty")
	default:
		c.wrong(e, "type", RuleBlockType, "%q is none of the five types", plain(string(b.Type), maxShown))
	}
	c.annotations(e, b.Annotations)
}

func (c *checker) icons(e *Element, icons []any) {
	for i, icon := range icons {
		m, _ := icon.(map[string]any)
		if src, _ := m["src"].(string); src == "" {
			c.wrong(e, "icons/"+strconv.Itoa(i), RuleBlockField, "has no src")
		}
	}
}

// annotations checks the three that MCP knows.
func (c *checker) annotations(e *Element, m map[string]any) {
	if v, ok := m["audience"]; ok {
		list, ok := v.([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { return v != "user" && v != "assistant" }) {
			c.wrong(e, "annotations/audience", RuleBlockField, "is no list of user and assistant")
		}
	}
	if v, ok := m["priority"]; ok {
		if p, ok := number(v); !ok || p < 0 || p > 1 {
			c.wrong(e, "annotations/priority", RuleBlockField, "is no number from 0 to 1")
		}
	}
	if v, ok := m["lastModified"]; ok {
		if _, ok := v.(string); !ok {
			c.wrong(e, "annotations/lastModified", RuleBlockField, "is no string")
		}
	}
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}
