package native

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxJoined is the longest message that is joined from parts, in bytes: what
	// package cdp takes from a browser.
	maxJoined = 512 << 20

	// maxCut is the longest message that is sent in parts, in bytes: what the
	// extension takes.
	maxCut = 16 << 20

	// maxOpen is how many messages may be in parts at once. The extension sends one
	// after another.
	maxOpen = 16

	// partShell is more than what is around the text of a part, in bytes.
	partShell = 100
)

var errTooLong = errors.New("a message is longer than is taken")

// A joiner makes messages of their parts again.
type joiner struct {
	most int // bytes of all messages together
	open map[int64]*strings.Builder
	size int // bytes of all
}

// add takes a part. The message is nil until its last part has come.
func (j *joiner) add(p partMessage) ([]byte, error) {
	text := j.open[p.Of]
	if text == nil {
		if len(j.open) >= maxOpen {
			return nil, fmt.Errorf("%w: parts of more than %d messages at once", errShape, maxOpen)
		}
		if j.open == nil {
			j.open = map[int64]*strings.Builder{}
		}
		text = &strings.Builder{}
		j.open[p.Of] = text
	}
	if j.size+len(p.Text) > j.most {
		return nil, fmt.Errorf("%w: %d bytes in parts", errTooLong, j.size+len(p.Text))
	}
	text.WriteString(p.Text)
	j.size += len(p.Text)
	if !p.Last {
		return nil, nil
	}
	delete(j.open, p.Of)
	j.size -= text.Len()
	return []byte(text.String()), nil
}

// cut gives the frames of a message: itself where it fits, else parts, which number
// says belong together.
func cut(message []byte, number int64) ([][]byte, error) {
	if len(message) <= maxSent {
		return [][]byte{message}, nil
	}
	if len(message) > maxCut {
		return nil, fmt.Errorf("%w: %d bytes", errTooLong, len(message))
	}
	var frames [][]byte
	for rest := message; len(rest) > 0; {
		end := fitting(rest, maxSent-partShell)
		frame, err := encodeMessage(partMessage{kindPart, number, end == len(rest), string(rest[:end])})
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame)
		rest = rest[end:]
	}
	return frames, nil
}

// fitting is how many bytes of a text make a JSON string of at most most bytes. It
// splits no character.
func fitting(text []byte, most int) int {
	at, size := 0, 0
	for at < len(text) {
		r, width := utf8.DecodeRune(text[at:])
		cost := width
		switch {
		case r == '"' || r == '\\':
			cost = 2
		case r < ' ' || r == utf8.RuneError:
			cost = len(`\u0000`)
		}
		if size+cost > most {
			break
		}
		size += cost
		at += width
	}
	return at
}
