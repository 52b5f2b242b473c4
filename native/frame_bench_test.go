package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkReceive takes messages of a tab as the extension sends them: what our script
// says of a small page and of a large one, and a whole accessibility tree in parts.
func BenchmarkReceive(b *testing.B) {
	const part = 8_000_000 // the extension's
	for _, size := range []int{5_000, 1_000_000, 12_000_000} {
		body := strings.Repeat(`{"role":{"type":"role","value":"link"},"name":"Tool \u201c1\u201d"},`, size/68)
		message := `{"kind":"cdp","tab":"1.1","m":{"id":1,"result":{"nodes":[` + body + `{}]}}}`
		var frames bytes.Buffer
		write := func(frame []byte) {
			frames.WriteString(prefixed(uint32(len(frame)), string(frame)))
		}
		if len(message) <= part {
			write([]byte(message))
		}
		for rest := message; len(message) > part && rest != ""; {
			end := min(part, len(rest))
			frame, err := json.Marshal(partMessage{kindPart, 1, end == len(rest), rest[:end]})
			if err != nil {
				b.Fatal(err)
			}
			write(frame)
			rest = rest[end:]
		}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(frames.Len()))
			for b.Loop() {
				l := &link{in: bytes.NewReader(frames.Bytes()), joiner: joiner{most: maxJoined}}
				k, got, err := l.receive()
				if err != nil || k != kindCDP {
					b.Fatalf("got %s, %v", k, err)
				}
				if m, err := decodeAs[cdpMessage](k, got); err != nil || m.Tab != "1.1" {
					b.Fatalf("got %v, %v", m.Tab, err)
				}
			}
		})
	}
}
