package cdp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// maxFrames bounds how many frames of one page are followed. A page of more is
// an attack or a test; the reading says how many were left out.
const maxFrames = 200

// ErrCrashed is the error of a page whose renderer has died.
var ErrCrashed = errors.New("the tab has crashed")

// A Page is one tab's page as it is followed over time: its frames, in whatever
// process they live, our world in each, an open dialog, a crash. It reads and
// never acts. Its methods may be called from any goroutine.
type Page struct {
	// Session is the page target's own session.
	Session *Session

	// Target is the page's target id, which names the tab.
	Target target.ID

	adopt sync.WaitGroup
	ctx   context.Context
	stop  context.CancelFunc

	// mu guards what the page is made of now.
	mu       sync.Mutex
	frames   map[cdproto.FrameID]*frame
	order    []cdproto.FrameID
	main     cdproto.FrameID
	omitted  int
	sessions map[*Session]*pageSession
	streams  map[string]*stream // by id
	dialog   *Dialog
	dialogCh chan struct{} // closed while a dialog is open
	crashed  bool
	crashCh  chan struct{} // closed once the page has crashed
	moves    int           // counts navigations of the main frame
	adopting int
	adopted  chan struct{} // closed when adopting falls to 0
	watchers []*Watch
	warming  chan struct{}               // our script is about to follow new documents; closed: at once
	hurried  map[string]cdproto.LoaderID // by event, the main document of which it told

	shooting chan struct{} // holds a token while a screenshot is taken
	quiet    chan struct{} // holds a token while documents are prepared for nobody that waits

	// axMu guards when accessibility is switched off again.
	axMu    sync.Mutex
	axTimer *time.Timer
}

// A Dialog is an open JavaScript dialog.
type Dialog struct {
	Type    string // alert, confirm, prompt or beforeunload
	Message string
	URL     string // of the frame that opened it
}

// pageSession is what one session of the page has had switched on.
type pageSession struct {
	session *Session
	cancels []func()        // end our listening to it
	owner   cdproto.FrameID // the frame it was attached for; empty for the page
	removed bool            // that frame has gone
	ax      bool
	dead    bool          // its renderer has crashed
	gone    chan struct{} // closed when it does
	late    bool          // it did not answer in time when it was last asked

	// coming is what has all of our script run in its documents to come, for a short
	// while; empty where nothing does.
	coming page.ScriptIdentifier
}

// frame is one frame and its document of now.
type frame struct {
	id      cdproto.FrameID
	parent  cdproto.FrameID
	session *Session
	loader  cdproto.LoaderID
	url     string
	name    string

	// world is the id of our world in the document of now, 0 until it is known.
	world runtime.ExecutionContextID
	// owned says that the parent's world knows which element holds this frame; it
	// is the parent's world for which it does.
	owned runtime.ExecutionContextID
	// bound is the world that has the binding of streams.
	bound runtime.ExecutionContextID
	// total is how many elements its document had when it was last read.
	total int
	// rehearsed is the world whose script has read once, for somebody or for nobody.
	rehearsed runtime.ExecutionContextID
}

// OpenPage starts to follow the page of a session. Page events are on from now
// until Close, since the text of a dialog is known only so.
func OpenPage(ctx context.Context, s *Session, id target.ID) (*Page, error) {
	ctx, cancel := context.WithTimeout(ctx, DefaultCallTimeout)
	defer cancel()
	p := &Page{
		Session: s, Target: id,
		frames: map[cdproto.FrameID]*frame{}, sessions: map[*Session]*pageSession{}, hurried: map[string]cdproto.LoaderID{}, streams: map[string]*stream{},
		dialogCh: make(chan struct{}), crashCh: make(chan struct{}), shooting: make(chan struct{}, 1), quiet: make(chan struct{}, 1),
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	if err := p.take(ctx, s, ""); err != nil {
		p.Close()
		return nil, fmt.Errorf("opening the page: %w", err)
	}
	return p, nil
}

// Close stops following the page. It does not close the tab.
func (p *Page) Close() {
	p.stop()
	p.adopt.Wait()
	p.mu.Lock()
	var cancels []func()
	for _, ps := range p.sessions {
		cancels = append(cancels, ps.cancels...)
		ps.cancels = nil
	}
	p.mu.Unlock()
	for _, c := range cancels {
		c()
	}
	p.axMu.Lock()
	defer p.axMu.Unlock()
	if p.axTimer != nil {
		p.axTimer.Stop()
	}
}

// Dialog returns the open JavaScript dialog, or nil.
func (p *Page) Dialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog
}

