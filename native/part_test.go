package native

import (
	"errors"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// What is cut fits into frames and is joined to what it was.
func TestCutAndJoin(t *testing.T) {
	tests := map[string]string{
		"short":               `{"kind":"changed"}`,
		"as long as a frame":  strings.Repeat("x", maxSent),
		"a byte longer":       strings.Repeat("x", maxSent+1),
		"quotes":              `{"a":"` + strings.Repeat(`\"`, maxSent) + `"}`,
		"of other planes":     strings.Repeat("a😀é", maxSent/4),
		"controls":            strings.Repeat("\n\u2028", maxSent/2),
		"as long as is taken": strings.Repeat("x", maxCut),
	}
	for name, message := range tests {
		t.Run(name, func(t *testing.T) {
			frames, err := cut([]byte(message), 7)
			if err != nil {
				t.Fatal(err)
			}
			if len(frames) == 1 {
				if string(frames[0]) != message || len(message) > maxSent {
					t.Errorf("got one frame of %d bytes for a message of %d", len(frames[0]), len(message))
				}
				return
			}
			j := joiner{most: maxCut}
			for i, frame := range frames {
				if len(frame) > maxSent {
					t.Errorf("frame %d has %d bytes, want at most %d", i, len(frame), maxSent)
				}
				var p partMessage
				if err := jsonv2.Unmarshal(frame, &p); err != nil || p.Kind != kindPart || p.Of != 7 {
					t.Fatalf("frame %d is no part of message 7: %v %.60s", i, err, frame)
				}
				joined, err := j.add(p)
				if err != nil {
					t.Fatal(err)
				}
				if last := i == len(frames)-1; (joined != nil) != last {
					t.Fatalf("part %d of %d: got a message of %d bytes", i+1, len(frames), len(joined))
				} else if last && string(joined) != message {
					t.Errorf("got a message of %d bytes, want the one of %d", len(joined), len(message))
				}
			}
			if len(j.open) > 0 || j.size != 0 {
				t.Errorf("%d messages of %d bytes are kept after all were joined", len(j.open), j.size)
			}
		})
	}
	if _, err := cut([]byte(strings.Repeat("x", maxCut+1)), 1); !errors.Is(err, errTooLong) {
		t.Errorf("cutting what the extension does not take: got %v", err)
	}
}

func TestJoinRefuses(t *testing.T) {
	t.Run("too long", func(t *testing.T) {
		j := joiner{most: 800}
		piece := strings.Repeat("x", 100)
		for i := range 8 {
			if _, err := j.add(partMessage{Of: int64(i % 2), Text: piece}); err != nil {
				t.Fatalf("part %d: %v", i, err)
			}
		}
		if _, err := j.add(partMessage{Of: 1, Text: "x", Last: true}); !errors.Is(err, errTooLong) {
			t.Errorf("a byte more than is taken: got %v", err)
		}
	})
	t.Run("too many", func(t *testing.T) {
		j := joiner{most: 800}
		for i := range maxOpen {
			if _, err := j.add(partMessage{Of: int64(i), Text: "{"}); err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
		}
		if _, err := j.add(partMessage{Of: maxOpen}); !errors.Is(err, errShape) {
			t.Errorf("one more message in parts: got %v", err)
		}
		if m, err := j.add(partMessage{Of: 3, Text: "}", Last: true}); err != nil || string(m) != "{}" {
			t.Errorf("got %q, %v, want the message that was begun", m, err)
		}
	})
}

func FuzzCut(f *testing.F) {
	f.Add("{}", 10)
	f.Add("a\"\\\n😀\u2028\xff", 7)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(6, min(most, 1000))
		for rest := []byte(text); len(rest) > 0; {
			end := fitting(rest, most)
			if end <= 0 {
				t.Fatalf("nothing of %q fits in %d bytes", rest, most)
			}
			quoted, err := encodeMessage(string(rest[:end]))
			if err != nil || len(quoted)-2 > most {
				t.Fatalf("%q takes %d bytes, want at most %d (%v)", rest[:end], len(quoted)-2, most, err)
			}
			rest = rest[end:]
		}
	})
}
