package provider

import (
	"bytes"
	"context"
	"image/png"

	"github.com/webarea/webarea/cdp"
)

// A Shoot takes a picture of what a tab shows, a PNG in which what must not be seen is
// painted over.
type Shoot func(ctx context.Context) ([]byte, error)

// ReadBy has a mentioned tab, whose page the protocol does not reach, read through our
// script alone, and pictures of all of it taken by shoot; nil ends either. Its problem
// still says that not all of it can be read.
func (p *Provider) ReadBy(t *Tab, page *cdp.ScriptPage, shoot Shoot) {
	t.mu.Lock()
	t.script, t.shoot = page, shoot
	t.mu.Unlock()
	p.changed()
}

// shootable gives the tab that an id names, or whose document it names, where only
// such pictures of it can be taken.
func (p *Provider) shootable(id string) (*Tab, Shoot) {
	key, _ := p.ids.key(id)
	for _, t := range p.shared() {
		t.mu.Lock()
		shoot, named := t.shoot, key != "" && (t.key() == key || t.keys[key])
		t.mu.Unlock()
		if t.Page == nil && shoot != nil && named {
			return t, shoot
		}
	}
	return nil, nil
}

// shot takes such a picture.
func (p *Provider) shot(ctx context.Context, t *Tab, shoot Shoot, id string, o CaptureOptions) (*Picture, error) {
	raw, err := shoot(ctx)
	if !p.isShared(t) {
		return nil, p.lost(id)
	}
	if err != nil {
		return nil, failure(CodeNoPicture, err, "bring the tab to the front, and ask its user to let the extension see the site", "no picture of %q can be had now", id)
	}
	head, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil || head.Width > maxShot || head.Height > maxShot {
		return nil, failure(CodeNoPicture, err, "", "the picture of %q could not be read", id)
	}
	picture, err := encode(&cdp.Picture{PNG: raw, Width: head.Width, Height: head.Height}, o)
	if err == nil && !p.isShared(t) {
		return nil, p.lost(id)
	}
	return picture, err
}

// maxShot bounds the sides of such a picture, in pixels: no screen has more.
const maxShot = 16384

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
	s.taken = converted(r, opts)
	d := r.Documents[0]
	s.active, s.focus, s.title, s.url = d.Facts.Visible, d.Facts.HasFocus, d.Facts.Title, d.Facts.URL
	t.mu.Lock()
	t.keys = map[string]bool{d.Key: true}
	t.mu.Unlock()
}
