package mapper

import (
	"strings"

	"github.com/webarea/webarea/elements"
)

// captions are what each of the merged titles of rule 8 may title, by element.
var captions = map[int]map[string]bool{
	roleCaption:                   {"table": true},
	roleFigcaption:                {"figure": true},
	roleLegend:                    {"fieldset": true},
	roleDisclosureTriangle:        {"details": true},
	roleDisclosureTriangleGrouped: {"details": true},
}

// takeCaption has the caption, figcaption, legend or summary among the items title
// the element, and gives the items that are left: a title is not said twice. A
// caption that holds more than words is an element of its own and titles nothing;
// so does a summary or legend that holds a heading or a link.
func (d *document) takeCaption(o *out, list []item) []item {
	for k, it := range list {
		c := it.caption
		if c == nil || !captions[c.role][d.from.Nodes[o.node].Tag] {
			continue
		}
		words := d.text(c.items)
		stays := !onlyWords(c.items)
		if c.role != roleCaption && c.role != roleFigcaption {
			stays = holdsAddress(c.items)
			if name := d.name(&d.from.Nodes[c.node]); name != "" {
				words = name // its accessible name, with what is no words in it
			}
		}
		same := squeeze(title(words)) == squeeze(o.el.Title)
		if stays {
			if same && !d.from.Nodes[o.node].Named {
				o.el.Title = ""
			}
			return list
		}
		if o.el.Title == "" {
			o.el.Title = title(words)
			same = true
		}
		if !same && words != "" {
			return list
		}
		rest := append([]item{}, list[:k]...)
		rest = append(rest, d.withoutWords(c.items, o)...)
		return append(rest, list[k+1:]...)
	}
	return list
}

// onlyWords tells whether items are words alone, in runs or plain paragraphs.
func onlyWords(list []item) bool {
	for _, it := range list {
		if it.caption != nil || it.out != nil && !(it.out.plain && len(it.out.kids) == 0) {
			return false
		}
	}
	return true
}

// holdsAddress tells whether a heading or a link is among the items, however deep.
func holdsAddress(list []item) bool {
	for _, it := range list {
		if it.caption != nil && holdsAddress(it.caption.items) || it.out != nil && it.out.holdsAddress() {
			return true
		}
	}
	return false
}

func (o *out) holdsAddress() bool {
	if o.el.Role == elements.Link || o.el.Role == elements.Heading {
		return true
	}
	for _, k := range o.kids {
		if k.holdsAddress() {
			return true
		}
	}
	return false
}

// withoutWords leaves of items what is not words; the words are said by another
// element's title.
func (d *document) withoutWords(list []item, by *out) []item {
	var rest []item
	for _, it := range list {
		switch {
		case it.piece >= 0:
			if by != nil {
				d.home[it.piece] = by
			}
		case it.out != nil && it.out.plain:
			if by != nil {
				it.out.instead = by
			}
			for _, k := range it.out.kids {
				rest = append(rest, item{piece: -1, out: k})
			}
		default:
			rest = append(rest, it)
		}
	}
	return rest
}

// label leaves out the words of a label whose field says them as its title. One that
// holds a heading or a link is said where it stands, and titles nothing.
func (d *document) label(i int, s surroundings) []item {
	list := d.items(i, s)
	for _, r := range d.from.Nodes[i].More().Related {
		if r.Name != "for" {
			continue
		}
		words := squeeze(d.text(list))
		if words == "" {
			continue
		}
		if holdsAddress(list) {
			d.untitled[r.Serial] = words
			continue
		}
		if strings.Contains(squeeze(d.nameOf(r.Serial)), words) {
			return d.withoutWords(list, nil)
		}
	}
	return list
}

// untitle takes the titles that labels with links or headings gave.
func (d *document) untitle() {
	for serial, words := range d.untitled {
		if o := d.bySerial[serial]; o != nil && squeeze(o.el.Title) == words {
			o.el.Title = ""
		}
	}
}
