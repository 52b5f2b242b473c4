package cdp

import (
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

func TestMendText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to mend", `"a\n\\d\u00e4é"`, `"a\n\\d\u00e4é"`},
		{"a pair", `"\ud83d\ude00"`, `"\ud83d\ude00"`},
		{"a pair in capitals", `"\uD83D\uDE00"`, `"\uD83D\uDE00"`},
		{"a first half alone", `"a\ud800b"`, `"a\ufffdb"`},
		{"a first half at the end", `"a\ud800"`, `"a\ufffd"`},
		{"a second half alone", `"a\udc00b"`, `"a\ufffdb"`},
		{"two first halves", `"\ud800\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`},
		{"the wrong way round", `"\ude00\ud83d"`, `"\ufffd\ufffd"`},
		{"a first half before another escape", `"\ud800\n"`, `"\ufffd\n"`},
		{"no escape at all", `"\\ud800"`, `"\\ud800"`},
		{"an escape after an escaped backslash", `"\\\ud800"`, `"\\\ufffd"`},
		{"bytes that are not UTF-8", "\"a\xed\xa0\x80b\xff\"", "\"a\uFFFDb\uFFFD\""},
		{"cut short", `"\ud8`, `"\ud8`},
		{"cut at a backslash", `"\ud800\`, `"\ufffd\`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(mendText([]byte(test.in))); got != test.want {
				t.Errorf("mending %s\n got %s\nwant %s", test.in, got, test.want)
			}
		})
	}
}

// FuzzMendText holds that a JSON string, whatever halves of pairs are in it, can
// be decoded by the strictest decoder once it is mended, and to what the lenient
// one makes of it, but for how many U+FFFD stand for a run of bytes.
func FuzzMendText(f *testing.F) {
	f.Add(`"\ud800\udc00\ud800"`)
	f.Add(`"\\ud800\u0000"`)
	f.Fuzz(func(t *testing.T, text string) {
		var want, got string
		if jsonv2.Unmarshal([]byte(text), &want, tolerant) != nil {
			return
		}
		mended := mendText([]byte(text))
		if err := jsonv2.Unmarshal(mended, &got); err != nil {
			t.Fatalf("mending %q\nleft %q: %v", text, mended, err)
		}
		if runs.ReplaceAllString(got, "\uFFFD") != runs.ReplaceAllString(want, "\uFFFD") {
			t.Fatalf("mending %q\nleft %q\nwhich is %q, not %q", text, mended, got, want)
		}
	})
}

var runs = regexp.MustCompile("\uFFFD+")
