package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// A document is the text of a configuration that is changed in as few places as can
// be.
type document interface {
	// set gives our server an entry. The text is as before where it has it already.
	set(entry []member) ([]byte, error)
	// unset takes our server away, and with bare also what held it, if nothing else is
	// in that.
	unset(bare bool) ([]byte, error)
	// values are what the configuration says, and of that the servers.
	values() (all, servers map[string]any, err error)
}

// open reads a configuration. An empty one is one without settings.
func (c client) open(text []byte) (document, error) {
	var d document = &jsonDocument{text: text, servers: c.servers}
	if c.format == tomlText {
		d = &tomlDocument{text: text, servers: c.servers}
	}
	if _, _, err := d.values(); err != nil {
		return nil, err
	}
	return d, nil
}

// merged is a configuration with our entry.
func (c client) merged(text []byte, entry []member) ([]byte, error) {
	d, err := c.open(text)
	if err != nil {
		return nil, err
	}
	after, err := d.set(entry)
	if err != nil {
		return nil, err
	}
	if err := c.checkOthers(text, after); err != nil {
		return nil, err
	}
	got, _ := c.entryOf(after)
	have, _ := got.(map[string]any)
	for _, m := range entry {
		if !equal(have[m.name], m.value) {
			return nil, fmt.Errorf("the change would not set %s of its entry", m.name)
		}
	}
	return after, nil
}

// cleared is a configuration without our entry.
func (c client) cleared(text []byte, bare bool) ([]byte, error) {
	d, err := c.open(text)
	if err != nil {
		return nil, err
	}
	after, err := d.unset(bare)
	if err != nil {
		return nil, err
	}
	if err := c.checkOthers(text, after); err != nil {
		return nil, err
	}
	if _, there := c.entryOf(after); there {
		return nil, errors.New("a part of its entry is elsewhere in it")
	}
	return after, nil
}

// entryOf is what a configuration says of our server.
func (c client) entryOf(text []byte) (any, bool) {
	d, err := c.open(text)
	if err != nil {
		return nil, false
	}
	_, servers, _ := d.values()
	entry, ok := servers[serverName]
	return entry, ok
}

// holds reports whether a configuration has what servers sit in.
func (c client) holds(text []byte) bool {
	d, err := c.open(text)
	if err != nil {
		return false
	}
	all, _, _ := d.values()
	_, there := all[c.servers]
	return there
}

// checkOthers finds a change of anything that is not ours, before it is written: of
// what a parser says of the two texts, whoever wrote the rest.
func (c client) checkOthers(before, after []byte) error {
	var rest [2]map[string]any
	for i, text := range [][]byte{before, after} {
		d, err := c.open(text)
		if err != nil {
			return fmt.Errorf("the change would break it: %w", err)
		}
		all, servers, _ := d.values()
		delete(servers, serverName)
		if len(servers) == 0 {
			delete(all, c.servers)
		}
		rest[i] = all
	}
	if !reflect.DeepEqual(rest[0], rest[1]) {
		return errors.New("the change would reach what is not ours")
	}
	return nil
}

// snippet is what a person pastes into a configuration to have our entry.
func (c client) snippet(entry []member) string {
	var d document = &jsonDocument{servers: c.servers}
	if c.format == tomlText {
		d = &tomlDocument{servers: c.servers}
	}
	text, _ := d.set(entry)
	return string(text)
}

// equal reports whether a value of a configuration is one of an entry.
func equal(have, want any) bool {
	got, err := json.Marshal(have)
	if err != nil {
		return false
	}
	expected, err := json.Marshal(want)
	return err == nil && bytes.Equal(got, expected)
}

// lineEnd is the one that a text has.
func lineEnd(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// quote writes a value on one line, as JSON and as TOML have it.
func quote(value any) string {
	var out strings.Builder
	switch v := value.(type) {
	case []string:
		for i, word := range v {
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString(quote(word))
		}
		return "[" + out.String() + "]"
	default:
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			panic(fmt.Sprintf("encoding an entry: %v", err))
		}
		return strings.TrimSuffix(out.String(), "\n")
	}
}

// byteOrderMark is what some editors of Windows put before a text.
var byteOrderMark = []byte("\ufeff")
