package elements

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxValueDepth is how many objects and lists may stand in one another in the
// value of an attribute: what [MaxDepth] leaves of the 10,000 levels.
const maxValueDepth = 150

// flushAt is how many bytes Encode gathers before it writes.
const flushAt = 64 << 10

// Encode writes an answer as one line of JSON with a newline at its end.
// Nothing empty is sent, and states only as 5.3 says. Angle brackets and
// ampersands stand as they are; line separators, DEL and the C1 controls,
// which can move a terminal's cursor, are escaped. What is not UTF-8 becomes
// U+FFFD. It fails if w does, or on an attribute that JSON cannot say.
func Encode(w io.Writer, a *Answer) error {
	e := encoder{w: w, buf: make([]byte, 0, 2*flushAt)}
	e.answer(a)
	e.raw("\n")
	e.flush()
	if e.err != nil {
		return fmt.Errorf("elements: encode answer: %w", e.err)
	}
	return nil
}

// Marshal returns what [Encode] writes, without the newline.
func Marshal(a *Answer) ([]byte, error) {
	var b bytes.Buffer
	if err := Encode(&b, a); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MarshalJSON is [Marshal] for encoding/json.
func (a Answer) MarshalJSON() ([]byte, error) { return Marshal(&a) }

// MarshalJSON writes the element and everything under it as [Encode] does.
func (e Element) MarshalJSON() ([]byte, error) {
	return piece("element", func(enc *encoder) { enc.tree(&e) })
}

// MarshalJSON writes the block as [Encode] does.
func (b Block) MarshalJSON() ([]byte, error) {
	return piece("content block", func(enc *encoder) { enc.block(&b) })
}

func piece(what string, write func(*encoder)) ([]byte, error) {
	var b bytes.Buffer
	enc := encoder{w: &b}
	write(&enc)
	enc.flush()
	if enc.err != nil {
		return nil, fmt.Errorf("elements: encode %s: %w", what, enc.err)
	}
	return b.Bytes(), nil
}

// encoder writes JSON in pieces; after the first error it writes no more.
type encoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *encoder) answer(a *Answer) {
	e.raw(`{"protocol":`)
	e.string(a.Protocol)
	e.raw(`,"instance":`)
	e.string(a.Instance)
	e.raw(`,"root":`)
	if a.Root == nil {
		e.raw("null")
	} else {
		e.tree(a.Root)
	}
	e.raw("}")
}

// tree writes an element and all under it. Members come in the order of 5.1,
// but children last, so that the small things about an element stand together.
func (e *encoder) tree(root *Element) {
	open := 0
	close := func(to int) {
		for ; open > to; open-- {
			e.raw("]}")
		}
	}
	first := true
	root.walk(func(el, _ *Element, depth int) step {
		close(depth)
		if !first {
			e.raw(",")
		}
		first = false
		e.head(el)
		if !slices.ContainsFunc(el.Children, func(c *Element) bool { return c != nil }) {
			e.raw("}")
		} else {
			e.raw(`,"children":[`)
			open, first = depth+1, true
		}
		if len(e.buf) >= flushAt {
			e.flush()
		}
		if e.err != nil {
			return stop
		}
		return into
	})
	close(0)
}

// head writes an element up to its children, and leaves it open.
func (e *encoder) head(el *Element) {
	e.raw(`{"id":`)
	e.string(el.ID)
	e.raw(`,"role":`)
	e.string(string(el.Role))
	e.member("subrole", el.Subrole)
	e.member("title", el.Title)
	if len(el.Content) > 0 {
		e.raw(`,"content":[`)
		for i := range el.Content {
			if i > 0 {
				e.raw(",")
			}
			e.block(&el.Content[i])
		}
		e.raw("]")
	}
	e.member("url", el.URL)
	if el.Selected {
		e.raw(`,"selected":true`)
	}
	if el.Focused {
		e.raw(`,"focused":true`)
	}
	if el.Visible != nil {
		e.raw(`,"visible":`)
		e.buf = strconv.AppendBool(e.buf, *el.Visible)
	}
	if el.Hovered {
		e.raw(`,"hovered":true`)
	}
	if len(el.Attributes) > 0 {
		e.values("attributes", el.Attributes)
	}
}

