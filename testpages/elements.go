package testpages

import (
	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// The scopes of an answer.
const (
	// Pointing is what the user points at, and what says where that is.
	Pointing = cdp.ScopePointing
	// Visible is that and what is on screen.
	Visible = cdp.ScopeVisible
	// WholePage is all that the page has.
	WholePage = cdp.ScopePage
)

// Elements gives the answer about the page as it is now. An answer that breaks a
// rule of the protocol fails the test, and says which.
func (p *Page) Elements(scope cdp.Scope) *elements.Answer {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	answer, err := p.provider.Elements(ctx, provider.Query{Scope: scope})
	if err != nil {
		p.t.Fatalf("asking for %s scope: %v", scope, err)
	}
	for _, v := range elements.Validate(*answer) {
		p.t.Errorf("the answer in %s scope breaks a rule: %s", scope, v)
	}
	return answer
}
