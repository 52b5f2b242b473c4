package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

const (
	// sharePatience is how long a tab may take to be shared before it is tried again:
	// one whose page loops answers nothing.
	sharePatience = 5 * time.Second

	// sharePause is how long after that it is tried again.
	sharePause = 5 * time.Second
)

// A follower shares the tabs of a browser as they come, and no longer when they go.
type follower struct {
	provider *provider.Provider
	conn     *cdp.Conn
	ctx      context.Context
	stop     context.CancelFunc
	cancels  []func()
	running  sync.WaitGroup // the goroutines that it owns

	// mu guards the tabs that there are.
	mu   sync.Mutex
	tabs map[target.ID]*followed
}

// followed is a tab that is shared or is being shared.
type followed struct {
	gone  context.CancelFunc
	tried chan struct{} // closed after the first try
	err   error         // of that
}

// follow shares the tabs that there are now, and follows the others until close.
func follow(ctx context.Context, p *provider.Provider, conn *cdp.Conn) (*follower, error) {
	f := &follower{provider: p, conn: conn, tabs: map[target.ID]*followed{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	if conn.RootIsPage() {
		if err := f.share(ctx, ""); err != nil {
			f.close()
			return nil, err
		}
		return f, nil
	}
	root := conn.Browser()
	f.cancels = []func(){
		root.On(target.TargetCreated.Method, func(params jsonv2.Value) {
			var e target.EventTargetCreated
			if jsonv2.Unmarshal(params, &e, jsonv2.AllowInvalidUTF8(true)) == nil && isTab(e.TargetInfo) {
				f.add(e.TargetInfo.TargetID)
			}
		}),
		root.On(target.TargetDestroyed.Method, func(params jsonv2.Value) {
			var e target.EventTargetDestroyed
			if jsonv2.Unmarshal(params, &e) == nil {
				f.remove(e.TargetID)
			}
		}),
	}
	// The tabs that there are come as events before the answer.
	if err := root.Call(ctx, target.CommandSetDiscoverTargets, map[string]any{"discover": true}, nil); err != nil {
		f.close()
		return nil, fmt.Errorf("finding the tabs: %w", err)
	}
	f.mu.Lock()
	var now []*followed
	for _, t := range f.tabs {
		now = append(now, t)
	}
	f.mu.Unlock()
	for _, t := range now {
		select {
		case <-t.tried:
		case <-ctx.Done():
			f.close()
			return nil, ctx.Err()
		}
	}
	return f, nil
}

// isTab tells a page that a person sees in a tab from the browser's own tools and
// from pages that are only made ready.
func isTab(info *target.Info) bool {
	return info != nil && info.Type == "page" && info.Subtype == "" && !strings.HasPrefix(info.URL, "devtools://")
}

// share shares a tab, if it is not yet, and returns when that has been tried.
func (f *follower) share(ctx context.Context, id target.ID) error {
	t := f.add(id)
	select {
	case <-t.tried:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add begins to share a tab, once.
func (f *follower) add(id target.ID) *followed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.tabs[id]; t != nil {
		return t
	}
	ctx, gone := context.WithCancel(f.ctx)
	t := &followed{gone: gone, tried: make(chan struct{})}
	if err := ctx.Err(); err != nil {
		t.err = err
		close(t.tried)
		return t
	}
	f.tabs[id] = t
	f.running.Go(func() { f.keep(ctx, id, t) })
	return t
}

// keep shares a tab, trying again while that fails, until it has gone.
func (f *follower) keep(ctx context.Context, id target.ID, t *followed) {
	defer t.gone()
	for first := true; ; first = false {
		tab, err := f.try(ctx, id)
		if first {
			t.err = err
			close(t.tried)
		}
		if err == nil {
			<-ctx.Done()
			f.provider.Unshare(tab)
			return
		}
		if errors.Is(err, cdp.ErrTargetGone) || errors.Is(err, cdp.ErrBrowserGone) {
			return
		}
		pause := time.NewTimer(sharePause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
	}
}

func (f *follower) try(ctx context.Context, id target.ID) (*provider.Tab, error) {
	ctx, cancel := context.WithTimeout(ctx, sharePatience)
	defer cancel()
	return f.provider.Share(ctx, f.conn, id)
}

func (f *follower) remove(id target.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.tabs[id]; t != nil {
		t.gone()
		delete(f.tabs, id)
	}
}

// close ends the sharing of all tabs.
func (f *follower) close() {
	for _, cancel := range f.cancels {
		cancel()
	}
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.running.Wait()
}
