package cdp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// launchWithPort starts a browser with a debugging port and returns its address
// and the path of the browser's WebSocket there.
func launchWithPort(t *testing.T) (b *Browser, port, path string) {
	t.Helper()
	b = launch(t, LaunchOptions{Args: []string{"--remote-debugging-port=0"}})
	var file []byte
	if !eventually(func() bool {
		file, _ = os.ReadFile(filepath.Join(b.home.profile(), "DevToolsActivePort"))
		return strings.Contains(string(file), "\n/")
	}) {
		t.Fatalf("the browser did not say which port it has: %q", file)
	}
	port, path, _ = strings.Cut(strings.TrimSpace(string(file)), "\n")
	return b, "127.0.0.1:" + port, path
}

func TestAttach(t *testing.T) {
	b, port, path := launchWithPort(t)
	s := openPage(t, b.Conn, "<title>the page</title>")
	var info struct {
		TargetInfo struct {
			ID string `json:"targetId"`
		} `json:"targetInfo"`
	}
	call(t, s, "Target.getTargetInfo", nil, &info)
	tests := []struct {
		address string
		page    bool
	}{
		{"http://" + port, false},
		{"http://" + port + "/", false},
		{"ws://" + port + path, false},
		{"ws://" + port + "/devtools/page/" + info.TargetInfo.ID, true},
	}
	for _, test := range tests {
		t.Run(test.address, func(t *testing.T) {
			c, err := Attach(t.Context(), test.address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if c.RootIsPage() != test.page {
				t.Errorf("RootIsPage is %v, want %v", c.RootIsPage(), test.page)
			}
			page := c.Browser()
			if !test.page {
				page = openPage(t, c, "<title>the page</title>")
			}
			var result textResult
			call(t, page, "Runtime.evaluate", evaluation(`document.title + "\ud800"`), &result)
			if got, want := result.Result.Value, "the page\uFFFD"; got != want {
				t.Errorf("the page's title is %q, want %q", got, want)
			}
			const size = 20 << 20
			call(t, page, "Runtime.evaluate", evaluation(fmt.Sprintf(`"x".repeat(%d)`, size)), &result)
			if got := len(result.Result.Value); got != size {
				t.Errorf("got %d bytes, want %d", got, size)
			}
			if err := c.Close(); err != nil {
				t.Errorf("closing the connection: %v", err)
			}
		})
	}
	// What was attached to goes on.
	call(t, b.Conn.Browser(), "Browser.getVersion", nil, nil)
}

func TestAttachedBrowserEnds(t *testing.T) {
	b, port, _ := launchWithPort(t)
	c, err := Attach(t.Context(), "http://"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := openPage(t, c, "").Go(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	err = p.Wait(t.Context(), nil)
	if err == nil || !(strings.Contains(err.Error(), ErrBrowserGone.Error()) || strings.Contains(err.Error(), ErrTargetGone.Error())) {
		t.Errorf("got the error %v, want ErrBrowserGone or ErrTargetGone", err)
	}
	receiveFrom(t, c.Done(), "the end of the connection")
	if err := c.Err(); !strings.Contains(fmt.Sprint(err), "the browser is gone: the connection to ws://"+port) {
		t.Errorf("the connection's error is %v, want one that names what it was to", err)
	}
}

func TestAttachThatFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	listener.Close()
	_, freePort, _ := net.SplitHostPort(free)
	_, port, _ := launchWithPort(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json/version":
			fmt.Fprint(w, `{"Browser":"none"}`)
		case "/moved/json/version":
			http.Redirect(w, r, "http://"+port+"/json/version", http.StatusFound)
		case "/closed":
			http.Error(w, "no", http.StatusForbidden)
		default:
			http.NotFound(w, r)
		}
	}))
	defer web.Close()
	host := strings.TrimPrefix(web.URL, "http://")
	tests := []struct{ name, address, want string }{
		{"nothing listens", "http://" + free, "nothing listens at http://" + free + ": start the browser with --remote-debugging-port=" + freePort + " and a --user-data-dir of its own"},
		{"nothing listens for a socket", "ws://" + free + "/devtools/browser/x", "nothing listens at ws://" + free + "/devtools/browser/x: start the browser with"},
		{"no address", "localhost:9222", `"localhost:9222" is not an address to attach to: it must look like http://127.0.0.1:9222`},
		{"another scheme", "ftp://" + free, `cannot attach to "ftp://` + free + `": the address must begin with http, https, ws or wss`},
		{"no browser", web.URL, web.URL + " is not a browser's debugging port: its /json/version names no webSocketDebuggerUrl"},
		{"no such thing", web.URL + "/other", web.URL + `/other is not a browser's debugging port: it answers "404 Not Found" to /other/json/version: 404 page not found`},
		{"a redirect", web.URL + "/moved", web.URL + `/moved is not a browser's debugging port: it answers "302 Found"`},
		{"no socket", "ws://" + host + "/json/version", "ws://" + host + `/json/version is not a browser's WebSocket: it answers "200 OK"`},
		{"not allowed", "ws://" + host + "/closed", "ws://" + host + "/closed refuses the connection: start the browser with --remote-allow-origins=*"},
		{"no such page", "ws://" + port + "/devtools/page/NONE", "there is no such page or browser at ws://" + port + "/devtools/page/NONE: /json/list"},
		{"no such host", "http://nowhere.invalid:9222", "there is no host by the name of nowhere.invalid"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Attach(context.Background(), test.address)
			if err == nil {
				c.Close()
			}
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("\n got the error %v\nwant the error %s", err, test.want)
			}
		})
	}
}
