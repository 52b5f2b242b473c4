package native

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// prefixed is a length and what comes after it, which need not be as long.
func prefixed(length uint32, rest string) string {
	var b [prefixSize]byte
	binary.NativeEndian.PutUint32(b[:], length)
	return string(b[:]) + rest
}

func TestReadFrame(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
		end         error
	}{
		{"nothing", "", nil, io.EOF},
		{"two frames", prefixed(2, "{}") + prefixed(7, `{"a":1}`), []string{"{}", `{"a":1}`}, io.EOF},
		{"half a length", prefixed(2, "{}") + "\x02\x00", []string{"{}"}, io.ErrUnexpectedEOF},
		{"half a frame", prefixed(9, "{}"), nil, io.ErrUnexpectedEOF},
		{"a length and nothing", prefixed(9, ""), nil, io.ErrUnexpectedEOF},
		{"no bytes", prefixed(0, "{}"), nil, errFrameSize},
		{"one byte too many", prefixed(maxFrame+1, "{}"), nil, errFrameSize},
		{"the largest length", prefixed(1<<32-1, "{}"), nil, errFrameSize},
	}
	for _, test := range tests {
		for way, through := range map[string]func(io.Reader) io.Reader{
			"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader, "with the end": iotest.DataErrReader,
		} {
			t.Run(test.name+"/"+way, func(t *testing.T) {
				r := through(strings.NewReader(test.input))
				var got []string
				for {
					frame, err := readFrame(r)
					if err != nil {
						if !errors.Is(err, test.end) || strings.Join(got, " ") != strings.Join(test.want, " ") {
							t.Errorf("got %q and then %v\nwant %q and then %v", got, err, test.want, test.end)
						}
						return
					}
					got = append(got, string(frame))
				}
			})
		}
	}
}

// Who announces a long frame and sends none of it costs no memory.
func TestAnnouncedFrameCostsNothing(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readFrame(strings.NewReader(prefixed(maxFrame, "{}"))); err == nil {
		t.Error("a frame that did not come was read")
	}
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; cost > 4*frameStep {
		t.Errorf("a frame that did not come cost %d bytes, want at most %d", cost, 4*frameStep)
	}
}

func TestWriteFrame(t *testing.T) {
	var b bytes.Buffer
	for _, message := range []string{"{}", strings.Repeat("x", maxSent)} {
		if err := writeFrame(&b, []byte(message)); err != nil {
			t.Fatal(err)
		}
		if got, err := readFrame(&b); err != nil || string(got) != message {
			t.Errorf("got %.20q… (%d bytes) and %v back, want the %d bytes that were written", got, len(got), err, len(message))
		}
	}
	for _, message := range []string{"", strings.Repeat("x", maxSent+1)} {
		if err := writeFrame(&b, []byte(message)); !errors.Is(err, errFrameSize) || b.Len() > 0 {
			t.Errorf("writing %d bytes: got %v and %d bytes out, want a refusal and nothing", len(message), err, b.Len())
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte(prefixed(2, "{}") + prefixed(7, `{"a":1}`)))
	f.Add([]byte(prefixed(9, "{}")))
	f.Add([]byte(prefixed(0, "")))
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r := bytes.NewReader(input)
		var again bytes.Buffer
		for {
			frame, err := readFrame(iotest.OneByteReader(r))
			if err != nil {
				break
			}
			if len(frame) <= maxSent {
				if err := writeFrame(&again, frame); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !bytes.HasPrefix(input, again.Bytes()) {
			t.Errorf("got the frames %q\nout of %q", again.Bytes(), input)
		}
	})
}
