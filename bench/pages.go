package main

import (
	"fmt"
	"strings"
)

// A kind is a shape of page. Each page has two elements that can have the focus,
// #f0 and #f1, a sentence to select in #s, and #t, which changes.
type kind struct {
	name string
	// base and each are the nodes of the accessibility tree of the page without
	// entries, and of one entry.
	base, each int
	head, foot string
	entry      func(i int) string
}

var kinds = []kind{
	{
		name: "table", base: 33, each: 15,
		head: `<h1>Stock</h1><p id=s>All of this is in the shed. Some of it is old.</p>` +
			`<p><a id=f0 href="/first">The first list</a> and <a id=f1 href="/second">the second</a></p>` +
			`<table><caption>Tools</caption><tr><th>Name<th>Where<th>Remark</tr>`,
		entry: func(i int) string {
			return fmt.Sprintf(`<tr%s><td><a href="/tool/%d">Tool %d</a><td>Shelf %d<td>Lent to <b>Jo</b> in week %d</tr>`, id(i), i, i, i%40, i%52)
		},
		foot: `</table>`,
	},
	{
		name: "list", base: 24, each: 12,
		head: `<h1>Index</h1><p id=s>Every word has a place. Some have two.</p>` +
			`<p><label>Find <input id=f0 value="rye"></label> <label>Near <input id=f1></label></p><ul>`,
		entry: func(i int) string {
			return fmt.Sprintf(`<li id=e%d><span%s>Entry %d</span> see <a href="#e%d">the one before</a>, page %d`, i, id(i), i, i-1, i%300)
		},
		foot: `</ul>`,
	},
}

// id marks the entry that changes: one that is on screen in a page of any size.
func id(i int) string {
	if i == changing {
		return " id=t"
	}
	return ""
}

const changing = 3

// html is a page of about so many nodes.
func (k kind) html(nodes int) []byte {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><title>` + k.name + `</title>` + script + k.head)
	for i := range max((nodes-k.base)/k.each, changing+1) {
		b.WriteString(k.entry(i))
		b.WriteByte('\n')
	}
	b.WriteString(k.foot)
	return []byte(b.String())
}

// script is what the benchmark has a page do. the functions of change change one thing,
// another for each n.
const script = `<script>
const one = (id) => document.getElementById(id)
const change = {
  // A field that gets the focus takes the selection with it.
  focus(n) {
    one("f" + n % 2).focus()
    const words = one("s").firstChild
    getSelection().setBaseAndExtent(words, 0, words, words.data.indexOf(".") + 1)
    return document.activeElement.id + " " + getSelection()
  },
  text(n) {
    const walker = document.createTreeWalker(one("t"), NodeFilter.SHOW_TEXT)
    walker.nextNode().data = "Change " + n
  },
  attribute(n) { one("t").setAttribute("aria-label", "Change " + n) },
  insert(n) {
    const row = one("t").closest("tr,li"), copy = row.cloneNode(true)
    for (const el of [copy, ...copy.querySelectorAll("[id]")]) el.removeAttribute("id")
    row.after(copy)
    change.undo = () => copy.remove()
  },
}
</script>`
