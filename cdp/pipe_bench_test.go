package cdp

import (
	"io"
	"strings"
	"testing"
)

// An endless source gives the same bytes again and again, as a pipe does: in pieces.
type endless struct {
	text []byte
	at   int
}

// pipePiece is what the system gives at once of a pipe that is full.
const pipePiece = 64 << 10

func (e *endless) Read(to []byte) (int, error) {
	n := copy(to[:min(len(to), pipePiece)], e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

func (e *endless) Close() error { return nil }

type sunk struct{ io.Writer }

func (sunk) Close() error { return nil }

// BenchmarkPipe is what messages cost to take from a launched browser's pipe, and to put
// into it, in both languages that it speaks there: what lies between one message and the
// next, and with CBOR the turning into JSON and back.
func BenchmarkPipe(b *testing.B) {
	const node = `{"nodeId":"12345","ignored":false,"role":{"type":"role","value":"link"},"backendDOMNodeId":12345}`
	for _, size := range []struct {
		name  string
		nodes int
	}{{"one node", 1}, {"1,000 nodes", 1000}} {
		text := `{"id":1,"result":{"nodes":[` + strings.Repeat(node+",", size.nodes-1) + node + `]}}`
		var cbor cborEncoder
		if err := cbor.message([]byte(text)); err != nil {
			b.Fatal(err)
		}
		for _, wire := range []struct {
			name   string
			json   bool
			framed []byte
		}{{"JSON", true, append([]byte(text), 0)}, {"CBOR", false, cbor.out}} {
			b.Run("receive/"+wire.name+"/"+size.name, func(b *testing.B) {
				p := newPipe(&endless{text: wire.framed}, sunk{io.Discard}, wire.json)
				b.SetBytes(int64(len(wire.framed)))
				b.ReportAllocs()
				for b.Loop() {
					if msg, err := p.Receive(); err != nil || len(msg) != len(text) {
						b.Fatalf("received %d bytes, want %d (%v)", len(msg), len(text), err)
					}
				}
			})
			b.Run("send/"+wire.name+"/"+size.name, func(b *testing.B) {
				p := newPipe(&endless{text: wire.framed}, sunk{io.Discard}, wire.json)
				msg := []byte(text)
				b.SetBytes(int64(len(msg)))
				b.ReportAllocs()
				for b.Loop() {
					if err := p.Send(b.Context(), msg); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
