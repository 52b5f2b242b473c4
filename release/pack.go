package main

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webarea/webarea/native"
)

// pack writes the extension as it is unpacked, for those who load it without install.
func (r *release) pack(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("packing the extension: %w", err)
	}
	z := zip.NewWriter(file)
	err = native.EachExtensionFile(func(name string, text []byte) error {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: r.made}
		header.SetMode(0o644)
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err = errors.Join(err, z.Close(), file.Close()); err != nil {
		return fmt.Errorf("packing the extension: %w", err)
	}
	return nil
}

// sums writes the checksums of all that was made, in the form of sha256sum.
func (r *release) sums() error {
	var b strings.Builder
	err := fs.WalkDir(os.DirFS(r.out), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(r.out, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), name)
		return nil
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the checksums: %w", err)
	}
	return nil
}
