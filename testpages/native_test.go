package testpages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// A native is a browser of a test's own, in which nothing is emulated: its windows,
// screen and zoom are what it was started with. What we send to it is noted.
type native struct {
	t       *testing.T
	profile string
	conn    *cdp.Conn
	wire    *notedWire
}

// How a native browser is started.
type nativeOptions struct {
	zoom    float64 // of every page, 1 is 100 %; 0: 1
	density float64 // device pixels in a px of the screen; 0: 1
	seen    bool    // it shows its windows, on the X server of $DISPLAY
}

// startNative starts a browser that serves some files under the usual origins, and
// ends it with the test.
func startNative(t *testing.T, o nativeOptions, content map[string]string) *native {
	t.Helper()
	var list []string
	for name, text := range content {
		list = append(list, name, text)
	}
	s, err := newSite(folder(files(list...)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	profile := t.TempDir()
	if o.zoom > 0 {
		// A page's zoom is the level-th power of 1.2; x is the profile's own storage.
		settings := fmt.Sprintf(`{"partition":{"default_zoom_level":{"x":%v}}}`, math.Log(o.zoom)/math.Log(1.2))
		if err := errors.Join(os.Mkdir(filepath.Join(profile, "Default"), 0o700), os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(settings), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--proxy-server=" + s.proxy, "--proxy-bypass-list=<-loopback>", "--remote-debugging-port=0"}
	if o.density > 0 {
		args = append(args, fmt.Sprintf("--force-device-scale-factor=%v", o.density))
	}
	b, err := cdp.Launch(t.Context(), cdp.LaunchOptions{HostRules: loopbackOnly, Profile: profile, Headful: o.seen, Args: args})
	if errors.Is(err, cdp.ErrNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	n := &native{t: t, profile: profile, wire: dialNoted(t, profile)}
	n.conn = cdp.NewConn(n.wire)
	t.Cleanup(func() { _ = n.conn.Close() })
	return n
}

// open opens a page in a window of its own, 900 × 600 px of the screen inside, and
// shares it with answers of its own.
func (n *native) open(page string) *Page {
	n.t.Helper()
	p := &Page{t: n.t, timeout: defaultTimeout, provider: provider.New(appName)}
	ctx, cancel := p.limit()
	defer cancel()
	tab, err := driver.Open(ctx, n.conn, driver.Options{Window: true})
	if err != nil {
		n.t.Fatal(err)
	}
	n.undo(p, tab)
	p.session = tab.Session
	n.resize(ctx, tab, 900, 600)
	if err := p.share(ctx, n.conn, tab.Target); err != nil {
		n.t.Fatal(err)
	}
	if err := p.load(page); err != nil {
		n.t.Fatal(err)
	}
	return p
}

// resize gives a tab's window its size, as a person would.
func (n *native) resize(ctx context.Context, tab driver.Tab, width, height int) {
	n.t.Helper()
	var at struct {
		ID int64 `json:"windowId"`
	}
	root := n.conn.Browser()
	if err := root.Call(ctx, "Browser.getWindowForTarget", map[string]any{"targetId": tab.Target}, &at); err != nil {
		n.t.Fatal(err)
	}
	if err := root.Call(ctx, "Browser.setContentsSize", map[string]any{"windowId": at.ID, "width": width, "height": height}, nil); err != nil {
		n.t.Fatal(err)
	}
}

func (n *native) undo(p *Page, tab driver.Tab) {
	n.t.Cleanup(func() {
		p.provider.Close()
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if err := tab.Close(ctx); err != nil && !isGone(err) {
			n.t.Error(err)
		}
	})
}

// A notedWire is a WebSocket to a browser that notes what is sent.
type notedWire struct {
	socket *websocket.Conn

	mu    sync.Mutex
	shots []shotSent
}

// A shotSent is a screenshot that was asked for.
type shotSent struct {
	Session string `json:"sessionId"`
	Method  string
	Params  struct {
		Clip   *struct{ Width, Height float64 }
		Beyond bool `json:"captureBeyondViewport"`
	}
}

// isPart tells whether it is of a part of what is on screen.
func (s shotSent) isPart() bool { return s.Params.Clip != nil && !s.Params.Beyond }

// dialNoted connects to the browser of a profile.
func dialNoted(t *testing.T, profile string) *notedWire {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), defaultTimeout)
	defer cancel()
	for again := time.NewTicker(20 * time.Millisecond); ; {
		said, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if port, path, found := strings.Cut(strings.TrimSpace(string(said)), "\n"); found {
			socket, _, err := websocket.Dial(ctx, "ws://127.0.0.1:"+port+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			socket.SetReadLimit(cdp.MaxMessage)
			return &notedWire{socket: socket}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatal("the browser opens no debugging port")
		}
	}
}

// Send implements cdp.Transport.
func (w *notedWire) Send(ctx context.Context, msg []byte) error {
	var sent shotSent
	if json.Unmarshal(msg, &sent) == nil && sent.Method == "Page.captureScreenshot" {
		w.mu.Lock()
		w.shots = append(w.shots, sent)
		w.mu.Unlock()
	}
	return w.socket.Write(ctx, websocket.MessageText, msg)
}

// Receive implements cdp.Transport.
func (w *notedWire) Receive() ([]byte, error) {
	_, msg, err := w.socket.Read(context.Background())
	return msg, err
}

// Close implements cdp.Transport.
func (w *notedWire) Close() error { return w.socket.CloseNow() }

// taken gives the screenshots that were asked for since it was last called.
func (w *notedWire) taken() []shotSent {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.shots
	w.shots = nil
	return out
}
