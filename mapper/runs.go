package mapper

import (
	"strconv"
	"strings"

	"github.com/webarea/webarea/elements"
)

// assemble joins the pieces of each run of text, with the links and other inline
// elements in it, into one Text, and lists the elements in order. prefix makes the
// keys of runs that no node of the page names.
func (d *document) assemble(list []item, prefix string) []*out {
	var outs []*out
	var run []item
	number := -1
	flush := func() {
		if len(run) > 0 {
			outs = append(outs, d.run(run, prefix+"~"+strconv.Itoa(len(outs)))...)
		}
		run, number = nil, -1
	}
	for _, it := range list {
		switch {
		case it.caption != nil:
			flush()
			outs = append(outs, d.assemble(d.uncaption(it.caption), prefix+"c")...)
		case it.piece >= 0 || it.out.run >= 0:
			n := it.runOf(d)
			if n != number {
				flush()
				number = n
			}
			run = append(run, it)
		default:
			flush()
			outs = append(outs, it.out)
		}
	}
	flush()
	return outs
}

func (it item) runOf(d *document) int {
	if it.piece >= 0 {
		return d.from.Nodes[it.piece].Run
	}
	return it.out.run
}

// uncaption gives the items of a caption that titles nothing: plain words go where
// they stand, anything more is a Text of its own.
func (d *document) uncaption(c *caption) []item {
	if c.role != roleCaption && c.role != roleFigcaption {
		return c.items
	}
	o := d.element(c.node, elements.Text, map[int]string{roleCaption: "caption", roleFigcaption: "figcaption"}[c.role])
	d.fill(o, c.items)
	return one(o)
}

// run makes the Text of one run, the Link if that is all of it, and gives what is
// in a run without words its place.
func (d *document) run(list []item, key string) []*out {
	words := d.text(list)
	var inside []*out
	bare := true
	first := -1
	for _, it := range list {
		if it.out != nil {
			inside = append(inside, it.out)
		} else {
			if strings.TrimSpace(clean(d.from.Nodes[it.piece].Text)) != "" {
				bare = false
			}
			if first < 0 && d.from.Nodes[it.piece].Serial != 0 {
				first = it.piece
			}
		}
	}
	if words == "" || bare && len(inside) == 1 {
		return inside
	}
	o := &out{doc: d, node: -1, run: -1, el: &elements.Element{Role: elements.Text}, words: words, plain: true, key: key, bare: d.answer.options.Scope == Pointing}
	if first >= 0 {
		o.key = d.from.Key + "#t" + strconv.FormatInt(d.from.Nodes[first].Serial, 10)
	} else if len(inside) > 0 {
		o.key = inside[0].key + "r"
	}
	o.at = list[0].piece
	if list[0].out != nil {
		o.at = list[0].out.at
	}
	for _, it := range list {
		if it.out != nil {
			o.kids = append(o.kids, it.out)
			o.drawn = o.drawn || it.out.drawn
			continue
		}
		n := &d.from.Nodes[it.piece]
		d.home[it.piece] = o
		o.drawn = o.drawn || d.isDrawn(n.Box)
		o.cut = o.cut || n.Cut
		o.left += n.More().Left
	}
	return []*out{o}
}

// text gives the words of pieces and of the inline elements among them; a new run
// begins a new line.
func (d *document) text(list []item) string {
	var b joiner
	for _, it := range list {
		switch {
		case it.caption != nil:
			b.line()
			b.add(d.text(it.caption.items), true)
			b.line()
		case it.piece >= 0:
			n := &d.from.Nodes[it.piece]
			b.run(n.Run)
			b.add(n.Text, n.Pre)
		case it.out.run >= 0:
			b.run(it.out.run)
			b.spaced(it.out)
		case it.out.plain:
			b.line()
			b.add(it.out.words, true)
			b.line()
		}
	}
	return b.String()
}

// joiner joins pieces as a browser draws them: white space at a seam counts once.
type joiner struct {
	b     strings.Builder
	last  byte
	space bool
	runNo int
	began bool
	full  bool // nothing more is taken
	left  int  // bytes that were not
}

func (j *joiner) run(n int) {
	if j.began && n != j.runNo {
		j.line()
	}
	j.began, j.runNo = true, n
}

func (j *joiner) line() {
	j.space = false
	if j.b.Len() > 0 && j.last != '\n' {
		j.b.WriteByte('\n')
		j.last = '\n'
	}
}

func (j *joiner) add(s string, pre bool) {
	if j.full {
		j.left += len(s)
		return
	}
	s = clean(s)
	if s == "" {
		return
	}
	if pre {
		if j.space && j.last != '\n' && j.b.Len() > 0 && s[0] != '\n' {
			j.b.WriteByte(' ')
		}
		j.space = false
		j.b.WriteString(s)
		j.last = s[len(s)-1]
		return
	}
	body := strings.Trim(s, " ")
	if s[0] == ' ' {
		j.space = true
	}
	if body == "" {
		j.space = true
		return
	}
	if j.space && j.b.Len() > 0 && j.last != '\n' && j.last != ' ' {
		j.b.WriteByte(' ')
	}
	j.b.WriteString(body)
	j.last = body[len(body)-1]
	j.space = s[len(s)-1] == ' '
}

// spaced adds an inline element's words with the white space at its own edges.
func (j *joiner) spaced(o *out) {
	lead, trail := o.doc.edges(o.node)
	if lead {
		j.space = true
	}
	j.add(allWords(o), true)
	if trail {
		j.space = true
	}
}

// edges tells whether the text of an element begins and ends with a space.
func (d *document) edges(i int) (lead, trail bool) {
	first, last := d.outermost(i, true), d.outermost(i, false)
	if first < 0 {
		return false, false
	}
	a, b := &d.from.Nodes[first], &d.from.Nodes[last]
	return !a.Pre && strings.HasPrefix(a.Text, " "), !b.Pre && strings.HasSuffix(b.Text, " ")
}

// outermost is the first piece of text in a node, or the last; -1 where it has none.
func (d *document) outermost(i int, first bool) int {
	if d.from.Nodes[i].IsText {
		return i
	}
	kids := d.children.of(i)
	for k := range kids {
		if !first {
			k = len(kids) - 1 - k
		}
		if at := d.outermost(int(kids[k]), first); at >= 0 {
			return at
		}
	}
	return -1
}

func (j *joiner) String() string {
	s := strings.Trim(j.b.String(), " \n")
	if strings.TrimSpace(s) == "" {
		// Nothing but no-break spaces is how pages keep an empty box open.
		return ""
	}
	return s
}
