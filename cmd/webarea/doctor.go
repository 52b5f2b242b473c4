package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/doctor"
	"github.com/webarea/webarea/native"
	"github.com/webarea/webarea/setup"
)

// doctorFlags say which browser is looked at, and where its things are.
type doctorFlags struct {
	browser, userData, extension string
}

func (f *doctorFlags) register(command *cobra.Command) {
	names := native.Browsers()
	flags := command.Flags()
	flags.SortFlags = false
	flags.Var(&value[string]{&f.browser, "NAME", "", oneOf(names...)}, "browser", "look at this browser alone: "+strings.Join(names, ", "))
	flags.Var(&value[string]{&f.userData, "DIR", "", parseWords("a folder")}, "user-data-dir", "the browser's folder of user data, where it is not the usual one")
	flags.Var(&value[string]{&f.extension, "DIR", "", parseWords("a folder")}, "extension-dir", "the folder of the extension (default in the user's own folder of data)")
	complete(command, "browser", names)
}

func newDoctor() *cobra.Command {
	var f doctorFlags
	var fix, asJSON bool
	command := &cobra.Command{
		Use:   "doctor [--fix] [--json] [--browser NAME] [--user-data-dir DIR] [--extension-dir DIR]",
		Short: "Find what keeps agents from seeing what is shared",
		Long: `Look at everything between an agent and a shared tab: the browser, the extension, its
host's manifest, the host, sockets, whether a tab is shared, and one read of it. Of each
it is said what is wrong, and how to mend that; --fix mends what is Webarea's own.

Without --browser it is about those that the host is registered with.

Exit status: 0 nothing is wrong, 1 something is, 2 usage. What could not be checked, as
where no browser is open, is said, and is not wrong.`,
		Example: `  webarea doctor
  webarea doctor --fix`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			if f.userData != "" && f.browser == "" {
				return errors.New("--user-data-dir is one browser's: name that with --browser")
			}
			program, err := ownProgram()
			if err != nil {
				return &exit{exitFailed, err}
			}
			places, err := f.places(program)
			if err != nil {
				return &exit{exitFailed, err}
			}
			ctx, stop := untilSignal(command.Context())
			defer stop()
			findings := doctor.Examine(ctx, doctor.Options{
				Program: program, Version: ownVersion(), Places: places, Clients: clientsToLookAt(program), Fix: fix,
			})
			if ctx.Err() != nil {
				return ended(ctx, nil)
			}
			tell := tellFindings
			if asJSON {
				tell = encodeFindings
			}
			if err := told(0, tell(command.OutOrStdout(), findings)); err != nil {
				return err
			}
			if !doctor.Well(findings) {
				return &exit{code: exitFailed}
			}
			return nil
		},
	}
	f.register(command)
	command.Flags().BoolVar(&fix, "fix", false, "mend what can be mended: manifest, extension, sockets and their folder")
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON in place of a table")
	return command
}

// ownProgram is the path of this program as it is registered.
func ownProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}

// places are the browsers to look at, of those that are named or all: those that the
// host is registered with, else those that are there, else the first.
func (f *doctorFlags) places(program string) ([]doctor.Place, error) {
	system, err := native.ThisSystem()
	if err != nil {
		return nil, err
	}
	var all []native.Place
	for _, name := range native.Browsers() {
		switch {
		case f.browser != "" && f.browser != name:
		case f.userData != "":
			userData, err := filepath.Abs(f.userData)
			if err != nil {
				return nil, err
			}
			all = append(all, system.PlaceAt(name, userData))
		default:
			all = append(all, system.Places(name)...)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("where that browser keeps its hosts on this system is not known: name its folder with --user-data-dir")
	}
	looked := all[:1]
	for _, is := range []func(native.Place) bool{
		func(p native.Place) bool { _, err := os.Stat(p.Manifests[0]); return err == nil },
		func(p native.Place) bool { return p.Found },
	} {
		if some := slices.DeleteFunc(slices.Clone(all), func(p native.Place) bool { return !is(p) }); len(some) > 0 {
			looked = some
			break
		}
	}
	var places []doctor.Place
	for _, p := range looked {
		place, err := f.place(system, p, program)
		if err != nil {
			return nil, err
		}
		places = append(places, place)
	}
	return places, nil
}

// place is a browser as the doctor looks at it, which install sets up anew.
func (f *doctorFlags) place(system native.System, p native.Place, program string) (doctor.Place, error) {
	extension := system.Extension()
	if f.extension != "" {
		var err error
		if extension, err = filepath.Abs(f.extension); err != nil {
			return doctor.Place{}, err
		}
	}
	return doctor.Place{
		Browser: p.Browser, Manifest: p.Manifests[0], Extension: extension, UserData: p.UserData, Sandboxed: p.Flatpak != "",
		Install: func() error {
			s, err := setup.Open(system)
			if err != nil {
				return err
			}
			s.Program, s.Extension = program, extension
			if f.userData != "" {
				s.UserData = p.UserData
			}
			for _, o := range s.Install(setup.Choice{Browsers: []string{p.Browser}}) {
				err = errors.Join(err, o.Err)
			}
			return err
		},
	}, nil
}

// clientsToLookAt are the agents' clients on this machine.
func clientsToLookAt(program string) []doctor.Client {
	system, err := native.ThisSystem()
	if err != nil {
		return nil // the places of browsers could not be had either, and that is told
	}
	var all []doctor.Client
	for _, e := range setup.LookAtClients(system) {
		all = append(all, doctor.Client{
			Title: e.Title, Config: e.Config,
			Look: func() (string, error) {
				for _, now := range setup.LookAtClients(system) {
					if now.Client == e.Client {
						return now.Program, now.Err
					}
				}
				return "", nil
			},
			Enter: func() error {
				s, err := setup.Open(system)
				if err != nil {
					return err
				}
				s.Program = program
				for _, o := range s.Install(setup.Choice{Clients: []string{e.Client}}) {
					err = errors.Join(err, o.Err)
				}
				return err
			},
		})
	}
	return all
}

// tellFindings writes the findings as a table for a person.
func tellFindings(out io.Writer, findings []doctor.Finding) error {
	const indent = 11 // of what is said, where the names of states come before it
	var b strings.Builder
	for _, f := range findings {
		state, about := string(f.State), f.Check
		if f.Mended {
			state = "mended"
		}
		if f.Browser != "" {
			about += " (" + f.Browser + ")"
		}
		fmt.Fprintf(&b, "%-*s%s: %s\n", indent, state, about, oneLine(f.What))
		if f.Mend != "" {
			fmt.Fprintf(&b, "%*s→ %s\n", indent, "", oneLine(f.Mend))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// encodeFindings writes the findings as JSON.
func encodeFindings(out io.Writer, findings []doctor.Finding) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Well     bool             `json:"well"`
		Findings []doctor.Finding `json:"findings"`
	}{doctor.Well(findings), findings})
}
