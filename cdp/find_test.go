package cdp

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := func(name string) string {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	onPath, mine, place := program("google-chrome"), program("mine"), program("elsewhere")
	tests := []struct {
		name, explicit, variable, path string
		places                         []string
		want                           string
	}{
		{"asked for", mine, onPath, dir, []string{place}, mine},
		{"asked for by its name", "mine", "", dir, nil, mine},
		{"asked for and missing", filepath.Join(dir, "none"), mine, dir, []string{place}, "error: the browser that was asked for cannot be run"},
		{"named in the environment", "", mine, dir, []string{place}, mine},
		{"named in the environment and missing", "", "none", dir, []string{place}, "error: the browser that $WEBAREA_BROWSER names cannot be run"},
		{"on the path", "", "", dir, []string{place}, onPath},
		{"in its place", "", "", t.TempDir(), []string{filepath.Join(dir, "none"), place}, place},
		{"nowhere", "", "", t.TempDir(), nil, "error: no Chrome or Chromium found: install "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("PATH", test.path)
			t.Setenv(BrowserVariable, test.variable)
			got, err := find(test.explicit, test.places)
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != test.want && !(err != nil && strings.HasPrefix(got, test.want)) {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
			if test.name == "nowhere" && !errors.Is(err, ErrNoBrowser) {
				t.Errorf("the error is not ErrNoBrowser")
			}
		})
	}
}
