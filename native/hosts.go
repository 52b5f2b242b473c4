package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/webarea/webarea/mcp"
)

// Hosts are the hosts that run for this user, by the sockets in a folder: an
// mcp.Hosts. A socket is called after its host's instance, and its time of change is
// when a window of the browser that it is of was last used: the host sets it.
type Hosts struct{ dir string }

// HostsIn gives the hosts whose sockets are in a folder, as of RunDir.
func HostsIn(dir string) *Hosts { return &Hosts{dir} }

// List implements mcp.Hosts.
func (h *Hosts) List() ([]string, error) {
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return nil, fmt.Errorf("looking for running browsers: %w", err)
	}
	type host struct {
		instance string
		used     time.Time
	}
	var all []host
	for _, e := range entries {
		instance, ok := strings.CutSuffix(e.Name(), socketEnd)
		if !ok {
			continue
		}
		// One that cannot be looked at has just gone.
		if info, err := e.Info(); err == nil && !info.IsDir() {
			all = append(all, host{instance, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b host) int {
		if c := b.used.Compare(a.used); c != 0 {
			return c
		}
		return strings.Compare(a.instance, b.instance)
	})
	var instances []string
	for _, host := range all {
		instances = append(instances, host.instance)
	}
	return instances, nil
}

// Sweep implements mcp.Hosts.
func (h *Hosts) Sweep(ctx context.Context) error { return sweep(ctx, h.dir) }

// Dial implements mcp.Hosts. The socket of a host that has died is removed.
func (h *Hosts) Dial(ctx context.Context, instance string) (io.ReadWriteCloser, error) {
	path := h.path(instance)
	c, err := dialSocket(ctx, path)
	if errors.Is(err, errNobodyListens) {
		// Another may have removed it.
		_ = os.Remove(path)
		return nil, fmt.Errorf("%w: %w", mcp.ErrNoHost, err)
	}
	if err != nil {
		if _, missing := os.Lstat(path); missing != nil {
			return nil, fmt.Errorf("%w: %w", mcp.ErrNoHost, err)
		}
		return nil, err
	}
	if err := checkPeer(c); err != nil {
		return nil, errors.Join(fmt.Errorf("connecting to %s: %w", path, err), c.Close())
	}
	return c, nil
}

func (h *Hosts) path(instance string) string { return filepath.Join(h.dir, instance+socketEnd) }

// settlePause is how long after a change of the folder others are waited for, that
// come with it: a socket gets its name only when it is listened to.
const settlePause = 20 * time.Millisecond

// Watch implements mcp.Hosts. The system tells it of changes.
func (h *Hosts) Watch(ctx context.Context, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching for browsers: %w", err)
	}
	defer w.Close()
	if err := w.Add(h.dir); err != nil {
		return fmt.Errorf("watching for browsers: %w", err)
	}
	changed()
	settled := time.NewTimer(settlePause)
	settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.Events:
			settled.Reset(settlePause)
		case <-w.Errors:
			// What was missed is seen in the folder.
			settled.Reset(settlePause)
		case <-settled.C:
			changed()
		}
	}
}
