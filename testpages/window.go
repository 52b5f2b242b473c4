package testpages

import (
	"fmt"

	"github.com/webarea/webarea/driver"
)

// Beside opens another page in a browser window of its own, which then has the
// focus, with the cookies and the storage of this one. Answers tell of both from
// now on, whichever of the two is asked. It is closed when the test has ended.
func (p *Page) Beside(page string) *Page {
	p.t.Helper()
	other := p.twin()
	ctx, cancel := p.limit()
	defer cancel()
	if err := other.openWindow(ctx, p.session.Conn()); err != nil {
		p.t.Fatalf("opening another window: %v", err)
	}
	if err := other.load(page); err != nil {
		p.t.Fatalf("%v", err)
	}
	return other
}

// Popup waits for the window that this page has opened with another page, by a
// script or a link, and gives that page once it has loaded. Its size is what it was
// opened with. Answers tell of both from now on, whichever of the two is asked. It
// is closed when the test has ended.
func (p *Page) Popup(page string) *Page {
	p.t.Helper()
	other := p.twin()
	ctx, cancel := p.limit()
	defer cancel()
	conn := p.session.Conn()
	tab, err := driver.Opened(ctx, conn, p.tab.Page.Target, address(page))
	if err != nil {
		p.t.Fatalf("%v", err)
	}
	other.session = tab.Session
	if err := other.share(ctx, conn, tab.Target); err != nil {
		p.t.Fatalf("%v", fmt.Errorf("sharing the window that was opened: %w", err))
	}
	return other
}

// twin is a page to come, of the same test, browser context and answers.
func (p *Page) twin() *Page {
	return &Page{t: p.t, timeout: p.timeout, apart: p.apart, screen: p.screen, provider: p.provider}
}
