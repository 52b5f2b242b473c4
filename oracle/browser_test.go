package oracle

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// onlyLoopback keeps the test browser from reaching anything but this machine.
const onlyLoopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// patience bounds everything a test asks of the browser for one page.
const patience = 2 * time.Minute

var shared struct {
	once    sync.Once
	browser *cdp.Browser
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.browser != nil {
		if err := shared.browser.Close(); err != nil {
			println("closing the browser:", err.Error())
			code = 1
		}
	}
	os.Exit(code)
}

// browser returns the one browser of the test binary.
func browser(t *testing.T) *cdp.Browser {
	t.Helper()
	shared.once.Do(func() {
		shared.browser, shared.err = cdp.Launch(context.Background(), cdp.LaunchOptions{HostRules: onlyLoopback, Width: 1280, Height: 900})
	})
	if shared.err != nil {
		t.Fatalf("launching a browser: %v", shared.err)
	}
	return shared.browser
}

// A page is a tab of the test browser.
type page struct {
	conn    *cdp.Conn
	id      target.ID
	session *cdp.Session
}

// openPage opens a page and waits until it, and each frame in it, has loaded.
func openPage(t *testing.T, ctx context.Context, address string) page {
	t.Helper()
	conn := browser(t).Conn
	var created struct {
		ID target.ID `json:"targetId"`
	}
	call(t, ctx, conn.Browser(), "Target.createTarget", map[string]any{"url": "about:blank"}, &created)
	t.Cleanup(func() {
		_ = conn.Browser().Call(context.Background(), "Target.closeTarget", map[string]any{"targetId": created.ID}, nil)
	})
	var attached struct {
		ID target.SessionID `json:"sessionId"`
	}
	call(t, ctx, conn.Browser(), "Target.attachToTarget", map[string]any{"targetId": created.ID, "flatten": true}, &attached)
	p := page{conn, created.ID, conn.Session(attached.ID)}
	call(t, ctx, p.session, "Page.enable", nil, nil)
	loaded, cancel := p.session.Subscribe("Page.loadEventFired")
	defer cancel()
	call(t, ctx, p.session, "Page.navigate", map[string]any{"url": address}, nil)
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatalf("%s has not loaded: %v", address, ctx.Err())
	}
	return p
}

// eval runs a script in the page and waits for its promise.
func (p page) eval(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	var result struct {
		Exception any `json:"exceptionDetails"`
	}
	call(t, ctx, p.session, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "userGesture": true}, &result)
	if result.Exception != nil {
		t.Fatalf("%s: %v", script, result.Exception)
	}
}

func call(t *testing.T, ctx context.Context, s *cdp.Session, method string, params, result any) {
	t.Helper()
	if err := s.Call(ctx, method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// expectPage serves HTML as a page and returns what is expected of it, with
// the page's address written as "page:".
func expectPage(t *testing.T, html string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	address := servePage(t, html)
	p := openPage(t, ctx, address)
	got, err := Expect(ctx, p.conn, p.id)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(got.String(), address, "page:")
}

// servePage serves HTML, titled T, until the test ends, and returns where.
func servePage(t *testing.T, html string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>T</title>" + html))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