func (e *encoder) block(b *Block) {
	e.raw(`{"type":`)
	e.string(string(b.Type))
	switch b.Type {
	case TextType:
		e.required("text", b.Text)
	case ImageType, AudioType:
		e.bytes("data", b.Data)
		e.required("mimeType", b.MIMEType)
	case ResourceLinkType:
		e.required("uri", b.URI)
		e.required("name", b.Name)
		e.member("title", b.Title)
		e.member("description", b.Description)
		e.member("mimeType", b.MIMEType)
		if b.Size != 0 {
			e.raw(`,"size":`)
			e.buf = strconv.AppendInt(e.buf, b.Size, 10)
		}
		if len(b.Icons) > 0 {
			e.values("icons", b.Icons)
		}
	case ResourceType:
		if b.Resource != nil {
			e.raw(`,"resource":`)
			e.resource(b.Resource)
		}
	}
	if len(b.Annotations) > 0 {
		e.values("annotations", b.Annotations)
	}
	e.meta(b.Meta)
	e.raw("}")
}

func (e *encoder) resource(r *Resource) {
	e.raw(`{"uri":`)
	e.string(r.URI)
	e.member("mimeType", r.MIMEType)
	if r.Blob != nil {
		e.bytes("blob", r.Blob)
	} else {
		e.required("text", r.Text)
	}
	e.meta(r.Meta)
	e.raw("}")
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) flush() {
	if e.err != nil {
		return
	}
	if _, err := e.w.Write(e.buf); err != nil {
		e.fail(err)
	}
	e.buf = e.buf[:0]
}

func (e *encoder) raw(s string) { e.buf = append(e.buf, s...) }

func (e *encoder) string(s string) { e.buf = appendString(e.buf, s) }

func (e *encoder) name(name string) {
	e.raw(`,"`)
	e.raw(name)
	e.raw(`":`)
}

func (e *encoder) required(name, s string) {
	e.name(name)
	e.string(s)
}

func (e *encoder) member(name, s string) {
	if s != "" {
		e.required(name, s)
	}
}

func (e *encoder) bytes(name string, b []byte) {
	e.name(name)
	e.raw(`"`)
	e.buf = base64.StdEncoding.AppendEncode(e.buf, b)
	e.raw(`"`)
}

func (e *encoder) values(name string, v any) {
	e.name(name)
	if err := e.value(v, 0); err != nil {
		e.fail(fmt.Errorf("%s: %w", name, err))
	}
}

func (e *encoder) meta(m map[string]any) {
	if len(m) > 0 {
		e.values("_meta", m)
	}
}

// foreign writes JSON that something else wrote.
func (e *encoder) foreign(raw []byte) error {
	var one bytes.Buffer
	if err := json.Compact(&one, bytes.ToValidUTF8(raw, []byte("\uFFFD"))); err != nil {
		return err
	}
	// Outside strings JSON is ASCII without DEL, so every rune that is to be
	// escaped stands in a string.
	for _, r := range one.String() {
		if r >= 0x7f && mustEscape(r) {
			e.buf = appendEscape(e.buf, r)
		} else {
			e.buf = utf8.AppendRune(e.buf, r)
		}
	}
	return nil
}

var errNesting = errors.New("nested too deep")

// value writes what an attribute may hold, names of objects in order.
func (e *encoder) value(v any, depth int) error {
	if depth > maxValueDepth {
		return errNesting
	}
	switch v := v.(type) {
	case nil:
		e.raw("null")
	case string:
		e.string(v)
	case bool:
		e.buf = strconv.AppendBool(e.buf, v)
	case int:
		e.buf = strconv.AppendInt(e.buf, int64(v), 10)
	case []any:
		e.raw("[")
		for i, one := range v {
			if i > 0 {
				e.raw(",")
			}
			if err := e.value(one, depth+1); err != nil {
				return err
			}
		}
		e.raw("]")
	case map[string]any:
		e.raw("{")
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				e.raw(",")
			}
			e.string(name)
			e.raw(":")
			if err := e.value(v[name], depth+1); err != nil {
				return err
			}
		}
		e.raw("}")
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return e.foreign(raw)
	}
	return nil
}

// appendString appends s as a JSON string.
func appendString(to []byte, s string) []byte {
	to = append(to, '"')
	kept := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == utf8.RuneError && size == 1:
			to = append(to, s[kept:i]...)
			to = append(to, "\uFFFD"...)
			kept = i + size
		case mustEscape(r):
			to = append(to, s[kept:i]...)
			to = appendEscape(to, r)
			kept = i + size
		}
		i += size
	}
	to = append(to, s[kept:]...)
	return append(to, '"')
}

func mustEscape(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029
}

func appendEscape(to []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(to, '\\', byte(r))
	case '\n':
		return append(to, `\n`...)
	case '\r':
		return append(to, `\r`...)
	case '\t':
		return append(to, `\t`...)
	}
	return fmt.Appendf(to, `\u%04x`, r)
}
