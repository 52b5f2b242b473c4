package testpages

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/webarea/webarea/cdp"
)

// loopbackOnly keeps the browser from resolving any name: what pages ask for goes
// to the proxy of their test, which answers for two hosts and refuses the rest.
const loopbackOnly = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

// secureOrigins lets pages use what only secure ones may, as they could on
// https or localhost.
const secureOrigins = "--unsafely-treat-insecure-origin-as-secure=" + origin + "," + otherOrigin

// shared is the browser of this test binary.
var shared browser

// A browser is started when it is first needed. Nobody needs to close it: the
// guard that cdp puts beside it ends it when our process has ended, be it by
// itself, by os.Exit, a panic or a signal.
type browser struct {
	mu      sync.Mutex
	running *cdp.Browser
}

// get gives the running browser, and starts one where there is none or it died,
// so that a page that takes its browser down does not fail every test after it.
// started tells whether it has just been started.
func (b *browser) get(ctx context.Context) (running *cdp.Browser, started bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running != nil && b.running.Conn.Err() == nil {
		return b.running, false, nil
	}
	if err := b.end(); err != nil {
		return nil, false, fmt.Errorf("removing what is left of the browser that died: %w", err)
	}
	running, err = cdp.Launch(ctx, cdp.LaunchOptions{HostRules: loopbackOnly, Args: []string{secureOrigins}})
	if errors.Is(err, cdp.ErrNoBrowser) {
		return nil, false, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("starting the browser for the tests: %w", err)
	}
	b.running = running
	return running, true, nil
}

func (b *browser) end() error {
	if b.running == nil {
		return nil
	}
	err := b.running.Close()
	b.running = nil
	return err
}

// Close ends the browser of this test binary now, and returns when nothing of it
// is left. There is no need to call it, but for a TestMain that wants to be sure
// of that before it exits. A later Open starts another browser.
func Close() error {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.end()
}
