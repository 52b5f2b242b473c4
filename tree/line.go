package tree

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textRole is the role of what is only words.
const textRole = "text"

// Lines gives a line for each row, without its indentation:
//
//   - [3] button "Save" = "value" (description) [actions=[press]]
//
// What a page says is escaped, so that it stays in its line and in its place there.
func Lines(rows []Row, indices []int) []string {
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = line(&rows[i], indices[i])
	}
	return lines
}

func line(r *Row, index int) string {
	var b strings.Builder
	b.WriteString("- ")
	if index >= 0 {
		b.WriteString("[" + strconv.Itoa(index) + "] ")
	}
	b.WriteString(word(r.Role))
	if r.Name != "" || r.Role == textRole {
		b.WriteString(` "` + quoted(r.Name, "") + `"`)
	}
	if r.Value != "" {
		b.WriteString(` = "` + quoted(r.Value, "") + `"`)
	}
	if r.Description != "" {
		b.WriteString(" (" + quoted(r.Description, "()[]") + ")")
	}
	if len(r.Actions) > 0 {
		b.WriteString(" [actions=[" + strings.Join(r.Actions, ", ") + "]]")
	}
	return b.String()
}

// word keeps of a role what can be one: it may be the page's own word.
func word(role string) string {
	role = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, role)
	if role == "" {
		return "unknown"
	}
	return role
}

// quoted escapes quotes, backslashes and the runes of also, and what ends a line,
// turns its direction or is not seen.
func quoted(s, also string) string {
	if isPlain(s, also) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '"' || r == '\\' || strings.ContainsRune(also, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case unseen(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain tells of words without anything to escape: most are.
func isPlain(s, also string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || strings.IndexByte(also, c) >= 0 {
			return false
		}
	}
	return true
}

// joiners are needed to write some scripts, and to draw some pictures of one rune
// after another.
const joiners = "\u200c\u200d"

func unseen(r rune) bool {
	if strings.ContainsRune(joiners, r) {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Cf, r)
}

// Markdown writes the lines of rows, two spaces in for each level.
func Markdown(rows []Row, lines []string) string {
	var b strings.Builder
	for i, d := range Depths(rows) {
		for range d {
			b.WriteString("  ")
		}
		b.WriteString(lines[i])
		b.WriteByte('\n')
	}
	return b.String()
}
