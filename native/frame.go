package native

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// maxFrame is the longest frame that is taken from a browser, in bytes: Chrome
	// sends no longer ones.
	maxFrame = 64 << 20

	// maxSent is the longest frame that is sent, in bytes. Chrome ends a host that
	// sends more than 1 MiB; what is left over is for nobody to count on.
	maxSent = 1_000_000

	// frameStep is how much room is made for a frame before any of it has come: who
	// announces much and sends nothing costs no more.
	frameStep = 1 << 20

	// prefixSize is the size of the length before a frame.
	prefixSize = 4
)

// errFrameSize is wrapped by the errors about lengths that are not taken.
var errFrameSize = errors.New("a frame of a length that is not taken")

// readFrame reads one frame: its length as 32 bits in the byte order of the machine,
// then as many bytes. The error is io.EOF where the input ends between frames, and
// wraps io.ErrUnexpectedEOF where it ends within one.
func readFrame(r io.Reader) ([]byte, error) {
	var prefix [prefixSize]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, fmt.Errorf("reading the length of a frame: %w", err)
	}
	length := int64(binary.NativeEndian.Uint32(prefix[:]))
	if length == 0 || length > maxFrame {
		return nil, fmt.Errorf("%w: %d bytes", errFrameSize, length)
	}
	var frame bytes.Buffer
	frame.Grow(int(min(length, frameStep)))
	if _, err := io.CopyN(&frame, r, length); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("reading a frame of %d bytes, %d of which came: %w", length, frame.Len(), err)
	}
	return frame.Bytes(), nil
}

// writeFrame writes one frame, in one write.
func writeFrame(w io.Writer, message []byte) error {
	if len(message) == 0 || len(message) > maxSent {
		return fmt.Errorf("%w: %d bytes", errFrameSize, len(message))
	}
	frame := make([]byte, prefixSize, prefixSize+len(message))
	binary.NativeEndian.PutUint32(frame, uint32(len(message)))
	if _, err := w.Write(append(frame, message...)); err != nil {
		return fmt.Errorf("writing a frame: %w", err)
	}
	return nil
}
