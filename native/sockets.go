package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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

// Sweep removes the sockets of hosts that died.
func Sweep(ctx context.Context, dir string) error { return sweep(ctx, dir) }
