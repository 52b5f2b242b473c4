package mapper

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/elements"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct{ why, secrets, said, want string }{
		{"a word", "hunter22", "say hunter22 aloud", "say [secret] aloud"},
		{"all there is", "hunter22", "hunter22", "[secret]"},
		{"twice", "hunter22", "hunter22 and hunter22", "[secret] and [secret]"},
		{"side by side", "hunter22", "hunter22,hunter22", "[secret],[secret]"},
		{"in marks", "hunter22", "«hunter22».", "«[secret]»."},
		{"beside a low line", "hunter22", "x_hunter22_y", "x_[secret]_y"},
		{"part of a word", "tulip", "tulips and xtulip and tulip7", "tulips and xtulip and tulip7"},
		{"part of a word in another script", "tulip", "étulip tulipж", "étulip tulipж"},
		{"part of a word first", "tulip", "tuliptulip tulip", "tuliptulip [secret]"},
		{"of four characters", "abcd", "abcd", "[secret]"},
		{"of three", "abc", "abc", "abc"},
		{"of four characters of many bytes", "日本語字", "日本語字。", "[secret]。"},
		{"of three characters of many bytes", "日本語", "日本語", "日本語"},
		{"with spaces around it", "  ab  ", "ab is short", "ab is short"},
		{"only marks, over each other", "!?!?", "really!?!?!?", "really[secret]"},
		{"ends in marks", "abc!!", "abc!! abc!!d", "[secret] [secret]d"},
		{"several words", "correct horse", "correct horse battery", "[secret] battery"},
		{"several words, one missing", "correct horse", "correct cart horse", "correct cart horse"},
		{"white space as it is drawn", "correct  horse\n", "a correct horse", "a [secret]"},
		{"white space as it is not", "correct horse", "a correct \n horse", "a [secret]"},
		{"in capitals, as a style sheet draws it", "hunter22", "HUNTER22 Hunter22", "[secret] [secret]"},
		{"in capitals that are two letters", "straße9", "STRASSE9", "[secret]"},
		{"in capitals of another script", "пароль1", "ПАРОЛЬ1", "[secret]"},
		{"with what draws nothing in it", "hunter22", "hun\u200bter\u00ad22", "[secret]"},
		{"with an icon of a font beside it", "hunter22", "\ue001hunter22 \ue002", "\ue001[secret] \ue002"},
		{"with a NUL in it, as it is said", "ab\x00cd", "ab\ufffdcd", "[secret]"},
		{"the mark's own word", "secret", "a secret [secret]", "a [secret] [[secret]]"},

		{"one inside another", "horse|correct horse battery", "correct horse battery horse", "[secret] [secret]"},
		{"one begins another", "correct|correct horse", "correct horse, correct", "[secret], [secret]"},
		{"one ends another", "horse|correct horse", "correct horse, horse", "[secret], [secret]"},
		{"one begins another that does not go on", "tulips|tulips are red", "tulips are blue", "[secret] are blue"},
		{"one inside another that does not go on", "are red|tulips are red roses", "tulips are red violets", "tulips [secret] violets"},
		{"two that overlap", "correct horse|horse battery", "correct horse battery staple", "[secret] staple"},
		{"two that overlap, twice", "a b c|b c d|c d e", "a b c d e f", "[secret] f"},
		{"two that meet", "tulip-|red.", "tulip-red. x", "[secret][secret] x"},

		{"in an address", "hunter22", "http://fixture/?q=hunter22&r=1", "http://fixture/?q=[secret]&r=1"},
		{"escaped for a path", "correct horse", "http://fixture/correct%20horse", "http://fixture/[secret]"},
		{"escaped for a form", "correct horse", "http://fixture/?q=correct+horse&r", "http://fixture/?q=[secret]&r"},
		{"escaped by encodeURIComponent", "p@ss (word)!", "x?q=p%40ss%20(word)!", "x?q=[secret]"},
		{"escaped by the address bar", "p@ss wörd", "x?q=p@ss%20w%C3%B6rd", "x?q=[secret]"},
		{"escaped in small letters", "p@ss wörd", "x?q=p%40ss+w%c3%b6rd", "x?q=[secret]"},
		{"escaped though it need not be", "hunter22", "x?q=%68unter%32%32", "x?q=[secret]"},
		{"beside an escape", "hunter22", "x?q=%20hunter22%20", "x?q=%20[secret]%20"},
		{"escaped with a plus in it", "a+b=c", "x?q=a%2Bb%3Dc and a+b=c", "x?q=[secret] and [secret]"},
		{"beside half an escape", "hunter22", "100% hunter22 %2", "100% [secret] %2"},
		{"bytes that are no character", "hunter22", "%FF%FEhunter22", "%FF%FEhunter22"},

		{"cut in a title", "correct horse battery", "my words: correct hor…", "my words: [secret]…"},
		{"cut in a title, after a word", "correct horse battery", "my words: correct…", "my words: [secret]…"},
		{"cut in a title, but another", "correct horse battery", "my words: correct cart…", "my words: correct cart…"},
		{"cut in a title, within a word of it", "correct horse", "incorrect…", "incorrect…"},
		{"whole in a title that is cut", "hunter22", "say hunter22 alo…", "say [secret] alo…"},
		{"one begun in another", "a b c d|b c x y", "a b c …", "[secret]…"},
		{"one begun in another that does not go on", "a b c d|b c x y", "a b c x…", "a [secret]…"},
	} {
		r := newRedactor(strings.Split(c.secrets, "|"))
		if got := r.said(c.said); got != c.want {
			t.Errorf("%s: the secret %q in %q\n got %q\nwant %q", c.why, c.secrets, c.said, got, c.want)
		}
	}
}

