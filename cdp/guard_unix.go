//go:build unix

package cdp

import (
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// watchdog is what outlives us: it reads the browser's process group from its
// standard input, and when that ends without "done", which is when we have died,
// it kills the group and removes the folders, as often as dying processes fill
// them again.
const watchdog = `
trap '' HUP INT TERM
group=
while read -r word value; do
	case $word in
	group) group=$value ;;
	done) exit 0 ;;
	esac
done
[ -n "$group" ] && kill -KILL -"$group"
tries=0
while [ $tries -lt 100 ]; do
	rm -rf -- "$@" && exit 0
	sleep 0.1
	tries=$((tries + 1))
done
`

// dismissPatience is how long the watchdog may take to end when told to.
const dismissPatience = 2 * time.Second

// A guard ends the processes of one browser, also when we cannot any more. It
// owns the watchdog process.
type guard struct {
	watchdog *exec.Cmd
	orders   io.WriteCloser

	// mu guards the group: 0 when there is none, so that no stranger who got its
	// number later is killed.
	mu    sync.Mutex
	group int
}

// newGuard starts the watchdog, before there is anything to watch: there is no
// moment at which we could die unwatched.
func newGuard(h *home) (*guard, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", watchdog, "webarea-watchdog"}, h.folders()...)...)
	cmd.Dir = "/"
	// A session of its own keeps a terminal's signals away from it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the browser's watchdog: %w", err)
	}
	return &guard{watchdog: cmd, orders: orders}, nil
}

// watch puts the process, the leader of its group, under guard.
func (g *guard) watch(pid int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.group = pid
	return g.order("group %d", pid)
}

// kill ends every process of the group.
func (g *guard) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.group != 0 {
		_ = syscall.Kill(-g.group, syscall.SIGKILL)
	}
}

// release is called when the group's leader has been waited for and its number
// may be given to others.
func (g *guard) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.group = 0
	_ = g.order("group")
}

// dismiss ends the watchdog without consequences and waits for it.
func (g *guard) dismiss() error {
	_ = g.order("done")
	g.orders.Close()
	timer := time.AfterFunc(dismissPatience, func() { _ = g.watchdog.Process.Kill() })
	defer timer.Stop()
	if err := g.watchdog.Wait(); err != nil {
		return fmt.Errorf("ending the browser's watchdog: %w", err)
	}
	return nil
}

func (g *guard) order(format string, args ...any) error {
	if _, err := fmt.Fprintf(g.orders, format+"\n", args...); err != nil {
		return fmt.Errorf("telling the browser's watchdog: %w", err)
	}
	return nil
}
