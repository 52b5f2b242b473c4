package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/webarea/webarea/native"
)

// A manifest is what a browser reads of a host.
type manifest struct {
	Name           string   `json:"name"`
	Type           string   `json:"type"`
	Path           string   `json:"path"`
	AllowedOrigins []string `json:"allowed_origins"`
}

// readManifest reads the manifest of the browser in question.
func (x *examination) readManifest() (manifest, error) {
	var m manifest
	text, err := os.ReadFile(x.place.Manifest)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

// othersWrite are the rights of others than the user to write.
const othersWrite fs.FileMode = 0o022

// userReads is the right of the user to read.
const userReads fs.FileMode = 0o400

func lookAtManifest(_ context.Context, x *examination) result {
	path := x.place.Manifest
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("missing", "there is no %s", path)
	case err != nil:
		return wrong("rights", "%v", err)
	case runtime.GOOS != "windows" && (info.Mode()&othersWrite != 0 || info.Mode()&userReads == 0):
		return wrong("rights", "%s has the mode %04o", path, info.Mode().Perm())
	}
	m, err := x.readManifest()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return wrong("rights", "%v", err)
	case err != nil:
		return wrong("broken", "%s: %v", path, err)
	case m.Name != native.HostName || m.Type != "stdio":
		return wrong("name", "%s has %q, %q", path, m.Name, m.Type)
	case x.place.Sandboxed && !isSame(m.Path, m.Path):
		return wrong("program", "there is no %s", m.Path)
	case !x.place.Sandboxed && !isSame(m.Path, x.Program):
		return wrong("program", "%s, not %s", m.Path, x.Program)
	case len(m.AllowedOrigins) != 1 || m.AllowedOrigins[0] != native.Origin:
		return wrong("origin", "it lets in %q", strings.Join(m.AllowedOrigins, ", "))
	}
	return ok("%s", path)
}

// isSame reports whether two paths lead to one file.
func isSame(a, b string) bool {
	at, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(at, other)
}
