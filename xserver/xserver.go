// Package xserver is for tests: X servers that show what is drawn on them to nobody. It
// owns the server's process, from its start to the end of the test. It starts no
// program on it, and never uses the desktop that the test may have.
package xserver

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// program is the X server that needs no screen.
const program = "Xvfb"

// patience is how long a server may take to tell its number: far longer than it does on
// a busy machine.
const patience = 30 * time.Second

// Start starts a server whose screen has so many pixels, and gives what $DISPLAY has to
// be for a program to draw there. The server ends with the test. Where there is none to
// start, the test is skipped.
func Start(t testing.TB, width, height int) (display string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("there is no X server to show windows on: %v", err)
	}
	c := exec.Command(path, "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height))
	said, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatalf("starting %s: %v", program, err)
	}
	number := make(chan string, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		line, _ := bufio.NewReader(said).ReadString('\n')
		number <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, said)
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-read
		_ = c.Wait()
	})
	select {
	case n := <-number:
		if n == "" {
			t.Skipf("%s does not start", program)
		}
		return ":" + n
	case <-time.After(patience):
		t.Fatalf("%s does not tell its number within %v", program, patience)
	}
	return ""
}
