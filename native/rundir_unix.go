//go:build unix

package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// runDirPath is where the folder is: where the system has one for such things, else
// among the temporary files, under a name of the user's own.
func runDirPath() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "webarea")
	}
	return filepath.Join(os.TempDir(), "webarea-"+strconv.Itoa(os.Getuid()))
}

func checkOwned(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) != os.Getuid() {
		return errors.New("it belongs to another user: remove it")
	}
	if mode := info.Mode().Perm(); mode != 0o700 {
		return fmt.Errorf("others may enter it (mode %04o): set its mode to 0700, or remove it", mode)
	}
	return nil
}