// Crashed tells whether the page's renderer has died.
func (p *Page) Crashed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.crashed
}

// take sets up one session of the page: its events, our script for its documents
// to come, its frames of now.
func (p *Page) take(ctx context.Context, s *Session, owner cdproto.FrameID) error {
	p.mu.Lock()
	if p.sessions[s] != nil {
		p.mu.Unlock()
		return nil
	}
	ps := &pageSession{session: s, owner: owner, gone: make(chan struct{})}
	p.sessions[s] = ps
	p.mu.Unlock()
	p.listen(s, owner == "")

	depth := jsonv2.Value(`[{"type":"iframe","exclude":false},{"exclude":true}]`)
	on := s.Go(ctx, page.CommandEnable, page.EnableParams{})
	crash := s.Go(ctx, inspector.CommandEnable, nil)
	auto := s.Go(ctx, target.CommandSetAutoAttach, map[string]any{
		"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": depth,
	})
	script := s.Go(ctx, page.CommandAddScriptToEvaluateOnNewDocument, map[string]any{
		"source": earlyScript(), "worldName": worldName, "runImmediately": true,
	})
	coming := p.bringToComing(ctx, s)
	// A frame of another process waits until our script is there to see what it
	// does with its fields. Nothing is waited for in between.
	s.Go(ctx, runtime.CommandRunIfWaitingForDebugger, nil)
	tree := s.Go(ctx, page.CommandGetFrameTree, nil)
	for _, c := range []*Pending{on, auto, script} {
		if err := c.Wait(ctx, nil); err != nil {
			return err
		}
	}
	// Not every kind of target has an inspector domain.
	_ = crash.Wait(ctx, nil)
	var got page.GetFrameTreeResult
	if err := tree.Wait(ctx, &got); err != nil {
		return err
	}
	var added page.AddScriptToEvaluateOnNewDocumentResult
	if coming != nil {
		_ = coming.Wait(ctx, &added)
	}
	p.mu.Lock()
	if ps.removed || s.isDetached() {
		p.mu.Unlock()
		return ErrTargetGone
	}
	ps.coming = added.Identifier
	p.graft(got.FrameTree, s, owner == "")
	watchers := p.watchers
	p.mu.Unlock()
	for _, w := range watchers {
		w.follow(s)
		w.renew()
	}
	p.warm()
	return nil
}

// graft enters a frame tree that a session reported.
func (p *Page) graft(t *page.FrameTree, s *Session, root bool) {
	if t == nil || t.Frame == nil {
		return
	}
	if root {
		p.main = t.Frame.ID
	}
	f := p.frameFor(t.Frame.ID, t.Frame.ParentID, s)
	if f == nil {
		return
	}
	f.session = s
	p.navigated(f, t.Frame)
	for _, c := range t.ChildFrames {
		p.graft(c, s, false)
	}
}

// frameFor finds or enters a frame; nil where there are too many.
func (p *Page) frameFor(id, parent cdproto.FrameID, s *Session) *frame {
	f := p.frames[id]
	if f == nil {
		if len(p.frames) >= maxFrames {
			p.omitted++
			return nil
		}
		f = &frame{id: id, session: s}
		p.frames[id] = f
		p.order = append(p.order, id)
	}
	if parent != "" {
		f.parent = parent
	}
	return f
}

