package xserver

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

// socketOf gives where programs on this machine find a display.
func socketOf(display string) string { return "/tmp/.X11-unix/X" + strings.TrimPrefix(display, ":") }

// TestStart has two servers at a time, which are gone after their test.
func TestStart(t *testing.T) {
	var displays []string
	t.Run("two", func(t *testing.T) {
		for range 2 {
			display := Start(t, 640, 480)
			displays = append(displays, display)
			c, err := net.DialTimeout("unix", socketOf(display), patience)
			if err != nil {
				t.Fatalf("the display %q cannot be reached: %v", display, err)
			}
			c.Close()
		}
		if displays[0] == displays[1] {
			t.Errorf("both servers have the display %s", displays[0])
		}
	})
	for _, display := range displays {
		c, err := net.DialTimeout("unix", socketOf(display), time.Second)
		if err == nil {
			c.Close()
			t.Errorf("the display %s is there after its test", display)
		}
	}
}

// A recorder is a test that keeps why it was skipped.
type recorder struct {
	testing.TB
	reason string
}

func (r *recorder) Skipf(format string, args ...any) {
	r.reason = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// TestStartWithoutServer has no X server to be found: the test is skipped, and says why.
func TestStartWithoutServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	said := &recorder{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Start(said, 640, 480)
		said.reason = "it went on"
	}()
	<-ended
	if want := "there is no X server to show windows on"; !strings.HasPrefix(said.reason, want) {
		t.Errorf("got %q\nwant %q", said.reason, want)
	}
}
