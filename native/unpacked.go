package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/webarea/webarea/extension"
)

// ErrForeign is wrapped by the error about a folder that has something else in it.
var ErrForeign = errors.New("it is not our extension")

// An Unpacked is the extension as it is found in a folder.
type Unpacked struct {
	Version string
	Damaged []string // its files that are missing, or are not as they were unpacked
}

// LookAtExtension looks at an unpacked extension. The error wraps fs.ErrNotExist where
// there is none, ErrForeign where there is something else.
func LookAtExtension(dir string) (Unpacked, error) {
	var u Unpacked
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return u, fmt.Errorf("looking at the extension: %w", err)
	}
	there, err := keyOf(os.DirFS(dir))
	if err != nil {
		return u, fmt.Errorf("%s: %w: %w", dir, ErrForeign, err)
	}
	if ours, err := keyOf(extension.Files); err != nil || there != ours {
		return u, errors.Join(fmt.Errorf("%s: %w", dir, ErrForeign), err)
	}
	if u.Version, err = versionOf(os.DirFS(dir)); err != nil {
		return u, fmt.Errorf("looking at the extension: %w", err)
	}
	err = eachFile(func(name string, want []byte) error {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !bytes.Equal(got, want) {
			u.Damaged = append(u.Damaged, name)
		}
		return nil
	})
	return u, err
}

// ExtensionVersion is that of the extension that this program carries.
func ExtensionVersion() (string, error) { return versionOf(extension.Files) }

// EachExtensionFile calls do with each of the files that an unpacked extension has.
func EachExtensionFile(do func(name string, text []byte) error) error { return eachFile(do) }

func versionOf(files fs.FS) (string, error) {
	text, err := fs.ReadFile(files, "manifest.json")
	if err != nil {
		return "", err
	}
	var manifest struct {
		Version string `json:"version"`
	}
	return manifest.Version, json.Unmarshal(text, &manifest)
}
