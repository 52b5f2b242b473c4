package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// socketEnd is how the names of sockets end that somebody may connect to.
	socketEnd = ".sock"

	// namelessEnd is how the name of a socket ends that is not listened to yet.
	namelessEnd = ".new"
)

// RunDir gives the folder of this user's sockets, made where it is not there. The
// error says what to do about a folder that others could have a hand in.
func RunDir() (string, error) {
	dir := runDirPath()
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", fmt.Errorf("making the folder for sockets: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("making the folder for sockets: %w", err)
	}
	if err := checkRunDir(dir); err != nil {
		return "", fmt.Errorf("%s cannot hold sockets: %w", dir, err)
	}
	return dir, nil
}

// checkRunDir finds what lets others have a hand in a folder.
func checkRunDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is no folder: remove it")
	}
	return checkOwned(info)
}
