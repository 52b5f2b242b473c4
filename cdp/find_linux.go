package cdp

import (
	"os"
	"path/filepath"
)

const installHint = "install one (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; Arch: pacman -S chromium)"

func browserPlaces() []string {
	places := []string{
		"/usr/lib/chromium/chromium",
		"/usr/lib/chromium-browser/chromium-browser",
		"/opt/google/chrome/chrome",
		"/opt/google/chrome-beta/chrome",
		"/opt/google/chrome-unstable/chrome",
		"/opt/microsoft/msedge/msedge",
		"/opt/brave.com/brave/brave",
		"/opt/vivaldi/vivaldi",
		"/usr/local/bin/chromium",
		"/usr/local/bin/google-chrome",
		"/snap/bin/chromium",
		"/snap/bin/brave",
	}
	exports := []string{"/var/lib/flatpak/exports/bin"}
	if home, err := os.UserHomeDir(); err == nil {
		exports = append(exports, filepath.Join(home, ".local/share/flatpak/exports/bin"))
	}
	for _, dir := range exports {
		for _, app := range []string{
			"org.chromium.Chromium",
			"com.google.Chrome",
			"com.microsoft.Edge",
			"com.brave.Browser",
			"com.vivaldi.Vivaldi",
		} {
			places = append(places, filepath.Join(dir, app))
		}
	}
	return places
}