func (p *Page) navigated(f *frame, now *cdproto.Frame) {
	if f.loader != now.LoaderID {
		f.world, f.owned = 0, 0
		if f.id == p.main {
			p.moves++
		}
	}
	f.loader, f.url, f.name = now.LoaderID, now.URL+now.URLFragment, now.Name
}

// drop forgets a frame and what is below it.
func (p *Page) drop(id cdproto.FrameID) { p.dropAll(map[cdproto.FrameID]bool{id: true}) }

// dropBelow forgets what is below a frame.
func (p *Page) dropBelow(id cdproto.FrameID) {
	gone := map[cdproto.FrameID]bool{}
	for fid, f := range p.frames {
		if f.parent == id {
			gone[fid] = true
		}
	}
	p.dropAll(gone)
}

func (p *Page) dropAll(gone map[cdproto.FrameID]bool) {
	for again := true; again; {
		again = false
		for fid, f := range p.frames {
			if !gone[fid] && gone[f.parent] {
				gone[fid] = true
				again = true
			}
		}
	}
	for _, ps := range p.sessions {
		ps.removed = ps.removed || gone[ps.owner]
	}
	kept := p.order[:0]
	for _, fid := range p.order {
		if gone[fid] {
			delete(p.frames, fid)
		} else {
			kept = append(kept, fid)
		}
	}
	p.order = kept
}

// listen follows a session's events. The handlers run on the connection's
// goroutine and only note what happened.
func (p *Page) listen(s *Session, isPage bool) {
	on := func(method string, fn func(jsonv2.Value)) {
		cancel := s.On(method, fn)
		p.mu.Lock()
		defer p.mu.Unlock()
		if ps := p.sessions[s]; ps != nil {
			ps.cancels = append(ps.cancels, cancel)
		}
	}
	on(page.FrameAttached.Method, note(func(e page.EventFrameAttached) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.frameFor(e.FrameID, e.ParentFrameID, s)
	}))
	on(page.FrameNavigated.Method, note(func(e page.EventFrameNavigated) {
		if e.Frame == nil {
			return
		}
		defer p.warm()
		p.mu.Lock()
		defer p.mu.Unlock()
		if isPage && e.Frame.ParentID == "" {
			p.main = e.Frame.ID
		}
		f := p.frameFor(e.Frame.ID, e.Frame.ParentID, s)
		if f == nil {
			return
		}
		if f.session != s {
			f.world, f.owned = 0, 0
		}
		if f.loader != "" && f.loader != e.Frame.LoaderID {
			// Of a frame of another process that goes with the document nobody tells.
			p.dropBelow(f.id)
		}
		f.session = s
		p.revive(s)
		p.navigated(f, e.Frame)
	}))
	on(page.NavigatedWithinDocument.Method, note(func(e page.EventNavigatedWithinDocument) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if f := p.frames[e.FrameID]; f != nil {
			f.url = e.URL
		}
	}))
	on(page.FrameDetached.Method, note(func(e page.EventFrameDetached) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if string(e.Reason) != "swap" {
			p.drop(e.FrameID)
		}
	}))
	// The second tells that the frames are there too.
	for _, told := range []string{page.DomContentEventFired.Method, page.LoadEventFired.Method} {
		on(told, func(jsonv2.Value) {
			if isPage {
				p.hurry(told)
			}
		})
	}
	on(page.JavascriptDialogOpening.Method, note(func(e page.EventJavascriptDialogOpening) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dialog == nil {
			close(p.dialogCh)
		}
		p.dialog = &Dialog{Type: string(e.Type), Message: e.Message, URL: e.URL}
	}))
	on(page.JavascriptDialogClosed.Method, func(jsonv2.Value) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dialog != nil {
			p.dialog = nil
			p.dialogCh = make(chan struct{})
		}
	})
	on(inspector.TargetCrashed.Method, func(jsonv2.Value) { p.died(s, isPage) })
	on(target.AttachedToTarget.Method, note(func(e target.EventAttachedToTarget) {
		if e.TargetInfo == nil || e.TargetInfo.Type != "iframe" {
			return
		}
		p.adoptFrame(s.Conn().Session(e.SessionID), cdproto.FrameID(e.TargetInfo.TargetID))
	}))
	on(target.DetachedFromTarget.Method, func(jsonv2.Value) { p.forgetDetached() })
	on(runtime.BindingCalled.Method, note(p.hear))
}

