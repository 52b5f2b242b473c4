package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webarea/webarea/native"
)

// places are those of a browser that it is registered in: all that are there, or the
// usual one where none is.
func (s *Setup) places(name string) []native.Place {
	if s.UserData != "" {
		return []native.Place{s.system.PlaceAt(name, s.UserData)}
	}
	all := s.system.Places(name)
	found := slices.DeleteFunc(slices.Clone(all), func(p native.Place) bool { return !p.Found })
	if len(found) == 0 && len(all) > 0 {
		return all[:1]
	}
	return found
}

// register registers the host with a browser, and unpacks the extension.
func (s *Setup) register(name string) Outcome {
	o := Outcome{Title: name}
	places := s.places(name)
	if len(places) == 0 {
		o.Err = fmt.Errorf("where %s keeps its hosts on %s is not known: name its folder of user data", name, s.system.OS)
		return o
	}
	o.Title, o.Page = places[0].Title, places[0].Page
	if s.DryRun {
		at := native.Installation{Extension: s.Extension}
		o.Err = at.CheckOurs()
		o.say("would unpack the extension: %s", s.Extension)
	} else {
		if o.Err = s.unpack(&o); o.Err != nil {
			return o
		}
	}
	for _, p := range places {
		if err := s.registerAt(p, &o); err != nil {
			o.Err = errors.Join(o.Err, fmt.Errorf("registering the host with %s: %w", o.Title, err))
		}
	}
	return o
}

// unpack unpacks the extension, once for all browsers.
func (s *Setup) unpack(o *Outcome) error {
	if s.unpacked {
		return nil // for another browser
	}
	at := native.Installation{Extension: s.Extension}
	if err := at.CheckOurs(); err != nil {
		return fmt.Errorf("unpacking the extension: %w", err)
	}
	if err := s.ledger.makeFolder(s.Extension); err != nil {
		return err
	}
	if err := at.Unpack(); err != nil {
		return err
	}
	s.unpacked = true
	o.say("Unpacked the extension: %s", s.Extension)
	return nil
}

// registerAt writes the manifests of one place. The ledger has it first, so that it can
// be undone whenever the program ends.
func (s *Setup) registerAt(p native.Place, o *Outcome) error {
	program := s.Program
	record := hostRecord{Browser: p.Browser, UserData: p.UserData, Manifests: p.Manifests, Keys: p.Keys, Extension: s.Extension}
	if p.Flatpak != "" {
		record.Launcher = filepath.Join(s.system.Path(".var/app/"+p.Flatpak), "data", "webarea", "host")
		program = record.Launcher
	}
	text, err := native.Manifest(program)
	if err != nil {
		return err
	}
	if s.DryRun {
		for _, path := range p.Manifests {
			o.say("would register the host: %s\n%s", path, indented(text))
		}
		for _, key := range p.Keys {
			o.say(`would register the host: HKEY_CURRENT_USER\%s = %s`, key, p.Manifests[0])
		}
	} else if err := s.writeHost(record, text, o); err != nil {
		return err
	}
	switch {
	case p.Flatpak != "":
		o.note("%s is a flatpak, which starts no program outside of itself. To allow it:\n  flatpak override --user --talk-name=org.freedesktop.Flatpak %s", p.Title, p.Flatpak)
	case p.Snap:
		o.note("%s is a snap, which starts only programs that it can reach: keep the program in a folder of your home that is not hidden", p.Title)
	}
	return nil
}

