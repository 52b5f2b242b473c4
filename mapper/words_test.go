package mapper

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTitle(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for _, c := range []struct{ why, name, want string }{
		{"words", "Two words", "Two words"},
		{"nothing", "", ""},
		{"only white space", " \t\n\u00a0\u2003", ""},
		{"white space runs", "  a \t b\n\nc ", "a b c"},
		{"a no-break space stays within", "a\u00a0b", "a\u00a0b"},
		{"line and paragraph separators", "a\u2028b\u2029c\u0085d\u000be", "a b c d e"},
		{"control characters", "a\x1b[31mb\x7fc\u009bd", "a [31mb c d"},
		{"marks of direction stay", "a\u202eb\u202c", "a\u202eb\u202c"},
		{"icons of a font", "\ue000Save\uf8ff", "Save"},
		{"icons beyond the first plane", "\U000f0001Save\U0010fffd", "Save"},
		{"only icons", "\ue000", ""},
		{"a NUL", "a\x00b", "a\ufffdb"},
		{"bytes that are no character", "a\xffb", "a\ufffdb"},
		{"as long as it may be", long, long},
		{"as long as it may be, in characters of many bytes", strings.Repeat("字", 200), strings.Repeat("字", 200)},
		{"longer", long + "x", long[:199] + "…"},
		{"longer, in characters of many bytes", strings.Repeat("字", 201), strings.Repeat("字", 199) + "…"},
		{"longer until white space is counted once", long[:198] + "    x", long[:198] + " x"},
		{"cut after a space", long[:198] + " xyz", long[:198] + "…"},
		{"five megabytes", strings.Repeat("0123456789", 500_000), long[:199] + "…"},
	} {
		got := title(c.name)
		if got != c.want {
			t.Errorf("%s: %.300q\n got %q\nwant %q", c.why, c.name, got, c.want)
		}
		if again := title(got); again != got {
			t.Errorf("%s: the title of a title\n got %q\nwant %q", c.why, again, got)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ why, words, want string }{
		{"words", "Two  words\n\tand\u2028more", "Two  words\n\tand\u2028more"},
		{"icons of a font", "\ue000a\uf8ff\U000f0000b", "ab"},
		{"what is next to the private use area", "\ud7ff\uf900", "\ud7ff\uf900"},
		{"a NUL", "\x00", "\ufffd"},
		{"bytes that are no character", "\xc3(", "\ufffd("},
		{"a carriage return", "a\rb", "a\nb"},
	} {
		if got := clean(c.words); got != c.want || !utf8.ValidString(got) {
			t.Errorf("%s: %q\n got %q\nwant %q", c.why, c.words, got, c.want)
		}
	}
}

func TestSqueeze(t *testing.T) {
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"Two words", "Two\n words ", true},
		{"Two words", "Twowords", true},
		{"\ue000Save", "Sa\u00adve\u200b", true},
		{"Save", "save", false},
		{"Save", "Save as", false},
	} {
		if same := squeeze(c.one) == squeeze(c.other); same != c.same {
			t.Errorf("%q says the same as %q: got %v, want %v", c.one, c.other, same, c.same)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ why, url, want string }{
		{"a page", "http://fixture/a?b=c#d", "http://fixture/a?b=c#d"},
		{"mail", "mailto:jo@example.org", "mailto:jo@example.org"},
		{"any scheme", "x-app+1.0:open", "x-app+1.0:open"},
		{"a blank page", "about:blank", "about:blank"},
		{"other letters", "http://fixture/ä", "http://fixture/ä"},
		{"white space and control characters", " http://fix\nture/\x00a ", "http://fixture/a"},
		{"a script", "javascript:alert(1)", ""},
		{"a script in capitals", "JavaScript:alert(1)", ""},
		{"a script behind white space", "\n javascript:alert(1)", ""},
		{"a script behind a control character", "\x01javascript:alert(1)", ""},
		{"a script with white space in it", "java\tscript\n:alert(1)", ""},
		{"a script's name in a path", "http://fixture/javascript:x", "http://fixture/javascript:x"},
		{"the thing itself", "data:text/plain,x", ""},
		{"the thing itself, in capitals", " DATA:,x", ""},
		{"no scheme", "page.html", ""},
		{"nothing behind the scheme", "http:", ""},
		{"nothing", "", ""},
		{"as long as it may be", "http://fixture/" + strings.Repeat("a", maxURL-15), "http://fixture/" + strings.Repeat("a", maxURL-15)},
		{"longer", "http://fixture/" + strings.Repeat("a", maxURL-14), ""},
	} {
		if got := address(c.url); got != c.want {
			t.Errorf("%s: %.100q\n got %.100q\nwant %.100q", c.why, c.url, got, c.want)
		}
	}
}

func TestFragment(t *testing.T) {
	for _, c := range []struct{ page, id, want string }{
		{"http://fixture/a?b", "later", "http://fixture/a?b#later"},
		{"http://fixture/a#old", "new", "http://fixture/a#new"},
		{"http://fixture/a", "two words", "http://fixture/a#two%20words"},
		{"about:srcdoc", "x", "about:srcdoc#x"},
		{"data:text/html,x", "x", ""},
		{"javascript:x", "x", ""},
		{"", "x", ""},
		{"no scheme", "x", ""},
	} {
		if got := fragment(c.page, c.id); got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.id, c.page, got, c.want)
		}
	}
}
