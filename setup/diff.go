package setup

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// maxShown is the most of one line that is shown, in bytes: a configuration can be one
// line of megabytes.
const maxShown = 160

// diff shows what is different between two texts that are nearly alike, as the lines
// that go and those that come. What is alike in them, and the lines around them, are not
// shown: other servers' keys may be there.
func diff(before, after []byte) string {
	old, fresh := lines(before), lines(after)
	head := 0
	for head < len(old) && head < len(fresh) && bytes.Equal(old[head], fresh[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(fresh)-head && bytes.Equal(old[len(old)-1-tail], fresh[len(fresh)-1-tail]) {
		tail++
	}
	gone, come := old[head:len(old)-tail], fresh[head:len(fresh)-tail]
	var out strings.Builder
	fmt.Fprintf(&out, "  @@ line %d @@\n", head+1)
	head, tail = 0, 0
	if len(gone) > 0 && len(come) > 0 {
		head, tail = common(gone[0], come[0])
	}
	for i, line := range gone {
		fmt.Fprintf(&out, "  -%s\n", shown(line, i == 0, head, tail))
	}
	for i, line := range come {
		fmt.Fprintf(&out, "  +%s\n", shown(line, i == 0, head, tail))
	}
	return out.String()
}

func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// common is how many bytes two lines begin and end alike with. What is alike is
// another's, such as a line that gets a comma.
func common(a, b []byte) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// shown is a line as a terminal may have it: without what it has in common with another
// one, not too long, and with nothing that a terminal obeys.
func shown(line []byte, cut bool, head, tail int) string {
	text := string(line)
	if cut {
		text = text[head : len(text)-tail]
		if head > 0 {
			text = "…" + text
		}
		if tail > 0 && text != "…" {
			text += "…"
		}
	}
	text = strings.TrimSuffix(text, "\r")
	if len(text) > maxShown {
		text = text[:maxShown] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
