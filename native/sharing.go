package native

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

const (
	// maxTabs is how many tabs may be shared at once.
	maxTabs = 1000

	// attachPatience is how long a page may take to be opened before it is told that
	// it does not answer.
	attachPatience = 5 * time.Second

	// attachPause is how long after a failure it is tried again.
	attachPause = 5 * time.Second

	// settlePatience is how long after a tab was shared questions wait until it can be
	// read.
	settlePatience = time.Second
)

// known are the words for what is wrong with a tab that the extension uses. Others, of
// a newer one, are told by the tab's state.
var known = []string{
	provider.ProblemDiscarded, provider.ProblemCrashed, provider.ProblemRestricted, provider.ProblemOtherExtension,
	provider.ProblemFileAccess, provider.ProblemPDF, provider.ProblemFrozen, provider.ProblemLeftSite, provider.ProblemBusy,
}

// A sharing holds the provider to what the extension says is shared.
type sharing struct {
	host  *host
	ctx   context.Context
	begun chan struct{} // closed when the extension has said what is shared

	// mu guards the tabs by their keys.
	mu   sync.Mutex
	tabs map[string]*sharedTab
}

// A sharedTab is one that the extension says is shared.
type sharedTab struct {
	key   string
	place provider.Place // as the extension tells it
	state tabState

	tab      *provider.Tab
	attached bool               // its page is open
	stop     context.CancelFunc // ends its being attached to; nil: it is not
	tried    chan struct{}      // closed when that was first tried; nil: it will not be
	since    time.Time          // when it was said that it would be
}

func newSharing(ctx context.Context, h *host) *sharing {
	return &sharing{host: h, ctx: ctx, begun: make(chan struct{}), tabs: map[string]*sharedTab{}}
}

