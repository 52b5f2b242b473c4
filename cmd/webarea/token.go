package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A token is what a client over HTTP has to show.
type token struct {
	word  string
	path  string // of the file that has it
	isNew bool
}

const (
	// tokenName is the name of the file.
	tokenName = "http-token"

	// tokenBytes is how many random bytes a token has: none is guessed.
	tokenBytes = 32

	// maxToken is how long a file with a token may be.
	maxToken = 1 << 10
)

// aToken matches a token, also one that its user has written: of the characters that
// a header takes for one (RFC 6750, section 2.1), and not too short.
var aToken = regexp.MustCompile(`^[A-Za-z0-9._~+/-]{16,}=*$`)

// openToken reads the token from its file in a folder. It is made where there is none,
// and in place of another where that is wanted.
func openToken(dir string, renew bool) (*token, error) {
	t := &token{path: filepath.Join(dir, tokenName)}
	err := fs.ErrNotExist
	if !renew {
		err = t.read()
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = t.make()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// removeToken removes the token from its file in a folder, and gives the path; "" where
// there was none. What shows it to a server that runs is taken until that ends.
func removeToken(dir string) (string, error) {
	path := filepath.Join(dir, tokenName)
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("removing the token: %w", err)
	}
	_ = os.Remove(dir) // unless the host's log is in it
	return path, nil
}

func (t *token) read() error {
	info, err := os.Lstat(t.path)
	if err != nil {
		return fmt.Errorf("reading the token: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxToken {
		return fmt.Errorf("%s is no token: have another made by --new-token", t.path)
	}
	if mode := info.Mode().Perm(); othersMayRead(mode) {
		return fmt.Errorf("%s can be read by others (mode %04o): have another token made by --new-token", t.path, mode)
	}
	text, err := os.ReadFile(t.path)
	if err != nil {
		return fmt.Errorf("reading the token: %w", err)
	}
	t.word = strings.TrimSpace(string(text))
	if !aToken.MatchString(t.word) {
		return fmt.Errorf("%s is no token: have another made by --new-token", t.path)
	}
	return nil
}

// make makes a token and puts it in place whole.
func (t *token) make() error {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // it never fails: crypto/rand ends the program instead
	t.word, t.isNew = base64.RawURLEncoding.EncodeToString(raw), true
	dir := filepath.Dir(t.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the folder for the token: %w", err)
	}
	// It is made for its user alone.
	file, err := os.CreateTemp(dir, tokenName+"-")
	if err != nil {
		return fmt.Errorf("keeping the token: %w", err)
	}
	_, err = file.WriteString(t.word + "\n")
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), t.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keeping the token: %w", err), os.Remove(file.Name()))
	}
	return nil
}
