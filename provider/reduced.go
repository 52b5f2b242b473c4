package provider

import (
	"context"

	"github.com/webarea/webarea/cdp"
)

// ReadBy has a mentioned tab, whose page the protocol does not reach, read through our
// script alone; nil ends that. Its problem still says that not all of it can be.
func (p *Provider) ReadBy(t *Tab, page *cdp.ScriptPage) {
	t.mu.Lock()
	t.script = page
	t.mu.Unlock()
	p.changed()
}

// readByScript reads what can be had so of a tab. Where nothing can, the tab is told
// without its page, as its place says.
func (t *Tab) readByScript(ctx context.Context, opts cdp.ReadOptions, s *tabState) {
	t.mu.Lock()
	page := t.script
	t.mu.Unlock()
	if page == nil {
		return
	}
	r, err := page.Read(ctx, opts)
	if err != nil {
		return
	}
	s.reading = r
	d := r.Documents[0]
	s.active, s.focus, s.title, s.url = d.Facts.Visible, d.Facts.HasFocus, d.Facts.Title, d.Facts.URL
	t.mu.Lock()
	t.keys = map[string]bool{d.Key: true}
	t.mu.Unlock()
}
