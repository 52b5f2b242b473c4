package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLogFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	a, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	const most = 1000
	a.most, b.most = most, most
	line := strings.Repeat("x", 89) + " %09d\n"
	for i := range 50 {
		l := []*LogFile{a, b}[i%2]
		if _, err := fmt.Fprintf(l, line, i); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 2 {
		t.Errorf("got the files %v, want the log and the older one", files)
	}
	var all string
	for _, name := range []string{LogName + olderEnd, LogName} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil || len(text) > most {
			t.Errorf("%s has %d bytes, %v; want at most %d", name, len(text), err, most)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", name, info.Mode())
		}
		all += string(text)
	}
	// Of what two hosts wrote, the last lines are there in order and nothing is lost
	// in between.
	lines := strings.Split(strings.TrimSpace(all), "\n")
	for i, got := range lines {
		if want := fmt.Sprintf(strings.TrimSpace(line), 50-len(lines)+i); got != want {
			t.Fatalf("line %d: got %q, want %q", i, got, want)
		}
	}
	if len(lines) < 10 {
		t.Errorf("got %d lines, want at least those of one full log", len(lines))
	}
}
