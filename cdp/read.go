package cdp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// Errors that end a reading.
var (
	// ErrDialog: a JavaScript dialog is open, and nothing on the page answers until
	// somebody closes it.
	ErrDialog = errors.New("a JavaScript dialog is open")
	// ErrUnresponsive: the page's own script, or its renderer, kept the page from
	// answering in time.
	ErrUnresponsive = errors.New("the page does not answer")
)

// A Scope is how much of a page is read.
type Scope string

// The scopes. ScopePointing costs what is pointed at, whatever the page's size.
const (
	ScopePointing Scope = "pointing"
	ScopeVisible  Scope = "visible"
	ScopePage     Scope = "page"
	// ScopeRows is all that says something in the accessibility tree, also what the
	// others leave out, with where it is; Records bounds it by what is nearest to the
	// screen.
	ScopeRows Scope = "rows"
)

// ReadOptions bound one reading. Zero means no bound.
type ReadOptions struct {
	Scope     Scope
	Records   int           // per document
	Text      int           // characters of one piece of text, and of one field
	Selection int           // characters of one selection; 0: 20,000
	Subtree   int           // records of what is in Target
	Time      time.Duration // the script's own time, per document
	// SelectionElements bounds the elements whose selected words are told, where any of
	// those before have words: a selection costs what it has of them, not of words.
	SelectionElements int
	// Target is one node to read with what is in it: the serial Target of the
	// document Document.
	Target   int64
	Document string
	// InOrder spends the budget of rows in the order of the document.
	InOrder bool
	// Selected has a reading of rows tell what is selected; other readings always do.
	Selected bool
	// Stirs has changes followed from a reading of rows to the next, until
	// Page.EndStirs, and each told to who watches. Since are the marks of the reading
	// before.
	Stirs bool
	Since *Marks
	// View has a reading of rows tell what the page was seen through.
	View bool
	// Seek has only what may be sought asked about; see Seek.
	Seek *Seek

	// verify asks the accessibility tree about every element, also where plain HTML
	// settles it: for the test that holds both ways alike.
	verify bool
	// part is how many records are handed over at once, where it is not streamPart; -1: all.
	part int
	// rehearsal asks no accessibility tree.
	rehearsal bool
}

// Seek says which rows a reading has to tell of as the accessibility tree has them: those
// whose names have some of the words, whatever their case, and those of the elements with
// these numbers, by the keys of their documents. All others may be told as plain HTML has
// them, but then without any of the words.
type Seek struct {
	Words    []string
	Elements map[string][]int64
}

// A Reading is what a page was at one moment.
type Reading struct {
	// Documents are the page's, the main frame's first, in the order of frames.
	Documents []*Document
	// OmittedFrames counts frames beyond the bound.
	OmittedFrames int
	// View is what the page was seen through, at the moment at which its main document
	// was read; nil where that was not asked for, or is not known.
	View *Viewport
	// Trips counts the dependent round trips that this reading took.
	Trips int
}

// A Document is one frame's part of a reading.
type Document struct {
	Frame  string // the frame's id
	Parent string // the parent frame's id, empty for the main frame
	// Key names the document for as long as it lives; a navigation makes a new one.
	Key   string
	URL   string // as the browser tells it, also where the document was not reached
	Facts Facts
	// Err is why a frame could not be read, nil where it was.
	Err error

	// asked and nodes are what the accessibility tree was asked and answered.
	asked []int64
	nodes map[int64]*AXNode
}

// Read takes one reading of the page. While it runs a navigation of the main
// frame may happen: Read then reads again, once. The error wraps ErrDialog,
// ErrCrashed, ErrUnresponsive, ErrTargetGone or ErrBrowserGone where there is no
// reading.
func (p *Page) Read(ctx context.Context, opts ReadOptions) (*Reading, error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	var trips int
	for again := false; ; again = true {
		p.mu.Lock()
		moves := p.moves
		p.mu.Unlock()
		r, err := p.readOnce(ctx, opts, nil)
		if r != nil {
			trips += r.Trips
			r.Trips = trips
		}
		p.mu.Lock()
		moved := p.moves != moves
		p.mu.Unlock()
		if moved && !again && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return nil, p.explain(ctx, err)
		}
		return r, nil
	}
}

