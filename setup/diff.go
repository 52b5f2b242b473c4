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
// that go and those that come. Lines around it are not shown: other servers' keys may
// be in them.
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
	same := 0
	if len(gone) == 1 && len(come) == 1 {
		same = common(gone[0], come[0])
	}
	for _, line := range gone {
		fmt.Fprintf(&out, "  -%s\n", shown(line, same))
	}
	for _, line := range come {
		fmt.Fprintf(&out, "  +%s\n", shown(line, same))
	}
	return out.String()
}

func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// common is how many bytes two lines begin alike with.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// shown is a line as a terminal may have it: one that is too long from where it is
// another, and nothing that a terminal obeys.
func shown(line []byte, same int) string {
	text := strings.TrimSuffix(string(line), "\r")
	if same > maxShown/2 {
		text = "…" + text[min(same, len(text)):]
	}
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
