package cdp

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// patience is how long tests wait for what must happen: far longer than it takes,
// so that a busy machine fails none.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(holderVariable) != "" {
		holdBrowser()
		return
	}
	flag.Parse()
	if isFuzzing() {
		os.Exit(m.Run())
	}
	os.Exit(runAndLookForLeftovers(m))
}

// isFuzzing reports whether the tests run in several processes that outlive each
// other.
func isFuzzing() bool {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return true
		}
	}
	return false
}

// runAndLookForLeftovers runs the tests with a folder for temporary files of
// their own, and fails if after them there is a goroutine, a process or a file
// that was not there before.
func runAndLookForLeftovers(m *testing.M) int {
	dir, err := os.MkdirTemp("", "wa")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		os.Setenv(variable, dir)
	}
	before := runtime.NumGoroutine()
	code := m.Run()
	for what, look := range map[string]func() string{
		"goroutines": func() string { return goroutinesOver(before) },
		"files":      func() string { return filesIn(dir) },
		"processes":  func() string { return processesWith(dir) },
	} {
		left := ""
		if !eventually(func() bool { left = look(); return left == "" }) {
			fmt.Fprintf(os.Stderr, "the tests left %s behind:\n%s\n", what, left)
			code = 1
		}
	}
	return code
}

// eventually waits until the condition holds, and reports whether it came to.
func eventually(condition func() bool) bool {
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

func goroutinesOver(count int) string {
	if runtime.NumGoroutine() <= count {
		return ""
	}
	var stacks bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
	return stacks.String()
}

func filesIn(dir string) string {
	found, _ := filepath.Glob(filepath.Join(dir, "*"))
	return strings.Join(found, "\n")
}

// processesWith lists the processes that name the folder on their command line,
// where the system shows that.
func processesWith(dir string) string {
	var found []string
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, _ := os.ReadFile(file)
		if bytes.Contains(line, []byte(dir)) {
			found = append(found, file+": "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return strings.Join(found, "\n")
}
