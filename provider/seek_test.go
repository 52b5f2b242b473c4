package provider

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
)

// seekPage has names that are made of other things than the words in an element.
const seekPage = `<!doctype html><meta charset=utf-8><title>Names</title><style>#n::before{content:"Nr " counter(x)}body{counter-reset:x 7}.u{text-transform:uppercase}.b::after{content:" behind"}</style>
<a href=/1 aria-label="Labelled link">other words</a><a href=/2 title="Titled">words of it</a><a href=/3><img alt="Pictured" src=data:,></a><a href=/4><b>Bold</b> and <i>so</i></a>
<label>Outer label <button>inner words</button></label><label for=b2>For it</label><button id=b2>not this</button><button aria-labelledby=by>not that</button><span id=by>Named by</span>
<a href=/5 class=u>straße und</a><a href=/6 class=b>what is</a><button><span aria-hidden=true>Unheard </span>heard</button><button><span style="display:none">Undrawn </span>drawn</button>
<a href=/7>İstanbul Kelvin</a><button><svg><title>Drawn title</title></svg></button><h2>A <ruby>漢<rt>kan</rt></ruby> head</h2><h2 aria-label="Another head">Head</h2>
<select aria-label=Pick><option>First choice<option label="By label">text of it<option aria-label="By ARIA">Third</select><a href=/8 tabindex=0>Tabbed link</a><a>No link</a>
<button disabled>Disabled one</button><a href=/9>soft&shy;ly <wbr>broken</a><a href=/10><span title="Inner title"></span></a><details><summary>Summed up</summary>in</details>
<div role=button tabindex=0>A role's words</div><a href=/11>twice</a><a href=/12>twice</a><button aria-owns=own>owner </button><span id=own>owned words</span><div id=host></div>
<script>host.attachShadow({mode:"closed"}).innerHTML="<a href=/s>Shaded link</a><button><slot></slot></button>"; host.append("slotted words")</script>`

// countedPage has a number that a style sheet counts, secretPage a secret that a word
// stands for.
const (
	countedPage = `<!doctype html><title>C</title><style>body{counter-reset:x 7}button::before{content:"Nr " counter(x)}</style><button popovertarget=o>of it</button><div id=o popover>x</div><a href=/2>Nr 7</a>`
	secretPage  = `<!doctype html><title>S</title><input type=password value=hunter2222><button popovertarget=o>Use hunter2222 now</button><div id=o popover>x</div><a href=/1>plain</a>`
)

// TestVerifySeeks holds what is found by seeking alone to what reading all of a page
// finds, for the rows of all pages at hand and for what is not there.
func TestVerifySeeks(t *testing.T) {
	b := launched(t)
	t.Run("names", func(t *testing.T) { compareSought(t, b, served(t, seekPage)) })
	t.Run("numbers", func(t *testing.T) { compareSought(t, b, served(t, countedPage)) })
	t.Run("secrets", func(t *testing.T) { compareSought(t, b, served(t, secretPage)) })
	dir := "../testpages/fixtures"
	files, _ := filepath.Glob(dir + "/*.html")
	if len(files) == 0 {
		t.Fatalf("%s has no pages", dir)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	for i, file := range files {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) { compareSought(t, b, server.URL+"/"+filepath.Base(file)) })
	}
}

func compareSought(t *testing.T, b *cdp.Browser, address string) {
	d := opened(t, b, address)
	s := d.state(t, StateQuery{Tree: true})
	var asked []string
	ask := func(selector map[string]any, rest string) {
		text, err := json.Marshal(selector)
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, fmt.Sprintf(`{"element":{"selector":%s,%s}}`, text, rest))
	}
	for _, words := range []string{"nowhere at all", "secret", "e", "İ", "nr 7", "7", "[Secret]", "hunter", "und", "STRASSE"} {
		ask(map[string]any{"label_contains": words}, `"exists":false`)
		ask(map[string]any{"label_contains": words, "role": "button"}, `"expanded":false`)
	}
	alone := len(asked)
	// More of them cost time and find nothing else.
	const most = 40
	for i := range s.Elements {
		e := &s.Elements[i]
		if i >= most {
			break
		}
		if words := strings.Fields(e.Label); len(words) > 0 {
			last := strings.TrimRight(words[len(words)-1], "…")
			ask(map[string]any{"label_contains": strings.ToUpper(words[0])}, `"count":1,"visible":true`)
			ask(map[string]any{"role": e.Role, "label_contains": last}, `"exists":true,"enabled":true,"focused":false`)
		}
		ask(map[string]any{"element_token": e.Token}, `"exists":true,"checked":true`)
		ask(map[string]any{"element_id": e.ElementID}, `"value_equals":"x"`)
	}
	for line := range strings.Lines(s.Markdown) {
		_, text, ok := strings.Cut(line, `- text "`)
		if words := strings.Fields(text); ok && len(words) > 2 && len(asked) < 4*most+100 {
			ask(map[string]any{"label_contains": words[1]}, `"exists":true`)
		}
	}
	asked = append(asked, `{"text_selection":{"equals":""}}`)
	for len(asked) > 0 {
		// What several seek together is sought for each.
		n := min(8, len(asked))
		if alone > 0 {
			n, alone = 1, alone-1
		}
		expect := "[" + strings.Join(asked[:n], ",") + "]"
		whole, sought := d.verify(t, expect, VerifyQuery{Stable: 1, whole: true}), d.verify(t, expect, VerifyQuery{Stable: 1})
		for i := range whole.Predicates {
			if want, got := said(t, whole.Predicates[i]), said(t, sought.Predicates[i]); got != want {
				t.Errorf("%s\n got: %s\nwant: %s", asked[i], got, want)
			}
		}
		asked = asked[n:]
	}
}