// TestRedactElement holds that each place where an element says something is
// looked into, and that ids are left alone.
func TestRedactElement(t *testing.T) {
	r := newRedactor([]string{"hunter22", "http"})
	e := &elements.Element{
		ID: "hunter22", Title: "t hunter22", Subrole: "s hunter22", URL: "http://fixture/hunter22",
		Content: []elements.Block{elements.TextBlock("c hunter22"), elements.TextBlock("")},
		Attributes: map[string]any{
			"author": "hunter22", "level": 2, "checked": true,
			"related": []any{map[string]any{"relation": "controls", "id": "hunter22"}, map[string]any{"relation": "flowto", "url": "about:hunter22"}, map[string]any{"relation": "details", "url": "http://fixture/#x"}},
		},
	}
	r.element(e)
	want := &elements.Element{
		ID: "hunter22", Title: "t [secret]", Subrole: "s [secret]",
		Content: []elements.Block{elements.TextBlock("c [secret]"), elements.TextBlock("")},
		Attributes: map[string]any{
			"author": "[secret]", "level": 2, "checked": true,
			"related": []any{map[string]any{"relation": "controls", "id": "hunter22"}, map[string]any{"relation": "flowto", "url": "about:[secret]"}},
		},
	}
	if d := cmp.Diff(want, e); d != "" {
		t.Errorf("(- want, + got):\n%s", d)
	}
}

// TestRedactCut holds that no cut of words leaves the beginning of a secret.
func TestRedactCut(t *testing.T) {
	const secret = "correct horse"
	said := "my word is " + secret + " and nobody knows"
	for n := 1; n < len(said); n++ {
		d := doc(el(roleParagraph, words(said)))
		d.Secrets = []string{secret}
		root := mapped(t, desk(d), Options{Scope: Page, MaxText: n})
		text := page(t, root).Children[0]
		if len(text.Content) != 1 {
			t.Fatalf("cut at %d: there is no text", n)
		}
		if got := text.Content[0].Text; !strings.HasPrefix("my word is [secret] and nobody knows", got) {
			t.Errorf("cut after %d bytes: got %q", n, got)
		}
	}
}

// TestRedactMany holds that a page with as many secrets as it likes is looked
// through once, not once for each.
func TestRedactMany(t *testing.T) {
	var secrets []string
	for i := range 1000 {
		secrets = append(secrets, strings.Repeat("a ", i+2)+"b", fmt.Sprintf("aaaa%d", i))
	}
	r := newRedactor(secrets)
	said := strings.Repeat("a ", 200_000)
	if got := r.said(said + "aaaa7"); got != said+secretMark {
		t.Errorf("got %q…", got[:min(len(got), 100)])
	}
	if got := r.said(said + "b"); utf8.RuneCountInString(got) > len(said)-1000 || !strings.HasSuffix(got, secretMark) {
		t.Errorf("got %d characters that end in %q", len(got), got[max(0, len(got)-20):])
	}
}
