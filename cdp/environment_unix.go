//go:build unix

package cdp

import (
	"os"
	"path/filepath"
)

// socketPathMax is the length of the longest path of a socket on every Unix.
const socketPathMax = 104

// shortFolder is for temporary files where the usual folder's path is long: macOS gives
// each user one of 49 characters, and build systems deeper ones.
const shortFolder = "/tmp"

// fitsSocket tells whether the browser can make its socket in a folder for temporary
// files. Where it cannot, it leaves an empty folder there.
func fitsSocket(temp string) bool {
	return len(filepath.Join(temp, ".org.chromium.Chromium.XXXXXX", "SingletonSocket")) < socketPathMax
}

// environment has the variables that keep the browser's files in its home and,
// where nobody sees it, its hands off the desktop.
func environment(opts LaunchOptions, h *home) []string {
	var env []string
	if fitsSocket(h.temp()) {
		env = append(env, "TMPDIR="+h.temp())
	}
	// Its crash handlers keep a database even when crashes are not reported.
	env = append(env, "BREAKPAD_DUMP_LOCATION="+h.temp())
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		// Without one, its settings library leaves a file in the user's cache.
		env = append(env, "XDG_RUNTIME_DIR="+h.temp())
	}
	if !opts.Headful {
		env = append(env,
			"DBUS_SESSION_BUS_ADDRESS=disabled:",
			"DBUS_SYSTEM_BUS_ADDRESS=disabled:",
		)
	}
	return env
}
