package cdp

import (
	"context"
	"errors"
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// ErrGone: what was asked about is no longer in the page.
var ErrGone = errors.New("it is no longer there")

// A Rect is a rectangle in CSS px, of the page's viewport unless said otherwise.
type Rect struct{ X, Y, Width, Height float64 }

// empty tells whether nothing is in it.
func (r Rect) empty() bool { return r.Width <= 0 || r.Height <= 0 }

// meet is what two rectangles share.
func (r Rect) meet(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, min(r.X+r.Width, o.X+o.Width) - x, min(r.Y+r.Height, o.Y+o.Height) - y}
}

// A Spot names a thing in a document: a node by its serial (an element, or the
// first text of a run), or a selection by its ends.
type Spot struct {
	Document string // the document's key; empty: the main frame's
	Serial   int64
	Root     bool  // the document itself, which has no rectangles of its own
	Ends     []End // one for a selection in a field, two else
}

// An End is one end of a selection.
type End struct {
	Serial int64 `json:"serial"`
	Offset int   `json:"offset"`
}

// Place gives the rectangles of a thing in the page's viewport, only what is drawn
// of them where drawn is set, and the viewport. The error wraps ErrGone where the
// thing or its document is no longer there.
func (p *Page) Place(ctx context.Context, spot Spot, drawn bool) ([]Rect, *Viewport, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	chain := p.wayUp(ctx, spot.Document)
	if len(chain) == 0 {
		return nil, nil, fmt.Errorf("locating: %w", ErrGone)
	}
	what := map[string]any{"visible": drawn}
	if spot.Serial > 0 {
		what["serial"] = spot.Serial
	}
	if len(spot.Ends) > 0 {
		what["selection"] = spot.Ends
	}
	if spot.Root {
		what["root"] = true
	}
	asked := chain[0].ask(ctx, "place", what)
	frames := p.askFrames(ctx, chain)
	view := p.askViewport(ctx, chain[len(chain)-1])
	var got struct {
		Gone  bool        `json:"gone"`
		Rects [][]float64 `json:"rects"`
	}
	if err := asked.value(ctx, &got); err != nil {
		return nil, nil, p.explain(ctx, err)
	}
	if got.Gone {
		return nil, nil, fmt.Errorf("locating: %w", ErrGone)
	}
	to, err := frames.wait(ctx)
	if err != nil {
		return nil, nil, p.explain(ctx, err)
	}
	vp, err := view.wait(ctx)
	if err != nil {
		return nil, nil, p.explain(ctx, err)
	}
	if spot.Root {
		return []Rect{to.inside(vp)}, vp, nil
	}
	var rects []Rect
	for _, r := range got.Rects {
		rect, ok := to.page(rectOf(r), drawn)
		if ok {
			rects = append(rects, rect)
		}
	}
	return rects, vp, nil
}

// rectOf takes the script's [left, top, right, bottom].
func rectOf(r []float64) Rect {
	if len(r) != 4 {
		return Rect{}
	}
	return Rect{r[0], r[1], r[2] - r[0], r[3] - r[1]}
}

// link is one frame on the way from a document up to the main frame's.
type link struct {
	id      cdproto.FrameID
	session *Session
	world   runtime.ExecutionContextID
}

// wayUp is chainOf with each frame known to the element that holds it, which a
// reading of a page that has just come leaves for later.
func (p *Page) wayUp(ctx context.Context, key string) []link {
	chain := p.chainOf(key)
	p.mu.Lock()
	untold := false
	for i, l := range chain[:max(0, len(chain)-1)] {
		f := p.frames[l.id]
		untold = untold || f == nil || f.owned != chain[i+1].world
	}
	p.mu.Unlock()
	if !untold {
		return chain
	}
	// Where it does not work out, the thing cannot be placed and is said to be gone.
	_, _ = p.prepare(ctx, &Reading{})
	return p.chainOf(key)
}

// chainOf gives the frames from the one that holds a document up to the main one;
// none where the document is not there.
func (p *Page) chainOf(key string) []link {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.world == 0 || f.key() != key && !(key == "" && f.id == p.main) {
			continue
		}
		var chain []link
		for at := f; at != nil && len(chain) <= maxFrames; at = p.frames[at.parent] {
			chain = append(chain, link{at.id, at.session, at.world})
			if at.id == p.main {
				return chain
			}
		}
	}
	return nil
}

// key names the frame's document of now.
func (f *frame) key() string { return documentKey(f.session, f.world, f.loader) }

