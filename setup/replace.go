package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replace writes a file so that whoever reads it meanwhile reads the old one or the
// new one, whole.
func replace(path string, text []byte, mode fs.FileMode) error {
	fresh, err := os.CreateTemp(filepath.Dir(path), ".webarea-*")
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if err == nil {
		err = fresh.Chmod(mode)
	}
	if err = errors.Join(err, fresh.Sync(), fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return nil
}

// checkWritable refuses a file that its user did not mean to be written.
func checkWritable(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is no ordinary file")
	case info.Mode().Perm()&0o200 == 0:
		return errors.New("it may only be read")
	}
	if err := checkOwner(info); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}
