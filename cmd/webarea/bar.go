package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

const (
	// minBar and maxBar bound the bar itself, in columns: less says nothing, and more
	// nothing more.
	minBar, maxBar = 10, 40

	// someWidth is taken for a terminal that does not tell its own.
	someWidth = 80
)

// A bar shows on a terminal how many targets are done, in its last line. It uses nothing
// that a terminal might not know: it goes back to the begin of the line, and blanks what
// it wrote. The width is asked for each time, so that it fits a window that was resized.
// All methods may be called on none, and from any goroutine.
type bar struct {
	to    io.Writer
	width func() int
	now   func() time.Time
	full  string // what a column of the bar is made of where it is done
	empty string // and where it is not
	begun time.Time
	all   int // targets

	mu     sync.Mutex
	done   int
	failed int
	shown  int // columns that were written and not blanked
	ended  bool
}

// newBar makes one for a terminal. It is nil where the writer is none, or one of a kind
// that cannot go back in a line.
func newBar(to io.Writer, all int) *bar {
	file, ok := to.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	b := &bar{to: to, now: time.Now, full: "#", empty: "-", all: all, begun: time.Now()}
	if isUTF8(os.Getenv) {
		b.full, b.empty = "█", "░"
	}
	b.width = func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil || width <= 0 {
			return someWidth
		}
		return width
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.show()
	return b
}

// isUTF8 tells whether a terminal takes UTF-8, by the first of the variables that says
// anything of it.
func isUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return false
}

// advance counts a target that is done.
func (b *bar) advance(failed bool) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	if failed {
		b.failed++
	}
	b.show()
}

// aside takes the bar away while something else is written to the terminal, which ends
// its lines.
func (b *bar) aside(write func() error) error {
	if b == nil {
		return write()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.blank()
	defer b.show()
	return write()
}

// end takes the bar away for good.
func (b *bar) end() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.blank()
	b.ended = true
}

// blank removes what is shown. The mutex is held.
func (b *bar) blank() {
	if b.shown == 0 {
		return
	}
	// In a window that is narrower by now the rest would begin another line.
	fmt.Fprint(b.to, "\r"+strings.Repeat(" ", min(b.shown, max(1, b.width()-1)))+"\r")
	b.shown = 0
}

// show writes the bar as it is now. The mutex is held.
func (b *bar) show() {
	if b.ended {
		return
	}
	width := b.width()
	line, columns := b.line(width)
	rest := max(0, min(b.shown, width-1)-columns)
	fmt.Fprint(b.to, "\r"+line+strings.Repeat(" ", rest))
	b.shown = columns + rest
}

// line gives the bar and its columns, at most one less than a width: in the last one the
// cursor of some terminals goes on to the next line.
func (b *bar) line(width int) (line string, columns int) {
	said := fmt.Sprintf(" %d/%d", b.done, b.all)
	if b.failed > 0 {
		said += fmt.Sprintf(", %d failed", b.failed)
	}
	if 0 < b.done && b.done < b.all {
		left := b.now().Sub(b.begun) / time.Duration(b.done) * time.Duration(b.all-b.done)
		said += ", " + left.Round(time.Second).String() + " left"
	}
	room := min(maxBar, width-1-len(said))
	if room < minBar {
		said = said[1:min(len(said), max(1, width-1))]
		return said, len(said)
	}
	full := room * b.done / b.all
	return strings.Repeat(b.full, full) + strings.Repeat(b.empty, room-full) + said, room + len(said)
}