// watched gives a context that ends as soon as the page cannot answer: a dialog
// opens, or the renderer dies.
func (p *Page) watched(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	dialog, crash := p.dialogCh, p.crashCh
	p.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-dialog:
			cancel(ErrDialog)
		case <-crash:
			cancel(ErrCrashed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); <-done }
}

func (p *Page) explain(ctx context.Context, err error) error {
	p.mu.Lock()
	dialog, crashed := p.dialog != nil, p.crashed
	p.mu.Unlock()
	switch {
	case crashed:
		return fmt.Errorf("reading the page: %w", ErrCrashed)
	case dialog:
		return fmt.Errorf("reading the page: %w", ErrDialog)
	case errors.Is(err, ErrBrowserGone), errors.Is(err, ErrTargetGone):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("reading the page: %w", ErrUnresponsive)
	}
	return fmt.Errorf("reading the page: %w", err)
}

// visit is one frame while it is being read.
type visit struct {
	frame   *frame
	session *Session
	reader  int64  // tells who reads, of several at a time
	group   string // of the objects that this visit has the browser keep
	id      cdproto.FrameID
	parent  cdproto.FrameID
	world   runtime.ExecutionContextID
	url     string
	loader  cdproto.LoaderID
	dead    bool          // its renderer has crashed
	gone    chan struct{} // closed when it does
	late    bool          // it did not answer in time when it was last read
	params  map[string]any
	call    *Pending
	doc     *Document
	ask     []int64
	hosts   []closedHost
	gave    bool    // elements were named that may hide a closed root
	tied    bool    // its script has been told of its frames in the middle of the reading
	partial bool    // what the accessibility tree says in time is taken, the rest left
	stream  *stream // what it hands over before it answers
	holders []int64 // backend ids of elements that may hold a frame not told of yet

	// rows is what it has of the budget of rows beside other frames, and time what its
	// script has; 0: all of it.
	rows int
	time time.Duration
}

type closedHost struct{ host, root int64 }

// readOnce takes a reading, of the frames named only unless that is nil.
func (p *Page) readOnce(ctx context.Context, opts ReadOptions, only map[cdproto.FrameID]bool) (*Reading, error) {
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	r := &Reading{}
	visits, err := p.visits()
	if err != nil {
		return nil, err
	}
	if only != nil {
		visits = slices.DeleteFunc(visits, func(v *visit) bool { return !only[v.id] })
	}
	e := p.enter(ctx, visits, false)
	holdings := p.askOwners(ctx, visits)
	if err := p.entered(ctx, r, e); err != nil {
		return nil, err
	}
	if len(holdings) > 0 {
		// What comes after this answer finds them told.
		defer p.warm()
	}
	p.mu.Lock()
	r.OmittedFrames = p.omitted
	p.mu.Unlock()

	if opts.streams() {
		p.bind(ctx, visits)
		defer func() {
			for _, v := range visits {
				p.closeStream(v.stream)
			}
		}()
	}
	var zoom zoomAnswer
	if opts.View {
		// It comes before what the scripts say.
		zoom = askZoom(ctx, p.Session)
	}
	p.spread(visits, opts)
	todo := visits
	for round := 0; len(todo) > 0 && round <= maxClosedDepth; round++ {
		r.Trips++
		begun := time.Now()
		before := map[*visit]*Document{}
		for _, v := range todo {
			if round > 0 && v.partial {
				before[v] = v.doc
				v.hurry(ctx, opts)
			}
			p.send(ctx, v, opts, round == 0 || opts.Scope != ScopePointing, len(visits) <= gridFrames, len(holdings) > 0)
		}
		waitOwners(ctx, holdings)
		var read, untold []*visit
		for i, v := range todo {
			if before[v] != nil {
				p.receiveAgain(ctx, v, before[v])
			} else if err := p.receive(ctx, v, i == 0 && v == visits[0]); err != nil {
				return nil, err
			}
			if v.doc.Err != nil {
				continue
			}
			if v.join(holdings) && !v.tied {
				v.tied = true
				untold = append(untold, v)
			}
			read = append(read, v)
		}
		reread := p.openHosts(ctx, read)
		if len(untold) > 0 && round < maxClosedDepth {
			p.tie(ctx, r, untold, holdings)
		}
		if len(reread)+len(untold) == 0 {
			break
		}
		late := !hasTime(ctx, time.Since(begun)) && (opts.Scope == ScopeRows || opts.Scope != ScopePointing && len(untold) == 0)
		if round == maxClosedDepth || late {
			for _, v := range reread {
				// The next reading goes on from there.
				v.doc.Facts.Unread = max(1, v.doc.Facts.Unread)
				if v.doc.Facts.Cut = "depth"; late {
					v.doc.Facts.Cut = "time"
				}
			}
			break
		}
		todo = reread
		if len(todo) > 0 {
			r.Trips += 2
		}
		for _, v := range untold {
			if !slices.Contains(todo, v) {
				todo = append(todo, v)
			}
		}
	}
	if opts.rehearsal {
		release(ctx, visits)
		return nil, nil
	}
	p.spend(ctx, r, visits, holdings, opts)
	if err := p.askAll(ctx, r, visits); err != nil {
		return nil, err
	}
	for _, v := range visits {
		v.doc.Facts.settleTables()
		r.Documents = append(r.Documents, v.doc)
	}
	if seen := visits[0].doc.Facts.Seen; seen != nil {
		// Where it is not known, all else is.
		if factor, err := zoom.wait(ctx); err == nil {
			r.View = seen.zoomed(factor)
		}
	}
	return r, nil
}

