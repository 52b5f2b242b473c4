package cdp

import (
	"bytes"
	"strings"
	"testing"
)

// BenchmarkEncodeCBOR is what a command costs that goes to a launched browser: one that
// reads a page, and one of the many that ask about a node.
func BenchmarkEncodeCBOR(b *testing.B) {
	for name, text := range map[string]string{
		"read": `{"id":7,"sessionId":"0123456789ABCDEF0123456789ABCDEF","method":"Runtime.callFunctionOn","params":{"functionDeclaration":"function(o) { return webarea.read(o) }","executionContextId":4,"arguments":[{"value":{"scope":"pointing","records":6200,"reader":12}}],"serializationOptions":{"serialization":"deep","additionalParameters":{"maxNodeDepth":0,"includeShadowTree":"all"}}}}`,
		"node": `{"id":8,"sessionId":"0123456789ABCDEF0123456789ABCDEF","method":"Accessibility.getPartialAXTree","params":{"backendNodeId":12345,"fetchRelatives":false}}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var e cborEncoder
			for b.Loop() {
				e.reset()
				if err := e.message([]byte(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDispatch is what a message costs from a transport to who waits for it: mended,
// taken apart, and its result decoded.
func BenchmarkDispatch(b *testing.B) {
	const node = `{"nodeId":"12345","ignored":false,"role":{"type":"role","value":"link"},"chromeRole":{"type":"internalRole","value":110},"name":{"type":"computedString","value":"and a “link”","sources":[]},"properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}],"parentId":"12344","childIds":["12346"],"backendDOMNodeId":12345}`
	for name, nodes := range map[string]int{"one node": 1, "10,000 nodes": 10_000} {
		text := []byte(`{"id":1,"sessionId":"0123456789ABCDEF0123456789ABCDEF","result":{"nodes":[` + strings.Repeat(node+",", nodes-1) + node + `]}}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				env, err := decodeEnvelope(mendText(bytes.Clone(text)))
				if err != nil {
					b.Fatal(err)
				}
				p := &Pending{result: env.body}
				var got axAnswer
				if err := p.decode(&got); err != nil || len(got.Nodes) != nodes {
					b.Fatalf("got %d nodes, %v", len(got.Nodes), err)
				}
			}
		})
	}
}
