//go:build unix

package doctor

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/native"
)

// patience is how long tests wait for what must happen: far longer than it takes.
const patience = 60 * time.Second

// A patient is a user who has Webarea installed, in folders of the test.
type patient struct {
	t       *testing.T
	options Options
	run     string // the folder of sockets
	place   *Place
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := os.MkdirTemp("", "wd") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(runtime) })
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	home := t.TempDir()
	userData := filepath.Join(home, "chromium")
	at := native.Installation{Manifest: filepath.Join(userData, "NativeMessagingHosts", native.HostName+".json"), Extension: filepath.Join(home, "extension")}
	p := &patient{t: t, run: filepath.Join(runtime, "webarea")}
	p.options = Options{Program: self, Version: ownVersion, Places: []Place{{
		Browser: "chromium", Manifest: at.Manifest, Extension: at.Extension, UserData: userData,
		Install: func() error { return at.Install(p.options.Program) },
	}}}
	p.place = &p.options.Places[0]
	p.browser("Chromium 156.0.1.2 of the test")
	if err := errors.Join(p.place.Install(), os.Mkdir(p.run, 0o700)); err != nil {
		t.Fatal(err)
	}
	return p
}

// client has the one client of the patient start a program, or be unreadable.
func (p *patient) client(program string, err error) {
	p.options.Clients = []Client{{
		Title: "Test client", Config: "client.json",
		Look:  func() (string, error) { return program, err },
		Enter: func() error { program = p.options.Program; return nil },
	}}
}

// browser has a browser found that says this.
func (p *patient) browser(says string) {
	p.t.Setenv(cdp.BrowserVariable, p.script("chromium", "echo '"+says+"'"))
}

// script writes a program.
func (p *patient) script(name, text string) string {
	path := filepath.Join(p.t.TempDir(), name)
	p.must(os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return path
}

func (p *patient) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// edit changes what the host's manifest says.
func (p *patient) edit(key string, value any) {
	p.t.Helper()
	text, err := os.ReadFile(p.place.Manifest)
	p.must(err)
	var m map[string]any
	p.must(json.Unmarshal(text, &m))
	m[key] = value
	text, err = json.Marshal(m)
	p.must(err)
	p.must(os.WriteFile(p.place.Manifest, text, 0o600))
}

// program has the manifest, as it should be, name another program.
func (p *patient) program(path string) {
	p.t.Helper()
	p.options.Program = path
	p.must(p.place.Install())
}

// host runs a host as a browser with an extension of that version has it, which shares
// the tabs that are told.
func (p *patient) host(version, extension string, tabs string) {
	p.t.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- native.Run(context.Background(), native.Options{Version: version, In: in, Out: out, Log: slog.New(slog.DiscardHandler)})
	}()
	p.t.Cleanup(func() {
		say.Close()
		select {
		case <-ended:
		case <-time.After(patience):
			p.t.Error("the host does not end")
		}
	})
	_, err := native.Greet(say, hear, extension)
	p.must(err)
	go func() { _, _ = io.Copy(io.Discard, hear) }()
	text := fmt.Sprintf(`{"kind":"tabs","windows":[{"window":1,"order":1,"state":"normal"}],"gone":[],"tabs":[%s]}`, tabs)
	_, err = say.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(text))), text...))
	p.must(err)
}

// pausedTab is a tab that shows another site than its user shared.
const pausedTab = `{"tab":"1.1","window":1,"index":0,"state":"paused","problem":"left_site","active":true,"zoom":1}`

// busyTab is a tab that cannot be read, in the words of an extension.
const busyTab = `{"tab":"1.1","window":1,"index":0,"state":"unreachable","problem":"debugger_busy","active":true,"title":"Mine","url":"https://mine.example/","zoom":1}`

// impostor listens where hosts do, and answers the first line with what is given for
// it, by its first word; it hangs up then.
func (p *patient) impostor(answers map[string]string) {
	p.t.Helper()
	l, err := net.Listen("unix", filepath.Join(p.run, "other.sock"))
	p.must(err)
	p.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			line := make([]byte, 100)
			n, _ := c.Read(line)
			word, _, _ := bytes.Cut(line[:n], []byte("\n"))
			_, _ = io.WriteString(c, answers[string(word)])
			_ = c.Close()
		}
	}()
}

// find gives what a check finds, after those that it builds on.
func (p *patient) find(name string, fix bool) Finding {
	p.t.Helper()
	x := &examination{Options: p.options, place: &p.options.Places[0]}
	x.Fix = fix
	for i := range checks {
		// None builds on a host's having been started, which takes longest.
		if c := &checks[i]; c.name == name {
			return x.examine(p.t.Context(), c)
		} else if c.name != "host" {
			x.examine(p.t.Context(), c)
		}
	}
	p.t.Fatalf("there is no check %q", name)
	return Finding{}
}

// all gives how all checks end, as name=state, but for those that are well.
func (p *patient) all() string {
	var list []string
	for _, f := range Examine(p.t.Context(), p.options) {
		if f.State != OK {
			list = append(list, f.Check+"="+string(f.State)+" ("+f.What+")")
		}
	}
	return strings.Join(list, "\n")
}
