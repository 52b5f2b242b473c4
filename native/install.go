package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/extension"
)

// HostName is how the extension calls the host.
const HostName = "com.webarea.host"

// hostsFolder is the folder of hosts' manifests in a folder of user data.
const hostsFolder = "NativeMessagingHosts"

// An Installation is the host as a browser finds it, and the extension as it can be
// loaded.
type Installation struct {
	// Manifest is the file by which the browser finds the host.
	Manifest string
	// Extension is the folder that the extension is unpacked in.
	Extension string
}

// Plan says where things go. userDataDir may be empty for the browser's own place,
// extensionDir for the user's own.
func Plan(browser, userDataDir, extensionDir string) (Installation, error) {
	var i Installation
	s, err := ThisSystem()
	if err != nil {
		return i, err
	}
	i.Manifest = s.PlaceAt(browser, userDataDir).Manifests[0]
	if userDataDir == "" {
		places := s.Places(browser)
		if len(places) == 0 {
			return i, fmt.Errorf("where %s keeps its hosts on %s is not known: name its folder of user data", browser, s.OS)
		}
		i.Manifest = places[0].Manifests[0]
	}
	if extensionDir == "" {
		extensionDir = s.Extension()
	}
	if i.Manifest, err = filepath.Abs(i.Manifest); err != nil {
		return i, fmt.Errorf("finding the browser's folder: %w", err)
	}
	if i.Extension, err = filepath.Abs(extensionDir); err != nil {
		return i, fmt.Errorf("finding the extension's folder: %w", err)
	}
	return i, nil
}

// Extension is the folder that the extension is unpacked in, unless another is named.
func (s System) Extension() string { return filepath.Join(s.Data, "extension") }

// hostManifest is what a browser reads of a host.
type hostManifest struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Path           string   `json:"path"`
	Type           string   `json:"type"`
	AllowedOrigins []string `json:"allowed_origins"`
}

// Install registers a program as the host, for our extension alone, and unpacks that.
// What is there already is written anew.
func (i Installation) Install(program string) error {
	if err := i.Unpack(); err != nil {
		return err
	}
	return i.Register(program)
}

// Manifest is what a browser reads of a program that is the host, for our extension
// alone.
func Manifest(program string) ([]byte, error) {
	text, err := json.MarshalIndent(hostManifest{
		Name: HostName, Description: "Webarea: shows agents what you share", Path: program, Type: "stdio", AllowedOrigins: []string{Origin},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the host's manifest: %w", err)
	}
	return append(text, '\n'), nil
}

// Register writes the manifest of a program as the host.
func (i Installation) Register(program string) error {
	text, err := Manifest(program)
	if err != nil {
		return err
	}
	return i.Place(text)
}

// Place writes a manifest where the browser finds it.
func (i Installation) Place(manifest []byte) error {
	err := os.MkdirAll(filepath.Dir(i.Manifest), 0o700)
	if err == nil {
		err = replace(i.Manifest, manifest)
	}
	if err != nil {
		return fmt.Errorf("registering the host: %w", err)
	}
	return nil
}

// Unpack writes the extension's files. A folder with anything else in it is refused.
func (i Installation) Unpack() error {
	err := i.CheckOurs()
	if err == nil {
		err = eachFile(func(name string, text []byte) error {
			path := filepath.Join(i.Extension, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			return replace(path, text)
		})
	}
	if err != nil {
		return fmt.Errorf("unpacking the extension: %w", err)
	}
	return nil
}

// CheckOurs refuses a folder with something else in it.
func (i Installation) CheckOurs() error {
	entries, err := os.ReadDir(i.Extension)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	there, err := keyOf(os.DirFS(i.Extension))
	if err != nil {
		return fmt.Errorf("%s has other things in it: name an empty folder", i.Extension)
	}
	ours, err := keyOf(extension.Files)
	if err != nil {
		return err
	}
	if there != ours {
		return fmt.Errorf("%s has another extension in it: name an empty folder", i.Extension)
	}
	return nil
}

// keyOf reads the key that makes an extension's id.
func keyOf(files fs.FS) (string, error) {
	text, err := fs.ReadFile(files, marker)
	if err != nil {
		return "", err
	}
	var manifest struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", err
	}
	return manifest.Key, nil
}

// Uninstall takes away what Install wrote, and the folders that are empty then. It
// reports whether there was anything.
func (i Installation) Uninstall() (found bool, err error) {
	registered, err := i.Unregister()
	if err != nil {
		return false, err
	}
	unpacked, err := i.Remove()
	if unpacked {
		_ = os.Remove(i.Extension) // unless something else is in it
	}
	return registered || unpacked, err
}

// Unregister takes away the host's manifest, and its folder unless others are in it. It
// reports whether there was one.
func (i Installation) Unregister() (found bool, err error) {
	switch err := os.Remove(i.Manifest); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("removing the host's manifest: %w", err)
	}
	_ = os.Remove(filepath.Dir(i.Manifest))
	return true, nil
}

// Remove takes away the extension's files, and those folders in it that are empty
// then. It reports whether there were any.
func (i Installation) Remove() (found bool, err error) {
	if _, err := os.Stat(i.Extension); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err := i.CheckOurs(); err != nil {
		return false, fmt.Errorf("removing the extension: %w", err)
	}
	folders := map[string]bool{}
	remove := func(name string) error {
		err := os.Remove(filepath.Join(i.Extension, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		found = true
		return err
	}
	err = eachFile(func(name string, _ []byte) error {
		if name == marker {
			return nil
		}
		for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
		return remove(name)
	})
	if err == nil {
		err = remove(marker)
	}
	if err != nil {
		return found, fmt.Errorf("removing the extension: %w", err)
	}
	// Deeper ones have longer names. One that has something else in it stays.
	names := make([]string, 0, len(folders))
	for dir := range folders {
		names = append(names, dir)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range names {
		_ = os.Remove(filepath.Join(i.Extension, dir))
	}
	return found, nil
}

// scriptFile is the file of the extension that is not among its own: the script that
// the host brings into pages, for the extension to bring into those that the host does
// not reach.
const scriptFile = "world.js"

// marker is the file by which a folder is known as ours.
const marker = "manifest.json"

// eachFile calls do with each of the files that an unpacked extension has, the marker
// first: what was interrupted is still known as ours.
func eachFile(do func(name string, text []byte) error) error {
	each := func(name string) error {
		text, err := fs.ReadFile(extension.Files, name)
		if err != nil {
			return err
		}
		return do(name, text)
	}
	if err := each(marker); err != nil {
		return err
	}
	err := fs.WalkDir(extension.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == marker {
			return err
		}
		return each(name)
	})
	if err != nil {
		return err
	}
	return do(scriptFile, []byte(cdp.WorldScript()))
}

// replace writes a file so that whoever reads it meanwhile reads the old one or the
// new one, whole.
func replace(path string, text []byte) error {
	fresh, err := os.CreateTemp(filepath.Dir(path), ".webarea-*")
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if err == nil {
		err = fresh.Chmod(0o644)
	}
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return nil
}
