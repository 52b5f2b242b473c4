package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/native"
)

// made is when the tests' releases are said to be made.
var made = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestPack(t *testing.T) {
	r := release{made: made}
	dir := t.TempDir()
	var packed [2]string
	for i := range packed {
		path := filepath.Join(dir, "extension.zip")
		if err := r.pack(path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		packed[i] = string(text)
	}
	if packed[0] != packed[1] {
		t.Error("packed again it is something else")
	}
	z, err := zip.NewReader(strings.NewReader(packed[0]), int64(len(packed[0])))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	if err := native.EachExtensionFile(func(name string, text []byte) error { want[name] = string(text); return nil }); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(text)
		if !f.Modified.Equal(made) {
			t.Errorf("%s: said to be of %v, want %v", f.Name, f.Modified, made)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the packed extension is not as it is unpacked (-want +got):\n%s", diff)
	}
}

// The test binary is a program as good as any.
func TestBill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := release{version: "v1.2.3", made: made}
	path := filepath.Join(t.TempDir(), "bill.json")
	if err := r.bill([]string{self}, path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got bill
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "CycloneDX" || got.Metadata.Timestamp != "2026-03-01T12:00:00Z" || got.Metadata.Component.Purl != "pkg:golang/github.com/webarea/webarea@v1.2.3" || len(got.Serial) != len("urn:uuid:")+36 {
		t.Errorf("got %.700s", text)
	}
	refs := map[string]bool{}
	for _, c := range got.Components {
		if refs[c.Ref] || c.Version == "" || c.Purl != c.Ref {
			t.Errorf("got %+v, want one of its name, with a version", c)
		}
		refs[c.Ref] = true
	}
	if !refs["pkg:golang/std@"+strings.TrimPrefix(runtime.Version(), "go")] || !strings.Contains(string(text), `"pkg:golang/github.com/modelcontextprotocol/go-sdk@`) {
		t.Errorf("got %v, want Go's own library and what we use", refs)
	}
	if len(got.Dependencies) != 1 || len(got.Dependencies[0].DependsOn) != len(refs) {
		t.Errorf("got %+v, want the program to need all of them", got.Dependencies)
	}
}

// tree gives what is in a folder, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A release that is made of a copy of the tree elsewhere, by a Go that has built
// nothing yet, has the same bytes.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("it is part of the whole run: it builds everything anew")
	}
	r := release{root: "..", version: "v1.2.3", made: made, platforms: []platform{{runtime.GOOS, runtime.GOARCH}, {"windows", "arm64"}}}
	r.out = filepath.Join(t.TempDir(), "a")
	if err := r.make(context.Background()); err != nil {
		t.Fatal(err)
	}
	first := tree(t, r.out)

	r.root = filepath.Join(t.TempDir(), "elsewhere")
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		from, to := filepath.Join("..", e.Name()), filepath.Join(r.root, e.Name())
		switch {
		case e.Name() == ".git" || e.Name() == "bin" || e.Name() == "dist":
		case e.IsDir():
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		default:
			text, err := os.ReadFile(from)
			if err == nil {
				err = os.MkdirAll(r.root, 0o755)
			}
			if err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GOCACHE", t.TempDir())
	r.out = filepath.Join(t.TempDir(), "b")
	if err := r.make(context.Background()); err != nil {
		t.Fatal(err)
	}
	second := tree(t, r.out)
	for name, text := range first {
		if second[name] != text {
			t.Errorf("%s is another the second time", name)
		}
	}
	if len(first) != len(second) {
		t.Errorf("%d files are made, then %d", len(first), len(second))
	}
	for _, want := range []string{"man/webarea.1", "man/webarea-doctor.1", "completions/webarea.zsh", "SHA256SUMS", "webarea-extension_v1.2.3.zip", "webarea_v1.2.3_windows_arm64.exe"} {
		if first[want] == "" {
			t.Errorf("there is no %s", want)
		}
		if want != "SHA256SUMS" && !strings.Contains(first["SHA256SUMS"], "  "+want+"\n") {
			t.Errorf("there is no checksum of %s", want)
		}
	}
}
