//go:build unix

package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// isOpen reports whether a browser runs with a folder of user data: it has a link
// there then, to its machine and process.
func isOpen(userData string) bool {
	if userData == "" {
		return false
	}
	to, err := os.Readlink(filepath.Join(userData, "SingletonLock"))
	if err != nil {
		return false
	}
	at := strings.LastIndexByte(to, '-')
	pid, err := strconv.Atoi(to[at+1:])
	here, hostErr := os.Hostname()
	if at < 0 || err != nil || hostErr != nil || pid <= 0 || to[:at] != here {
		return false
	}
	err = syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
