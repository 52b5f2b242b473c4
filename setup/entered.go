package setup

import (
	"fmt"

	"github.com/webarea/webarea/native"
)

// An Entered is what a client that is on the machine has of us in its configuration.
type Entered struct {
	Client, Title string
	Config        string // the configuration's path
	// Program is what our entry starts; empty where there is none.
	Program string
	// Err is why the configuration cannot be read; nil where it can.
	Err error
}

// LookAtClients reads the configurations of the clients that are on a system. Nothing
// is changed.
func LookAtClients(s native.System) []Entered {
	var all []Entered
	for _, c := range clients {
		if !c.found(s) {
			continue
		}
		e := Entered{Client: c.name, Title: c.title, Config: c.path(s)}
		f, err := readConfig(e.Config)
		if err == nil {
			_, err = c.open(f.text)
		}
		if err != nil {
			e.Err = fmt.Errorf("%s: %w", e.Config, err)
		} else if entry, there := c.entryOf(f.text); there {
			members, _ := entry.(map[string]any)
			e.Program, _ = members["command"].(string)
		}
		all = append(all, e)
	}
	return all
}
