//go:build unix

package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webarea/webarea/visit"
)

var update = flag.Bool("update", false, "write the answer that README.md shows anew")

// anOutline matches an outline with its boundary lines.
var anOutline = regexp.MustCompile(`(?ms)^=== (\w+): untrusted page content.*?^=== \w+: end of untrusted page content ===\n`)

// TestReadmeShowsTheDemo compares the answer in README.md with a real one.
func TestReadmeShowsTheDemo(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	c := command(t)
	c.Path, c.Args, c.Dir = filepath.Join(here, "demo", "demo.sh"), []string{"demo.sh", program}, here
	r := finish(t, c)
	r.expectCode(t, 0)
	real := strings.ReplaceAll(anOutline.FindString(r.stdout), "file://"+here, "file:///home/you/webarea/cmd/webarea")
	shown := anOutline.FindString(string(readme))
	if *update {
		if err := os.WriteFile("../../README.md", []byte(strings.Replace(string(readme), shown, real, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, want := withoutChance(shown), withoutChance(real); got != want {
		t.Errorf("README.md does not show what make demo prints (write it anew with -update)\n got:\n%s\nwant:\n%s", got, want)
	}
	if !strings.Contains(real, "selected") || !strings.Contains(r.stdout, "Where to go next") {
		t.Errorf("the demo does not show what it is for: %v", r)
	}
}

// withoutChance replaces the mark of an outline and the prefix of its ids, and the
// name of the browser, which may be another elsewhere.
func withoutChance(outline string) string {
	if found := anOutline.FindStringSubmatch(outline); found != nil {
		outline = strings.ReplaceAll(outline, found[1], "MARK")
	}
	if app := regexp.MustCompile(`(?m)^Application (\w+)1 (".*")`).FindStringSubmatch(outline); app != nil {
		outline = strings.ReplaceAll(strings.Replace(outline, app[2], `"BROWSER"`, 1), app[1], "ID")
	}
	return outline
}

// TestDocsNameEverything finds what docs/snapshot.md does not say of the command.
func TestDocsNameEverything(t *testing.T) {
	docs, err := os.ReadFile("../../docs/snapshot.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, code := range visit.Codes() {
		names = append(names, "| `"+string(code)+"` |")
	}
	flags := regexp.MustCompile(`(?m)^ +(--[a-z-]+)`)
	for _, found := range flags.FindAllStringSubmatch(webarea(t, "snapshot", "--help").stdout, -1) {
		names = append(names, found[1])
	}
	if len(names) < 30 {
		t.Fatalf("too few to be all: %v", names)
	}
	for _, name := range names {
		if !strings.Contains(string(docs), name) {
			t.Errorf("docs/snapshot.md does not say: %s", name)
		}
	}
}

// TestDocsNameFlagsOfServe finds what docs/gateway.md does not say of the command.
func TestDocsNameFlagsOfServe(t *testing.T) {
	docs, err := os.ReadFile("../../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`(?m)^ +(?:-h, )?(--[a-z-]+)`).FindAllStringSubmatch(webarea(t, "serve", "--help").stdout, -1)
	if len(flags) < 9 {
		t.Fatalf("too few to be all: %v", flags)
	}
	for _, found := range flags {
		if found[1] != "--help" && !strings.Contains(string(docs), found[1]) {
			t.Errorf("docs/gateway.md does not say: %s", found[1])
		}
	}
}
