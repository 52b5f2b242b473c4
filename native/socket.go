package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// dialPatience is how long a socket of this machine may take to be answered.
const dialPatience = 2 * time.Second

// sameUser compares the user at the other end with us.
func sameUser(peer, own int) error {
	if peer != own {
		return fmt.Errorf("the other end is user %d, not %d", peer, own)
	}
	return nil
}

// listenOn listens at the socket of that name in a folder, which nobody but its user
// may enter. It has its name only once it is listened to, so that who looks for those
// of hosts that died does not take it for one.
func listenOn(dir, name string) (*net.UnixListener, string, error) {
	path := filepath.Join(dir, name+socketEnd)
	fresh := filepath.Join(dir, name+namelessEnd)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: fresh, Net: "unix"})
	if err != nil {
		return nil, "", fmt.Errorf("listening to agents: %w", err)
	}
	listener.SetUnlinkOnClose(false)
	if err = os.Chmod(fresh, 0o600); err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("listening to agents: %w", err), listener.Close(), os.Remove(fresh))
	}
	return listener, path, nil
}

// sweep removes the sockets of hosts that died, which nobody listens to.
func sweep(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("looking for what other hosts left: %w", err)
	}
	var failed []error
	for _, e := range entries {
		if e.Type()&os.ModeSocket == 0 || strings.HasSuffix(e.Name(), namelessEnd) && isFresh(e) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		c, err := dialSocket(ctx, path)
		if err == nil {
			failed = append(failed, c.Close())
		} else if errors.Is(err, errNobodyListens) {
			failed = append(failed, os.Remove(path))
		}
	}
	return errors.Join(failed...)
}

// freshFor is how long a socket may be there before it is listened to: a moment, even
// on a busy machine.
const freshFor = time.Minute

func isFresh(e os.DirEntry) bool {
	info, err := e.Info()
	return err != nil || time.Since(info.ModTime()) < freshFor
}

// errNobodyListens: the program that listened at a socket has ended.
var errNobodyListens = errors.New("nobody listens there: the browser, or the extension in it, has ended")

// dialSocket connects to a socket. The error says what is wrong with it.
func dialSocket(ctx context.Context, path string) (*net.UnixConn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("connecting to %s: there is no such socket", path)
	case isRefused(err):
		return nil, fmt.Errorf("connecting to %s: %w", path, errNobodyListens)
	case err != nil:
		return nil, fmt.Errorf("connecting to %s: %w", path, err)
	}
	return c.(*net.UnixConn), nil
}
