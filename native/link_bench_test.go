package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// relayedTree is a message as the extension sends it: the answer to a question for an
// accessibility tree of so many nodes, from a tab.
func relayedTree(nodes int) []byte {
	var b strings.Builder
	b.WriteString(`{"kind":"cdp","tab":"17.1","m":{"id":42,"result":{"nodes":[`)
	for i := range nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"nodeId":"%d","ignored":false,"role":{"type":"role","value":"link"},"chromeRole":{"type":"internalRole","value":110},"name":{"type":"computedString","value":"a “link” of many"},"properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}],"parentId":"%d","childIds":[],"backendDOMNodeId":%d}`, i, i/10, i)
	}
	b.WriteString(`]}}}`)
	return []byte(b.String())
}

// BenchmarkLinkReceive is what a message costs from the browser's pipe to the tab's
// transport: in one frame, and in parts as the extension cuts what is longer than 8 MB.
func BenchmarkLinkReceive(b *testing.B) {
	for _, c := range []struct {
		name        string
		nodes, part int
	}{{"one node", 1, 0}, {"1,000 nodes", 1000, 0}, {"30,000 nodes in parts", 30_000, 8_000_000}} {
		text := relayedTree(c.nodes)
		var wire bytes.Buffer
		frame := func(text []byte) {
			// As a browser writes it: it may be longer than what we may send.
			wire.WriteString(prefixed(uint32(len(text)), string(text)))
		}
		if c.part == 0 {
			frame(text)
		}
		for rest := text; c.part > 0 && len(rest) > 0; {
			n := fitting(rest, c.part)
			part, err := json.Marshal(partMessage{kindPart, 1, n == len(rest), string(rest[:n])})
			if err != nil {
				b.Fatal(err)
			}
			frame(part)
			rest = rest[n:]
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				l := &link{in: bytes.NewReader(wire.Bytes()), joiner: joiner{most: maxJoined}}
				k, message, err := l.receive()
				if err != nil || k != kindCDP {
					b.Fatalf("got a message of the kind %q, %v", k, err)
				}
				m, err := decodeAs[cdpMessage](k, message)
				if err != nil || len(m.M) == 0 {
					b.Fatalf("got %d bytes, %v", len(m.M), err)
				}
			}
		})
	}
}

// BenchmarkLinkSay is what a command costs from a tab's transport to the browser's pipe.
func BenchmarkLinkSay(b *testing.B) {
	command := []byte(`{"id":42,"method":"Accessibility.getPartialAXTree","params":{"backendNodeId":1234,"fetchRelatives":false}}`)
	b.SetBytes(int64(len(command)))
	b.ReportAllocs()
	for b.Loop() {
		text, err := encodeMessage(cdpMessage{kindCDP, "17.1", jsonv2.Value(command)})
		if err != nil {
			b.Fatal(err)
		}
		frames, err := cut(text, 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range frames {
			if err := writeFrame(io.Discard, f); err != nil {
				b.Fatal(err)
			}
		}
	}
}
