//go:build unix

package setup

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses what belongs to another user, which writing it anew would change.
func checkOwner(info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	return nil
}
