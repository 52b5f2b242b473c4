package setup

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// A layout is how the writer of a JSON text sets it.
type layout struct {
	// eol ends a line, and unit is what a line is indented by for a level.
	eol, unit string
	// inline has everything on one line.
	inline bool
}

// layoutOf is that of a text. One without line ends inside its object is inline.
func layoutOf(text []byte, root *hujson.Object, shift int) layout {
	w := layout{eol: lineEnd(text), unit: "  "}
	trimmed := bytes.TrimSpace(text)
	w.inline = len(root.Members) > 0 && !bytes.ContainsRune(trimmed, '\n')
	for _, m := range root.Members {
		if indent, own := w.indentOf(text, m.Name.StartOffset+shift); own && indent != "" {
			w.unit = indent
			break
		}
	}
	return w
}

// indentOf is what the line of a byte is indented by, and whether nothing else is
// before the byte on it.
func (layout) indentOf(text []byte, at int) (indent string, own bool) {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	rest := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(rest)]), len(rest) == 0 && bytes.IndexByte(text[:at], '\n') >= 0
}

// object sets members, each indented already, between braces.
func (w layout) object(indent string, members ...string) string {
	if w.inline {
		return "{" + strings.Join(members, ", ") + "}"
	}
	return "{" + w.eol + strings.Join(members, ","+w.eol) + w.eol + indent + "}"
}

// named sets one member, with its indent.
func (w layout) named(indent, name, value string) string {
	if w.inline {
		indent = ""
	}
	return indent + quote(name) + ": " + value
}

// servers sets the object that our entry is alone in.
func (w layout) servers(indent string, entry []member) string {
	inner := indent + w.unit
	return w.object(indent, w.named(inner, serverName, w.entry(inner, entry)))
}

func (w layout) entry(indent string, entry []member) string {
	var members []string
	for _, m := range entry {
		members = append(members, w.named(indent+w.unit, m.name, quote(m.value)))
	}
	return w.object(indent, members...)
}

// insert puts a member behind the last one of an object that ends at a byte, with a
// trailing comma where the last one has one. What is written behind the last one on its
// line stays with it.
func (w layout) insert(text []byte, o *hujson.Object, shift, end int, outer string, member func(indent string, w layout) string) []splice {
	if len(o.Members) == 0 {
		brace := end - len("}")
		if w.inline {
			return []splice{{brace, brace, member("", w)}}
		}
		space := len(o.AfterExtra) - len(bytes.TrimRight(o.AfterExtra, " \t\r\n"))
		return []splice{{brace - space, brace, w.eol + member(outer+w.unit, w) + w.eol + outer}}
	}
	last := o.Members[len(o.Members)-1]
	valueEnd := last.Value.EndOffset + shift
	trailing := last.Value.AfterExtra != nil
	behind := valueEnd
	if trailing {
		behind += len(last.Value.AfterExtra) + len(",")
	}
	indent, own := w.indentOf(text, last.Name.StartOffset+shift)
	w.inline = w.inline || !own
	rest := string(o.AfterExtra)
	if !w.inline {
		// Up to the end of the line there may be a comment about the last one.
		line, _, broken := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, "\r \t")
		if about := strings.TrimLeft(line, " \t"); broken && (strings.HasPrefix(about, "//") || strings.HasSuffix(about, "*/")) {
			behind += len(line)
		}
	}
	lead, comma := w.eol, ""
	if w.inline {
		lead = " "
	}
	if trailing {
		comma = ","
	}
	entry := splice{behind, behind, lead + member(indent, w) + comma}
	if trailing {
		return []splice{entry}
	}
	if behind == valueEnd {
		entry.text = "," + entry.text
		return []splice{entry}
	}
	return []splice{{valueEnd, valueEnd, ","}, entry}
}
