//go:build unix

package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// usersRunDirs is where systems have the folders that XDG_RUNTIME_DIR names, by user.
var usersRunDirs = "/run/user"

// runDirPath is where the folder is: where the system has one for such things, else
// among the temporary files, under a name of the user's own. Browsers have the
// variables of the desktop, while an agent's host passes few on to what it starts, and
// both have to come to the same: where the variable is missing, it is looked for what
// it would say.
func runDirPath() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "webarea")
	}
	own := filepath.Join(usersRunDirs, strconv.Itoa(os.Getuid()))
	if info, err := os.Stat(own); err == nil && info.IsDir() && checkOwned(info) == nil {
		return filepath.Join(own, "webarea")
	}
	if home, err := os.UserHomeDir(); err == nil && runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Caches", "webarea", "run")
	}
	return filepath.Join(os.TempDir(), "webarea-"+strconv.Itoa(os.Getuid()))
}

func checkOwned(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) != os.Getuid() {
		return errors.New("it belongs to another user: remove it")
	}
	if mode := info.Mode().Perm(); mode != 0o700 {
		return fmt.Errorf("%w (mode %04o): set its mode to 0700, or remove it", ErrOthersEnter, mode)
	}
	return nil
}
