package setup

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/pelletier/go-toml/v2"
)

// A tomlDocument is a configuration in TOML. Our server is a table of its own; one that
// is written in another way is not changed.
type tomlDocument struct {
	text    []byte
	servers string
}

// values implements document.
func (d *tomlDocument) values() (all, servers map[string]any, err error) {
	all = map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(d.text, byteOrderMark), &all); err != nil {
		return nil, nil, fmt.Errorf("it is no TOML: %w", err)
	}
	held, there := all[d.servers]
	if !there {
		return all, map[string]any{}, nil
	}
	servers, ok := held.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("%q in it is no table", d.servers)
	}
	return all, servers, nil
}

// set implements document.
func (d *tomlDocument) set(entry []member) ([]byte, error) {
	_, servers, err := d.values()
	if err != nil {
		return nil, err
	}
	eol := lineEnd(d.text)
	if have, there := servers[serverName]; there {
		return d.update(have, entry, eol)
	}
	out := bytes.Clone(d.text)
	switch body := bytes.TrimPrefix(out, byteOrderMark); {
	case len(body) == 0:
	case !bytes.HasSuffix(body, []byte("\n")):
		out = append(out, eol+eol...)
	default:
		out = append(out, eol...)
	}
	out = fmt.Appendf(out, "[%s.%s]%s", d.servers, serverName, eol)
	for _, m := range entry {
		out = append(out, m.name+" = "+quote(m.value)+eol...)
	}
	return out, nil
}

// update gives the table that we have the settings it should have. Those that its user
// has added stay.
func (d *tomlDocument) update(value any, entry []member, eol string) ([]byte, error) {
	have, _ := value.(map[string]any)
	from, to, ok := d.table()
	text := d.text
	for _, m := range entry {
		if equal(have[m.name], m.value) {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s.%s in it is not written as a table of its own", d.servers, serverName)
		}
		line := m.name + " = " + quote(m.value) + eol
		// The header is the first line: what is missing goes right below it.
		at := from + bytes.IndexByte(text[from:to], '\n') + 1
		cut := splice{at, at, line}
		setting := regexp.MustCompile(`(?m)^[ \t]*` + regexp.QuoteMeta(m.name) + `[ \t]*=.*\n?`)
		if found := setting.FindIndex(text[from:to]); found != nil {
			cut = splice{from + found[0], from + found[1], line}
		}
		text = apply(text, cut)
		to += len(line) - (cut.to - cut.from)
	}
	return text, nil
}

// unset implements document. A table holds our server only, so bare has nothing to add.
func (d *tomlDocument) unset(bool) ([]byte, error) {
	_, servers, err := d.values()
	if err != nil {
		return nil, err
	}
	if _, there := servers[serverName]; !there {
		return d.text, nil
	}
	from, to, ok := d.table()
	if !ok {
		return nil, fmt.Errorf("%s.%s in it is not written as a table of its own", d.servers, serverName)
	}
	// The empty line that was put before it goes with it.
	for _, gap := range []string{"\r\n\r\n", "\n\n"} {
		if bytes.HasSuffix(d.text[:from], []byte(gap)) {
			from -= len(gap) / 2
			break
		}
	}
	return apply(d.text, splice{from, to, ""}), nil
}

// aSetting matches a line that a table of ours can have.
var aSetting = regexp.MustCompile(`^[ \t]*[A-Za-z0-9_-]+[ \t]*=.*\n?`)

// table is where the lines of our table are, with those of its settings. Settings that
// go over several lines are not understood: what the caller makes of it does not parse
// then, and is not written.
func (d *tomlDocument) table() (from, to int, ok bool) {
	header := regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*` + regexp.QuoteMeta(d.servers) + `[ \t]*\.[ \t]*["']?` + serverName + `["']?[ \t]*\][ \t]*(#.*)?\r?(\n|$)`)
	body := bytes.TrimPrefix(d.text, byteOrderMark)
	found := header.FindAllIndex(body, -1)
	if len(found) == 0 {
		return 0, 0, false
	}
	// There is one table of a name: others that look like it are in texts.
	last := found[len(found)-1]
	shift := len(d.text) - len(body)
	from, to = last[0]+shift, last[1]+shift
	for line := aSetting.Find(d.text[to:]); line != nil; line = aSetting.Find(d.text[to:]) {
		to += len(line)
	}
	return from, to, true
}
