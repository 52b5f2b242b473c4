package native

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A System is where things lie on a machine, for one user of it.
type System struct {
	// OS is its name, as in GOOS.
	OS string
	// Home is the user's home folder, and Data the folder of what we install.
	Home, Data string
	// Env reads a variable of the environment.
	Env func(string) string
	// Registry is the user's, where browsers look there for hosts.
	Registry Registry
}

// ThisSystem is the one that the program runs on.
func ThisSystem() (System, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return System{}, errors.New("the user has no home folder: set HOME")
	}
	data, err := DataDir()
	if err != nil {
		return System{}, err
	}
	return System{OS: runtime.GOOS, Home: home, Data: data, Env: os.Getenv, Registry: userRegistry{}}, nil
}

// bases are the folders that programs keep their users' settings in: in which
// variable, and where below the home folder without it.
var bases = map[string][2]string{
	"{config}":  {"XDG_CONFIG_HOME", ".config"},
	"{support}": {"", "Library/Application Support"},
	"{roaming}": {"APPDATA", "AppData/Roaming"},
	"{local}":   {"LOCALAPPDATA", "AppData/Local"},
	"{claude}":  {"CLAUDE_CONFIG_DIR", ""},
	"{codex}":   {"CODEX_HOME", ".codex"},
}

// Path is the whole path of a place: one of the folders {config}, {support},
// {roaming}, {local}, {claude} or {codex} and a path in it, or a path below the home
// folder. Its slashes are ordinary ones.
func (s System) Path(place string) string {
	first, rest, _ := strings.Cut(place, "/")
	base, known := bases[first]
	if !known {
		return filepath.Join(s.Home, filepath.FromSlash(place))
	}
	if base[0] != "" {
		if dir := s.Env(base[0]); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(rest))
		}
	}
	return filepath.Join(s.Home, filepath.FromSlash(base[1]), filepath.FromSlash(rest))
}

// Exists reports whether there is something at a place.
func (s System) Exists(place string) bool {
	_, err := os.Lstat(s.Path(place))
	return err == nil
}
