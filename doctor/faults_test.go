//go:build unix

package doctor

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/native"
)

// faultTests make each fault, name by name as in the table of checks.
var faultTests = []struct {
	check, fault string
	make         func(p *patient)
	says         string // besides the fault's own words
}{
	{"browser", "none", func(p *patient) { p.t.Setenv(cdp.BrowserVariable, "/does/not/exist") }, "/does/not/exist"},
	{"browser", "dumb", func(p *patient) { p.browser("Cannot open the display") }, "Cannot open"},
	{"browser", "old", func(p *patient) { p.browser("Chromium 99.0.1.2") }, "99.0.1.2"},

	{"extension", "missing", func(p *patient) { p.must(os.RemoveAll(p.place.Extension)) }, "extension"},
	{"extension", "foreign", func(p *patient) {
		p.must(os.WriteFile(filepath.Join(p.place.Extension, "manifest.json"), []byte(`{"key":"another"}`), 0o600))
	}, "not our extension"},
	{"extension", "version", func(p *patient) {
		path := filepath.Join(p.place.Extension, "manifest.json")
		text, err := os.ReadFile(path)
		p.must(err)
		own, err := native.ExtensionVersion()
		p.must(err)
		p.must(os.WriteFile(path, []byte(strings.Replace(string(text), own, "0.0.7", 1)), 0o600))
	}, "0.0.7 there"},
	{"extension", "damaged", func(p *patient) {
		p.must(os.Remove(filepath.Join(p.place.Extension, "worker.js")))
		p.must(os.WriteFile(filepath.Join(p.place.Extension, "popup", "popup.js"), nil, 0o600))
	}, "popup/popup.js, worker.js in"},

	{"manifest", "missing", func(p *patient) { p.must(os.Remove(p.place.Manifest)) }, "com.webarea.host.json"},
	{"manifest", "broken", func(p *patient) { p.must(os.WriteFile(p.place.Manifest, []byte(`{"name":`), 0o600)) }, "JSON"},
	{"manifest", "name", func(p *patient) { p.edit("name", "com.other.host") }, "com.other.host"},
	{"manifest", "program", func(p *patient) { p.edit("path", "/old/webarea") }, "/old/webarea"},
	{"manifest", "origin", func(p *patient) { p.edit("allowed_origins", []string{"chrome-extension://other/"}) }, "chrome-extension://other/"},
	{"manifest", "rights", func(p *patient) { p.must(os.Chmod(p.place.Manifest, 0o666)) }, "0666"},

	{"folder", "open", func(p *patient) { p.must(os.Chmod(p.run, 0o755)) }, "0755"},
	{"folder", "unusable", func(p *patient) { p.must(os.Remove(p.run)); p.must(os.WriteFile(p.run, nil, 0o600)) }, "no folder"},

	{"sockets", "stale", func(p *patient) {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(p.run, "dead.sock"), Net: "unix"})
		p.must(err)
		l.SetUnlinkOnClose(false)
		p.must(l.Close())
	}, "dead.sock"},

	{"host", "start", func(p *patient) {
		path := p.script("webarea", "")
		p.must(os.Chmod(path, 0o600))
		p.program(path)
	}, "permission denied"},
	{"host", "silent", func(p *patient) { p.program(p.script("webarea", "echo This is a shell that talks too much.")) }, "not in frames"},
	{"host", "version", func(p *patient) { p.options.Version = "v9" }, ownVersion + ", this is v9"},

	{"connected", "silent", func(p *patient) {
		name, err := os.Hostname()
		p.must(err)
		p.must(os.Symlink(fmt.Sprintf("%s-%d", name, os.Getpid()), filepath.Join(p.place.UserData, "SingletonLock")))
	}, "chromium"},
	{"connected", "mute", func(p *patient) { p.impostor(nil) }, "does not tell"},
	{"connected", "version", func(p *patient) { p.host("v7", extensionVersion(p), "") }, "is v7"},
	{"connected", "extension", func(p *patient) { p.host(ownVersion, "0.0.7", "") }, "has 0.0.7"},

	{"clients", "none", func(p *patient) { p.client("", nil) }, ""},
	{"clients", "program", func(p *patient) { p.client("/old/webarea", nil) }, "/old/webarea"},
	{"clients", "broken", func(p *patient) { p.client("", errors.New("it is no JSON")) }, "no JSON"},

	{"shared", "none", func(p *patient) { p.host(ownVersion, extensionVersion(p), "") }, ""},

	{"read", "failed", func(p *patient) {
		p.impostor(map[string]string{"status": fmt.Sprintf(`{"instance":"x","version":%q,"extension":%q,"tabs":[{"title":"A"}]}`+"\n", ownVersion, extensionVersion(p))})
	}, "x: "},
	{"read", "paused", func(p *patient) { p.host(ownVersion, extensionVersion(p), pausedTab) }, ""},
	{"read", "problem", func(p *patient) { p.host(ownVersion, extensionVersion(p), busyTab) }, "debugger_busy"},
}

