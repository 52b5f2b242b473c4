package testpages

import "github.com/webarea/webarea/provider"

// Locate tells where the element that an answer gave the id to is drawn: all of
// it, also what is not on screen.
func (p *Page) Locate(id string) *provider.Location {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	at, err := p.provider.Locate(ctx, id, provider.LocateOptions{})
	if err != nil {
		p.t.Fatalf("locating %s: %v", id, err)
	}
	return at
}

// Capture takes a picture of the element that an answer gave the id to.
func (p *Page) Capture(id string, o provider.CaptureOptions) *provider.Picture {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	picture, err := p.provider.Capture(ctx, id, o)
	if err != nil {
		p.t.Fatalf("taking a picture of %s: %v", id, err)
	}
	return picture
}
