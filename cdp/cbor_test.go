package cdp

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// decodeCBOR decodes one message, given as hexadecimal digits with spaces, from a
// reader that hands out little at a time.
func decodeCBOR(data []byte) (string, error) {
	d := cborDecoder{source: iotest.OneByteReader(bytes.NewReader(data)), limit: 1 << 20}
	msg, err := d.message()
	return string(msg), err
}

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDecodeCBOR(t *testing.T) {
	tests := []struct{ name, hex, want string }{
		{"an empty map", "d8185a 00000002 bfff", `{}`},
		{"numbers", "d8185a 0000002b bf 6161 00 6162 17 6163 1818 6164 190100 6165 1a7fffffff 6166 20 6167 3a7fffffff 6168 fb3ff8000000000000 ff",
			`{"a":0,"b":23,"c":24,"d":256,"e":2147483647,"f":-1,"g":-2147483648,"h":1.5}`},
		{"words", "d8185a 0000000d bf 6161 f4 6162 f5 6163 f6 ff", `{"a":false,"b":true,"c":null}`},
		{"no number", "d8185a 0000000d bf 6161 fb7ff8000000000000 ff", `{"a":null}`},
		{"a list", "d8185a 0000001d bf 6161 d8185a 00000011 9f 01 d8185a 00000002 bfff 6162 9fff ff ff", `{"a":[1,{},"b",[]]}`},
		{"text", "d8185a 00000011 bf 6161 6c 225c0a0d0909 01 c3a4 7f 2f2f ff", `{"a":"\"\\\n\r\t\t\u0001ä` + "\x7f" + `//"}`},
		{"text in UTF-16", "d8185a 00000012 bf 6161 4c 4100 2200 e400 3dd8 00de 0a00 ff", `{"a":"A\"ä😀\n"}`},
		{"half a pair", "d8185a 0000000a bf 6161 44 00d8 4100 ff", `{"a":"` + "\uFFFD" + `A"}`},
		{"half a pair at the end", "d8185a 0000000a bf 6161 44 4100 00d8 ff", `{"a":"A` + "\uFFFD" + `"}`},
		{"the other half", "d8185a 0000000a bf 6161 44 00dc 4100 ff", `{"a":"` + "\uFFFD" + `A"}`},
		{"a key in UTF-16", "d8185a 00000006 bf 42 e400 01 ff", `{"ä":1}`},
		{"binary", "d8185a 0000000b bf 6161 d6 45 0001020304 ff", `{"a":"AAECAwQ="}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := unhex(t, test.hex)
			// The length is not the point of these tests.
			data[6] = byte(len(data) - envelopeHeader)
			got, err := decodeCBOR(data)
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != test.want {
				t.Errorf("decoding %s\n got %s\nwant %s", test.hex, got, test.want)
			}
		})
	}
}

func TestDecodeCBORThatIsNone(t *testing.T) {
	tests := []struct {
		name, hex string
		want      error
	}{
		{"nothing", "", io.EOF},
		{"JSON", "7b226964223a317d", errCBOR},
		{"cut short", "d8185a 00000005 bf 6161", io.EOF},
		{"too long a message", "d8185a 00200000 bf", errMessageTooLarge},
		{"too long a text", "d8185a 00000009 bf 6161 7a 7fffffff ff", errMessageTooLarge},
		{"no envelope", "bf 6161 01 ff 000000", errCBOR},
		{"a length that is wrong", "d8185a 00000003 bfff 00", errCBOR},
		{"no map", "d8185a 00000001 01", errCBOR},
		{"a list", "d8185a 00000002 9fff", errCBOR},
		{"an end too many", "d8185a 00000001 ff", errCBOR},
		{"a key without a value", "d8185a 00000004 bf 6161 ff", errCBOR},
		{"a number as key", "d8185a 00000004 bf 01 01 ff", errCBOR},
		{"a map of definite length", "d8185a 00000004 a1 6161 01", errCBOR},
		{"odd UTF-16", "d8185a 00000007 bf 6161 43 410042 ff", errCBOR},
		{"an unknown tag", "d8185a 00000006 bf 6161 c1 00 ff", errCBOR},
		{"a reserved length", "d8185a 00000005 bf 6161 1c ff", errCBOR},
		{"an envelope around a number", "d8185a 0000000c bf 6161 d8185a 00000001 01 ff", errCBOR},
		{"base64 of a number", "d8185a 00000006 bf 6161 d6 01 ff", errCBOR},
		{"a number too large", "d8185a 0000000d bf 6161 1b ffffffffffffffff ff", errCBOR},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := decodeCBOR(unhex(t, test.hex))
			if !errors.Is(err, test.want) && !errors.Is(explainPipe(err), test.want) {
				if !(test.want == io.EOF && errors.Is(err, io.ErrUnexpectedEOF)) {
					t.Errorf("decoding %s\n got %q and the error %v\nwant the error %v", test.hex, got, err, test.want)
				}
			}
		})
	}
}

func TestEncodeCBOR(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"an empty map", `{}`, "d8185a00000002bfff"},
		{"white space", " { \"a\" :\t1 , \"b\" : [ ] }\n", "d8185a00000010bf6161016162d8185a000000029fffff"},
		{"whole numbers, however they are spelled", `{"a":[0,1.0,1e2,-1,2147483647,-2147483648]}`, "d8185a0000001cbf6161d8185a000000119f00011864201a7fffffff3a7fffffffffff"},
		{"other numbers", `{"a":[2147483648,-0.0,0.5]}`, "d8185a00000028bf6161d8185a0000001d9ffb41e0000000000000fb8000000000000000fb3fe0000000000000ffff"},
		{"words", `{"a":[true,false,null]}`, "d8185a00000010bf6161d8185a000000059ff5f4f6ffff"},
		{"text", `{"a":"x\"\u00e4\ud83d\ude00é"}`, "d8185a0000000fbf61616a7822c3a4f09f9880c3a9ff"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e cborEncoder
			err := e.message([]byte(test.json))
			if got := hex.EncodeToString(e.out); got != test.want || err != nil {
				t.Errorf("encoding %s\n got %s and the error %v\nwant %s", test.json, got, err, test.want)
			}
		})
	}
}

func TestEncodeCBOROfWhatIsNotJSON(t *testing.T) {
	for _, text := range []string{"", "{", "[", `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1 "b":2}`, `{} {}`, `{"a":tru}`, `{"a":--1}`, `{"a":"`, `{"a":"\x"}`, strings.Repeat("[", 1000)} {
		var e cborEncoder
		if err := e.message([]byte(text)); !errors.Is(err, errNotJSON) {
			t.Errorf("encoding %.20s: got the error %v, want %v", text, err, errNotJSON)
		}
	}
}

// FuzzDecodeCBOR holds that whatever comes, what is decoded is JSON.
func FuzzDecodeCBOR(f *testing.F) {
	f.Add([]byte("\xd8\x18\x5a\x00\x00\x00\x02\xbf\xff"))
	f.Add([]byte("\xd8\x18\x5a\x00\x00\x00\x0a\xbf\x61\x61\x44\x00\xd8\x41\x00\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeCBOR(data)
		if err != nil {
			return
		}
		if !json.Valid([]byte(got)) {
			t.Fatalf("decoding %x gave what is not JSON: %s", data, got)
		}
	})
}

// FuzzCBOR holds that what is encoded can be decoded, to the same value.
func FuzzCBOR(f *testing.F) {
	f.Add(`{"id":1,"method":"A.b","params":{"x":[1,-2.5e300,"\u0000é😀",true,null,{}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		in := jsonv2.Value(text)
		if in.Kind() != '{' || !in.IsValid(tolerant) {
			return
		}
		var e cborEncoder
		if e.message(mendText(bytes.Clone(in))) != nil {
			return
		}
		out, err := decodeCBOR(e.out)
		if err != nil {
			t.Fatalf("decoding what %s was encoded to: %v", text, err)
		}
		got, want := jsonv2.Value(out), jsonv2.Value(mendText(bytes.Clone(in)))
		if got.Canonicalize() == nil && want.Canonicalize() == nil && got.String() != want.String() {
			t.Fatalf("there and back\n got %s\nwant %s", got, want)
		}
	})
}

func BenchmarkDecodeCBOR(b *testing.B) {
	node := `{"nodeId":"12345","ignored":false,"role":{"type":"role","value":"link"},"chromeRole":{"type":"internalRole","value":110},"name":{"type":"computedString","value":"and a link","sources":[]},"properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}},{"name":"url","value":{"type":"string","value":"http://stdin.localhost/#r1"}}],"parentId":"12344","childIds":["12346"],"backendDOMNodeId":12345}`
	text := `{"id":1,"result":{"nodes":[` + strings.Repeat(node+",", 10_000) + node + `]}}`
	var e cborEncoder
	if err := e.message([]byte(text)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(e.out)))
	b.ReportAllocs()
	for b.Loop() {
		d := cborDecoder{source: bytes.NewReader(e.out), limit: MaxMessage}
		out, err := d.message()
		if err != nil || len(out) != len(text) {
			b.Fatalf("decoded %d bytes, want %d (%v)", len(out), len(text), err)
		}
	}
}
