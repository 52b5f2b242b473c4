package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

const (
	// attachTimeout bounds Attach where its context has no deadline: a browser on
	// the same network answers in milliseconds.
	attachTimeout = 15 * time.Second

	// maxVersion is how many bytes of an answer to /json/version are read; Chrome
	// sends about 500.
	maxVersion = 64 << 10
)

// Attach connects to a browser that runs already, and leaves it running on Close.
// The address is that of its debugging port, http://host:port, or a WebSocket
// address, ws://… or wss://…, of the browser or of one of its pages; with a
// page's, the connection's root session is that page (see RootIsPage).
//
// ctx bounds the attaching only. The error says what to do about it.
func Attach(ctx context.Context, address string) (*Conn, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, attachTimeout)
		defer cancel()
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return nil, fmt.Errorf("%q is not an address to attach to: it must look like http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/…", address)
	}
	switch parsed.Scheme {
	case "ws", "wss":
	case "http", "https":
		if address, err = askForSocket(ctx, parsed); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("cannot attach to %q: the address must begin with http, https, ws or wss", address)
	}
	transport, err := dialSocket(ctx, address)
	if err != nil {
		return nil, err
	}
	c := NewConn(transport)
	var root struct {
		Info target.Info `json:"targetInfo"`
	}
	if err := c.root.Call(ctx, "Target.getTargetInfo", nil, &root); err != nil {
		return nil, errors.Join(fmt.Errorf("%s accepts connections but does not answer as a browser: %w", address, err), c.Close())
	}
	c.pageRoot = root.Info.Type != "browser"
	return c, nil
}

// askForSocket asks a debugging port for the address of its browser.
func askForSocket(ctx context.Context, port *url.URL) (string, error) {
	asked := *port
	asked.Path = path.Join("/", port.Path, "json/version")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.String(), nil)
	if err != nil {
		return "", fmt.Errorf("asking %s for its browser: %w", port, err)
	}
	// A proxy has nothing to do with a debugging port, and a redirect would lead
	// to something that is none.
	transport := &http.Transport{DisableKeepAlives: true}
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return "", explainDial(port.String(), nil, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxVersion))
	if err != nil {
		return "", fmt.Errorf("asking %s for its browser: %w", port, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s is not a browser's debugging port: it answers %q to %s: %.200s", port, response.Status, asked.Path, firstLine(body))
	}
	var version struct {
		Socket string `json:"webSocketDebuggerUrl"`
	}
	if err := jsonv2.Unmarshal(body, &version, tolerant); err != nil || version.Socket == "" {
		return "", fmt.Errorf("%s is not a browser's debugging port: its %s names no webSocketDebuggerUrl", port, asked.Path)
	}
	return version.Socket, nil
}

// explainDial says what to do about a connection that failed.
func explainDial(address string, response *http.Response, err error) error {
	var dns *net.DNSError
	switch {
	case response != nil && response.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%s refuses the connection: start the browser with --remote-allow-origins=*: %w", address, err)
	case response != nil && isDevTools(response):
		return fmt.Errorf("there is no such page or browser at %s: /json/list on that port has the addresses of those that there are: %w", address, err)
	case response != nil:
		return fmt.Errorf("%s is not a browser's WebSocket: it answers %q: %w", address, response.Status, err)
	case errors.Is(err, errRefused):
		return fmt.Errorf("nothing listens at %s: start the browser with --remote-debugging-port=%s and a --user-data-dir of its own: %w", address, portOf(address), err)
	case errors.As(err, &dns):
		return fmt.Errorf("there is no host by the name of %s: %w", dns.Name, err)
	}
	return fmt.Errorf("connecting to %s: %w", address, err)
}

// isDevTools reports whether a handshake failed at a debugging port, which answers
// 500 for a page that it does not have, and 404 for a browser that it is not.
func isDevTools(response *http.Response) bool {
	failed := response.StatusCode == http.StatusInternalServerError || response.StatusCode == http.StatusNotFound
	return failed && response.Request != nil && strings.HasPrefix(response.Request.URL.Path, "/devtools/")
}

func portOf(address string) string {
	if parsed, err := url.Parse(address); err == nil && parsed.Port() != "" {
		return parsed.Port()
	}
	return "9222"
}

func firstLine(body []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
	return line
}
