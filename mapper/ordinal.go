package mapper

import "github.com/webarea/webarea/elements"

// number puts an entry's ordinal ("5.") before its first words, as it is drawn: in
// its title, in its first Text or Heading, in a Text round a first Link. What is
// first in a list inside it has a number of its own.
func (o *out) number(ordinal string) {
	if ordinal == "" {
		return
	}
	if o.ownTitle {
		o.el.Title = title(ordinal + " " + o.el.Title)
		return
	}
	o.numberKids(ordinal)
}

func (o *out) numberKids(ordinal string) bool {
	for i, k := range o.kids {
		switch {
		case k.el.Role == elements.List || k.el.Role == elements.Table || k.el.Role == elements.Row || k.el.Role == elements.Document:
			return true
		case k.doc.isField(k):
			continue
		case k.el.Role == elements.Link && allWords(k) != "":
			o.kids[i] = &out{doc: k.doc, node: -1, at: k.at, run: -1, key: k.key + "n", el: &elements.Element{Role: elements.Text},
				words: ordinal + " " + allWords(k), kids: []*out{k}, drawn: k.drawn, bare: k.bare}
			return true
		case k.words != "":
			k.words = ordinal + " " + k.words
			return true
		case k.el.Role == elements.Image:
			continue
		case k.numberKids(ordinal):
			return true
		}
	}
	return false
}

// isField tells whether an element is a text field, whose words are its value.
func (d *document) isField(o *out) bool { return o.node >= 0 && d.from.Nodes[o.node].Field }
