package webarea_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCachesNameTheirTests holds that the tests by which docs/caches.md vouches for what is
// remembered are there.
func TestCachesNameTheirTests(t *testing.T) {
	docs, err := os.ReadFile("docs/caches.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, found := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(docs), -1) {
		named[found[1]] = true
	}
	if len(named) < 20 {
		t.Fatalf("docs/caches.md names %d tests, which cannot be all", len(named))
	}
	isTest := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range isTest.FindAllStringSubmatch(string(text), -1) {
			delete(named, found[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range named {
		t.Errorf("docs/caches.md names %s, which is not there", name)
	}
}
