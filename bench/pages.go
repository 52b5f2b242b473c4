package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
)

// A kind is a shape of page. In the middle of each page is what is pointed at: #f0 and
// #f1, which can have the focus, a sentence to select in #s, #t, which changes, and #r,
// which can be doubled.
type kind struct {
	name, about string
	// base and each are the nodes of the accessibility tree of the page without
	// entries, and of one entry.
	base, each float64
	head, foot string
	// entry writes an entry; mark is 0 for the one in the middle, 1 for the next, and
	// below 0 for all others.
	entry func(i, mark int) string
	// body writes all entries, where they do not simply follow one another.
	body func(k kind, entries int) string
	// all says that everything is selected, not a sentence.
	all bool
}

var kinds = []kind{
	{
		name: "table", about: "rows of three cells, one with a link",
		base: 14, each: 15, head: tableHead, foot: `</table>`, entry: row,
	},
	{
		name: "list", about: "a flat list; each entry has a link to the one before, as `#e7`",
		base: 9, each: 10, head: `<h1>Index</h1><ul>`, foot: `</ul>`,
		entry: func(i, mark int) string {
			return fmt.Sprintf(`<li id=e%d%s><a%s href="#e%d">Entry %d</a> is on <b%s>page %d</b>`,
				i, attribute(mark, 0, " class=r"), attribute(mark, mark, fmt.Sprintf(" data-is=f%d", mark)), i-1, i, attribute(mark, 0, " data-is=t"), i%300) +
				attribute(mark, 0, ` <span data-is=s>Every word has a place. Some have two.</span>`)
		},
	},
	{
		name: "deep", about: "named groups in named groups, up to 100 levels; what is pointed at is at the 12th",
		base: 8, each: 3, body: nested,
	},
	{
		name: "frames", about: "four frames of the same site share the nodes; a fifth, small one is another site's",
		base: 40, each: 10, body: framed,
	},
	{
		name: "open", about: "each entry has an open shadow root",
		base: 8, each: 10, head: `<h1>Cards</h1><main data-mode=open>`, foot: `</main>`, entry: card,
	},
	{
		name: "closed", about: "each entry has a closed shadow root",
		base: 8, each: 10, head: `<h1>Cards</h1><main data-mode=closed>`, foot: `</main>`, entry: card,
	},
	{
		name: "text", about: "paragraphs of 800 characters with a link in each",
		base: 8, each: 18, head: `<h1>A long story</h1><main>`, foot: `</main>`,
		entry: func(i, mark int) string {
			return fmt.Sprintf(`<p%s><span%s>In part %d somebody came. Nobody knew him.</span> %s<span%s>He had %d coins.</span> See <a%s href="/part/%d">part %d</a>.`,
				attribute(mark, 0, " class=r"), attribute(mark, 0, " data-is=s"), i, strings.Repeat("The road was long and the night was dark, and the rain fell on the hills. ", 9),
				attribute(mark, 0, " data-is=t"), i%97, attribute(mark, mark, fmt.Sprintf(" data-is=f%d", mark)), i+1, i+1)
		},
	},
	{
		name: "all", about: "a table, with everything on the page selected",
		base: 14, each: 15, head: tableHead, foot: `</table>`, entry: row, all: true,
	},
}

const tableHead = `<h1>Stock</h1><table><caption>Tools</caption><tr><th>Name<th>Where<th>Remark</tr>`

func row(i, mark int) string {
	return fmt.Sprintf(`<tr%s><td><a%s href="/tool/%d">Tool %d</a><td%s>Shelf %d<td>Lent to <b>Jo</b> in week %d%s</tr>`,
		attribute(mark, 0, " class=r"), attribute(mark, mark, fmt.Sprintf(" data-is=f%d", mark)), i, i, attribute(mark, 0, " data-is=t"), i%40, i%52,
		attribute(mark, 0, ` <span data-is=s>All of this is in the shed. Some of it is old.</span>`))
}

func card(i, mark int) string {
	return fmt.Sprintf(`<x-card%s data-n=%d%s><p>%s</p></x-card>`, attribute(mark, 0, " class=r"), i, attribute(mark, mark, fmt.Sprintf(" data-mark=f%d", mark)),
		or(attribute(mark, 0, `<span data-is=s>It was made in spring. It is blue.</span> <span data-is=t>Few are left</span>`), fmt.Sprintf("Number %d of many", i)))
}