// forgetDetached forgets the sessions that have ended, all but the page's own: a page
// that goes on replacing its frames of other sites has a new one for each.
func (p *Page) forgetDetached() {
	p.mu.Lock()
	defer p.mu.Unlock()
	over := func(s *Session) bool { return s != p.Session && s.isDetached() }
	maps.DeleteFunc(p.sessions, func(s *Session, _ *pageSession) bool { return over(s) })
	for _, w := range p.watchers {
		maps.DeleteFunc(w.cancels, func(s *Session, _ []func()) bool { return over(s) })
	}
}

// died notes that the renderer of a session has crashed.
func (p *Page) died(s *Session, isPage bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ps := p.sessions[s]; ps != nil && !ps.dead {
		ps.dead = true
		close(ps.gone)
	}
	if isPage && !p.crashed {
		p.crashed = true
		close(p.crashCh)
	}
}

// revive notes that a session has a renderer again, with documents that are new. A
// navigation tells; Inspector.targetReloadedAfterCrash comes with the crash itself.
// p.mu is held.
func (p *Page) revive(s *Session) {
	ps := p.sessions[s]
	if ps == nil || !ps.dead {
		return
	}
	ps.dead, ps.late, ps.ax = false, false, false
	ps.gone = make(chan struct{})
	for _, f := range p.frames {
		if f.session == s {
			f.world, f.owned = 0, 0
		}
	}
	if s == p.Session && p.crashed {
		p.crashed = false
		p.crashCh = make(chan struct{})
	}
}

// note decodes an event; one that does not decode is not ours to act on.
func note[E any](fn func(E)) func(jsonv2.Value) {
	return func(params jsonv2.Value) {
		var e E
		if jsonv2.Unmarshal(params, &e, tolerant) == nil {
			fn(e)
		}
	}
}

// adoptFrame takes over the session of an out-of-process frame. Reads wait until
// it is done, so that a frame is not missed for having just been attached.
func (p *Page) adoptFrame(s *Session, id cdproto.FrameID) {
	p.mu.Lock()
	if p.ctx.Err() != nil {
		p.mu.Unlock()
		return
	}
	if p.adopting == 0 {
		p.adopted = make(chan struct{})
	}
	p.adopting++
	p.adopt.Add(1)
	p.mu.Unlock()
	go func() {
		defer p.adopt.Done()
		ctx, cancel := context.WithTimeout(p.ctx, adoptTimeout)
		defer cancel()
		// A frame that cannot be taken is one that has gone, or does not answer;
		// the reading then says that it could not be reached.
		_ = p.take(ctx, s, id)
		// It may have gone before it was listened to.
		p.forgetDetached()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.adopting--
		if p.adopting == 0 {
			close(p.adopted)
		}
	}()
}

// adoptTimeout bounds how long a new out-of-process frame may take to answer
// before reads go on without it.
const adoptTimeout = 5 * time.Second

// settle waits until no frame is being taken over, but only a part of the time that
// is left: one that does not answer must not take the page's answer with it.
func (p *Page) settle(ctx context.Context) error {
	p.mu.Lock()
	n, ch := p.adopting, p.adopted
	p.mu.Unlock()
	if n == 0 {
		return nil
	}
	wait, cancel := share(ctx, false)
	defer cancel()
	select {
	case <-ch:
	case <-wait.Done():
	}
	return ctx.Err()
}
