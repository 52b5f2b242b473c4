package native

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// A folderKind is what a folder of the user's is for.
type folderKind int

const (
	forState folderKind = iota // what may be lost, such as logs
	forData                    // what is installed
)

// folders say where the folders are: in which variable, and where below the home
// folder without it.
var folders = map[folderKind]map[string][2]string{
	forState: {"darwin": {"", "Library/Logs"}, "windows": {"LOCALAPPDATA", "AppData/Local"}, "": {"XDG_STATE_HOME", ".local/state"}},
	forData:  {"darwin": {"", "Library/Application Support"}, "windows": {"LOCALAPPDATA", "AppData/Local"}, "": {"XDG_DATA_HOME", ".local/share"}},
}

// StateDir is the folder of the host's log.
func StateDir() (string, error) { return ownFolder(forState) }

// DataDir is the folder that holds what is installed.
func DataDir() (string, error) { return ownFolder(forData) }

func ownFolder(k folderKind) (string, error) {
	at, known := folders[k][runtime.GOOS]
	if !known {
		at = folders[k][""]
	}
	if at[0] != "" {
		if dir := os.Getenv(at[0]); filepath.IsAbs(dir) {
			return filepath.Join(dir, "webarea"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("the user has no home folder: set HOME")
	}
	return filepath.Join(home, filepath.FromSlash(at[1]), "webarea"), nil
}
