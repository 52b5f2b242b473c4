//go:build !linux

package provider

import "os"

// isBrowserHere tells whether there is a process of that number on this machine.
func isBrowserHere(pid int64) bool {
	process, err := os.FindProcess(int(pid))
	if err != nil {
		return false
	}
	// Where finding one proves nothing, releasing it costs nothing.
	return process.Release() == nil
}
