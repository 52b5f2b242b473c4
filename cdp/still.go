package cdp

import (
	"context"
	"time"
)

// Marks stand for what the documents of a page were when a reading with Stirs was
// taken, by their keys. They hold nothing of what the page says.
type Marks map[string]string

// Marks gives those of a reading, of the documents that were read.
func (r *Reading) Marks() Marks {
	m := Marks{}
	for _, d := range r.Documents {
		if d.Err == nil && d.Facts.Stirred != nil {
			m[d.Key] = d.Facts.Stirred.Mark
		}
	}
	return m
}

// stillTime bounds asking whether a page is still what it was: where it takes longer,
// reading it tells why.
const stillTime = 2 * time.Second

// IsStill tells whether a page is still what it was when the marks were had: the same
// documents, with the same in them, in the same places, and drawn as they were. False
// says nothing: it is also told of a page that is too large to be looked at so, that does
// not answer, or that has not run since. What a page changes without any trace in its
// tree, its fields, its selection and its boxes is not seen: states of custom elements
// that only their internals have, words that style sheets put in the place of others just
// as wide, and what lies over what.
func (p *Page) IsStill(ctx context.Context, m Marks) bool {
	ctx, cancel := context.WithTimeout(ctx, stillTime)
	defer cancel()
	ctx, stop := p.watched(ctx)
	defer stop()
	links, ok := p.documents(m)
	if !ok {
		return false
	}
	asked := make([]answer, len(links))
	for i, l := range links {
		asked[i] = l.ask(ctx, "isStill", m[l.key])
	}
	still := true
	for _, a := range asked {
		var is bool
		still = a.value(ctx, &is) == nil && is && still
	}
	_, ok = p.documents(m)
	return still && ok
}

// A marked is a document of which there is a mark.
type marked struct {
	link
	key string
}

// documents gives the page's documents of now; false where they are others than those
// of the marks.
func (p *Page) documents(m Marks) ([]marked, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []marked
	for _, f := range p.frames {
		if f.session == nil {
			continue
		}
		if f.world == 0 || m[f.key()] == "" {
			return nil, false
		}
		all = append(all, marked{link{f.id, f.session, f.world}, f.key()})
	}
	return all, len(all) == len(m) && len(all) > 0 && p.adopting == 0 && p.omitted == 0
}

// EndStirs ends what a reading with Stirs began, without waiting for it.
func (p *Page) EndStirs(ctx context.Context) {
	p.tellAll(ctx, "stir", false)
}
