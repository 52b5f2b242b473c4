package cdp

import (
	"fmt"
	"os"
	"os/exec"
)

// BrowserVariable is the environment variable that names the browser to use.
const BrowserVariable = "WEBAREA_BROWSER"

// browserNames are the commands that a browser we can read goes by, the ones
// whose behaviour we test first.
var browserNames = []string{
	"chromium",
	"chromium-browser",
	"google-chrome",
	"google-chrome-stable",
	"chrome",
	"google-chrome-beta",
	"google-chrome-unstable",
	"microsoft-edge",
	"microsoft-edge-stable",
	"msedge",
	"brave-browser",
	"brave",
	"vivaldi",
	"vivaldi-stable",
	"chrome-headless-shell",
}

// Find returns the path of the browser to launch: explicit if it is not empty,
// else what $WEBAREA_BROWSER names, else the first of the usual names on PATH,
// else the first of the usual places. Something named that is not there is an
// error, never a reason to take another. Nothing found is ErrNoBrowser.
func Find(explicit string) (string, error) {
	return find(explicit, browserPlaces())
}

func find(explicit string, places []string) (string, error) {
	if explicit != "" {
		return named(explicit, "the browser that was asked for")
	}
	if name := os.Getenv(BrowserVariable); name != "" {
		return named(name, "the browser that $"+BrowserVariable+" names")
	}
	for _, name := range browserNames {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	for _, place := range places {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s, or name one with --browser or $%s", ErrNoBrowser, installHint, BrowserVariable)
}

func named(name, what string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s cannot be run: %w", what, err)
	}
	return path, nil
}
