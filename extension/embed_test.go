package extension

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// forMakers are the files that are for those who work on the extension.
var forMakers = map[string]bool{"package.json": true, "package-lock.json": true, "tsconfig.json": true}

// What is in this folder for the browser is in Files, and nothing else.
func TestFilesAreWhole(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || forMakers[name] || path.Ext(name) == ".go" {
			return err
		}
		if _, err := fs.Stat(Files, name); err != nil {
			t.Errorf("%s is not among the files that are unpacked", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = fs.WalkDir(Files, ".", func(name string, d fs.DirEntry, err error) error {
		if ext := path.Ext(name); err == nil && !d.IsDir() && (ext == ".go" || forMakers[name]) {
			t.Errorf("%s is unpacked, but nothing for a browser", name)
		}
		return nil
	})
	manifest, err := fs.ReadFile(Files, "manifest.json")
	if err != nil || !json.Valid(manifest) || !strings.Contains(string(manifest), `"key"`) {
		t.Errorf("the manifest is no JSON with a key: %v", err)
	}
}
