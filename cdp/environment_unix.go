//go:build unix

package cdp

import (
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
	if !opts.Headful {
		env = append(env,
			"DBUS_SESSION_BUS_ADDRESS=disabled:",
			"DBUS_SYSTEM_BUS_ADDRESS=disabled:",
		)
	}
	return env
}
