package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ledgerFile is the ledger's name in the folder of our data.
const ledgerFile = "installed.json"

// A ledger is what was put where, and what was there before: by it all is undone.
type ledger struct {
	// Folders are those that were made, the deeper ones after those that hold them.
	Folders []string     `json:"folders"`
	Hosts   []hostRecord `json:"hosts"`
	Configs []config     `json:"configs"`
}

// A hostRecord is one place of a browser that the host is registered in.
type hostRecord struct {
	Browser   string   `json:"browser"`
	UserData  string   `json:"user_data"`
	Manifests []string `json:"manifests"`
	Keys      []string `json:"keys,omitempty"`
	Launcher  string   `json:"launcher,omitempty"`
	Extension string   `json:"extension"`
}

// A config is a configuration that our entry was put into.
type config struct {
	Client string `json:"client"`
	// Path is the file itself, behind what links to it.
	Path string `json:"path"`
	// Backup is what it was; "" where there was none.
	Backup string `json:"backup,omitempty"`
	// Sum is the SHA-256 of what was written.
	Sum string `json:"sum"`
}

// readLedger reads the ledger of a folder; an empty one where there is none.
func readLedger(dir string) (*ledger, error) {
	l := &ledger{}
	path := filepath.Join(dir, ledgerFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was installed: %s: %w; without that file it is forgotten, and nothing else is lost", path, err)
	}
	return l, nil
}

// save writes the ledger, or takes it away where there is nothing left to undo.
func (l *ledger) save(dir string) error {
	path := filepath.Join(dir, ledgerFile)
	if len(l.Hosts)+len(l.Configs) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the list of what was installed: %w", err)
		}
		l.sweep()
		return nil
	}
	if err := l.makeFolder(dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(l, "", "  ")
	if err == nil {
		err = replace(path, append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keeping what was installed: %w", err)
	}
	return nil
}

// makeFolder makes a folder and those above it, and remembers which it made.
func (l *ledger) makeFolder(dir string) error {
	var missing []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || filepath.Dir(at) == at {
			break
		}
		missing = append(missing, at)
	}
	slices.Reverse(missing)
	for _, at := range missing {
		if err := os.Mkdir(at, 0o700); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
		if !slices.Contains(l.Folders, at) {
			l.Folders = append(l.Folders, at)
		}
	}
	return nil
}

// sweep takes away the folders that were made and are empty.
func (l *ledger) sweep() {
	var left []string
	for _, dir := range slices.Backward(slices.SortedFunc(slices.Values(l.Folders), func(a, b string) int { return len(a) - len(b) })) {
		if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, dir)
		}
	}
	slices.Reverse(left)
	l.Folders = left
}

// uses reports whether a manifest or a key is that of a place that is registered.
func (l *ledger) uses(what string) bool {
	return slices.ContainsFunc(l.Hosts, func(h hostRecord) bool {
		return slices.Contains(h.Manifests, what) || slices.Contains(h.Keys, what)
	})
}

// loads reports whether an extension's folder is that of a place that is registered.
func (l *ledger) loads(folder string) bool {
	return slices.ContainsFunc(l.Hosts, func(h hostRecord) bool { return h.Extension == folder })
}
