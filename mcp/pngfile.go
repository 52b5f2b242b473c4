package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webarea/webarea/provider"
)

// CodeNotHere is the code of what only the process that an agent started does.
const CodeNotHere provider.Code = "not_supported_here"

// pngHead begins every PNG.
var pngHead = []byte("\x89PNG\r\n\x1a\n")

// files tells whether pictures are written to files: only where the agent started this
// process.
type files bool

// check gives the file that a picture is to be written to, as a whole path; empty
// where none is. It refuses what is not to be written to before anything is asked.
func (f files) check(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if !f {
		return "", &provider.Error{Code: CodeNotHere, Message: "no files are written here", Mend: "leave screenshot_out_file out and take the picture from the answer"}
	}
	whole, err := pictureFile(path)
	if err != nil {
		return "", &provider.Error{Code: provider.CodeInvalid, Message: fmt.Sprintf("screenshot_out_file: %v", err), Mend: "give the path of a new .png file in a folder that there is"}
	}
	return whole, nil
}

func pictureFile(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errors.New("there is no home folder")
		}
		path = filepath.Join(home, rest)
	}
	if !strings.EqualFold(filepath.Ext(path), ".png") {
		return "", errors.New("the name must end in .png")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", errors.New("it is no path")
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			return "", errors.New("a part of the path is no folder")
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return path, replaceable(path)
}

// replaceable tells why a file may not be replaced, if there is one.
func replaceable(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return errors.New("what is there is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return errors.New("what is there cannot be looked at")
	}
	defer f.Close()
	head := make([]byte, len(pngHead))
	if _, err := io.ReadFull(f, head); err != nil || !bytes.Equal(head, pngHead) {
		return errors.New("what is there is no PNG")
	}
	return nil
}

// writePNG writes a picture whole or not at all.
func writePNG(path string, data []byte) error {
	refused := func(err error) error {
		return &provider.Error{Code: provider.CodeFailed, Message: fmt.Sprintf("the picture could not be written: %v", err), Mend: "give another screenshot_out_file"}
	}
	whole, err := pictureFile(path)
	if err != nil {
		return refused(err)
	}
	f, err := os.CreateTemp(filepath.Dir(whole), ".webarea-*.png")
	if err != nil {
		return refused(errors.New("the folder takes no files"))
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = replaceable(whole)
	}
	if err == nil {
		err = os.Rename(f.Name(), whole)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what could not be written is no loss
		return refused(errors.New("the folder takes no such file"))
	}
	return nil
}
