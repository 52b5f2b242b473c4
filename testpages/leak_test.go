package testpages

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/provider"
)

// files makes files of pairs of a name and what it holds.
func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

// shortShare is which part of the cases of a large table is run in short mode: one
// in so many.
const shortShare = 4

// share skips what is not in that part.
func share(t *testing.T, i int) {
	t.Helper()
	if testing.Short() && i%shortShare != 0 {
		t.Skip("left to the long run")
	}
}

// openHTML opens a page of the given HTML, after its declarations.
func openHTML(t TB, html string, opts ...Option) *Page {
	t.Helper()
	page := "<!doctype html><meta charset=utf-8><title>Page</title><body>" + html
	return Open(t, "page.html", append([]Option{Files(files("page.html", page))}, opts...)...)
}

// ask asks a question, for what Elements does not.
func (p *Page) ask(q provider.Query) (*elements.Answer, error) {
	ctx, cancel := p.limit()
	defer cancel()
	return p.provider.Elements(ctx, q)
}

// A telling is all that is said of a page on one question, as bytes.
type telling struct {
	question string
	bytes    []byte
}

// tellings asks about the page in every scope and about each of its first elements,
// and gives the answers as JSON and as outlines.
func tellings(t *testing.T, p *Page) []telling {
	t.Helper()
	var all []telling
	var ids []string
	for _, scope := range []provider.Query{{Scope: Pointing}, {Scope: Visible}, {Scope: WholePage}} {
		a := p.Elements(scope.Scope)
		all = append(all, tellingsOf(t, a, string(scope.Scope)+" scope")...)
		ids = ids[:0]
		for e := range a.All() {
			ids = append(ids, e.ID)
		}
	}
	enough := 25
	if testing.Short() {
		enough = 8
	}
	for _, id := range ids[:min(len(ids), enough)] {
		a, err := p.ask(provider.Query{ID: id})
		if err != nil {
			// What an error says counts as told.
			all = append(all, telling{"by id, failed", []byte(err.Error())})
			continue
		}
		for _, v := range elements.Validate(*a) {
			t.Errorf("asked by id: %s", v)
		}
		all = append(all, tellingsOf(t, a, "the answer by id")...)
	}
	return all
}

// tellingsOf gives an answer as JSON and as an outline.
func tellingsOf(t *testing.T, a *elements.Answer, question string) []telling {
	t.Helper()
	wire, err := elements.Marshal(a)
	if err != nil {
		t.Errorf("%s: %v", question, err)
	}
	var text bytes.Buffer
	if err := outline.Render(&text, a, outline.Options{Mark: "boundary"}); err != nil {
		t.Errorf("%s: %v", question, err)
	}
	return []telling{{question, wire}, {question + ", outline", text.Bytes()}}
}

// leaks says where in what is told of a page a secret is: the whole of it, its
// beginning or end where that is long enough to be no accident, or as many
// bullets as it has characters. The first few places are enough to go by.
func leaks(all []telling, secret string) []string {
	const (
		tell   = 5
		enough = 3
	)
	runes := []rune(secret)
	look := []string{secret}
	if len(runes) > tell {
		look = append(look, string(runes[:tell]), string(runes[len(runes)-tell:]))
	}
	for _, bullet := range []string{"•", "●", "*", "■", "◦"} {
		look = append(look, strings.Repeat(bullet, len(runes)))
	}
	var found []string
	for _, told := range all {
		for _, words := range look {
			i := bytes.Index(bytes.ToLower(told.bytes), bytes.ToLower([]byte(words)))
			if i < 0 {
				continue
			}
			around := told.bytes[max(0, i-80):min(len(told.bytes), i+len(words)+40)]
			found = append(found, fmt.Sprintf("%s has %q: …%s…", told.question, words, around))
			break
		}
		if len(found) == enough {
			return append(found, "and perhaps elsewhere")
		}
	}
	return found
}

// A leakTest is a page with secrets on it.
type leakTest struct {
	name string
	html string
	more []string // further files, in pairs of name and content
	act  func(p *Page)
	// secrets must not be found, and said must, as a regular expression, so that
	// no page passes for not being read.
	secrets []string
	said    string
}

func (test leakTest) run(t *testing.T) {
	t.Helper()
	t.Parallel()
	page := "<!doctype html><meta charset=utf-8><title>Page</title><body>" + test.html
	p := Open(t, "page.html", Files(files(append([]string{"page.html", page}, test.more...)...)))
	if test.act != nil {
		test.act(p)
	}
	all := tellings(t, p)
	for _, secret := range test.secrets {
		for _, leak := range leaks(all, secret) {
			t.Errorf("%q is told\n%s", secret, leak)
		}
	}
	said := regexp.MustCompile(test.said)
	for _, told := range all {
		if told.question == "page scope" && !said.Match(told.bytes) {
			t.Errorf("in %s there is nothing like %s:\n%s", told.question, test.said, told.bytes)
		}
	}
}

func TestLeakIsFound(t *testing.T) {
	for _, test := range []struct {
		told string
		want int
	}{
		{`{"title":"nothing here"}`, 0},
		{`{"title":"wintergarden"}`, 1},
		{`{"title":"WinterGarden"}`, 1},
		{`{"title":"rgarden"}`, 1},
		{`{"title":"••••••••••••"}`, 1},
	} {
		if got := leaks([]telling{{"", []byte(test.told)}}, "wintergarden"); len(got) != test.want {
			t.Errorf("in %s\n got: %d leaks: %q\nwant: %d", test.told, len(got), got, test.want)
		}
	}
}

// long gives so many copies of the words.
func long(words string, times int) string { return strings.Repeat(words, times) }