// maxClosedDepth bounds how deep closed shadow roots are opened within one
// reading; the next reading goes on from there.
const maxClosedDepth = 8

// gridFrames is up to how many frames each is asked what lies at points of its
// viewport: every such question has Chrome lay out the whole page.
const gridFrames = 20

// send has the script read one frame.
func (p *Page) send(ctx context.Context, v *visit, opts ReadOptions, hosts, grid, frames bool) {
	v.doc = &Document{Frame: string(v.id), Parent: string(v.parent), URL: v.url}
	v.partial = opts.Scope == ScopeRows
	p.closeStream(v.stream)
	v.stream = nil
	if v.world == 0 || v.dead {
		v.call = nil
		return
	}
	v.doc.Key = documentKey(v.session, v.world, v.loader)
	o := opts.script()
	o["hosts"], o["grid"], o["reader"] = hosts, grid || v.parent == "", v.reader
	if frames {
		// Which records hold frames is looked for in all of them at once.
		o["frames"] = true
	}
	if opts.streams() {
		v.stream = p.openStream()
		o["stream"], o["part"] = v.stream.id, cmp.Or(opts.part, streamPart)
	}
	if s := opts.Seek; s != nil {
		o["seek"] = map[string]any{"words": append([]string{}, s.Words...), "serials": append([]int64{}, s.Elements[v.doc.Key]...)}
	}
	if opts.View && v.parent == "" {
		o["view"] = true
	}
	if opts.Since != nil {
		if mark := (*opts.Since)[v.doc.Key]; mark != "" {
			o["since"] = mark
		}
	}
	if v.rows > 0 {
		o["share"] = v.rows
	}
	if v.time > 0 {
		o["ms"] = v.time.Milliseconds()
	}
	if opts.Target > 0 && opts.Document == v.doc.Key {
		o["target"] = opts.Target
	}
	v.params = map[string]any{
		"functionDeclaration": "function(o) { return Object.hasOwn(globalThis, \"webarea\") ? webarea.read(o) : null }",
		"executionContextId":  v.world,
		"arguments":           []any{map[string]any{"value": o}},
		"objectGroup":         v.group,
		"serializationOptions": map[string]any{
			"serialization":        "deep",
			"additionalParameters": map[string]any{"maxNodeDepth": 0, "includeShadowTree": "all"},
		},
	}
	v.call = v.session.Go(ctx, runtime.CommandCallFunctionOn, v.params)
}

