package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/extension"
)

// HostName is how the extension calls the host.
const HostName = "com.webarea.host"

// hostsFolder is the folder of hosts' manifests in a folder of user data.
const hostsFolder = "NativeMessagingHosts"

// userData are the folders that browsers keep their users' data in, below the home
// folder, by system.
var userData = map[string]map[string]string{
	"chromium": {"linux": ".config/chromium", "darwin": "Library/Application Support/Chromium"},
}

// Browsers are the names of the browsers that the host can be registered with.
func Browsers() []string {
	var names []string
	for name := range userData {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

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
	if userDataDir == "" {
		at, ok := userData[browser][runtime.GOOS]
		if !ok {
			return i, fmt.Errorf("where %s keeps its hosts on %s is not known: name its folder of user data", browser, runtime.GOOS)
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return i, fmt.Errorf("finding the browser's folder: %w", err)
		}
		userDataDir = filepath.Join(home, filepath.FromSlash(at))
	}
	if extensionDir == "" {
		data, err := DataDir()
		if err != nil {
			return i, err
		}
		extensionDir = filepath.Join(data, "extension")
	}
	var err error
	if i.Manifest, err = filepath.Abs(filepath.Join(userDataDir, hostsFolder, HostName+".json")); err != nil {
		return i, fmt.Errorf("finding the browser's folder: %w", err)
	}
	if i.Extension, err = filepath.Abs(extensionDir); err != nil {
		return i, fmt.Errorf("finding the extension's folder: %w", err)
	}
	return i, nil
}

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
	text, err := json.MarshalIndent(hostManifest{
		Name: HostName, Description: "Webarea: shows agents what you share", Path: program, Type: "stdio", AllowedOrigins: []string{Origin},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the host's manifest: %w", err)
	}
	if err := i.unpack(); err != nil {
		return fmt.Errorf("unpacking the extension: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(i.Manifest), 0o700); err != nil {
		return fmt.Errorf("registering the host: %w", err)
	}
	if err := replace(i.Manifest, append(text, '\n')); err != nil {
		return fmt.Errorf("registering the host: %w", err)
	}
	return nil
}

// unpack writes the extension's files.
func (i Installation) unpack() error {
	if err := i.checkOurs(); err != nil {
		return err
	}
	return eachFile(func(name string, text []byte) error {
		path := filepath.Join(i.Extension, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return replace(path, text)
	})
}

// checkOurs refuses a folder with something else in it.
func (i Installation) checkOurs() error {
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
	text, err := fs.ReadFile(files, "manifest.json")
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
	switch err := os.Remove(i.Manifest); {
	case err == nil:
		found = true
		_ = os.Remove(filepath.Dir(i.Manifest)) // unless others are in it
	case !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("removing the host's manifest: %w", err)
	}
	if _, err := os.Stat(i.Extension); errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err := i.checkOurs(); err != nil {
		return found, fmt.Errorf("removing the extension: %w", err)
	}
	folders := map[string]bool{".": true}
	if err := eachFile(func(name string, _ []byte) error {
		for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
		err := os.Remove(filepath.Join(i.Extension, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		found = true
		return err
	}); err != nil {
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

// eachFile calls do with each of the files that an unpacked extension has.
func eachFile(do func(name string, text []byte) error) error {
	err := fs.WalkDir(extension.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(extension.Files, name)
		if err != nil {
			return err
		}
		return do(name, text)
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
