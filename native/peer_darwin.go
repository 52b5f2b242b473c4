package native

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// checkPeer fails unless the other end of a connection is the same user.
func checkPeer(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return fmt.Errorf("asking who is at the other end: %w", err)
	}
	var peer *unix.Xucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	}); err != nil {
		return fmt.Errorf("asking who is at the other end: %w", err)
	}
	if failed != nil {
		return fmt.Errorf("asking who is at the other end: %w", failed)
	}
	return sameUser(int(peer.Uid), os.Getuid())
}
