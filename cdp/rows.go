package cdp

import (
	"context"
	"time"
)

// A Page's rows are read as its elements are (see Read), with ScopeRows; here is what
// belongs to them alone.

// Places gives, for each document of a reading of rows, the way from its coordinates
// to the page's. A document without one is in no frame that was read.
func (r *Reading) Places() map[string]*Way {
	type holder struct {
		document *Document
		step     frameStep
	}
	held := map[string]holder{}
	for _, d := range r.Documents {
		for i := range d.Facts.Records {
			rec := &d.Facts.Records[i]
			if rec.More().Frame != "" && rec.More().Step != nil {
				held[rec.More().Frame] = holder{d, *rec.More().Step}
			}
		}
	}
	ways := map[string]*Way{}
	for i, d := range r.Documents {
		way, at, ok := &Way{}, d, i == 0
		for n := 0; !ok && n <= maxFrames; n++ {
			h, known := held[at.Frame]
			if !known {
				break
			}
			way.way.steps = append(way.way.steps, h.step)
			at, ok = h.document, h.document == r.Documents[0]
		}
		if ok {
			ways[d.Frame] = way
		}
	}
	return ways
}

// A Way leads from the coordinates of a document to those of its page.
type Way struct{ way frameWay }

// Up brings a rectangle to the page's coordinates, be it on screen or not.
func (w *Way) Up(r Rect) Rect {
	up, _ := w.way.page(r, false)
	return up
}

// Drawn cuts a rectangle of the document to what is on screen of the frames that it
// is in; false where nothing is left.
func (w *Way) Drawn(r Rect) (Rect, bool) { return w.way.page(r, true) }

// mainLink leads to our script in the main document.
func (p *Page) mainLink(ctx context.Context) (link, error) {
	chain := p.chainOf("")
	if len(chain) == 0 {
		if _, err := p.prepare(ctx, &Reading{}); err != nil {
			return link{}, p.explain(ctx, err)
		}
		if chain = p.chainOf(""); len(chain) == 0 {
			return link{}, ErrGone
		}
	}
	return chain[len(chain)-1], nil
}

// A Caption is what a page calls itself.
type Caption struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	State   string `json:"state"`
	Visible bool   `json:"visible"`
	Focus   bool   `json:"focus"`
	// Secrets are the values that must not leave.
	Secrets []string `json:"secrets"`
	// Outer is the window's place and size: x, y, width, height, px of the screen.
	Outer []float64 `json:"outer"`
}

// captionTime bounds asking a page what it calls itself: one that is busy is told of
// without.
const captionTime = 400 * time.Millisecond

// Caption asks the page what it calls itself, which costs one round trip and walks
// nothing.
func (p *Page) Caption(ctx context.Context) (*Caption, error) {
	ctx, cancel := context.WithTimeout(ctx, captionTime)
	defer cancel()
	ctx, stop := p.watched(ctx)
	defer stop()
	main, err := p.mainLink(ctx)
	if err != nil {
		return nil, err
	}
	var c Caption
	if err := main.ask(ctx, "caption", nil).value(ctx, &c); err != nil {
		return nil, p.explain(ctx, err)
	}
	return &c, nil
}

// MainKey names the page's main document of now, empty where it is not known; see
// Document.Key.
func (p *Page) MainKey() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[p.main]; f != nil && f.world != 0 {
		return f.key()
	}
	return ""
}

// Moves counts how often the page has gone to another document.
func (p *Page) Moves() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.moves
}
