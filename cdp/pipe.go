package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pipeBuffer is how much one read from a browser's pipe asks for, and how much
// the pipe holds where we can say so: big results then arrive in few wake-ups.
const pipeBuffer = 1 << 20

var errMessageTooLarge = fmt.Errorf("the browser sent a message of more than %d MB", MaxMessage>>20)

// A jsonPipe is a Transport over the two pipes of a launched browser, where a
// zero byte ends each message.
type jsonPipe struct {
	from  io.ReadCloser
	to    io.WriteCloser
	limit int // bytes of a message

	closing sync.Once

	// buffer[start:] was read and not yet handed out; used by Receive only.
	buffer []byte
	start  int

	out []byte // a batch being put together, used by the sender only
}

func newJSONPipe(from io.ReadCloser, to io.WriteCloser) *jsonPipe {
	return &jsonPipe{from: from, to: to, limit: MaxMessage}
}

// Send implements Transport.
func (p *jsonPipe) Send(ctx context.Context, msg []byte) error {
	return p.sendAll(ctx, [][]byte{msg})
}

func (p *jsonPipe) sendAll(_ context.Context, msgs [][]byte) error {
	p.out = p.out[:0]
	for _, msg := range msgs {
		p.out = append(append(p.out, msg...), 0)
	}
	_, err := p.to.Write(p.out)
	if cap(p.out) > pipeBuffer {
		p.out = nil
	}
	return err
}

// Receive implements Transport. A large message is read into the slice that is
// handed out; a small one is copied out, so that keeping it does not keep its
// neighbours.
func (p *jsonPipe) Receive() ([]byte, error) {
	searched := p.start
	for {
		if end := bytes.IndexByte(p.buffer[searched:], 0); end >= 0 {
			return p.cut(searched + end), nil
		}
		pending := len(p.buffer) - p.start
		if pending > p.limit {
			return nil, errMessageTooLarge
		}
		if err := p.fill(); err != nil {
			return nil, err
		}
		searched = p.start + pending
	}
}

// cut takes the message that ends at end out of the buffer.
func (p *jsonPipe) cut(end int) []byte {
	msg, rest := p.buffer[p.start:end:end], p.buffer[end+1:]
	if len(msg) < pipeBuffer/16 {
		p.start = end + 1
		return bytes.Clone(msg)
	}
	p.buffer, p.start = append(make([]byte, 0, max(pipeBuffer, len(rest))), rest...), 0
	return msg
}

// fill reads once, after making room: by moving what is left to the front if
// that is enough, by growing if not.
func (p *jsonPipe) fill() error {
	const room = pipeBuffer / 16
	if cap(p.buffer)-len(p.buffer) < room {
		left := p.buffer[p.start:]
		if cap(p.buffer)-len(left) < max(room, len(left)) {
			p.buffer = make([]byte, 0, max(2*cap(p.buffer), pipeBuffer))
		}
		p.buffer, p.start = append(p.buffer[:0], left...), 0
	}
	n, err := p.from.Read(p.buffer[len(p.buffer):cap(p.buffer)])
	p.buffer = p.buffer[:len(p.buffer)+n]
	if n > 0 {
		return nil
	}
	return explainPipe(err)
}

// Close implements Transport.
func (p *jsonPipe) Close() error {
	var err error
	p.closing.Do(func() { err = errors.Join(p.to.Close(), p.from.Close()) })
	return err
}

// explainPipe puts the end of a pipe into words.
func explainPipe(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it closed its end of the pipe")
	}
	return err
}

// pipeSwitch is what has a browser speak its protocol over pipes.
func pipeSwitch(jsonWire bool) string {
	if jsonWire {
		return "--remote-debugging-pipe"
	}
	return "--remote-debugging-pipe=cbor"
}

func newPipe(from io.ReadCloser, to io.WriteCloser, jsonWire bool) framedPipe {
	if jsonWire {
		return newJSONPipe(from, to)
	}
	return newCBORPipe(from, to)
}
