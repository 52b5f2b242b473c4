package elements

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// UnmarshalJSON reads a content block as [Decode] does.
func (b *Block) UnmarshalJSON(data []byte) error {
	in := newReader(bytes.NewReader(data), asReceiver)
	got := in.contentBlock(in.token())
	if in.err != nil {
		return fmt.Errorf("elements: decode content block: %w", in.err)
	}
	*b = got
	return nil
}

func (r *reader) content(t json.Token) []Block {
	var blocks []Block
	n := r.list("content", t, func(i int, t json.Token) {
		r.block = i
		blocks = append(blocks, r.contentBlock(t))
		r.block = -1
	})
	if n == 0 && t == json.Delim('[') {
		r.wrong(RuleEmptyList, "is empty")
	}
	return blocks
}

func (r *reader) contentBlock(t json.Token) Block {
	var b Block
	has := map[string]bool{}
	ok := r.object("", t, func(name string, t json.Token) {
		has[name] = true
		r.blockField(&b, name, t)
	})
	if ok && b.Type == TextType && !has["text"] {
		r.missing("text", "is missing")
	}
	return b
}

// blockField reads one field of a block. A name means one thing in all of
// MCP's blocks, so the type, which may follow it, need not be known.
func (r *reader) blockField(b *Block, name string, t json.Token) {
	switch name {
	case "type":
		r.string(name, t, (*string)(&b.Type))
	case "text":
		r.string(name, t, &b.Text)
	case "data":
		r.base64(name, t, &b.Data)
	case "mimeType":
		r.string(name, t, &b.MIMEType)
	case "uri":
		r.string(name, t, &b.URI)
	case "name":
		r.string(name, t, &b.Name)
	case "title":
		r.string(name, t, &b.Title)
	case "description":
		r.string(name, t, &b.Description)
	case "size":
		r.size(name, t, &b.Size)
	case "icons":
		r.list(name, t, func(_ int, t json.Token) { b.Icons = append(b.Icons, r.value(t, 1)) })
	case "resource":
		b.Resource = r.resource(t)
	case "annotations":
		r.values(name, t, &b.Annotations)
	case "_meta":
		r.values(name, t, &b.Meta)
	default:
		r.value(t, 0)
	}
}

func (r *reader) resource(t json.Token) *Resource {
	var res Resource
	has := map[string]bool{}
	ok := r.object("resource", t, func(name string, t json.Token) {
		has[name] = true
		switch name {
		case "uri":
			r.string("resource/uri", t, &res.URI)
		case "mimeType":
			r.string("resource/mimeType", t, &res.MIMEType)
		case "text":
			r.string("resource/text", t, &res.Text)
		case "blob":
			r.base64("resource/blob", t, &res.Blob)
		case "_meta":
			r.values("resource/_meta", t, &res.Meta)
		default:
			r.value(t, 0)
		}
	})
	if ok && has["text"] == has["blob"] {
		r.missing("text", "or blob: one of the two belongs here")
	}
	if !ok {
		return nil
	}
	return &res
}

// missing notes that the block, or resource, just read lacks a field.
func (r *reader) missing(name, message string) {
	r.found.at.push(name)
	r.wrong(RuleBlockField, "%s", message)
	if r.err == nil {
		r.found.at.pop()
	}
}

func (r *reader) base64(name string, t json.Token, to *[]byte) {
	s, ok := t.(string)
	if !ok {
		r.mistyped(name, t, "a string")
		return
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		r.bad(name, RuleBlockData, "is not base64: %v", err)
		return
	}
	*to = data
}

func (r *reader) size(name string, t json.Token, to *int64) {
	number, ok := t.(json.Number)
	if !ok {
		r.mistyped(name, t, "a number")
		return
	}
	n, err := number.Int64()
	if err != nil || n < 0 {
		r.bad(name, RuleBlockField, "is no count of bytes")
		return
	}
	*to = n
}
