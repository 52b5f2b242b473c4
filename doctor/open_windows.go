package doctor

import (
	"os"
	"path/filepath"
)

// isOpen reports whether a browser runs with a folder of user data: it has a file
// there then, which goes with it.
func isOpen(userData string) bool {
	if userData == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(userData, "lockfile"))
	return err == nil
}
