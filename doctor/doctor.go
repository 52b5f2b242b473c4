// Package doctor finds what keeps agents from seeing what a user shares.
//
// It owns the checks, from the browser to one read of a shared tab, with the words for
// each fault and its mend. It never mends unless it is asked to, then only what is
// Webarea's own: the host's manifest, the unpacked extension, the folder of sockets.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/webarea/webarea/native"
)

// A State says how a check ended.
type State string

// The states.
const (
	OK        State = "ok"
	Wrong     State = "wrong"
	Unchecked State = "unchecked" // what it is about is not there to be looked at
)

// A Place is a browser that the host is, or can be, registered with.
type Place struct {
	// Browser is its name, as install takes it.
	Browser string
	// Manifest is the file by which the browser finds the host.
	Manifest string
	// Extension is the folder in which the extension is unpacked.
	Extension string
	// UserData is the browser's folder of user data; empty where it is not known.
	UserData string
	// Sandboxed is whether the browser starts programs only through a launcher of its
	// own, which the manifest names then, and which does nothing outside of it.
	Sandboxed bool
	// Install registers the host and unpacks the extension, over what is there.
	Install func() error
}

// Options say what is looked at.
type Options struct {
	// Program is the path of this program, Version its version.
	Program, Version string
	// Places are the browsers, at least one.
	Places []Place
	// Clients are the agents' clients that are on the machine.
	Clients []Client
	// Fix has mended what can be.
	Fix bool
}

// A Finding is how a check ended, about a browser where it is one of each.
type Finding struct {
	Check   string `json:"check"`
	Browser string `json:"browser,omitzero"`
	State   State  `json:"state"`
	Fault   string `json:"fault,omitzero"` // its name, of Wrong
	What    string `json:"what"`           // what was found, or why nothing was
	Mend    string `json:"mend,omitzero"`  // what is for the user to do
	Mended  bool   `json:"mended,omitzero"`
}

// checkPatience is how long a check may take: longer than a cold start of a browser
// for its version, or of the host on a busy machine.
const checkPatience = 20 * time.Second

// Examine carries out all checks, in an order in which each can build on those before.
func Examine(ctx context.Context, o Options) []Finding {
	x := &examination{Options: o}
	var all []Finding
	for i := range checks {
		c := &checks[i]
		if !c.eachBrowser {
			all = append(all, x.examine(ctx, c))
			continue
		}
		for p := range o.Places {
			x.place = &o.Places[p]
			f := x.examine(ctx, c)
			f.Browser = x.place.Browser
			all = append(all, f)
		}
	}
	return all
}

// Well reports whether nothing was found to be wrong.
func Well(findings []Finding) bool {
	for _, f := range findings {
		if f.State == Wrong {
			return false
		}
	}
	return true
}

// An examination is one run, with what checks find for those after them.
type examination struct {
	Options
	place  *Place  // the browser in question
	client *Client // the client in question

	folder string // of the sockets; empty: there is none that can be used
	hosts  []running
}

// A running host is one that told how it is.
type running struct {
	socket string
	status native.Status
}

// A result is how a check ended: where it is Wrong by the name of a fault.
type result struct {
	state State
	fault string
	what  string
}

func ok(format string, args ...any) result {
	return result{state: OK, what: fmt.Sprintf(format, args...)}
}

func unchecked(format string, args ...any) result {
	return result{state: Unchecked, what: fmt.Sprintf(format, args...)}
}

// wrong gives the result of a fault, with what is special about it; empty: nothing.
func wrong(fault, format string, args ...any) result {
	return result{Wrong, fault, fmt.Sprintf(format, args...)}
}

// examine carries out one check, and mends what it finds if that is wanted.
func (x *examination) examine(ctx context.Context, c *check) Finding {
	var mended *fault
	for range len(c.faults) + 1 {
		r := x.look(ctx, c)
		found := Finding{Check: c.name, State: r.state, What: r.what}
		if r.state != Wrong {
			if mended != nil {
				found.Mended, found.Mend = true, mended.after
			}
			return found
		}
		at := c.fault(r.fault)
		found.Fault, found.What, found.Mend = at.name, at.wrong, at.mend
		if r.what != "" {
			found.What += ": " + r.what
		}
		if !x.Fix || at.fix == nil || mended == at {
			return found
		}
		if err := at.fix(ctx, x); err != nil {
			found.What += fmt.Sprintf(" (it could not be mended: %v)", err)
			return found
		}
		mended = at
	}
	panic("doctor: a check has more faults than it has: " + c.name)
}

func (x *examination) look(ctx context.Context, c *check) result {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	return c.look(ctx, x)
}
