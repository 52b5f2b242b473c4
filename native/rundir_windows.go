package native

import (
	"io/fs"
	"os"
	"path/filepath"
)

// runDirPath is where the folder is: in the user's own part of the machine, which
// others may not enter.
func runDirPath() string {
	dir := os.Getenv("LOCALAPPDATA")
	if !filepath.IsAbs(dir) {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "webarea", "run")
}

// checkOwned has nothing to find: the folder above is the user's own.
func checkOwned(fs.FileInfo) error { return nil }
