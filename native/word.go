package native

import "strings"

// maxWord is how much of a word of the extension's is logged.
const maxWord = 40

// clean gives a word of the extension's as it may stand in a log: what is no plain
// word is left out.
func clean(word string) string {
	word = strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, word)
	return word[:min(len(word), maxWord)]
}
