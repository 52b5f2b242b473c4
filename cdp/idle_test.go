package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/target"
)

// An answering is the far end of a connection whose clock is a fake: no real
// browser keeps to one. It answers every command, and keeps what it was asked.
type answering struct {
	*fakeTransport

	mu    sync.Mutex // guards asked
	asked []string
}

// since gives what it was asked after the first n commands.
func (a *answering) since(n int) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.asked[n:])
}

func (a *answering) Send(_ context.Context, msg []byte) error {
	var m struct {
		ID      int64            `json:"id"`
		Session target.SessionID `json:"sessionId"`
		Method  string           `json:"method"`
	}
	if err := json.Unmarshal(msg, &m); err != nil {
		return err
	}
	result := `{}`
	switch m.Method {
	case "Page.getFrameTree":
		result = `{"frameTree":{"frame":{"id":"F","loaderId":"L","url":"http://page.test/","domainAndRegistry":"","securityOrigin":"","mimeType":"text/html","secureContextType":"Secure","crossOriginIsolatedContextType":"NotIsolated","gatedAPIFeatures":[]}}}`
	case "Page.createIsolatedWorld":
		result = `{"executionContextId":1}`
	}
	a.mu.Lock()
	a.asked = append(a.asked, strings.TrimSpace(fmt.Sprint(m.Method, " ", m.Session)))
	a.mu.Unlock()
	a.incoming <- fmt.Sprintf(`{"id":%d,"sessionId":%q,"result":%s}`, m.ID, m.Session, result)
	return nil
}

// TestNothingPolled follows a page for a day in which nothing happens, with and
// without somebody who is told of changes: nothing is asked, but that accessibility is
// switched off when its time is over.
func TestNothingPolled(t *testing.T) {
	off := accessibility.CommandDisable + " S"
	for _, c := range []struct {
		name    string
		reads   []time.Duration // when it is read, from the beginning
		watched bool
		want    []string
	}{
		{"never read", nil, false, nil},
		{"watched, never read", nil, true, nil},
		{"read once", []time.Duration{0}, false, []string{"30s " + off}},
		{"watched and read once", []time.Duration{0}, true, []string{"30s " + off}},
		{"read again in time", []time.Duration{0, 29 * time.Second}, false, []string{"59s " + off}},
		{"read again too late", []time.Duration{0, 31 * time.Second}, false, []string{"30s " + off, "31s " + accessibility.CommandEnable + " S", "1m1s " + off}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				far := &answering{fakeTransport: newFake()}
				conn := NewConn(far)
				defer conn.Close()
				p, err := OpenPage(t.Context(), conn.Session("S"), "T")
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				if c.watched {
					defer p.WatchChanges(func() {}).Close()
				}
				// Our script comes into the page by itself, once.
				time.Sleep(time.Minute)
				synctest.Wait()
				begun, seen := time.Now(), len(far.since(0))
				var got []string
				look := func() {
					synctest.Wait()
					for _, m := range far.since(seen) {
						got = append(got, fmt.Sprint(time.Since(begun).Round(time.Second), " ", m))
						seen++
					}
				}
				for i, at := range c.reads {
					for time.Since(begun) < at {
						time.Sleep(time.Second)
						look()
					}
					p.wakeAX(t.Context(), []*Session{p.Session})
					if look(); i == 0 {
						got = nil // that it was switched on
					}
				}
				for time.Since(begun) < 24*time.Hour {
					time.Sleep(time.Second)
					look()
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("in a day the page was asked %q, want %q", got, c.want)
				}
			})
		})
	}
}
