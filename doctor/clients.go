package doctor

import (
	"context"
	"os/exec"
	"strings"
)

// A Client is an agent's client that is on the machine.
type Client struct {
	Title  string
	Config string // the path of its configuration
	// Look gives the program that our entry in the configuration starts, empty where
	// there is no entry; the error says why it cannot be read.
	Look func() (program string, err error)
	// Enter puts our entry there.
	Enter func() error
}

// lookAtClients holds that some client starts this program, and none another in its
// name.
func lookAtClients(_ context.Context, x *examination) result {
	if len(x.Clients) == 0 {
		return unchecked("no client that is known was found")
	}
	var entered, broken []string
	for i := range x.Clients {
		c := &x.Clients[i]
		program, err := c.Look()
		switch {
		case err != nil:
			broken = append(broken, err.Error())
		case program == "":
		case !isThis(program, x.Program):
			x.client = c
			return wrong("program", "%s has %s", c.Config, program)
		default:
			entered = append(entered, c.Title)
		}
	}
	switch {
	case len(entered) > 0:
		return ok("%s", strings.Join(entered, ", "))
	case len(broken) > 0:
		return wrong("broken", "%s", strings.Join(broken, "; "))
	}
	return wrong("none", "")
}

// isThis reports whether a command, as a client starts it, is this program: by its
// path or, as where it was written by hand, by its name.
func isThis(command, program string) bool {
	path, err := exec.LookPath(command)
	return err == nil && isSame(path, program)
}

// enter puts our entry into the configuration in question.
func enter(_ context.Context, x *examination) error { return x.client.Enter() }
