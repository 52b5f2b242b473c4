package cdp

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// How our script comes into documents. It is larger than all else that is sent: one command
// has it run in all documents of a process, beside those that ask for their worlds; and
// where frames are on their way when the main document is there, in them as they come.

// maxTogether bounds the frames of a page in which it runs at once: a page does nothing
// else meanwhile, a millisecond for each.
const maxTogether = 20

// A bringing is our script on its way into documents.
type bringing struct {
	// calls have it run in all documents of a session, and had has those sessions in
	// which it runs in any case.
	calls map[*Session]*Pending
	had   map[*Session]bool

	// keep says of the page's own session that it goes on running in documents to come,
	// and ended has what does so no longer.
	keep  bool
	ended map[*Session]page.ScriptIdentifier
}

// bring has our script run in the documents of each session where all lack it: each that
// has it would read it once more. Only who is quiet says for how long it runs in those to
// come.
func (p *Page) bring(ctx context.Context, visits []*visit, quiet bool) bringing {
	b := bringing{calls: map[*Session]*Pending{}, had: map[*Session]bool{}, ended: map[*Session]page.ScriptIdentifier{}}
	lack, have := map[*Session]bool{}, map[*Session]bool{}
	for _, v := range visits {
		if v.world != 0 {
			have[v.session] = true
		} else if !v.dead {
			lack[v.session] = true
		}
	}
	p.mu.Lock()
	few := len(p.frames) <= maxTogether && p.omitted == 0
	b.keep = quiet && few && p.areComing()
	if b.keep {
		lack[p.Session], have[p.Session] = true, false
	}
	for s, ps := range p.sessions {
		if ps.coming == "" {
			continue
		}
		b.had[s] = true
		if quiet && !b.keep {
			b.ended[s], ps.coming = ps.coming, ""
		}
	}
	p.mu.Unlock()
	for s := range lack {
		if few && !have[s] && !b.had[s] {
			b.calls[s] = s.Go(ctx, page.CommandAddScriptToEvaluateOnNewDocument, followingScript())
		}
	}
	return b
}

// followingScript has our script run in the documents that there are, and in those to
// come.
func followingScript() map[string]any {
	return map[string]any{"source": worldScript(), "worldName": worldName, "runImmediately": true}
}

// areComing tells whether the main document is there, and frames in it are on their way.
// p.mu is held.
func (p *Page) areComing() bool {
	main := p.frames[p.main]
	if main == nil || main.loader == "" || p.hurried[page.DomContentEventFired.Method] != main.loader || p.hurried[page.LoadEventFired.Method] == main.loader {
		return false
	}
	for _, f := range p.frames {
		if f.loader == "" {
			return true
		}
	}
	return false
}

// give has our script run in a document whose world is known, unless it has. What is
// asked of the script afterwards comes after it.
func (p *Page) give(ctx context.Context, v *visit, b bringing) {
	if b.had[v.session] {
		return
	}
	// It was asked before the world was.
	if call := b.calls[v.session]; call != nil && call.Wait(ctx, nil) == nil {
		return
	}
	v.session.Go(ctx, runtime.CommandEvaluate, map[string]any{"expression": worldScript(), "contextId": v.world, "returnByValue": true})
}

// endBringing has our script no longer run in documents to come, but where it is kept. A
// process that has not answered yet goes on with it, and is not waited for.
func (p *Page) endBringing(ctx context.Context, b bringing) {
	for s, call := range b.calls {
		select {
		case <-call.Done():
		default:
			continue
		}
		var got page.AddScriptToEvaluateOnNewDocumentResult
		if call.Wait(ctx, &got) != nil {
			continue
		}
		p.mu.Lock()
		ps := p.sessions[s]
		kept := b.keep && s == p.Session && ps != nil && ps.coming == ""
		if kept {
			ps.coming = got.Identifier
		}
		p.mu.Unlock()
		if !kept {
			b.ended[s] = got.Identifier
		}
	}
	for s, id := range b.ended {
		s.Go(ctx, page.CommandRemoveScriptToEvaluateOnNewDocument, map[string]any{"identifier": id})
	}
}

// bringToComing has our script run in a frame of another process that comes while those
// of the page's own do; nil where it does not.
func (p *Page) bringToComing(ctx context.Context, s *Session) *Pending {
	p.mu.Lock()
	follows := s != p.Session && len(p.frames) <= maxTogether && p.areComing()
	p.mu.Unlock()
	if !follows {
		return nil
	}
	return s.Go(ctx, page.CommandAddScriptToEvaluateOnNewDocument, followingScript())
}
