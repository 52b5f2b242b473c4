//go:build unix

package cdp

import (
	"os"
	"path/filepath"
)

// socketPathMax is the length of the longest path of a socket on every Unix.
const socketPathMax = 104

// environment has the variables that keep the browser's files in its home and,
// where nobody sees it, its hands off the desktop.
func environment(opts LaunchOptions, h *home) []string {
	var env []string
	// The browser makes a socket in its folder for temporary files.
	socket := filepath.Join(h.temp(), ".org.chromium.Chromium.XXXXXX", "SingletonSocket")
	if len(socket) < socketPathMax {
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
