package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/doctor"
	"github.com/webarea/webarea/native"
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
			findings := doctor.Examine(ctx, doctor.Options{Program: program, Version: ownVersion(), Places: places, Fix: fix})
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

// places are the browsers to look at: the one that is named, else those that the host
// is registered with, else those that their user has used, else the first.
func (f *doctorFlags) places(program string) ([]doctor.Place, error) {
	if f.browser != "" {
		p, err := f.place(f.browser, program)
		return []doctor.Place{p}, err
	}
	var all []doctor.Place
	for _, name := range native.Browsers() {
		// A browser that there is not on this system has no place.
		if p, err := f.place(name, program); err == nil {
			all = append(all, p)
		}
	}
	for _, part := range []func(doctor.Place) string{
		func(p doctor.Place) string { return p.Manifest },
		func(p doctor.Place) string { return p.UserData },
	} {
		var there []doctor.Place
		for _, p := range all {
			if _, err := os.Stat(part(p)); err == nil {
				there = append(there, p)
			}
		}
		if len(there) > 0 {
			return there, nil
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no browser of this system is known: name one with --browser and --user-data-dir")
	}
	return all[:1], nil
}

func (f *doctorFlags) place(browser, program string) (doctor.Place, error) {
	at, err := native.Plan(browser, f.userData, f.extension)
	return doctor.Place{
		Browser: browser, Manifest: at.Manifest, Extension: at.Extension, UserData: filepath.Dir(filepath.Dir(at.Manifest)),
		Install: func() error { return at.Install(program) },
	}, err
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
