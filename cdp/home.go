package cdp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// removePatience is how long a profile may resist removal. A dying process may
// still write files into it after its parent has ended.
const removePatience = 5 * time.Second

// A home is the folder, readable by nobody but its owner, in which a launched
// browser keeps everything it writes.
type home struct {
	dir string
	// kept is a profile that stands elsewhere and stays, empty where there is none.
	kept string
	// short is a folder for temporary files, where the path of one in dir would be too
	// long for the browser's socket; empty where it is not.
	short string
}

// newHome makes a home in the given folder, the system's for temporary files if
// that is empty.
func newHome(parent string) (*home, error) {
	dir, err := os.MkdirTemp(parent, "webarea-")
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	h := &home{dir: dir}
	// A packaged browser sees other temporary files than we do.
	if parent == "" && !fitsSocket(h.temp()) {
		if short, err := os.MkdirTemp(shortFolder, "webarea-"); err == nil {
			h.short = short
		}
	}
	for _, sub := range []string{h.profile(), h.temp()} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return h, fmt.Errorf("making a profile: %w", err)
		}
	}
	return h, nil
}

func (h *home) profile() string {
	if h.kept != "" {
		return h.kept
	}
	return filepath.Join(h.dir, "p")
}

// temp is for the browser's temporary files: a killed browser leaves them.
func (h *home) temp() string {
	if h.short != "" {
		return h.short
	}
	return filepath.Join(h.dir, "t")
}

// folders are all that there are of it.
func (h *home) folders() []string {
	if h.short != "" {
		return []string{h.dir, h.short}
	}
	return []string{h.dir}
}

func (h *home) remove() error {
	deadline := time.Now().Add(removePatience)
	for {
		var err error
		for _, dir := range h.folders() {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("removing the browser's profile: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
