package setup

import (
	"fmt"
	"os"
	"slices"

	"github.com/webarea/webarea/native"
)

// A Setup is what is, and what can be, set up for one user of a system. It may be used
// by one caller at a time.
type Setup struct {
	system   native.System
	ledger   *ledger
	unpacked bool // whether the extension was, in this run

	// Program is the whole path of the program that browsers and clients start.
	Program string
	// Extension is the folder that the extension is unpacked in.
	Extension string
	// UserData is the folder of user data of the browser; "" for the browser's own.
	UserData string
	// DryRun has everything told and nothing written.
	DryRun bool
}

// Open reads what was set up. A home folder that is another user's is refused: what was
// written there would not be that user's.
func Open(system native.System) (*Setup, error) {
	if info, err := os.Stat(system.Home); err == nil {
		if err := checkOwner(info); err != nil {
			return nil, fmt.Errorf("the home folder %s cannot be used: %w; run this as that user", system.Home, err)
		}
	}
	l, err := readLedger(system.Data)
	if err != nil {
		return nil, err
	}
	return &Setup{system: system, ledger: l, Extension: system.Extension()}, nil
}

// An Outcome is what was done, or with DryRun would be, for one browser or client.
type Outcome struct {
	// Title is what people call the browser or the client.
	Title string
	// Page is a browser's own page of extensions; "" for a client.
	Page string
	// Lines say what was done, one thing each.
	Lines []string
	// Changed is whether anything was, or would be.
	Changed bool
	// Paste is what a person can put into the file named in Err by hand.
	Paste string
	// Err is why it could not be done. What Lines say was done all the same.
	Err error
}

func (o *Outcome) say(format string, args ...any) {
	o.Lines = append(o.Lines, fmt.Sprintf(format, args...))
	o.Changed = true
}

func (o *Outcome) note(format string, args ...any) {
	o.Lines = append(o.Lines, fmt.Sprintf(format, args...))
}

// A Choice is browsers and clients, by their names.
type Choice struct{ Browsers, Clients []string }

// Empty reports whether nothing is chosen.
func (c Choice) Empty() bool { return len(c.Browsers)+len(c.Clients) == 0 }

// Found are the browsers and clients that are on the machine.
func (s *Setup) Found() Choice {
	var c Choice
	for _, name := range native.Browsers() {
		if slices.ContainsFunc(s.system.Places(name), func(p native.Place) bool { return p.Found }) {
			c.Browsers = append(c.Browsers, name)
		}
	}
	for _, client := range clients {
		if client.found(s.system) {
			c.Clients = append(c.Clients, client.name)
		}
	}
	return c
}

// Installed are the browsers and clients that were set up.
func (s *Setup) Installed() Choice {
	var c Choice
	for _, h := range s.ledger.Hosts {
		if !slices.Contains(c.Browsers, h.Browser) {
			c.Browsers = append(c.Browsers, h.Browser)
		}
	}
	for _, config := range s.ledger.Configs {
		if !slices.Contains(c.Clients, config.Client) {
			c.Clients = append(c.Clients, config.Client)
		}
	}
	return c
}

// Install sets up what is chosen, whether it is on the machine or not. What cannot be
// done for one is done for the others all the same.
func (s *Setup) Install(c Choice) []Outcome {
	var all []Outcome
	for _, name := range c.Browsers {
		all = append(all, s.register(name))
	}
	for _, name := range c.Clients {
		all = append(all, s.enter(findClient(name)))
	}
	return all
}

// Uninstall undoes what Install did for what is chosen.
func (s *Setup) Uninstall(c Choice) []Outcome {
	var all []Outcome
	for _, name := range c.Browsers {
		all = append(all, s.unregister(name))
	}
	for _, name := range c.Clients {
		all = append(all, s.leave(findClient(name)))
	}
	return all
}

// save keeps what is set up by now.
func (s *Setup) save() error {
	if s.DryRun {
		return nil
	}
	return s.ledger.save(s.system.Data)
}