// update takes what the extension says is shared now. What it does not say any more
// is not answered about when update returns.
func (s *sharing) update(m tabsMessage) error {
	if len(m.Tabs) > maxTabs {
		return fmt.Errorf("%w: %d tabs", errShape, len(m.Tabs))
	}
	windows := map[int64]windowFacts{}
	for _, w := range m.Windows {
		windows[w.Window] = w
	}
	now := map[string]tabFacts{}
	for _, t := range m.Tabs {
		if !tabKey.MatchString(t.Tab) {
			return fmt.Errorf("%w: a tab's key", errShape)
		}
		now[t.Tab] = t
	}
	reasons := map[string]string{}
	for _, g := range m.Gone {
		reasons[g.Tab] = g.Reason
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, t := range s.tabs {
		if _, still := now[key]; !still {
			s.drop(t, reasons[key])
		}
	}
	for _, facts := range m.Tabs {
		s.set(facts, windows[facts.Window])
	}
	select {
	case <-s.begun:
	default:
		close(s.begun)
	}
	return nil
}

// reasonTabClosed is why a tab has gone that was closed while it was shared.
const reasonTabClosed = "closed"

// drop ends the sharing of a tab. s.mu is held.
func (s *sharing) drop(t *sharedTab, reason string) {
	delete(s.tabs, t.key)
	if reason == reasonTabClosed {
		s.host.provider.Closed(t.tab)
	} else {
		s.host.provider.Unshare(t.tab)
	}
	s.detach(t, endReason(reason))
	s.host.log.Info("a tab is not shared any more", "tab", t.key, "reason", clean(reason))
}

// detach ends the way to a tab. s.mu is held.
func (s *sharing) detach(t *sharedTab, reason endReason) {
	if reason == "" {
		reason = reasonUnshared
	}
	s.expectNothing(t)
	if t.stop != nil {
		t.stop()
		t.stop, t.tried = nil, nil
	}
	s.host.relay.end(t.key, reason)
	t.attached = false
}

// set notes what is said of a tab. s.mu is held.
func (s *sharing) set(facts tabFacts, window windowFacts) {
	place := placeOf(facts, window)
	t := s.tabs[facts.Tab]
	if t == nil {
		t = &sharedTab{key: facts.Tab}
		s.tabs[facts.Tab] = t
		s.host.log.Info("a tab is shared", "tab", t.key, "state", clean(string(facts.State)), "problem", place.Problem)
		t.tab = s.host.provider.Mention(t.key, t.told(place, facts.State))
	} else if t.state != facts.State && (t.state == stateAttached || t.state == stateReduced && facts.State != stateAttached) {
		// What was read of it is not told any more, so it is not the same tab to who
		// reads it now.
		s.host.provider.Unshare(t.tab)
		s.detach(t, endReason(place.Problem))
		t.tab = s.host.provider.Mention(t.key, t.told(place, facts.State))
	}
	if facts.State == stateReduced && t.state != stateReduced {
		s.reduce(t)
	}
	t.place, t.state = place, facts.State
	s.host.provider.SetPlace(t.tab, t.told(place, t.state))
	if t.state != stateAttaching && t.state != stateAttached {
		s.expectNothing(t)
	} else if t.tried == nil {
		t.tried, t.since = make(chan struct{}), time.Now()
	}
	if t.state == stateAttached && t.stop == nil {
		ctx, stop := context.WithCancel(s.ctx)
		t.stop = stop
		tried := t.tried
		s.host.running.Go(func() {
			defer stop()
			s.attach(ctx, t, tried)
		})
	}
}

// expectNothing notes that a tab is not about to be attached to any more. s.mu is held.
func (s *sharing) expectNothing(t *sharedTab) {
	if t.stop == nil && t.tried != nil {
		close(t.tried)
		t.tried = nil
	}
}

// reduce has a tab read by the extension, in place of the host. s.mu is held.
func (s *sharing) reduce(t *sharedTab) {
	page := &cdp.ScriptPage{Name: "reduced-" + t.key, Call: func(ctx context.Context, function string, argument any) ([]byte, error) {
		var got struct {
			Value jsonv2.Value `json:"value"`
		}
		err := s.host.requests.ask(ctx, requestMessage{What: requestReduced, Tab: t.key, Function: function, Argument: argument}, &got)
		return got.Value, err
	}}
	s.host.provider.ReadBy(t.tab, page, func(ctx context.Context) ([]byte, error) {
		var got struct {
			Data []byte `json:"data"`
		}
		err := s.host.requests.ask(ctx, requestMessage{What: requestCapture, Tab: t.key, Format: provider.FormatPNG}, &got)
		return got.Data, err
	})
}

// told is the place of a tab with the problem that it has as long as its page is not
// open.
func (t *sharedTab) told(place provider.Place, state tabState) provider.Place {
	if state == stateAttached && !t.attached && place.Problem == "" {
		place.Problem = provider.ProblemAttaching
	}
	return place
}

// placeOf gives the provider's form of what is said of a tab.
func placeOf(facts tabFacts, window windowFacts) provider.Place {
	p := provider.Place{
		Window: facts.Window, State: window.State, Order: max(1, window.Order), Index: facts.Index, Active: facts.Active,
		Title: facts.Title, URL: facts.URL,
		Facts: provider.TabFacts{Told: true, Pinned: facts.Pinned, Audible: facts.Audible, Loading: facts.Loading, Discarded: facts.Discarded},
	}
	if b := window.Bounds; b.Width > 0 {
		p.Bounds = provider.Rect{X: b.X, Y: b.Y, Width: b.Width, Height: b.Height}
	}
	if facts.State != stateAttached {
		p.Problem = problems[facts.State]
		if p.Problem == "" {
			p.Problem = provider.ProblemUnreachableTab
		}
	}
	if slices.Contains(known, facts.Problem) && facts.State != statePaused && facts.State != stateReduced {
		p.Problem = facts.Problem
	}
	if facts.State == statePaused {
		p.Title, p.URL = "", ""
	}
	return p
}

// attach opens the page of a tab, trying again while that fails, until ctx ends.
func (s *sharing) attach(ctx context.Context, t *sharedTab, tried chan struct{}) {
	for first := true; ; first = false {
		slow := time.AfterFunc(attachPatience, func() { s.slow(ctx, t) })
		s.mu.Lock()
		mentioned := t.tab
		s.mu.Unlock()
		tab, err := s.host.provider.Attach(ctx, mentioned, cdp.NewPageConn(s.host.relay.open(t.key)))
		slow.Stop()
		if err == nil {
			s.opened(ctx, t, tab)
		} else if ctx.Err() == nil {
			s.host.log.Warn("a shared tab could not be opened", "tab", t.key, "why", wordFor(err))
		}
		if first {
			close(tried)
		}
		var ended *tabEnded
		if err == nil || errors.As(err, &ended) {
			return
		}
		pause := time.NewTimer(attachPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
	}
}

// opened notes that a tab's page is open.
func (s *sharing) opened(ctx context.Context, t *sharedTab, tab *provider.Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		s.host.provider.Unshare(tab)
		return
	}
	t.tab, t.attached = tab, true
	s.host.provider.SetPlace(tab, t.told(t.place, t.state))
	s.host.news.tell()
}

// slow tells that a tab's page does not answer.
func (s *sharing) slow(ctx context.Context, t *sharedTab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || t.attached {
		return
	}
	place := t.place
	if place.Problem == "" {
		place.Problem = provider.ProblemUnresponsive
	}
	s.host.provider.SetPlace(t.tab, place)
	s.host.news.tell()
}

// wordFor tells why a tab could not be opened, without words of its page.
func wordFor(err error) string {
	var ended *tabEnded
	var refused *cdp.CallError
	switch {
	case errors.As(err, &ended):
		return clean(string(ended.reason))
	case errors.As(err, &refused):
		return fmt.Sprintf("%s was refused (%d)", refused.Method, refused.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return "it does not answer"
	}
	return "it has gone"
}

// ready returns when questions can be asked: the extension has said what is shared,
// and what it says is there to be read, if it will soon be.
func (s *sharing) ready(ctx context.Context) error {
	select {
	case <-s.begun:
	case <-ctx.Done():
		return &provider.Error{Code: provider.CodeFailed, Message: "the browser's extension has not said yet what is shared", Mend: "ask again"}
	}
	s.mu.Lock()
	var tried []chan struct{}
	var until time.Time
	for _, t := range s.tabs {
		if t.tried != nil && !t.attached {
			tried = append(tried, t.tried)
			if end := t.since.Add(settlePatience); end.After(until) {
				until = end
			}
		}
	}
	s.mu.Unlock()
	if len(tried) == 0 {
		return nil
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for _, done := range tried {
		select {
		case <-done:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// names gives the keys of the shared tabs by the ids that answers call them.
func (s *sharing) names() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := map[string]string{}
	for key, t := range s.tabs {
		names[s.host.provider.TabID(t.tab)] = key
	}
	return names
}

// end ends all sharing.
func (s *sharing) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		s.drop(t, string(reasonHungUp))
	}
}
