package native

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const (
	// maxLog is how many bytes a log may have before it is put away as the older one.
	maxLog = 1 << 20

	// LogName is the name of the log in the folder of StateDir; the older one has
	// olderEnd after it.
	LogName  = "host.log"
	olderEnd = ".1"
)

// A LogFile is a log that stays small: once it is full it becomes the older one, in
// place of that before. Several hosts may write to one. Its methods may be called from
// any goroutine.
type LogFile struct {
	path string
	most int64

	// mu guards the open file, and is held while it is written to.
	mu   sync.Mutex
	file *os.File
}

// OpenLog opens the log in a folder, which is made where it is not there. Nobody but
// the user may read it.
func OpenLog(dir string) (*LogFile, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the log: %w", err)
	}
	l := &LogFile{path: filepath.Join(dir, LogName), most: maxLog}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *LogFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the log: %w", err)
	}
	l.file = file
	return nil
}

// Write implements io.Writer. A line is written in one piece.
func (l *LogFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return 0, fs.ErrClosed
	}
	if err := l.turn(int64(len(line))); err != nil {
		return 0, err
	}
	return l.file.Write(line)
}

// turn puts the log away if it would be too long, and goes on in the new one if
// another host has. l.mu is held.
func (l *LogFile) turn(more int64) error {
	own, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("looking at the log: %w", err)
	}
	now, err := os.Stat(l.path)
	if err == nil && os.SameFile(own, now) {
		if now.Size()+more <= l.most {
			return nil
		}
		if err := l.file.Close(); err != nil {
			return fmt.Errorf("closing the full log: %w", err)
		}
		if err := os.Rename(l.path, l.path+olderEnd); err != nil {
			return fmt.Errorf("putting the full log away: %w", err)
		}
		return l.open()
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("closing the log: %w", err)
	}
	return l.open()
}

// Close implements io.Closer.
func (l *LogFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}
