package provider

import (
	"context"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/webarea/webarea/cdp"
)

// A Browser is the browser that tabs are in.
type Browser struct {
	// PID is that of its main process; where Local is false it only names it.
	PID     int64
	Local   bool // the process is one of this machine
	Name    string
	Version string
}

// SetBrowser says which browser the tabs are in whose connection cannot tell (see
// cdp.Conn.RootIsPage).
func (p *Provider) SetBrowser(b Browser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.browser = &b
}

// processTime bounds asking a browser for its process.
const processTime = 2 * time.Second

// browsers knows what was learnt of the browser at the end of each connection.
type browsers struct {
	mu    sync.Mutex
	known map[*cdp.Conn]Browser
}

// browserOf tells which browser a tab is in.
func (p *Provider) browserOf(ctx context.Context, t *Tab) Browser {
	p.mu.Lock()
	said, app := p.browser, p.app
	p.mu.Unlock()
	if said != nil && (t.conn == nil || t.conn.RootIsPage()) {
		b := *said
		if b.Name == "" {
			b.Name = app
		}
		return b
	}
	unknown := Browser{PID: p.nameless(), Name: app}
	if t.conn == nil {
		return unknown
	}
	p.browsers.mu.Lock()
	defer p.browsers.mu.Unlock()
	if b, ok := p.browsers.known[t.conn]; ok {
		b.Name = app
		return b
	}
	b, ok := askBrowser(ctx, t.conn)
	if b.PID == 0 {
		b.PID = unknown.PID
	}
	if b.Name = app; ok {
		if p.browsers.known == nil || len(p.browsers.known) > maxBrowsers {
			p.browsers.known = map[*cdp.Conn]Browser{}
		}
		p.browsers.known[t.conn] = b
	}
	return b
}

// maxBrowsers bounds how many connections are remembered; those of tabs that are
// shared are asked again.
const maxBrowsers = 1000

// nameless gives a number that names the browser where its process is not known: the
// same in all of a run, and positive.
func (p *Provider) nameless() int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.instance)) // it has no error to give
	return int64(h.Sum32()>>1) | 1<<30
}

func askBrowser(ctx context.Context, conn *cdp.Conn) (b Browser, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, processTime)
	defer cancel()
	version := conn.Browser().Go(ctx, "Browser.getVersion", nil)
	processes := conn.Browser().Go(ctx, "SystemInfo.getProcessInfo", nil)
	var v struct {
		Product string `json:"product"`
	}
	ok = version.Wait(ctx, &v) == nil
	_, b.Version, _ = strings.Cut(v.Product, "/")
	var all struct {
		Processes []struct {
			Type string `json:"type"`
			ID   int64  `json:"id"`
		} `json:"processInfo"`
	}
	if err := processes.Wait(ctx, &all); err != nil {
		return b, ok && !isOver(err)
	}
	for _, process := range all.Processes {
		if process.Type == "browser" {
			b.PID = process.ID
		}
	}
	b.Local = b.PID > 0 && isBrowserHere(b.PID)
	return b, ok
}
