// Package webarea_test holds what is true of the module as a whole.
package webarea_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/webarea/webarea"

// An arrow is what a package may import of the project, and its test files besides.
type arrow struct {
	imports, tests []string
	// silent packages do no input or output of their own.
	silent bool
}

// arrows are the packages of the module. One that is not here may not be.
var arrows = map[string]arrow{
	"":                   {},
	"elements":           {silent: true},
	"outline":            {imports: []string{"elements"}, silent: true},
	"mapper":             {imports: []string{"elements"}, silent: true},
	"cdp":                {},
	"driver":             {imports: []string{"cdp"}},
	"tree":               {silent: true},
	"provider":           {imports: []string{"cdp", "mapper", "elements", "tree"}, tests: []string{"driver", "oracle"}},
	"mcp":                {imports: []string{"provider", "outline", "elements"}},
	"native":             {imports: []string{"mcp", "provider", "cdp", "elements", "outline", "extension"}, tests: []string{"driver"}},
	"setup":              {imports: []string{"native"}},
	"doctor":             {imports: []string{"native", "cdp"}},
	"visit":              {imports: []string{"provider", "driver", "cdp", "elements"}},
	"sweep":              {silent: true},
	"oracle":             {imports: []string{"cdp", "elements"}, tests: []string{"provider", "driver"}},
	"testpages":          {imports: []string{"provider", "driver", "cdp", "elements", "outline"}, tests: []string{"oracle", "xserver"}},
	"bench":              {imports: []string{"bench/installation", "provider", "driver", "cdp", "elements", "outline"}},
	"bench/installation": {imports: []string{"driver", "cdp"}},
	"release":            {imports: []string{"native"}},
	"xserver":            {},
	"extension":          {tests: []string{"provider", "driver", "cdp", "elements", "xserver"}},
	"cmd/webarea":        {imports: []string{"doctor", "native", "setup", "mcp", "visit", "sweep", "provider", "driver", "cdp", "mapper", "elements", "outline"}, tests: []string{"xserver"}},
}

// noise are the packages of the standard library through which a program reaches
// out of itself.
var noise = []string{"net", "net/http", "os", "os/exec", "os/signal", "syscall"}

// systems are those whose files are looked at.
var systems = []string{"linux", "darwin", "windows"}

type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func TestArrows(t *testing.T) {
	for _, system := range systems {
		t.Run(system, func(t *testing.T) {
			for _, p := range list(t, system) {
				name := short(p.ImportPath)
				allowed, known := arrows[name]
				if !known {
					t.Errorf("%s is not in the table of arrows: say there what it may import", p.ImportPath)
					continue
				}
				check(t, name, p.Imports, allowed.imports)
				if allowed.silent {
					checkSilent(t, name, p.Imports)
				}
				tests := append(slices.Clone(allowed.imports), allowed.tests...)
				check(t, "a test of "+name, append(p.TestImports, p.XTestImports...), append(tests, name))
			}
		})
	}
}

func check(t *testing.T, who string, imports, allowed []string) {
	t.Helper()
	for _, i := range imports {
		if i != module && !strings.HasPrefix(i, module+"/") {
			continue
		}
		if !slices.Contains(allowed, short(i)) {
			t.Errorf("%s imports %s\nwant: one of %v", who, short(i), allowed)
		}
	}
}

func checkSilent(t *testing.T, who string, imports []string) {
	t.Helper()
	for _, i := range imports {
		if slices.Contains(noise, i) {
			t.Errorf("%s imports %s, but does no input or output of its own", who, i)
		}
	}
}

func short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

// list asks the go command for the packages of the module.
func list(t *testing.T, system string) []listed {
	t.Helper()
	c := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	c.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("listing the packages: %v\n%s", err, stderr.String())
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("the module has no packages")
	}
	return all
}
