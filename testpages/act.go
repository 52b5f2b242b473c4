package testpages

import (
	"context"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// Wait waits until something on the page matches the CSS selector.
func (p *Page) Wait(css string) { p.t.Helper(); p.act(driver.WaitFor, css) }

// ScrollTo scrolls the first element that matches the CSS selector into view.
func (p *Page) ScrollTo(css string) { p.t.Helper(); p.act(driver.ScrollTo, css) }

// Focus gives the first element that matches the CSS selector the focus, as the
// keyboard would. Nothing is pressed or activated.
func (p *Page) Focus(css string) { p.t.Helper(); p.act(driver.Focus, css) }

// Select selects the contents of the first element that matches the CSS selector,
// or all of the value of a text field.
func (p *Page) Select(css string) { p.t.Helper(); p.act(driver.Select, css) }

// SelectText selects the first occurrence of the words that is drawn; they may run
// across elements, where white space counts as one space.
func (p *Page) SelectText(words string) { p.t.Helper(); p.act(driver.SelectText, words) }

// Hover moves the mouse to the middle of what is drawn of the first element that
// matches the CSS selector.
func (p *Page) Hover(css string) { p.t.Helper(); p.act(driver.Hover, css) }

// Eval runs a script in the page's own world, and waits if its value is a promise.
func (p *Page) Eval(script string) { p.t.Helper(); p.act(driver.Eval, script) }

// Value is Eval for a script whose value is wanted: it is decoded into result as
// encoding/json would.
func (p *Page) Value(script string, result any) {
	p.t.Helper()
	p.act(func(ctx context.Context, s *cdp.Session, script string) error {
		return driver.Value(ctx, s, script, result)
	}, script)
}

func (p *Page) act(how func(context.Context, *cdp.Session, string) error, with string) {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	if err := how(ctx, p.session, with); err != nil {
		p.t.Fatalf("%v", err)
	}
}
