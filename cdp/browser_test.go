package cdp

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/target"
)

// onlyLoopback keeps test browsers from reaching anything but this machine.
const onlyLoopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// launch starts a browser that ends with the test.
func launch(t testing.TB, opts LaunchOptions) *Browser {
	t.Helper()
	opts.HostRules = onlyLoopback
	b, err := Launch(context.Background(), opts)
	if err != nil {
		t.Fatalf("launching a browser: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
	})
	return b
}

// call is Session.Call for a test that cannot go on without.
func call(t testing.TB, s *Session, method string, params, result any) {
	t.Helper()
	if err := s.Call(context.Background(), method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// openPage opens a tab with the HTML and returns its session.
func openPage(t testing.TB, c *Conn, html string) *Session {
	t.Helper()
	var created struct {
		TargetID target.ID `json:"targetId"`
	}
	call(t, c.Browser(), "Target.createTarget", map[string]any{"url": "about:blank"}, &created)
	var attached struct {
		SessionID target.SessionID `json:"sessionId"`
	}
	call(t, c.Browser(), "Target.attachToTarget", map[string]any{"targetId": created.TargetID, "flatten": true}, &attached)
	s := c.Session(attached.SessionID)
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	call(t, s, "Page.getFrameTree", nil, &tree)
	call(t, s, "Page.setDocumentContent", map[string]any{"frameId": tree.FrameTree.Frame.ID, "html": html}, nil)
	return s
}
