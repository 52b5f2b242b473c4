package cdp

import (
	"os"
	"path/filepath"
)

// confinedTo returns the folder in which a browser that is packaged as a snap or
// a flatpak may write and we may too, empty for one that is not confined.
func confinedTo(program string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	dir, name := filepath.Split(program)
	folder := ""
	switch {
	case dir == "/snap/bin/":
		folder = filepath.Join(home, "snap", name, "common")
	case filepath.Base(filepath.Dir(filepath.Dir(program))) == "exports":
		folder = filepath.Join(home, ".var", "app", name, "cache")
	default:
		return ""
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return ""
	}
	return folder
}