func extensionVersion(p *patient) string {
	own, err := native.ExtensionVersion()
	p.must(err)
	return own
}

// Each fault is found, in its own words, and mended where it can be.
func TestFaults(t *testing.T) {
	for _, test := range faultTests {
		t.Run(test.check+"/"+test.fault, func(t *testing.T) {
			p := newPatient(t)
			if before := p.find(test.check, false); before.State == Wrong {
				t.Fatalf("before the fault was made: got %+v", before)
			}
			test.make(p)
			at := faultOf(test.check, test.fault)
			if at == nil {
				t.Fatalf("the table of checks has no such fault")
			}
			got := p.find(test.check, false)
			if got.State != Wrong || got.Fault != test.fault || !strings.HasPrefix(got.What, at.wrong) || !strings.Contains(got.What, test.says) || got.Mend != at.mend {
				t.Errorf("got %+v\nwant %q with %q, and the mend %q", got, at.wrong, test.says, at.mend)
			}
			if again := p.find(test.check, false); again.State != Wrong {
				t.Errorf("looking alone has mended it: got %+v", again)
			}
			got = p.find(test.check, true)
			if at.fix == nil {
				if got.State != Wrong || got.Mended {
					t.Errorf("what only a person can mend: got %+v", got)
				}
				return
			}
			if got.State != OK || !got.Mended || got.Mend != at.after {
				t.Errorf("mending: got %+v, want it mended, and what is left: %q", got, at.after)
			}
			if after := p.find(test.check, false); after.State == Wrong || after.Mended {
				t.Errorf("after it was mended: got %+v", after)
			}
		})
	}
}

func faultOf(name, fault string) *fault {
	for i := range checks {
		for j := range checks[i].faults {
			if checks[i].name == name && checks[i].faults[j].name == fault {
				return &checks[i].faults[j]
			}
		}
	}
	return nil
}

// There is no fault that nobody has made.
func TestAllFaultsAreMade(t *testing.T) {
	made := map[string]bool{}
	for _, test := range faultTests {
		made[test.check+"/"+test.fault] = true
	}
	for _, c := range checks {
		for _, f := range c.faults {
			if !made[c.name+"/"+f.name] {
				t.Errorf("no test makes the fault %s/%s", c.name, f.name)
			}
		}
	}
}

// A mend that fails is told, with why.
func TestMendFails(t *testing.T) {
	p := newPatient(t)
	p.must(os.Remove(p.place.Manifest))
	p.place.Install = func() error { return fmt.Errorf("the disk is full") }
	if got := p.find("manifest", true); got.State != Wrong || got.Mended || !strings.Contains(got.What, "the disk is full") {
		t.Errorf("got %+v, want why it was not mended", got)
	}
	p.place.Install = func() error { return nil } // it says that it has
	if got := p.find("manifest", true); got.State != Wrong || got.Mended {
		t.Errorf("a mend that mends nothing: got %+v", got)
	}
}

// With no browser open all is well that can be looked at, and what cannot is said.
func TestNothingOpen(t *testing.T) {
	p := newPatient(t)
	want := "connected=unchecked (no browser with the extension is open)\nclients=unchecked (no client that is known was found)\nshared=unchecked (no browser is connected)\nread=unchecked (no tab is shared)"
	if got := p.all(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !Well(Examine(t.Context(), p.options)) {
		t.Error("what cannot be checked is held to be wrong")
	}
	if left, _ := filepath.Glob(filepath.Join(p.run, "*")); len(left) > 0 {
		t.Errorf("the examination left %v", left)
	}
	// A lock of a browser that died, or of another machine, is none.
	for _, to := range []string{"elsewhere-1", "x", fmt.Sprintf("-%d", os.Getpid())} {
		lock := filepath.Join(p.place.UserData, "SingletonLock")
		p.must(os.Symlink(to+"", lock+"x"))
		p.must(os.Rename(lock+"x", lock))
		if got := p.find("connected", false); got.State != Unchecked {
			t.Errorf("a lock %q: got %+v", to, got)
		}
	}
}
