package testpages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/webarea/webarea/provider"
)

// verifySamples is how many samples one after another must satisfy.
const verifySamples = 2

// Verify waits until the page is as expected, and fails the test if it does not become
// so, or if that cannot be told. A predicate is JSON, as the tool verify_state takes it:
//
//	page.Verify(`{"element":{"selector":{"role":"button","label_contains":"Pay"},"enabled":true}}`)
//
// Of several all must hold at once. The test goes on.
func (p *Page) Verify(expect ...string) {
	p.t.Helper()
	predicates := make([]provider.Predicate, len(expect))
	for i, text := range expect {
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&predicates[i]); err != nil {
			p.t.Fatalf("expecting %s: %v", text, err)
		}
	}
	ctx, cancel := p.limit()
	defer cancel()
	verdict, err := p.provider.Verify(ctx, provider.VerifyQuery{
		WindowAddress: p.window(ctx), Expect: predicates, Timeout: min(p.timeout, verifyTimeout), Stable: verifySamples, Sent: true,
	})
	if err != nil {
		p.t.Fatalf("verifying the page: %v", err)
	}
	if verdict.Status == provider.Satisfied {
		return
	}
	var b strings.Builder
	for i, o := range verdict.Predicates {
		observed, err := json.Marshal(o.Observed)
		if err != nil {
			p.t.Fatalf("saying what was seen: %v", err)
		}
		fmt.Fprintf(&b, "\nwant: %s\n got: %s", expect[i], o.Status)
		if o.Reason != "" {
			b.WriteString(" (" + o.Reason + ")")
		}
		fmt.Fprintf(&b, ", seen: %s", observed)
	}
	p.t.Errorf("the page is not as expected after %d ms: %s%s", verdict.ElapsedMS, verdict.Status, b.String())
}

// State tells of the page as the tool get_window_state does.
func (p *Page) State(q provider.StateQuery) *provider.State {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	q.WindowAddress = p.window(ctx)
	if q.Timeout == 0 {
		q.Timeout = p.timeout / 2
	}
	s, err := p.provider.State(ctx, q)
	if err != nil {
		p.t.Fatalf("reading the page's window: %v", err)
	}
	return s
}

// window finds the page's window and tab.
func (p *Page) window(ctx context.Context) provider.WindowAddress {
	p.t.Helper()
	desk, err := p.provider.Desk(ctx)
	if err != nil {
		p.t.Fatalf("finding the page's window: %v", err)
	}
	id := p.provider.TabID(p.tab)
	for _, w := range desk.Windows {
		for _, t := range w.Tabs {
			if t.TabID == id {
				return provider.WindowAddress{PID: w.PID, Window: w.WindowID, Tab: id}
			}
		}
	}
	p.t.Fatalf("the page's window has gone")
	return provider.WindowAddress{}
}
