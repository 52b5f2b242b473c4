package native

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// lookAt looks at a process.
func lookAt(pid int) (process, bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return process{}, false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// The name is in brackets and may have any character; the state and the parent
	// follow it.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return process{}, false
	}
	return process{parent, strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")}, true
}
