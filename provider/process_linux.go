package provider

import (
	"bytes"
	"fmt"
	"os"
)

// isBrowserHere tells whether a process of this machine, or of this part of it, can be
// the browser of that number: it is debugged, as ours is.
func isBrowserHere(pid int64) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(line, []byte("--remote-debugging-"))
}