// attribute gives a text to the entry with a mark.
func attribute(mark, wanted int, text string) string {
	if mark < 0 || mark != wanted {
		return ""
	}
	return text
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

const (
	// deepest is how many levels a stack of groups has: more than pages have, and few
	// enough that the browser itself gives the whole tree of the largest page in time.
	deepest = 100

	// pointedLevel is the level at which something is pointed at, the same in small
	// pages and in large ones.
	pointedLevel = 12
)

// nested writes stacks of groups, each in the one before. It points into the middle
// one.
func nested(k kind, entries int) string {
	stacks := max((entries+deepest-1)/deepest, 1)
	var b strings.Builder
	b.WriteString(`<h1>Depth</h1>`)
	for s := range stacks {
		levels := min(deepest, max(entries-s*deepest, pointedLevel+3))
		for level := 1; level <= levels; level++ {
			mark := -1
			if s == stacks/2 && (level == pointedLevel || level == pointedLevel+1) {
				mark = level - pointedLevel
			}
			fmt.Fprintf(&b, `<div role=group aria-label="Level %d"%s>`, level, attribute(mark, 1, " class=r"))
			switch mark {
			case 0:
				b.WriteString(`<span data-is=s>Here is the end of it. Below is more.</span> <a data-is=f0 href="/down">Down</a> <span data-is=t>Words</span>`)
			case 1:
				b.WriteString(`<a data-is=f1 href="/up">Up</a>`)
			default:
				fmt.Fprintf(&b, "Words at level %d", level)
			}
		}
		b.WriteString(strings.Repeat("</div>", levels))
		b.WriteByte('\n')
	}
	return b.String()
}

// frames is how many frames share a page's entries; what is pointed at is in the second.
const frames = 4

func framed(k kind, entries int) string {
	var b strings.Builder
	b.WriteString(`<h1>Frames</h1>`)
	for f := range frames {
		fmt.Fprintf(&b, `<iframe title="Part %d" width=600 height=300 src="/frame?n=%d&pointed=%v"></iframe>`, f, max(entries/frames, 3), f == 1)
	}
	b.WriteString(`<iframe title=Aside width=600 height=60 src="//OTHER/aside"></iframe>`)
	return b.String()
}

// frame is a frame of such a page.
func frame(entries int, pointed bool) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><title>Part</title><ul>`)
	middle := entries / 2
	for i := range entries {
		mark := -1
		if pointed && (i == middle || i == middle+1) {
			mark = i - middle
		}
		fmt.Fprintf(&b, `<li%s><a%s href="/entry/%d">Entry %d of %v</a> is on <b%s>page %d</b>%s`, attribute(mark, 0, " class=r"), attribute(mark, mark, fmt.Sprintf(" data-is=f%d", mark)),
			i, i, pointed, attribute(mark, 0, " data-is=t"), i%300, attribute(mark, 0, ` <span data-is=s>Every word has a place. Some have two.</span>`))
	}
	return b.String()
}

// html is a page of about so many nodes.
func (k kind) html(nodes int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><title>` + k.name + `</title>` + script)
	entries := max(int((float64(nodes)-k.base)/k.each), 3)
	if k.body != nil {
		return b.String() + k.body(k, entries)
	}
	b.WriteString(k.head)
	middle := entries / 2
	for i := range entries {
		mark := -1
		if i == middle || i == middle+1 {
			mark = i - middle
		}
		b.WriteString(k.entry(i, mark))
		b.WriteByte('\n')
	}
	b.WriteString(k.foot)
	return b.String()
}

// A site serves the pages, to this machine alone.
type site struct{ *httptest.Server }

func newSite() *site {
	return &site{httptest.NewServer(http.HandlerFunc(serve))}
}

func serve(w http.ResponseWriter, q *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	n, err := strconv.Atoi(q.URL.Query().Get("n"))
	switch name := strings.TrimPrefix(q.URL.Path, "/"); {
	case name == "aside":
		_, _ = w.Write([]byte(`<!doctype html><title>Aside</title><p>From another site, <a href="/more">more</a>.`))
	case name == "start":
		_, _ = w.Write([]byte(`<!doctype html><title>Start</title><p>Nothing yet.`))
	case name == "picture":
		for _, p := range pictures {
			if p.name == q.URL.Query().Get("of") {
				_, _ = w.Write(p.html())
			}
		}
	case err != nil:
		http.NotFound(w, q)
	case name == "frame":
		_, _ = w.Write([]byte(frame(n, q.URL.Query().Get("pointed") == "true")))
	default:
		for _, k := range kinds {
			if k.name == name {
				_, port, _ := strings.Cut(q.Host, ":")
				_, _ = w.Write([]byte(strings.Replace(k.html(n), "//OTHER/", "//localhost:"+port+"/", 1)))
				return
			}
		}
		http.NotFound(w, q)
	}
}

// address is where a page of a kind is, of about so many nodes.
func (s *site) address(k kind, nodes int) string {
	return s.URL + "/" + url.PathEscape(k.name) + "?n=" + strconv.Itoa(nodes)
}
