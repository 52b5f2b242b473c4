package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"
)

// A jsonDocument is a configuration in JSON, which may have comments and trailing
// commas.
type jsonDocument struct {
	text    []byte
	servers string
}

// values implements document.
func (d *jsonDocument) values() (all, servers map[string]any, err error) {
	text := bytes.TrimPrefix(d.text, byteOrderMark)
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, map[string]any{}, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, nil, fmt.Errorf("it is no JSON: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(plain))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil || all == nil {
		return nil, nil, errors.New("it is no JSON object")
	}
	switch held := all[d.servers].(type) {
	case nil:
		if _, there := all[d.servers]; there {
			return nil, nil, fmt.Errorf("%q in it is null, not an object", d.servers)
		}
		return all, map[string]any{}, nil
	case map[string]any:
		return all, held, nil
	default:
		return nil, nil, fmt.Errorf("%q in it is no object", d.servers)
	}
}

// A splice puts text in the place of what is from one byte to another.
type splice struct {
	from, to int
	text     string
}

// apply makes changes that do not overlap, in order.
func apply(text []byte, splices ...splice) []byte {
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, text[at:s.from]...), s.text...)
		at = s.to
	}
	return append(out, text[at:]...)
}

// parsed is the tree of the text, and how far in the text it begins.
func (d *jsonDocument) parsed() (hujson.Value, *hujson.Object, int, error) {
	body := bytes.TrimPrefix(d.text, byteOrderMark)
	root, err := hujson.Parse(body)
	if err != nil {
		return root, nil, 0, fmt.Errorf("it is no JSON: %w", err)
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return root, nil, 0, errors.New("it is no JSON object")
	}
	return root, object, len(d.text) - len(body), nil
}

// lookUp finds a member by its name: the last one, as parsers do.
func lookUp(o *hujson.Object, name string) int {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if o.Members[i].Name.Value.(hujson.Literal).String() == name {
			return i
		}
	}
	return -1
}

// set implements document.
func (d *jsonDocument) set(entry []member) ([]byte, error) {
	eol := lineEnd(d.text)
	if len(bytes.TrimSpace(bytes.TrimPrefix(d.text, byteOrderMark))) == 0 {
		w := layout{eol: eol, unit: "  "}
		return append(bytes.Clone(d.text), w.object("", w.named("  ", d.servers, w.servers("  ", entry)))+eol...), nil
	}
	whole, root, shift, err := d.parsed()
	if err != nil {
		return nil, err
	}
	w := layoutOf(d.text, root, shift)
	at := lookUp(root, d.servers)
	if at < 0 {
		return apply(d.text, w.insert(d.text, root, shift, whole.EndOffset+shift, "", func(indent string, w layout) string {
			return w.named(indent, d.servers, w.servers(indent, entry))
		})...), nil
	}
	value := root.Members[at].Value
	held, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%q in it is no object", d.servers)
	}
	outer, _ := w.indentOf(d.text, root.Members[at].Name.StartOffset+shift)
	if ours := lookUp(held, serverName); ours >= 0 {
		return d.update(w, held.Members[ours], shift, entry)
	}
	return apply(d.text, w.insert(d.text, held, shift, value.EndOffset+shift, outer, func(indent string, w layout) string {
		return w.named(indent, serverName, w.entry(indent, entry))
	})...), nil
}

// update gives the entry that we have the members it should have, one after the other.
// Those that its user has added stay.
func (d *jsonDocument) update(w layout, ours hujson.ObjectMember, shift int, entry []member) ([]byte, error) {
	_, servers, err := d.values()
	if err != nil {
		return nil, err
	}
	indent, own := w.indentOf(d.text, ours.Name.StartOffset+shift)
	w.inline = w.inline || !own
	object, ok := ours.Value.Value.(*hujson.Object)
	if !ok {
		return apply(d.text, splice{ours.Value.StartOffset + shift, ours.Value.EndOffset + shift, w.entry(indent, entry)}), nil
	}
	have := servers[serverName].(map[string]any)
	for _, m := range entry {
		if equal(have[m.name], m.value) {
			continue
		}
		var changed []byte
		if at := lookUp(object, m.name); at >= 0 {
			value := object.Members[at].Value
			changed = apply(d.text, splice{value.StartOffset + shift, value.EndOffset + shift, quote(m.value)})
		} else {
			changed = apply(d.text, w.insert(d.text, object, shift, ours.Value.EndOffset+shift, indent, func(indent string, w layout) string {
				return w.named(indent, m.name, quote(m.value))
			})...)
		}
		return (&jsonDocument{text: changed, servers: d.servers}).set(entry)
	}
	return d.text, nil
}

// unset implements document.
func (d *jsonDocument) unset(bare bool) ([]byte, error) {
	_, root, shift, err := d.parsed()
	if err != nil {
		return nil, err
	}
	at := lookUp(root, d.servers)
	if at < 0 {
		return d.text, nil
	}
	held, ok := root.Members[at].Value.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%q in it is no object", d.servers)
	}
	ours := lookUp(held, serverName)
	if ours < 0 {
		return d.text, nil
	}
	if bare && len(held.Members) == 1 && isSpace(held.Members[0].Name.BeforeExtra) && isSpace(held.AfterExtra) {
		return d.without(root, shift, at), nil
	}
	return d.without(held, shift, ours), nil
}

func isSpace(extra hujson.Extra) bool { return len(bytes.TrimSpace(extra)) == 0 }

// without cuts a member out, with the comma that it needs and the line that it has.
// Comments before it, and those on the lines of others, stay.
func (d *jsonDocument) without(o *hujson.Object, shift, at int) []byte {
	m := o.Members[at]
	before := bytes.TrimRight(m.Name.BeforeExtra, " \t\r\n")
	cut := splice{from: m.Name.StartOffset + shift - (len(m.Name.BeforeExtra) - len(before)), to: m.Value.EndOffset + shift}
	last := at == len(o.Members)-1
	comma := !last || m.Value.AfterExtra != nil
	if comma {
		cut.to += len(m.Value.AfterExtra) + len(",")
	}
	if len(o.Members) == 1 && len(before) == 0 && isSpace(o.AfterExtra) {
		cut.to += len(o.AfterExtra)
	}
	behind := bytes.TrimLeft(d.text[cut.to:], " \t\r")
	if len(before) > 0 && !bytes.HasPrefix(behind, []byte("\n")) {
		cut.text = lineEnd(d.text) // a comment to the end of its line needs that
	}
	if !last || comma || at == 0 {
		return apply(d.text, cut)
	}
	// The one before is the last now, and had its comma for this one's sake.
	previous := o.Members[at-1].Value
	end := previous.EndOffset + shift + len(previous.AfterExtra)
	return apply(d.text, splice{end, end + len(","), ""}, cut)
}
