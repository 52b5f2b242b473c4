package setup

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webarea/webarea/native"
)

// systems are those whose places are tried, all of them here.
var systems = []string{"linux", "darwin", "windows"}

// keys is a registry of a test.
type keys map[string]string

func (k keys) Value(key string) (string, bool, error) {
	value, ok := k[key]
	return value, ok, nil
}

func (k keys) Set(key, value string) error {
	k[key] = value
	return nil
}

func (k keys) Delete(key string) error {
	delete(k, key)
	return nil
}

// systemAt is one with a home folder of its own.
func systemAt(t *testing.T, name string) native.System {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return native.System{
		OS: name, Home: home, Data: filepath.Join(home, "our data", "webarea"),
		Env: func(string) string { return "" }, Registry: keys{},
	}
}

func open(t *testing.T, system native.System) *Setup {
	t.Helper()
	s, err := Open(system)
	if err != nil {
		t.Fatal(err)
	}
	s.Program = "/opt/with \"quotes\" & spaces/webarea"
	return s
}

// listing is everything below a folder: kinds, rights, links and texts.
func listing(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(content)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += " -> " + target
		}
		all[strings.TrimPrefix(path, root)] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func expectDone(t *testing.T, outcomes []Outcome) {
	t.Helper()
	for _, o := range outcomes {
		if o.Err != nil {
			t.Errorf("%s: got %v, want it done", o.Title, o.Err)
		}
	}
}

// TestEveryBrowser registers each browser on each system, from a home folder without it
// and from one with every way that it comes.
func TestEveryBrowser(t *testing.T) {
	for _, system := range systems {
		for _, name := range native.Browsers() {
			for _, there := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/there=%v", system, name, there), func(t *testing.T) {
					sys := systemAt(t, system)
					places := sys.Places(name)
					if len(places) == 0 {
						if system != "linux" || name != "arc" {
							t.Fatal("it has no place")
						}
						if o := open(t, sys).Install(Choice{Browsers: []string{name}}); o[0].Err == nil {
							t.Errorf("got %v, want that it is not made for it", o)
						}
						return
					}
					if there {
						for i, p := range places {
							put(t, filepath.Join(p.UserData, "Local State"), "{}")
							if i == 0 {
								put(t, filepath.Join(p.UserData, "NativeMessagingHosts", "com.example.json"), "{}")
							} else if err := os.MkdirAll(filepath.Join(p.UserData, "NativeMessagingHosts"), 0o755); err != nil {
								t.Fatal(err)
							}
						}
					} else {
						places = places[:1]
					}
					before := listing(t, sys.Home)
					tryAll(t, sys, Choice{Browsers: []string{name}}, before, func() {
						for _, p := range places {
							for _, path := range p.Manifests {
								text, err := os.ReadFile(path)
								if err != nil || !strings.Contains(string(text), native.Origin) {
									t.Errorf("%s: got %s, %v, want a manifest for our extension", path, text, err)
								}
								if launched := strings.Contains(string(text), p.Flatpak+"/data/webarea/host"); p.Flatpak != "" && !launched {
									t.Errorf("%s: got %s, want what a flatpak can start", path, text)
								}
							}
							for _, key := range p.Keys {
								if got := sys.Registry.(keys)[key]; got != p.Manifests[0] {
									t.Errorf("%s: got %q, want %q", key, got, p.Manifests[0])
								}
							}
						}
						if _, err := os.Stat(filepath.Join(sys.Extension(), "manifest.json")); err != nil {
							t.Error(err)
						}
					})
					if len(sys.Registry.(keys)) > 0 {
						t.Errorf("the registry still has %v", sys.Registry)
					}
				})
			}
		}
	}
}

