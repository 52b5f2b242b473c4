package cdp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

var errNotJSON = errors.New("the command is not JSON")

// maxCommandDepth bounds how deep the parameters of a command may nest; Chrome
// itself reads no more than 300 levels.
const maxCommandDepth = 300

// A cborEncoder turns commands, JSON that we have written ourselves, into
// Chrome's CBOR.
type cborEncoder struct {
	out []byte
}

// reset forgets what was encoded, and the memory for it if that was unusual.
func (e *cborEncoder) reset() {
	if cap(e.out) > pipeBuffer {
		e.out = nil
	}
	e.out = e.out[:0]
}

// message appends one command.
func (e *cborEncoder) message(text []byte) error {
	rest, err := e.value(text, 0)
	if err != nil {
		return err
	}
	if len(skipSpace(rest)) != 0 {
		return errNotJSON
	}
	return nil
}

func (e *cborEncoder) value(text []byte, depth int) (rest []byte, err error) {
	text = skipSpace(text)
	if len(text) == 0 || depth > maxCommandDepth {
		return nil, errNotJSON
	}
	switch text[0] {
	case '{':
		return e.container(text[1:], depth, cborMap, '}')
	case '[':
		return e.container(text[1:], depth, cborArray, ']')
	case '"':
		return e.text(text)
	case 't':
		return e.literal(text, "true", cborTrue)
	case 'f':
		return e.literal(text, "false", cborFalse)
	case 'n':
		return e.literal(text, "null", cborNull)
	}
	return e.number(text)
}

// container encodes the members up to the closing byte, inside an envelope.
func (e *cborEncoder) container(text []byte, depth int, kind, closing byte) ([]byte, error) {
	e.out = append(e.out, cborTag8, envelopeTag, envelopeLength, 0, 0, 0, 0, kind)
	start := len(e.out) - 1
	text = skipSpace(text)
	for first := true; len(text) > 0 && text[0] != closing; first = false {
		if !first {
			if text[0] != ',' {
				return nil, errNotJSON
			}
			text = text[1:]
		}
		var err error
		if kind == cborMap {
			if text, err = e.key(text); err != nil {
				return nil, err
			}
		}
		if text, err = e.value(text, depth+1); err != nil {
			return nil, err
		}
		text = skipSpace(text)
	}
	if len(text) == 0 {
		return nil, errNotJSON
	}
	e.out = append(e.out, cborStop)
	size := len(e.out) - start
	if size > math.MaxUint32 {
		return nil, errNotJSON
	}
	binary.BigEndian.PutUint32(e.out[start-4:], uint32(size))
	return text[1:], nil
}

func (e *cborEncoder) key(text []byte) ([]byte, error) {
	text = skipSpace(text)
	if len(text) == 0 || text[0] != '"' {
		return nil, errNotJSON
	}
	text, err := e.text(text)
	if err != nil {
		return nil, err
	}
	text = skipSpace(text)
	if len(text) == 0 || text[0] != ':' {
		return nil, errNotJSON
	}
	return text[1:], nil
}

func (e *cborEncoder) text(text []byte) ([]byte, error) {
	end, escaped := 1, false
	for ; end < len(text) && text[end] != '"'; end++ {
		if text[end] == '\\' {
			escaped = true
			end++
		}
	}
	if end >= len(text) {
		return nil, errNotJSON
	}
	raw, rest := text[:end+1], text[end+1:]
	if !escaped {
		e.string(raw[1:end])
		return rest, nil
	}
	var decoded string
	if err := jsonv2.Unmarshal(raw, &decoded, tolerant); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	e.string([]byte(decoded))
	return rest, nil
}

func (e *cborEncoder) string(text []byte) {
	e.head(cborText, uint64(len(text)))
	e.out = append(e.out, text...)
}

func (e *cborEncoder) literal(text []byte, word string, code byte) ([]byte, error) {
	if len(text) < len(word) || string(text[:len(word)]) != word {
		return nil, errNotJSON
	}
	e.out = append(e.out, code)
	return text[len(word):], nil
}

// number writes whole numbers of 32 bits as such, however they are spelled, for
// the browser takes nothing else for an integer.
func (e *cborEncoder) number(text []byte) ([]byte, error) {
	end := 0
	for end < len(text) && isNumberByte(text[end]) {
		end++
	}
	value, err := strconv.ParseFloat(string(text[:end]), 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	whole := value == math.Trunc(value) && !(value == 0 && math.Signbit(value))
	switch {
	case whole && value >= 0 && value <= math.MaxInt32:
		e.head(cborUnsigned, uint64(value))
	case whole && value < 0 && value >= math.MinInt32:
		e.head(cborNegative, uint64(-1-value))
	default:
		e.out = append(e.out, cborDouble)
		e.out = binary.BigEndian.AppendUint64(e.out, math.Float64bits(value))
	}
	return text[end:], nil
}

// head writes a first byte with the number that belongs to it, in the shortest
// form.
func (e *cborEncoder) head(major byte, number uint64) {
	switch {
	case number < info8:
		e.out = append(e.out, major|byte(number))
	case number <= math.MaxUint8:
		e.out = append(e.out, major|info8, byte(number))
	case number <= math.MaxUint16:
		e.out = binary.BigEndian.AppendUint16(append(e.out, major|info16), uint16(number))
	default:
		e.out = binary.BigEndian.AppendUint32(append(e.out, major|info32), uint32(number))
	}
}

func skipSpace(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\r' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

func isNumberByte(b byte) bool {
	return b >= '0' && b <= '9' || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E'
}