func (s *Setup) writeHost(record hostRecord, text []byte, o *Outcome) error {
	old := ""
	s.ledger.Hosts = slices.DeleteFunc(s.ledger.Hosts, func(h hostRecord) bool {
		same := h.Browser == record.Browser && h.UserData == record.UserData
		if same {
			old = h.Extension
		}
		return same
	})
	s.ledger.Hosts = append(s.ledger.Hosts, record)
	if err := s.save(); err != nil {
		return err
	}
	if old != "" && !s.ledger.loads(old) {
		if _, err := (native.Installation{Extension: old}).Remove(); err != nil {
			return err
		}
		o.say("Took away the extension from where it was: %s", old)
	}
	if record.Launcher != "" {
		if err := s.ledger.makeFolder(filepath.Dir(record.Launcher)); err != nil {
			return err
		}
		if err := replace(record.Launcher, launcher(s.Program), 0o755); err != nil {
			return err
		}
		o.say("Wrote what starts the host: %s", record.Launcher)
	}
	for _, path := range record.Manifests {
		if err := s.ledger.makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := (native.Installation{Manifest: path}).Place(text); err != nil {
			return err
		}
		o.say("Registered the host: %s", path)
	}
	for _, key := range record.Keys {
		if err := s.system.Registry.Set(key, record.Manifests[0]); err != nil {
			return fmt.Errorf("setting the registry's %s: %w", key, err)
		}
		o.say(`Registered the host: HKEY_CURRENT_USER\%s`, key)
	}
	return s.save()
}

// launcher is a script that a flatpak can start, and that starts the program outside of
// it.
func launcher(program string) []byte {
	quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	return []byte("#!/bin/sh\nexec flatpak-spawn --host " + quoted + " \"$@\"\n")
}

func indented(text []byte) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n  ")
}

// unregister takes the host away from a browser, and the extension where no other
// browser has it.
func (s *Setup) unregister(name string) Outcome {
	o := Outcome{Title: name}
	if places := s.places(name); len(places) > 0 {
		o.Title, o.Page = places[0].Title, places[0].Page
	}
	ours := func(h hostRecord) bool { return h.Browser == name && (s.UserData == "" || h.UserData == s.UserData) }
	records := slices.DeleteFunc(slices.Clone(s.ledger.Hosts), func(h hostRecord) bool { return !ours(h) })
	if len(records) == 0 {
		// It may have been registered without a ledger: by what mends, or before there was one.
		for _, p := range s.places(name) {
			records = append(records, hostRecord{Manifests: p.Manifests, Keys: p.Keys, Extension: s.Extension})
		}
	}
	before := *s.ledger
	s.ledger.Hosts = slices.DeleteFunc(slices.Clone(s.ledger.Hosts), ours)
	for _, record := range records {
		if err := s.takeHost(record, &o); err != nil {
			s.ledger.Hosts = before.Hosts
			o.Err = fmt.Errorf("taking the host away from %s: %w", o.Title, err)
			return o
		}
	}
	if s.DryRun {
		s.ledger.Hosts = before.Hosts
		return o
	}
	if len(o.Lines) == 0 {
		o.note("there is nothing to take away")
	}
	s.ledger.sweep()
	o.Err = s.save()
	return o
}

// takeHost takes away what one record tells of and no other one uses.
func (s *Setup) takeHost(record hostRecord, o *Outcome) error {
	for _, key := range record.Keys {
		if s.ledger.uses(key) {
			continue
		}
		value, there, err := s.system.Registry.Value(key)
		if err == nil && there && value == record.Manifests[0] {
			o.say(`%s the host: HKEY_CURRENT_USER\%s`, s.word(), key)
			if !s.DryRun {
				err = s.system.Registry.Delete(key)
			}
		}
		if err != nil {
			return fmt.Errorf("removing the registry's %s: %w", key, err)
		}
	}
	for _, path := range append(slices.Clone(record.Manifests), record.Launcher) {
		if path == "" || s.ledger.uses(path) {
			continue
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		o.say("%s the host: %s", s.word(), path)
		if s.DryRun {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		if record.Browser == "" {
			_ = os.Remove(filepath.Dir(path)) // unless others are in it
		}
	}
	if s.ledger.loads(record.Extension) {
		return nil
	}
	at := native.Installation{Extension: record.Extension}
	if s.DryRun {
		if _, err := os.Stat(filepath.Join(record.Extension, "manifest.json")); err == nil {
			o.say("would take away the extension: %s", record.Extension)
		}
		return at.CheckOurs()
	}
	found, err := at.Remove()
	if found && record.Browser == "" {
		_ = os.Remove(record.Extension) // unless something else is in it
	}
	if found {
		o.say("Took away the extension: %s", record.Extension)
	}
	return err
}

// word begins what is told of taking something away.
func (s *Setup) word() string {
	if s.DryRun {
		return "would take away"
	}
	return "Took away"
}