// tryAll installs without writing, then really, twice, with a look in between, and
// undoes it, twice: nothing is left.
func tryAll(t *testing.T, sys native.System, c Choice, before map[string]string, look func()) {
	t.Helper()
	dry := open(t, sys)
	dry.DryRun = true
	for _, o := range dry.Install(c) {
		if !o.Changed || !strings.Contains(strings.Join(o.Lines, "\n"), "would") {
			t.Errorf("a dry run says %+v, want what it would do", o)
		}
	}
	expectListing(t, "a dry run", sys.Home, before)

	expectDone(t, open(t, sys).Install(c))
	look()
	once := listing(t, sys.Home)
	again := open(t, sys)
	if got := again.Installed(); !cmp.Equal(got, c) {
		t.Errorf("got %v as installed, want %v", got, c)
	}
	expectDone(t, again.Install(c))
	expectListing(t, "installing again", sys.Home, once)

	dry = open(t, sys)
	dry.DryRun = true
	expectDone(t, dry.Uninstall(c))
	expectListing(t, "a dry run of uninstalling", sys.Home, once)
	for range 2 {
		expectDone(t, open(t, sys).Uninstall(c))
		expectListing(t, "uninstalling", sys.Home, before)
	}
}

func expectListing(t *testing.T, what, root string, want map[string]string) {
	t.Helper()
	if d := cmp.Diff(want, listing(t, root)); d != "" {
		t.Errorf("after %s (-want +got):\n%s", what, d)
	}
}

// TestSharedPlaces takes browsers away in turn: what another one needs stays until that
// goes too.
func TestSharedPlaces(t *testing.T) {
	for _, test := range []struct {
		system string
		names  []string
	}{
		{"linux", []string{"opera", "chrome"}},
		{"linux", []string{"chrome", "opera"}},
		{"windows", []string{"brave", "chrome", "edge"}},
	} {
		t.Run(test.system+" "+strings.Join(test.names, " "), func(t *testing.T) {
			sys := systemAt(t, test.system)
			before := listing(t, sys.Home)
			expectDone(t, open(t, sys).Install(Choice{Browsers: test.names}))
			for i, name := range test.names {
				expectDone(t, open(t, sys).Uninstall(Choice{Browsers: []string{name}}))
				for _, left := range test.names[i+1:] {
					p := sys.Places(left)[0]
					for _, path := range append(slices.Clone(p.Manifests), filepath.Join(sys.Extension(), "manifest.json")) {
						if _, err := os.Stat(path); err != nil {
							t.Errorf("without %s, %s has lost %v", name, left, err)
						}
					}
					for _, key := range p.Keys {
						if sys.Registry.(keys)[key] == "" {
							t.Errorf("without %s, %s has lost %s", name, left, key)
						}
					}
				}
			}
			expectListing(t, "uninstalling", sys.Home, before)
			if left := slices.Collect(maps.Keys(sys.Registry.(keys))); len(left) > 0 {
				t.Errorf("the registry still has %v", left)
			}
		})
	}
}

// TestOpenRefuses does not go on without knowing what was installed.
func TestOpenRefuses(t *testing.T) {
	sys := systemAt(t, "linux")
	path := filepath.Join(sys.Data, "installed.json")
	put(t, path, "{")
	if _, err := Open(sys); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want what is wrong with %s", err, path)
	}
}

// TestExtensionMoves unpacks into another folder than before: the old one goes.
func TestExtensionMoves(t *testing.T) {
	sys := systemAt(t, "linux")
	before := listing(t, sys.Home)
	choice := Choice{Browsers: []string{"chrome"}}
	expectDone(t, open(t, sys).Install(choice))
	s := open(t, sys)
	s.Extension = filepath.Join(sys.Home, "elsewhere")
	expectDone(t, s.Install(choice))
	if _, err := os.Stat(filepath.Join(sys.Extension(), "manifest.json")); err == nil {
		t.Error("the extension is still where it was")
	}
	if _, err := os.Stat(filepath.Join(s.Extension, "manifest.json")); err != nil {
		t.Error(err)
	}
	expectDone(t, open(t, sys).Uninstall(choice))
	expectListing(t, "uninstalling", sys.Home, before)
}

// TestFound offers what is there and nothing else.
func TestFound(t *testing.T) {
	for _, system := range systems {
		t.Run(system, func(t *testing.T) {
			sys := systemAt(t, system)
			if c := open(t, sys).Found(); !c.Empty() {
				t.Errorf("an empty home folder: got %v, want nothing", c)
			}
			put(t, filepath.Join(sys.Places("brave")[0].UserData, "Local State"), "{}")
			put(t, findClient("zed").path(sys), "{}")
			put(t, findClient("claude-code").path(sys), "{}")
			want := Choice{Browsers: []string{"brave"}, Clients: []string{"claude-code", "zed"}}
			if d := cmp.Diff(want, open(t, sys).Found()); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
