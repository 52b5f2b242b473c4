package cdp

import (
	"bytes"
	"unicode/utf8"
)

// mendText makes a message decodable: half a surrogate pair, which pages may
// hold in any string and JSON decoders refuse, becomes U+FFFD, and so does what
// is not UTF-8. It works in place where it can: an escape is replaced by one as
// long. A message that is in order, as almost all are, costs two quick scans.
func mendText(msg []byte) []byte {
	if bytes.Contains(msg, []byte(`\ud`)) || bytes.Contains(msg, []byte(`\uD`)) {
		mendSurrogates(msg)
	}
	if !utf8.Valid(msg) {
		return bytes.ToValidUTF8(msg, []byte("\uFFFD"))
	}
	return msg
}

func mendSurrogates(msg []byte) {
	for i := 0; ; {
		next := bytes.IndexByte(msg[i:], '\\')
		if next < 0 {
			return
		}
		i += next
		switch half := surrogate(msg[i:]); {
		case half == 0:
			i += 2
			if i >= len(msg) {
				return
			}
		case half == highHalf && surrogate(msg[i+escapeLen:]) == lowHalf:
			i += 2 * escapeLen
		default:
			copy(msg[i:], `\ufffd`)
			i += escapeLen
		}
	}
}

// The halves of a surrogate pair, and the length of the escape of one.
const (
	highHalf  = 1
	lowHalf   = 2
	escapeLen = len(`\ud800`)
)

// surrogate tells which half of a pair the escape at the start of text is, or 0.
func surrogate(text []byte) int {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' || text[2]|0x20 != 'd' {
		return 0
	}
	switch text[3] {
	case '8', '9', 'a', 'b', 'A', 'B':
		return highHalf
	case 'c', 'd', 'e', 'f', 'C', 'D', 'E', 'F':
		return lowHalf
	}
	return 0
}
