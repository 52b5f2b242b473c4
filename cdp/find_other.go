//go:build !linux && !darwin && !windows

package cdp

const installHint = "install Chromium"

func browserPlaces() []string {
	return []string{"/usr/local/bin/chrome", "/usr/local/bin/chromium"}
}
