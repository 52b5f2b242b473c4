//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
)

// A driven is a tab of somebody else's browser that a test acts on, over a connection
// of its own.
type driven struct {
	t       *testing.T
	session *cdp.Session
}

// drive opens a page in the browser, in a tab that stays when the test ends.
func (b running) drive(t *testing.T, address string) driven {
	t.Helper()
	var opened tab
	b.ask(t, http.MethodPut, "/json/new?about:blank", &opened)
	conn, err := cdp.Attach(t.Context(), opened.Socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	d := driven{t, conn.Browser()}
	d.act("the page", driver.Load, address)
	return d
}

func (d driven) act(what string, how func(context.Context, *cdp.Session, string) error, with string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), runLimit/2)
	defer cancel()
	if err := how(ctx, d.session, with); err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
}

// subscribe subscribes to the elements of the run and gives their address.
func (s *stdioClient) subscribe() string {
	s.t.Helper()
	uri := s.elementsAddress()
	if s.legacy {
		if m := s.ask("resources/subscribe", fmt.Sprintf(`"uri":%q`, uri)); m.Error != nil {
			s.t.Fatalf("got %s", m.line)
		}
		return uri
	}
	s.request("subscriptions/listen", fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, uri))
	if m := s.receive(); m.Method != "notifications/subscriptions/acknowledged" {
		s.t.Fatalf("got %s, want the acknowledgement", m.line)
	}
	return uri
}

// elementsAddress is the address of the elements of the run.
func (s *stdioClient) elementsAddress() string {
	s.t.Helper()
	m := s.ask("resources/list", "")
	_, rest, _ := strings.Cut(m.line, `"uri":"`)
	uri, _, _ := strings.Cut(rest, `"`)
	if !strings.HasPrefix(uri, "webarea://") {
		s.t.Fatalf("got %s, want a resource", m.line)
	}
	return uri
}

// expectUpdate waits for a notice that the elements have changed.
func (s *stdioClient) expectUpdate(uri, after string) {
	s.t.Helper()
	m, ok := s.receiveWithin(runLimit / 2)
	if !ok || m.Method != "notifications/resources/updated" || m.Params.URI != uri {
		s.t.Fatalf("after %s: got %q, want a notice about %s", after, m.line, uri)
	}
}

const (
	// quiet is longer than a change takes to be told.
	quiet = 1500 * time.Millisecond

	// pause is how long one change is waited for to have been told in full. What
	// comes later counts for the next.
	pause = 500 * time.Millisecond
)

// expectQuiet checks that nothing is told, once what may yet be has been.
func (s *stdioClient) expectQuiet(after string) {
	s.t.Helper()
	if m, ok := s.receiveWithin(quiet); ok {
		s.t.Errorf("after %s: got %s, want nothing", after, shorten(m.line))
	}
}

// settle takes what is told of changes until nothing is for a time.
func (s *stdioClient) settle(d time.Duration) {
	s.t.Helper()
	for {
		if _, ok := s.receiveWithin(d); !ok {
			return
		}
	}
}

func TestMCPUpdates(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			if testing.Short() && era == "legacy" {
				t.Skip("-short: changes are told in one era only")
			}
			b := startBrowser(t)
			address := serve(t)
			page := b.drive(t, address+"/")
			s := startServer(t, "--attach", b.address)
			if era == "legacy" {
				s.handshake()
			}
			uri := s.subscribe()
			s.settle(pause)
			for _, c := range []struct {
				change string
				act    func(context.Context, *cdp.Session, string) error
				with   string
			}{
				{"a selection", driver.SelectText, "We bake"},
				{"another selection", driver.SelectText, "Monday"},
				{"the focus", driver.Focus, "#name"},
				{"the hovered thing", driver.Hover, "#top"},
				{"the title", driver.Eval, `document.title = "Renamed"`},
				{"the address", driver.Eval, `history.pushState(null, "", "#elsewhere")`},
				{"the page", driver.Load, address + "/?again"},
				{"a selection in the new page", driver.SelectText, "We bake"},
				{"the title of the new page", driver.Eval, `document.title = "Renamed"`},
			} {
				page.act(c.change, c.act, c.with)
				s.expectUpdate(uri, c.change)
				s.settle(pause)
			}

			var opened tab
			b.ask(t, http.MethodPut, "/json/new?about:blank", &opened)
			s.expectUpdate(uri, "a new tab")
			s.settle(pause)
			b.ask(t, http.MethodGet, "/json/close/"+opened.ID, nil)
			s.expectUpdate(uri, "a closed tab")
			s.settle(quiet)

			for nothing, script := range map[string]string{
				"words that nobody points at": `document.querySelector("#end").textContent = "The last of it."`,
				"the same title":              `document.title = document.title`,
				"the same selection":          `{ const s = getSelection(), r = s.getRangeAt(0); s.removeAllRanges(); s.addRange(r) }`,
				"an event of the page's own":  `document.dispatchEvent(new Event("selectionchange")); window.dispatchEvent(new Event("focusin"))`,
				"a style":                     `document.head.append(document.createElement("style"))`,
			} {
				page.act(nothing, driver.Eval, script)
				s.expectQuiet(nothing)
			}

			s.unsubscribe(uri)
			page.act("a change", driver.SelectText, "Rye")
			s.expectQuiet("unsubscribing")
		})
	}
}

// unsubscribe ends the subscription that was the last request.
func (s *stdioClient) unsubscribe(uri string) {
	s.t.Helper()
	if s.legacy {
		if m := s.ask("resources/unsubscribe", fmt.Sprintf(`"uri":%q`, uri)); m.Error != nil {
			s.t.Fatalf("got %s", m.line)
		}
		return
	}
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{%s,"requestId":%d}}`, meta, s.last))
	// It is not answered.
	s.settle(pause)
}

// A page that changes all the time is told of four times a second at most, and a
// client that subscribes first has the browser brought up.
func TestMCPUpdatesAreFew(t *testing.T) {
	t.Parallel()
	busy := filepath.Join(t.TempDir(), "busy.html")
	html := `<!doctype html><title>Busy</title><p>words</p><script>let n = 0; setInterval(() => document.title = "Busy " + ++n, 10)</script>`
	if err := os.WriteFile(busy, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--launch", busy)
	uri := s.subscribe()
	s.expectUpdate(uri, "the page has come")
	const changes = 12
	begin := time.Now()
	for range changes {
		s.expectUpdate(uri, "a change")
	}
	took := time.Since(begin)
	// One may come early by what the one before it came late.
	if least := (changes - 1) * 250 * time.Millisecond; took < least {
		t.Errorf("got %d notices in %v, want them to take at least %v", changes, took, least)
	}
}

// Only what can change so is subscribed to.
func TestMCPSubscriptionsRefused(t *testing.T) {
	t.Parallel()
	s := startServer(t, "--launch")
	uri := s.elementsAddress()
	for _, other := range []string{uri + "/x1", "webarea://other/elements", "file:///etc/passwd"} {
		m := s.ask("subscriptions/listen", fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, other))
		if m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%s: got %s, want -32602", other, m.line)
		}
	}
}
