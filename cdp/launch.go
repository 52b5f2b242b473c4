package cdp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// launchTimeout bounds the time from starting a browser to its first answer, for
// a context without a deadline. A cold start on a busy small machine takes a few
// seconds.
const launchTimeout = 30 * time.Second

// LaunchOptions say which browser to start and how. The zero value starts the
// browser that Find finds, headless.
type LaunchOptions struct {
	// Path is the browser to run, as for Find.
	Path string

	// Headful shows the browser's windows on the desktop.
	Headful bool

	// Width and Height are the outer size of new windows in CSS pixels, the
	// browser's own default where they are 0.
	Width, Height int

	// HostRules is passed on as --host-resolver-rules: which host names resolve
	// to what. Empty leaves name resolution alone.
	HostRules string

	// URL is the page to open first. If it is empty the browser has no window
	// until a target is created, which is the faster start.
	URL string

	// Extensions are the folders of unpacked extensions to load. Without any the
	// browser runs none.
	Extensions []string

	// Profile is a folder that exists, to be used as the browser's profile and left
	// where it is: what was in it before the start is there, and what came stays.
	// Where it is empty the profile is fresh and removed by Close.
	Profile string

	// Args are further command-line switches, after our own.
	Args []string

	// jsonWire has the browser speak JSON where it would speak CBOR.
	jsonWire bool
}

// Launch starts a browser with a fresh profile of its own and returns once it
// answers. It makes no network traffic but what pages ask for, and nothing of it
// outlives Close or our process, however that ends (on Windows the profile's
// folder does when we are killed). ctx bounds the start only.
//
// The error wraps ErrNoBrowser if there is none to start; if the browser ends at
// once or does not answer, it has the last of what the browser had to say.
func Launch(ctx context.Context, opts LaunchOptions) (*Browser, error) {
	path, err := Find(opts.Path)
	if err != nil {
		return nil, err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, launchTimeout)
		defer cancel()
	}
	b := &Browser{Path: path, exited: make(chan struct{})}
	if asRoot() {
		b.Notices = append(b.Notices, "running as root, so the browser's own sandbox is off")
	}
	if err := b.start(opts); err != nil {
		return nil, errors.Join(fmt.Errorf("starting %s: %w", path, err), b.abandon())
	}
	if err := b.greet(ctx); err != nil {
		// Once it has ended, it has said all that it had to.
		closing := b.abandon()
		return nil, errors.Join(fmt.Errorf("%s does not answer: %w%s", filepath.Base(path), err, b.stderr.last()), closing)
	}
	return b, nil
}

// start brings up the process and the connection. What it has made so far is in
// b, for Close to undo.
func (b *Browser) start(opts LaunchOptions) error {
	var err error
	if b.home, err = newHome(confinedTo(b.Path)); err != nil {
		return err
	}
	b.home.kept = opts.Profile
	if b.guard, err = newGuard(b.home); err != nil {
		return err
	}
	if b.stderr, err = newTail(); err != nil {
		return err
	}
	cmd := exec.Command(b.Path, arguments(opts, b.home)...)
	cmd.Env = append(os.Environ(), environment(opts, b.home)...)
	cmd.Stderr = b.stderr.writer
	pipe, err := startWithPipe(cmd, opts.jsonWire)
	b.stderr.started()
	if err != nil {
		return err
	}
	b.PID = cmd.Process.Pid
	b.Conn = NewConn(&launchedPipe{framedPipe: pipe, browser: b})
	err = b.guard.watch(b.PID)
	go b.reap(cmd)
	return err
}

// greet waits for the first answer.
func (b *Browser) greet(ctx context.Context) error {
	return b.Conn.Browser().Call(ctx, "Browser.getVersion", nil, nil)
}

// A framedPipe is a transport over a launched browser's pipes.
type framedPipe interface {
	Transport
	batchSender
}

// A launchedPipe knows the process behind the pipe, and so can say why it broke.
type launchedPipe struct {
	framedPipe
	browser *Browser
}

// Receive implements Transport.
func (p *launchedPipe) Receive() ([]byte, error) {
	msg, err := p.framedPipe.Receive()
	if err == nil {
		return msg, nil
	}
	return nil, p.reason(err)
}

func (p *launchedPipe) sendAll(ctx context.Context, msgs [][]byte) error {
	if err := p.framedPipe.sendAll(ctx, msgs); err != nil {
		return p.reason(err)
	}
	return nil
}

// reason tells how the process ended, where a broken pipe comes of that. The pipe
// breaks an instant before the process can be waited for; on a busy machine the
// instant may be long.
func (p *launchedPipe) reason(err error) error {
	const instant = 2 * time.Second
	timer := time.NewTimer(instant)
	defer timer.Stop()
	select {
	case <-p.browser.exited:
		return p.browser.exit
	case <-timer.C:
		return err
	}
}
