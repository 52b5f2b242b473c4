package cdp

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A cborDecoder turns messages of Chrome's CBOR into JSON text while they arrive,
// in one pass and without recursion: depth costs it one byte a level.
type cborDecoder struct {
	source io.Reader
	limit  int // bytes of a message, as CBOR and as JSON

	// buffer[pos:end] was read and not yet decoded; base is where in the
	// stream buffer begins.
	buffer   []byte
	pos, end int
	base     int64

	open []level // the maps and arrays we are in
	out  []byte
}

// A level is a map or an array that has begun, and what it expects next.
type level byte

const (
	inArrayFirst level = iota // a value or the end
	inArray                   // a comma and a value, or the end
	inMapFirst                // a key or the end
	inMapKey                  // a comma and a key, or the end
	inMapValue                // a colon and a value
)

// message decodes the next message. The slice belongs to the caller.
func (d *cborDecoder) message() ([]byte, error) {
	size, err := d.envelope()
	if err != nil {
		return nil, err
	}
	end := d.offset() + int64(size)
	// JSON text is about as long as this CBOR; a page full of characters that
	// need escapes makes it longer.
	d.out = make([]byte, 0, size+size/8+32)
	d.open = d.open[:0]
	for {
		if err := d.item(); err != nil {
			return nil, err
		}
		if len(d.out) > d.limit {
			return nil, errMessageTooLarge
		}
		if len(d.open) == 0 {
			break
		}
	}
	if d.offset() != end || d.out[0] != '{' {
		return nil, errCBOR
	}
	out := d.out
	d.out = nil
	return out, nil
}

// item decodes one step: a scalar, the begin or the end of a map or an array.
func (d *cborDecoder) item() error {
	if err := d.need(1); err != nil {
		return err
	}
	first := d.buffer[d.pos]
	if first == cborStop {
		d.pos++
		return d.stop()
	}
	if err := d.separate(first); err != nil {
		return err
	}
	switch first & cborMajor {
	case cborUnsigned, cborNegative:
		return d.integer()
	case cborBytes:
		return d.text16()
	case cborText:
		return d.text8()
	}
	switch first {
	case cborTag8:
		_, err := d.envelope()
		if err != nil {
			return err
		}
		if err := d.need(1); err != nil {
			return err
		}
		first = d.buffer[d.pos]
		if first != cborMap && first != cborArray {
			return errCBOR
		}
		return d.begin(first)
	case cborMap, cborArray:
		return d.begin(first)
	case cborBase64:
		return d.base64()
	case cborDouble:
		return d.double()
	case cborFalse:
		d.out = append(d.out, "false"...)
	case cborTrue:
		d.out = append(d.out, "true"...)
	case cborNull:
		d.out = append(d.out, "null"...)
	default:
		return errCBOR
	}
	d.pos++
	return nil
}

// separate writes what stands in JSON between the previous item and one that
// begins with the byte first.
func (d *cborDecoder) separate(first byte) error {
	if len(d.open) == 0 {
		return nil
	}
	top := &d.open[len(d.open)-1]
	switch *top {
	case inArrayFirst:
		*top = inArray
		return nil
	case inArray:
		d.out = append(d.out, ',')
		return nil
	case inMapValue:
		d.out = append(d.out, ':')
		*top = inMapKey
		return nil
	case inMapKey:
		d.out = append(d.out, ',')
	}
	*top = inMapValue
	if major := first & cborMajor; major != cborText && major != cborBytes {
		return errCBOR
	}
	return nil
}

func (d *cborDecoder) begin(first byte) error {
	d.pos++
	if first == cborMap {
		d.out = append(d.out, '{')
		d.open = append(d.open, inMapFirst)
		return nil
	}
	d.out = append(d.out, '[')
	d.open = append(d.open, inArrayFirst)
	return nil
}

func (d *cborDecoder) stop() error {
	if len(d.open) == 0 {
		return errCBOR
	}
	switch d.open[len(d.open)-1] {
	case inArrayFirst, inArray:
		d.out = append(d.out, ']')
	case inMapFirst, inMapKey:
		d.out = append(d.out, '}')
	default:
		return errCBOR
	}
	d.open = d.open[:len(d.open)-1]
	return nil
}

// envelope reads an envelope's header and returns how many bytes it holds. How
// an inner one compares with its content is not checked: nothing depends on it.
func (d *cborDecoder) envelope() (int, error) {
	if err := d.need(envelopeHeader); err != nil {
		return 0, err
	}
	head := d.buffer[d.pos:]
	if head[0] != cborTag8 || head[1] != envelopeTag || head[2] != envelopeLength {
		return 0, errCBOR
	}
	size := binary.BigEndian.Uint32(head[3:])
	if int64(size) > int64(d.limit) {
		return 0, errMessageTooLarge
	}
	d.pos += envelopeHeader
	return int(size), nil
}

// argument reads the first byte and the number that it carries or announces.
func (d *cborDecoder) argument() (uint64, error) {
	info := d.buffer[d.pos] & cborInfo
	if info < info8 {
		d.pos++
		return uint64(info), nil
	}
	if info > info64 {
		return 0, errCBOR
	}
	size := 1 << (info - info8)
	if err := d.need(1 + size); err != nil {
		return 0, err
	}
	number := uint64(0)
	for _, b := range d.buffer[d.pos+1 : d.pos+1+size] {
		number = number<<8 | uint64(b)
	}
	d.pos += 1 + size
	return number, nil
}

