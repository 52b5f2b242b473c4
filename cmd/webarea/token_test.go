//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	first, err := openToken(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(first.path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("got the file %v, %v, want mode 0600", info.Mode(), err)
	}
	if folder, err := os.Stat(dir); err != nil || folder.Mode().Perm() != 0o700 {
		t.Errorf("got the folder %v, %v, want mode 0700", folder.Mode(), err)
	}
	if len(first.word) < 40 || !first.isNew {
		t.Errorf("got %+v, want a long new token", first)
	}
	again, err := openToken(dir, false)
	if err != nil || again.word != first.word || again.isNew {
		t.Errorf("got %+v, %v, want the same token", again, err)
	}
	other, err := openToken(dir, true)
	if err != nil || other.word == first.word || !other.isNew {
		t.Errorf("got %+v, %v, want another token", other, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("got the files %v, want the token's alone", left)
	}
}

// A file that others could have read or written is no token, and stays as it is.
func TestTokenRefused(t *testing.T) {
	const good = "0123456789abcdef0123456789abcdef\n"
	for _, c := range []struct {
		what  string
		place func(path string) error
		words string
	}{
		{"read by others", written(good, 0o644), "--new-token"},
		{"written by its group", written(good, 0o660), "mode 0660"},
		{"short", written("secret\n", 0o600), "--new-token"},
		{"empty", written("", 0o600), "--new-token"},
		{"of two lines", written(good+good, 0o600), "--new-token"},
		{"long", written(strings.Repeat("x", maxToken+1), 0o600), "--new-token"},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, "--new-token"},
		{"a link", func(path string) error {
			if err := written(good, 0o600)(path + ".real"); err != nil {
				return err
			}
			return os.Symlink(path+".real", path)
		}, "--new-token"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, tokenName)
			if err := c.place(path); err != nil {
				t.Fatal(err)
			}
			if got, err := openToken(dir, false); err == nil || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "0123") {
				t.Errorf("got %+v, %v, want an error with %q", got, err, c.words)
			}
			if c.what == "a folder" {
				return
			}
			if got, err := openToken(dir, true); err != nil || !got.isNew {
				t.Errorf("another: got %+v, %v", got, err)
			}
		})
	}
}

func written(text string, mode fs.FileMode) func(string) error {
	return func(path string) error {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		return os.Chmod(path, mode)
	}
}
