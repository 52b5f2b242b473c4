package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webarea/webarea/native"
)

// maxConfig is the largest configuration that is changed, in bytes. Some clients keep
// their history in it.
const maxConfig = 64 << 20

// backupEnd is what the name of a backup ends in.
const backupEnd = ".webarea-backup"

// found reports whether the client is on the machine.
func (c client) found(s native.System) bool {
	if len(c.signs) > 0 {
		return slices.ContainsFunc(c.signs, s.Exists)
	}
	dir := filepath.Dir(c.path(s))
	if filepath.Base(dir) == "User" {
		dir = filepath.Dir(dir) // the editor's folder is there before its user's is
	}
	_, err := os.Stat(dir)
	return err == nil
}

// A file is a configuration as it is on the disk.
type file struct {
	path string // behind what links to it
	text []byte
	info fs.FileInfo // nil where there is none
}

// readConfig reads a configuration, and none where there is none.
func readConfig(path string) (file, error) {
	f := file{path: path}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	behind, err := filepath.EvalSymlinks(path)
	if err != nil {
		return f, fmt.Errorf("it is a link that cannot be followed: %w", err)
	}
	f.path = behind
	if f.info, err = os.Stat(behind); err != nil {
		return f, err
	}
	if !f.info.Mode().IsRegular() {
		return f, errors.New("it is no ordinary file")
	}
	if f.info.Size() > maxConfig {
		return f, fmt.Errorf("it has more than %d MB", maxConfig>>20)
	}
	f.text, err = os.ReadFile(behind)
	return f, err
}

// write puts a text in the place of what was read, unless that is another by now.
func (f file) write(text []byte) error {
	mode := fs.FileMode(0o600) // it may come to hold keys
	if f.info != nil {
		now, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		if !bytes.Equal(now, f.text) {
			return errors.New("it was changed in the meantime: try again")
		}
		mode = f.info.Mode().Perm()
	}
	return replace(f.path, text, mode)
}

// sum is the SHA-256 of a text, in hexadecimal.
func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

// enter puts our entry into a client's configuration.
func (s *Setup) enter(c client) Outcome {
	o := Outcome{Title: c.title}
	entry := c.entryFor(s.Program)
	path := c.path(s.system)
	fail := func(err error) Outcome {
		o.Err = fmt.Errorf("%s was left as it is: %w", path, err)
		o.Paste = c.snippet(entry)
		return o
	}
	f, err := readConfig(path)
	if err != nil {
		return fail(err)
	}
	after, err := c.merged(f.text, entry)
	if err != nil {
		return fail(err)
	}
	if f.info != nil && bytes.Equal(after, f.text) {
		o.note("%s has our entry already", path)
		return o
	}
	if f.info != nil {
		if err := checkWritable(f.path, f.info); err != nil {
			return fail(err)
		}
	}
	if s.DryRun {
		o.say("would change %s\n%s", path, diff(f.text, after))
		return o
	}
	undo, err := s.keep(c, f, after)
	if err == nil {
		err = f.write(after)
	}
	if err != nil {
		return fail(errors.Join(err, undo()))
	}
	o.say("changed %s\n%s", path, diff(f.text, after))
	if record := s.config(c); record.Backup != "" {
		o.note("as it was: %s", record.Backup)
	}
	return o
}

// config is the record of a client's configuration; nil where there is none.
func (s *Setup) config(c client) *config {
	for i := range s.ledger.Configs {
		if s.ledger.Configs[i].Client == c.name {
			return &s.ledger.Configs[i]
		}
	}
	return nil
}

// keep keeps what a configuration is before it becomes another, first on the disk and
// then in the ledger, so that it can be undone whenever the program ends. What it
// returns forgets it again, where the change could not be made.
func (s *Setup) keep(c client, f file, after []byte) (undo func() error, err error) {
	old := slices.Clone(s.ledger.Configs)
	fresh := config{Client: c.name, Path: f.path, Sum: sum(after)}
	made := ""
	undo = func() error {
		s.ledger.Configs = old
		var err error
		if made != "" {
			err = os.Remove(made)
		}
		s.ledger.sweep()
		return errors.Join(err, s.save())
	}
	_, ours := c.entryOf(f.text)
	if record := s.config(c); record != nil && record.Path == f.path && ours {
		// An entry of ours is renewed: what was before is kept already.
		fresh.Backup = record.Backup
		if sum(f.text) != record.Sum {
			fresh.Sum = record.Sum
		}
	} else if f.info == nil {
		err = s.ledger.makeFolder(filepath.Dir(f.path))
	} else if fresh.Backup, err = backUp(f); err == nil {
		made = fresh.Backup
	} else {
		err = fmt.Errorf("keeping a backup: %w", err)
	}
	if err != nil {
		return undo, err
	}
	s.ledger.Configs = slices.DeleteFunc(slices.Clone(old), func(c config) bool { return c.Client == fresh.Client })
	s.ledger.Configs = append(s.ledger.Configs, fresh)
	return undo, s.save()
}