func (d *cborDecoder) integer() error {
	negative := d.buffer[d.pos]&cborMajor == cborNegative
	number, err := d.argument()
	if err != nil {
		return err
	}
	if number > math.MaxInt64 {
		return errCBOR
	}
	value := int64(number)
	if negative {
		value = -1 - value
	}
	d.out = strconv.AppendInt(d.out, value, 10)
	return nil
}

func (d *cborDecoder) double() error {
	const size = 9
	if err := d.need(size); err != nil {
		return err
	}
	value := math.Float64frombits(binary.BigEndian.Uint64(d.buffer[d.pos+1:]))
	d.pos += size
	if math.IsNaN(value) || math.IsInf(value, 0) {
		d.out = append(d.out, "null"...)
		return nil
	}
	d.out = strconv.AppendFloat(d.out, value, 'g', -1, 64)
	return nil
}

// length reads the head of a string.
func (d *cborDecoder) length() (int, error) {
	number, err := d.argument()
	if err != nil {
		return 0, err
	}
	if number > uint64(d.limit) {
		return 0, errMessageTooLarge
	}
	return int(number), nil
}

// text8 copies UTF-8. Bytes that are not become so later, with the rest of the
// message (see mendText).
func (d *cborDecoder) text8() error {
	left, err := d.length()
	if err != nil {
		return err
	}
	d.out = append(d.out, '"')
	for left > 0 {
		piece, err := d.piece(left, 1)
		if err != nil {
			return err
		}
		left -= len(piece)
		d.out = appendEscaped(d.out, piece)
	}
	d.out = append(d.out, '"')
	return nil
}

func (d *cborDecoder) text16() error {
	left, err := d.length()
	if err != nil {
		return err
	}
	if left%2 != 0 {
		return errCBOR
	}
	d.out = append(d.out, '"')
	high := rune(0) // the first half of a pair, waiting for the second
	for left > 0 {
		piece, err := d.piece(left, 2)
		if err != nil {
			return err
		}
		left -= len(piece)
		for ; len(piece) > 0; piece = piece[2:] {
			unit := rune(binary.LittleEndian.Uint16(piece))
			if high != 0 {
				pair := utf16.DecodeRune(high, unit)
				high = 0
				d.out = utf8.AppendRune(d.out, pair)
				if pair != utf8.RuneError {
					continue
				}
			}
			switch {
			case unit < utf8.RuneSelf:
				d.out = appendEscaped(d.out, piece[:1])
			case utf16.IsSurrogate(unit) && unit < 0xdc00:
				high = unit
			default:
				d.out = utf8.AppendRune(d.out, unit)
			}
		}
	}
	if high != 0 {
		d.out = utf8.AppendRune(d.out, utf8.RuneError)
	}
	d.out = append(d.out, '"')
	return nil
}

func (d *cborDecoder) base64() error {
	if err := d.need(2); err != nil {
		return err
	}
	d.pos++
	if d.buffer[d.pos]&cborMajor != cborBytes {
		return errCBOR
	}
	left, err := d.length()
	if err != nil {
		return err
	}
	d.out = append(d.out, '"')
	for left > 0 {
		piece, err := d.piece(left, 3)
		if err != nil {
			return err
		}
		left -= len(piece)
		d.out = base64.StdEncoding.AppendEncode(d.out, piece)
	}
	d.out = append(d.out, '"')
	return nil
}

// piece takes the next part of a string with left bytes to come: what is there,
// in whole units of the given size, the last of which may be cut short.
func (d *cborDecoder) piece(left, unit int) ([]byte, error) {
	if err := d.need(min(left, unit)); err != nil {
		return nil, err
	}
	size := min(left, d.end-d.pos)
	if size < left {
		size -= size % unit
	}
	piece := d.buffer[d.pos : d.pos+size]
	d.pos += size
	return piece, nil
}

func (d *cborDecoder) offset() int64 { return d.base + int64(d.pos) }

// need makes sure that n bytes can be looked at. It never waits for more.
func (d *cborDecoder) need(n int) error {
	if d.end-d.pos >= n {
		return nil
	}
	return d.fill(n)
}

func (d *cborDecoder) fill(n int) error {
	if d.buffer == nil {
		d.buffer = make([]byte, cborBuffer)
	}
	d.base += int64(d.pos)
	d.end = copy(d.buffer, d.buffer[d.pos:d.end])
	d.pos = 0
	read, err := io.ReadAtLeast(d.source, d.buffer[d.end:], n-d.end)
	d.end += read
	if err != nil {
		return fmt.Errorf("receiving a message: %w", err)
	}
	return nil
}

// cborBuffer is small enough to stay in the processor's cache between reading
// and decoding, and as large as what one read of a pipe returns.
const cborBuffer = 64 << 10

// plain tells which bytes stand for themselves in a JSON string.
var plain = func() (table [256]bool) {
	for b := range table {
		table[b] = b >= ' ' && b != '"' && b != '\\'
	}
	return table
}()

func appendEscaped(out, text []byte) []byte {
	for len(text) > 0 {
		run := 0
		for run < len(text) && plain[text[run]] {
			run++
		}
		out = append(out, text[:run]...)
		if run == len(text) {
			return out
		}
		switch b := text[run]; b {
		case '"', '\\':
			out = append(out, '\\', b)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			const hex = "0123456789abcdef"
			out = append(out, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
		text = text[run+1:]
	}
	return out
}
