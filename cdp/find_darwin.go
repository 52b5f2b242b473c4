package cdp

import (
	"os"
	"path/filepath"
)

const installHint = "install Google Chrome, or Chromium (brew install --cask chromium)"

func browserPlaces() []string {
	roots := []string{"/Applications"}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, "Applications"))
	}
	var places []string
	for _, root := range roots {
		for _, app := range []string{
			"Chromium",
			"Google Chrome",
			"Google Chrome for Testing",
			"Google Chrome Beta",
			"Google Chrome Canary",
			"Microsoft Edge",
			"Brave Browser",
			"Vivaldi",
		} {
			places = append(places, filepath.Join(root, app+".app", "Contents", "MacOS", app))
		}
	}
	return places
}