// backUp copies a configuration, with its rights and its time, beside itself.
func backUp(f file) (string, error) {
	path := f.path + backupEnd
	for n := 2; ; n++ {
		if there, err := os.ReadFile(path); err != nil || bytes.Equal(there, f.text) {
			break
		}
		path = fmt.Sprintf("%s%s-%d", f.path, backupEnd, n)
	}
	if err := replace(path, f.text, f.info.Mode().Perm()); err != nil {
		return "", err
	}
	return path, os.Chtimes(path, f.info.ModTime(), f.info.ModTime())
}

// leave takes our entry out of a client's configuration again. One that nobody changed
// since becomes what it was.
func (s *Setup) leave(c client) Outcome {
	o := Outcome{Title: c.title}
	path := c.path(s.system)
	record := s.config(c)
	if record == nil {
		if f, err := readConfig(path); err == nil {
			if _, there := c.entryOf(f.text); there {
				o.note("%s has an entry %q that was not put there by this program: it stays", path, serverName)
				return o
			}
		}
		o.note("there is nothing to take away")
		return o
	}
	fail := func(err error) Outcome {
		o.Err = fmt.Errorf("%s was left as it is: %w; take %q out of %q by hand", path, err, serverName, c.servers)
		return o
	}
	f, err := readConfig(record.Path)
	if err != nil {
		return fail(err)
	}
	if f.info == nil {
		o.say("%s is no longer there", path)
	} else if err := s.restore(c, *record, f, &o); err != nil {
		return fail(err)
	}
	if s.DryRun {
		return o
	}
	s.ledger.Configs = slices.DeleteFunc(s.ledger.Configs, func(old config) bool { return old.Client == c.name })
	s.ledger.sweep()
	o.Err = s.save()
	return o
}

// restore makes a configuration what it was, or what it is now without our entry.
func (s *Setup) restore(c client, record config, f file, o *Outcome) error {
	if err := checkWritable(f.path, f.info); err != nil {
		return err
	}
	var before []byte
	kept := false
	if record.Backup != "" {
		text, err := os.ReadFile(record.Backup)
		before, kept = text, err == nil
	}
	after := before
	unchanged := sum(f.text) == record.Sum && (kept || record.Backup == "")
	if !unchanged {
		var err error
		if after, err = c.cleared(f.text, !c.holds(before)); err != nil {
			return err
		}
	}
	gone := record.Backup == "" && (unchanged || isBare(after))
	if s.DryRun {
		if bytes.Equal(after, f.text) && !gone {
			o.say("%s has no entry of ours any more", f.path)
		} else {
			o.say("would change %s\n%s", f.path, diff(f.text, after))
		}
		return nil
	}
	switch {
	case gone:
		if err := os.Remove(f.path); err != nil {
			return err
		}
		o.say("removed %s", f.path)
		return nil
	case unchanged:
		// The backup has the rights and the time as well.
		if err := os.Rename(record.Backup, f.path); err != nil {
			return err
		}
		o.say("restored %s", f.path)
		return nil
	}
	if bytes.Equal(after, f.text) {
		o.say("%s has no entry of ours any more", f.path)
	} else {
		if err := f.write(after); err != nil {
			return err
		}
		o.say("changed %s\n%s", f.path, diff(f.text, after))
	}
	if kept && bytes.Equal(after, before) {
		return os.Remove(record.Backup)
	}
	if kept {
		o.note("it was changed since: as it was before us is in %s, remove that when you like", record.Backup)
	}
	return nil
}

// isBare reports whether a configuration says nothing, not even in a comment.
func isBare(text []byte) bool {
	rest := strings.Join(strings.Fields(string(bytes.TrimPrefix(text, byteOrderMark))), "")
	return rest == "" || rest == "{}"
}