func documentKey(s *Session, world runtime.ExecutionContextID, loader cdproto.LoaderID) string {
	return fmt.Sprintf("%s/%d/%s", s.ID(), world, loader)
}

// answer is a call to our script whose value is waited for.
type answer struct{ call *Pending }

// ask calls one of our script's functions.
func (l link) ask(ctx context.Context, function string, arg any) answer {
	return answer{l.session.Go(ctx, runtime.CommandCallFunctionOn, map[string]any{
		"functionDeclaration": "function(a) { return webarea." + function + "(a) }",
		"executionContextId":  l.world,
		"arguments":           []any{map[string]any{"value": arg}},
		"returnByValue":       true,
	})}
}

func (a answer) value(ctx context.Context, into any) error {
	var got struct {
		Result struct {
			Value rawValue `json:"value"`
		} `json:"result"`
		Exception *struct {
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := a.call.Wait(ctx, &got); err != nil {
		return err
	}
	if got.Exception != nil {
		return fmt.Errorf("our script failed: %s", got.Exception.Exception.Description)
	}
	if into == nil {
		return nil
	}
	return got.Result.Value.decode(into)
}

// frameWay leads from a frame's coordinates to the page's.
type frameWay struct{ steps []frameStep }

type frameStep struct {
	Matrix [6]float64 `json:"matrix"` // as in CSS
	// Width and Height are the frame's viewport's, in its own CSS px.
	Width  float64   `json:"width"`
	Height float64   `json:"height"`
	Clip   []float64 `json:"clip"` // what is on screen of it
}

// corners are the corners of what was a rectangle before it was turned.
type corners [4][2]float64

func cornersOf(r Rect) corners {
	return corners{{r.X, r.Y}, {r.X + r.Width, r.Y}, {r.X, r.Y + r.Height}, {r.X + r.Width, r.Y + r.Height}}
}

// up brings corners from a frame to its parent.
func (s frameStep) up(q corners) corners {
	m := s.Matrix
	for i, p := range q {
		q[i] = [2]float64{m[4] + p[0]*m[0] + p[1]*m[2], m[5] + p[0]*m[1] + p[1]*m[3]}
	}
	return q
}

// around is the rectangle around corners.
func (q corners) around() Rect {
	l, t, r, b := q[0][0], q[0][1], q[0][0], q[0][1]
	for _, p := range q[1:] {
		l, t, r, b = min(l, p[0]), min(t, p[1]), max(r, p[0]), max(b, p[1])
	}
	return Rect{l, t, r - l, b - t}
}

type frameAnswers struct{ answers []answer }

// askFrames asks each parent on the way where its frame is.
func (p *Page) askFrames(ctx context.Context, chain []link) frameAnswers {
	var f frameAnswers
	for i := 1; i < len(chain); i++ {
		f.answers = append(f.answers, chain[i].ask(ctx, "frameAt", string(chain[i-1].id)))
	}
	return f
}

func (f frameAnswers) wait(ctx context.Context) (*frameWay, error) {
	w := &frameWay{}
	for _, a := range f.answers {
		var step *frameStep
		if err := a.value(ctx, &step); err != nil {
			return nil, err
		}
		if step == nil {
			return nil, ErrGone
		}
		w.steps = append(w.steps, *step)
	}
	return w, nil
}

// page brings a rectangle to the page's coordinates, cut to what is on screen of
// the frames where drawn is set; false where nothing is left.
func (w *frameWay) page(r Rect, drawn bool) (Rect, bool) {
	q := cornersOf(r)
	var clips []corners
	for _, s := range w.steps {
		q = s.up(q)
		for i, c := range clips {
			clips[i] = s.up(c)
		}
		if drawn {
			clips = append(clips, cornersOf(rectOf(s.Clip)))
		}
	}
	r = q.around()
	for _, c := range clips {
		r = r.meet(c.around())
	}
	return r, !r.empty()
}

// whole brings a rectangle to the page's coordinates, cut to the frame's own
// viewport, be it on screen or not.
func (w *frameWay) whole(r Rect) (Rect, bool) {
	if len(w.steps) > 0 {
		r = r.meet(Rect{0, 0, w.steps[0].Width, w.steps[0].Height})
	}
	if r.empty() {
		return r, false
	}
	return w.page(r, false)
}

// inside is what is seen of the innermost frame: the viewport for the page itself.
func (w *frameWay) inside(v *Viewport) Rect {
	if len(w.steps) == 0 {
		return Rect{0, 0, v.Width, v.Height}
	}
	up := frameWay{w.steps[1:]}
	r, _ := up.page(rectOf(w.steps[0].Clip), true)
	return r
}