// streams tells whether records may be handed over before the answer.
func (o ReadOptions) streams() bool {
	return o.part >= 0 && (o.Scope == ScopePage || o.Scope == ScopeRows)
}

// script gives the options as our script takes them.
func (o ReadOptions) script() map[string]any {
	out := map[string]any{"scope": o.Scope}
	for name, n := range map[string]int64{
		"records": int64(o.Records), "textCap": int64(o.Text), "selection": int64(o.Selection), "selectionElements": int64(o.SelectionElements), "subtree": int64(o.Subtree), "ms": o.Time.Milliseconds(),
	} {
		if n > 0 {
			out[name] = n
		}
	}
	if o.InOrder {
		out["inOrder"] = true
	}
	if o.Selected {
		out["selected"] = true
	}
	if o.Stirs {
		out["stirs"] = true
	}
	if o.verify {
		out["verify"] = true
	}
	if o.rehearsal {
		out["rehearsal"] = true
	}
	return out
}

// frameShare is the part of the time left that one frame below the main one may
// take before the reading goes on without it.
const frameShare = 3

// share bounds what is waited for of a frame below the main one.
func share(ctx context.Context, isMain bool) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if isMain || !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/frameShare)
}

// lateShare is what a frame gets that did not answer when it was last asked: enough
// to tell that it does again.
const lateShare = 250 * time.Millisecond

// share bounds what is waited for of a frame; it ends when the frame's renderer
// does.
func (v *visit) share(ctx context.Context, isMain bool) (context.Context, context.CancelFunc) {
	if isMain {
		return share(ctx, true)
	}
	if v.late {
		return context.WithTimeout(ctx, lateShare)
	}
	wait, cancel := share(ctx, false)
	wait, end := context.WithCancelCause(wait)
	go func() {
		select {
		case <-v.gone:
			end(ErrCrashed)
		case <-wait.Done():
		}
	}()
	return wait, func() { end(nil); cancel() }
}

// axShare is the part of the time left within which the accessibility tree must
// answer; after it an answer is made without.
const axShare = 0.8

func (v *visit) leaveTime(ctx context.Context, isMain bool) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	if !isMain {
		return v.share(ctx, false)
	}
	return context.WithTimeout(ctx, time.Duration(axShare*float64(time.Until(end))))
}

// receive decodes what the script of one frame said. A frame below the main one
// that fails is noted in its document.
func (p *Page) receive(ctx context.Context, v *visit, isMain bool) error {
	if v.dead && isMain {
		return ErrCrashed
	}
	if v.dead {
		v.doc.Err = ErrCrashed
		return nil
	}
	if v.call == nil {
		v.doc.Err = errors.New("the frame could not be entered")
		return nil
	}
	wait, cancel := v.share(ctx, isMain)
	if v.partial && v.session == p.Session {
		// It waits for the scripts of others on the same thread.
		cancel()
		wait, cancel = v.leaveTime(ctx, true)
	}
	defer cancel()
	err := v.decode(wait)
	p.mu.Lock()
	if ps := p.sessions[v.session]; ps != nil && !isMain && v.session != p.Session {
		ps.late = err != nil && wait.Err() != nil
	}
	p.mu.Unlock()
	if err == nil {
		p.mu.Lock()
		// A pointing reading seldom counts.
		if n := v.doc.Facts.Total; n > 0 {
			v.frame.total = n
		}
		if !v.partial && v.frame.world == v.world {
			v.frame.rehearsed = v.world
		}
		p.mu.Unlock()
		return nil
	}
	p.mu.Lock()
	if v.frame.world == v.world {
		v.frame.world, v.frame.owned = 0, 0
	}
	p.mu.Unlock()
	if isMain || ctx.Err() != nil {
		return err
	}
	v.doc.Err = err
	return nil
}

var errNoScript = errors.New("our script is not in the document yet")

// asCallError tells whether the browser refused a call, which says something of
// that call alone.
func asCallError(err error) (*CallError, bool) {
	var refused *CallError
	ok := errors.As(err, &refused) && !errors.Is(err, ErrTargetGone)
	return refused, ok
}
