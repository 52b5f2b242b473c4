package cdp

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	// closePatience is how long a browser may take to end after it was asked to.
	// It has nothing to save: its profile is about to be deleted.
	closePatience = 2 * time.Second

	// killPatience is how long the system may take to end what was killed.
	killPatience = 5 * time.Second
)

// A Browser is one that we launched and own: its process, its profile and the
// connection to it. It owns a goroutine that waits for the process and one that
// reads its standard error.
type Browser struct {
	// Conn is the connection to it.
	Conn *Conn

	// PID is its main process.
	PID int

	// Path is the program that was started.
	Path string

	// Notices are sentences for the person who started it, such as that its
	// sandbox is off.
	Notices []string

	home   *home
	guard  *guard
	stderr *tail

	// exited is closed when the process has ended and was waited for; exit then
	// says how.
	exited chan struct{}
	exit   error

	closing  sync.Once
	closeErr error
}

// Close ends the browser with everything that belongs to it and returns when
// nothing is left: it asks politely, then kills. It may be called more than
// once, and on a browser that has died. The error says what could not be
// removed.
func (b *Browser) Close() error {
	b.closing.Do(func() { b.closeErr = b.close() })
	return b.closeErr
}

// abandon is Close for a browser that has never answered.
func (b *Browser) abandon() error {
	if b.guard != nil {
		b.guard.kill()
	}
	return b.Close()
}

func (b *Browser) close() error {
	var errs []error
	if b.Conn != nil {
		b.askToClose()
		b.guard.kill()
		if !b.wait(killPatience) {
			errs = append(errs, fmt.Errorf("process %d of the browser does not end", b.PID))
		}
		errs = append(errs, b.Conn.Close())
	}
	if b.stderr != nil && !b.stderr.close(killPatience) {
		errs = append(errs, errors.New("some process that the browser started does not end"))
	}
	if b.home != nil {
		errs = append(errs, b.home.remove())
	}
	if b.guard != nil {
		errs = append(errs, b.guard.dismiss())
	}
	return errors.Join(errs...)
}

func (b *Browser) askToClose() {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	if b.Conn.Browser().Call(ctx, "Browser.close", nil, nil) == nil {
		deadline, _ := ctx.Deadline()
		b.wait(time.Until(deadline))
	}
}

// wait reports whether the process has ended, in at most the given time.
func (b *Browser) wait(patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-b.exited:
		return true
	case <-timer.C:
		return false
	}
}

// reap waits for the process, and takes down with it what it left running.
func (b *Browser) reap(cmd *exec.Cmd) {
	b.exit = fmt.Errorf("%s ended (%s)", filepath.Base(b.Path), describeExit(cmd.Wait()))
	b.guard.kill()
	b.guard.release()
	close(b.exited)
	b.Conn.fail(b.exit)
}

func describeExit(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}
