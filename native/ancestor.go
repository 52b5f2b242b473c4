package native

import (
	"os"
	"path/filepath"
	"strings"
)

// maxAncestors is how far up a browser is looked for: it starts its host itself, or
// through a shell or a wrapper.
const maxAncestors = 12

// A process is one of this machine.
type process struct {
	parent  int
	command []string // its program and arguments
}

// browserWords are in the names of programs that are browsers with extensions of ours.
var browserWords = []string{"chrom", "edge", "brave", "vivaldi", "opera", "thorium", "arc"}

// browserAbove gives the main process of the browser that started this host: the
// nearest ancestor that is one. Where there is none to be seen, as in another pid
// space, it gives the parent and false.
func browserAbove(pid int, look func(pid int) (process, bool)) (browser int, here bool) {
	at := pid
	for range maxAncestors {
		p, ok := look(at)
		if !ok || at <= 1 {
			break
		}
		if isBrowser(p.command) {
			return at, true
		}
		at = p.parent
	}
	return pid, false
}

func isBrowser(command []string) bool {
	if len(command) == 0 {
		return false
	}
	name := strings.ToLower(filepath.Base(command[0]))
	for _, arg := range command[1:] {
		// A renderer, or another part of a browser.
		if strings.HasPrefix(arg, "--type=") {
			return false
		}
	}
	for _, word := range browserWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// parentBrowser is browserAbove for this process.
func parentBrowser() (pid int, here bool) { return browserAbove(os.Getppid(), lookAt) }
