package cdp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestDecodeEnvelope(t *testing.T) {
	tests := []struct{ name, msg, want string }{
		{"a result", `{"id":7,"result":{"a":1}}`, `id 7 method "" session "" body {"a":1} failure <nil>`},
		{"a result of a session", `{"id":7,"result":{},"sessionId":"AB-12_c"}`, `id 7 method "" session "AB-12_c" body {} failure <nil>`},
		{"a session in the result", `{"id":7,"result":{"sessionId":"AB"}}`, `id 7 method "" session "" body {"sessionId":"AB"} failure <nil>`},
		{"a session in the result and outside", `{"id":7,"result":{"sessionId":"AB"},"sessionId":"CD"}`, `id 7 method "" session "CD" body {"sessionId":"AB"} failure <nil>`},
		{"a session first", `{"sessionId":"AB","id":7,"result":{"a":"}"}}`, `id 7 method "" session "AB" body {"a":"}"} failure <nil>`},
		{"white space", "{ \"id\" : 7 , \"result\" : { } }\n", `id 7 method "" session "" body { } failure <nil>`},
		{"an odd session", `{"id":7,"result":{},"sessionId":"a b\u0063"}`, `id 7 method "" session "a bc" body {} failure <nil>`},
		{"no result", `{"id":7}`, `id 7 method "" session "" body {} failure <nil>`},
		{"an error", `{"id":7,"error":{"code":-32000,"message":"no"},"sessionId":"AB"}`, `id 7 method "" session "AB" body {} failure &{-32000 no}`},
		{"an event", `{"method":"A.b","params":{"x":{}},"sessionId":"AB"}`, `id 0 method "A.b" session "AB" body {"x":{}} failure <nil>`},
		{"an event of the root", `{"method":"A.b","params":{"x":"\"}"}}`, `id 0 method "A.b" session "" body {"x":"\"}"} failure <nil>`},
		{"an event without parameters", `{"method":"A.b"}`, `id 0 method "A.b" session "" body {} failure <nil>`},
		{"an error without an id", `{"error":{"code":-32700,"message":"what"}}`, `id 0 method "" session "" body {} failure &{-32700 what}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := tell(decodeEnvelope([]byte(test.msg))); got != test.want {
				t.Errorf("decoding %s\n got %s\nwant %s", test.msg, got, test.want)
			}
		})
	}
}

func tell(env envelope, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("id %d method %q session %q body %s failure %v", env.id, env.method, env.session, env.body, env.failure)
}

func TestDecodeEnvelopeOfGarbage(t *testing.T) {
	for _, msg := range []string{"", "}", "null", "[]", `{"id":"x"}`, `{"id":1,"result":`, "\x00", "HTTP/1.1 400 Bad Request", strings.Repeat("x", 1000)} {
		env, err := decodeEnvelope([]byte(msg))
		if msg == "null" {
			if err != nil || env.id != 0 || env.method != "" {
				t.Errorf("decoding null: got %s, want nothing in it", tell(env, err))
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "not a protocol message") || len(err.Error()) > 500 {
			t.Errorf("decoding %.20q\n got %s\nwant an error that says it is not a protocol message", msg, tell(env, err))
		}
	}
}

// FuzzDecodeEnvelope holds that taking a message apart from its ends finds the
// body and the session whatever they are.
func FuzzDecodeEnvelope(f *testing.F) {
	f.Add(`{"sessionId":"A"}`, "B")
	f.Add(`{"x":"\"},\"sessionId\":\"B\"}"}`, "")
	f.Fuzz(func(t *testing.T, body, session string) {
		if !strings.HasPrefix(body, "{") || !json.Valid([]byte(body)) {
			return
		}
		body, session = strings.TrimSpace(body), word.FindString(session)
		msg := `{"id":1,"result":` + body
		if session != "" {
			msg += `,"sessionId":"` + session + `"`
		}
		env, err := decodeEnvelope([]byte(msg + "}"))
		want := fmt.Sprintf(`id 1 method "" session %q body %s failure <nil>`, session, body)
		if got := tell(env, err); got != want {
			t.Fatalf("taking apart %s}\n got %s\nwant %s", msg, got, want)
		}
	})
}

var word = regexp.MustCompile(`[0-9A-Za-z_-]*`)
