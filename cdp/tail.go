package cdp

import (
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// tailSize is how many bytes of a browser's standard error are kept: enough for
// the reason of a failed start, and no more however much it says.
const tailSize = 16 << 10

// A tail keeps the end of what a process writes to its standard error. It owns a
// goroutine that ends with close.
type tail struct {
	reader, writer *os.File
	done           chan struct{}

	mu   sync.Mutex
	kept []byte
}

func newTail() (*tail, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	t := &tail{reader: r, writer: w, done: make(chan struct{})}
	go t.run()
	return t, nil
}

// started is called when the process has its own copy of writer.
func (t *tail) started() { t.writer.Close() }

// close waits until no process has the writing end any more, which is when the
// last of those that inherited it has ended, and reports whether that came to
// pass in time.
func (t *tail) close(patience time.Duration) bool {
	t.writer.Close()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	ended := true
	select {
	case <-t.done:
	case <-timer.C:
		ended = false
	}
	t.reader.Close()
	<-t.done
	return ended
}

func (t *tail) run() {
	defer close(t.done)
	buf := make([]byte, 4<<10)
	for {
		n, err := t.reader.Read(buf)
		t.mu.Lock()
		t.kept = append(t.kept, buf[:n]...)
		if extra := len(t.kept) - tailSize; extra > 0 {
			t.kept = t.kept[:copy(t.kept, t.kept[extra:])]
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// isNoise tells the many lines about a desktop that is not there.
func isNoise(line string) bool { return strings.Contains(line, "ERROR:dbus/") }

// last returns the last lines as an addition to an error: empty, or beginning
// with a colon.
func (t *tail) last() string {
	const lines = 5
	t.mu.Lock()
	defer t.mu.Unlock()
	all := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(t.kept)), "\n"), isNoise)
	if len(all) == 0 || all[0] == "" {
		return ""
	}
	return ": " + strings.Join(all[max(0, len(all)-lines):], "\n")
}
