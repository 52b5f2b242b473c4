package cdp

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Chrome's dialect of CBOR (RFC 8949): integers of 32 bits, other numbers as
// doubles, maps and arrays of indefinite length only, each inside an envelope (a
// byte string, tagged 24, that tells its length in four bytes), text as UTF-8 or
// else as a byte string of little-endian UTF-16, and binary data as a byte
// string tagged 22, which is base64 in JSON.
const (
	cborUnsigned = 0 << 5
	cborNegative = 1 << 5
	cborBytes    = 2 << 5
	cborText     = 3 << 5

	cborMajor = 7 << 5   // the bits of the first byte that tell the type
	cborInfo  = 1<<5 - 1 // the bits that tell the length, or of how many bytes it is
	info8     = 24       // the length is in the next byte, and so on
	info16    = 25
	info32    = 26
	info64    = 27

	cborArray  = 0x9f
	cborMap    = 0xbf
	cborBase64 = 0xd6
	cborTag8   = 0xd8 // a tag in the next byte
	cborFalse  = 0xf4
	cborTrue   = 0xf5
	cborNull   = 0xf6
	cborDouble = 0xfb
	cborStop   = 0xff

	envelopeTag    = 24
	envelopeLength = cborBytes | info32
	envelopeHeader = 7 // bytes: tag, tag number, kind of length, length
)

var errCBOR = errors.New("the browser sent CBOR that is not of its own dialect")

// A cborPipe is a Transport over the two pipes of a launched browser that speaks
// CBOR. Messages are JSON on our side of it.
type cborPipe struct {
	from io.Closer
	to   io.WriteCloser

	closing sync.Once

	decoder cborDecoder // used by Receive only
	encoder cborEncoder // used by the sender only
}

func newCBORPipe(from io.ReadCloser, to io.WriteCloser) *cborPipe {
	return &cborPipe{from: from, to: to, decoder: cborDecoder{source: from, limit: MaxMessage}}
}

// Send implements Transport.
func (p *cborPipe) Send(ctx context.Context, msg []byte) error {
	return p.sendAll(ctx, [][]byte{msg})
}

func (p *cborPipe) sendAll(_ context.Context, msgs [][]byte) error {
	p.encoder.reset()
	for _, msg := range msgs {
		if err := p.encoder.message(msg); err != nil {
			return err
		}
	}
	_, err := p.to.Write(p.encoder.out)
	return err
}

// Receive implements Transport.
func (p *cborPipe) Receive() ([]byte, error) {
	msg, err := p.decoder.message()
	return msg, explainPipe(err)
}

// Close implements Transport.
func (p *cborPipe) Close() error {
	var err error
	p.closing.Do(func() { err = errors.Join(p.to.Close(), p.from.Close()) })
	return err
}
