package cdp

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestJSONPipeReceive(t *testing.T) {
	large := strings.Repeat("x", 3*pipeBuffer)
	middle := strings.Repeat("y", pipeBuffer/16)
	messages := []string{"a", "", large, "b", middle, middle, "c", large, large, "d"}
	for i := range 1000 {
		messages = append(messages, fmt.Sprint("message ", i))
	}
	stream := strings.Join(messages, "\x00") + "\x00"
	readers := map[string]io.Reader{
		"whole":         strings.NewReader(stream),
		"half at once":  iotest.HalfReader(strings.NewReader(stream)),
		"in odd pieces": &oddReader{rest: stream},
	}
	for name, reader := range readers {
		t.Run(name, func(t *testing.T) {
			p := newJSONPipe(io.NopCloser(reader), nopCloser{io.Discard})
			var kept [][]byte
			for i := range messages {
				msg, err := p.Receive()
				if err != nil {
					t.Fatalf("message %d: %v", i, err)
				}
				kept = append(kept, msg)
			}
			for i, want := range messages {
				if got := string(kept[i]); got != want {
					t.Errorf("message %d, looked at after all had come: got %d bytes %.20q, want %d bytes %.20q", i, len(got), got, len(want), want)
				}
			}
			if msg, err := p.Receive(); err == nil {
				t.Errorf("after the end: got the message %q, want an error", msg)
			}
		})
	}
}

// An oddReader hands out pieces of growing length.
type oddReader struct {
	rest string
	size int
}

func (r *oddReader) Read(p []byte) (int, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	r.size = r.size*2 + 1
	if r.size > 1<<20 {
		r.size = 1
	}
	n := copy(p, r.rest[:min(r.size, len(r.rest))])
	r.rest = r.rest[n:]
	return n, nil
}

func TestJSONPipeRefusesHugeMessages(t *testing.T) {
	p := newJSONPipe(io.NopCloser(strings.NewReader(strings.Repeat("x", 5*pipeBuffer))), nopCloser{io.Discard})
	p.limit = 2 * pipeBuffer
	if _, err := p.Receive(); !errors.Is(err, errMessageTooLarge) {
		t.Errorf("got the error %v, want %v", err, errMessageTooLarge)
	}
}

func TestJSONPipeSend(t *testing.T) {
	var out strings.Builder
	p := newJSONPipe(io.NopCloser(strings.NewReader("")), nopCloser{&out})
	if err := p.sendAll(t.Context(), [][]byte{[]byte("one"), []byte("two")}); err != nil {
		t.Fatal(err)
	}
	if err := p.Send(t.Context(), []byte("three")); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "one\x00two\x00three\x00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
