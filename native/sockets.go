package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// ErrOthersEnter is wrapped by the error about a folder of the user's that others may
// enter.
var ErrOthersEnter = errors.New("others may enter it")

// LookAtRunDir gives the folder of this user's sockets, and makes nothing. The error
// wraps fs.ErrNotExist where it is not there, and else says what to do about a folder
// that others could have a hand in.
func LookAtRunDir() (string, error) {
	dir := runDirPath()
	return dir, checkRunDir(dir)
}

// Sockets gives the paths of the sockets of hosts in a folder: those that somebody
// listens at, and those whose hosts have died.
func Sockets(ctx context.Context, dir string) (live, stale []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("looking for hosts: %w", err)
	}
	for _, e := range entries {
		if e.Type()&os.ModeSocket == 0 || strings.HasSuffix(e.Name(), namelessEnd) && isFresh(e) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch c, err := dialSocket(ctx, path); {
		case err == nil:
			_ = c.Close()
			live = append(live, path)
		case errors.Is(err, errNobodyListens):
			stale = append(stale, path)
		case !errors.Is(err, os.ErrNotExist):
			live = append(live, path) // it is slow, and will be asked
		}
	}
	return live, stale, nil
}

// Dial connects to the host that listens at a socket, to speak MCP with it.
func Dial(ctx context.Context, path string) (net.Conn, error) {
	c, err := dialSocket(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(c); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to %s: %w", path, err), c.Close())
	}
	return c, nil
}

// Sweep removes the sockets of hosts that died.
func Sweep(ctx context.Context, dir string) error { return sweep(ctx, dir) }
