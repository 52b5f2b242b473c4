package main

import (
	"strconv"
	"strings"
	"unicode"
)

// oneLine makes a text one line in which nothing moves a cursor or hides: what an
// error repeats may come from a page.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == ' ':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}
