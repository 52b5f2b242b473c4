package cdp

import (
	"os"
	"path/filepath"
)

const installHint = "install Google Chrome, Microsoft Edge or Chromium"

func browserPlaces() []string {
	var places []string
	for _, variable := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
		root := os.Getenv(variable)
		if root == "" {
			continue
		}
		for _, path := range []string{
			`Chromium\Application\chrome.exe`,
			`Google\Chrome\Application\chrome.exe`,
			`Google\Chrome Beta\Application\chrome.exe`,
			`Google\Chrome SxS\Application\chrome.exe`,
			`Microsoft\Edge\Application\msedge.exe`,
			`BraveSoftware\Brave-Browser\Application\brave.exe`,
			`Vivaldi\Application\vivaldi.exe`,
		} {
			places = append(places, filepath.Join(root, path))
		}
	}
	return places
}
