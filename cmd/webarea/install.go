package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/native"
	"github.com/webarea/webarea/setup"
)

// installFlags say for which browsers and clients, and where.
type installFlags struct {
	choice              setup.Choice
	userData, extension string
	dryRun              bool
}

func (f *installFlags) register(command *cobra.Command) {
	browsers, clients := native.Browsers(), setup.Clients()
	flags := command.Flags()
	flags.SortFlags = false
	flags.Var(&value[[]string]{&f.choice.Browsers, "NAME,…", "", someOf(&f.choice.Browsers, browsers)}, "browser", "the browsers: "+strings.Join(browsers, ", "))
	flags.Var(&value[[]string]{&f.choice.Clients, "NAME,…", "", someOf(&f.choice.Clients, clients)}, "client", "the agents' clients: "+strings.Join(clients, ", "))
	flags.Var(&value[string]{&f.userData, "DIR", "", parseWords("a folder")}, "user-data-dir", "the browser's folder of user data, where it is not the usual one")
	flags.Var(&value[string]{&f.extension, "DIR", "", parseWords("a folder")}, "extension-dir", "the folder for the extension (default in the user's own folder of data)")
	flags.BoolVar(&f.dryRun, "dry-run", false, "tell what would be done, and write nothing")
	complete(command, "browser", browsers)
	complete(command, "client", clients)
}

// someOf takes names, with commas between them, and adds them to those there are.
func someOf(have *[]string, names []string) func(string) ([]string, error) {
	return func(text string) ([]string, error) {
		all := slices.Clone(*have)
		for name := range strings.SplitSeq(text, ",") {
			name, err := oneOf(names...)(strings.TrimSpace(name))
			if err != nil {
				return nil, fmt.Errorf("%w, or several with commas between them", err)
			}
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		return all, nil
	}
}

// open is what is set up by now, with the flags' places.
func (f *installFlags) open() (*setup.Setup, error) {
	if f.userData != "" && len(f.choice.Browsers) != 1 {
		return nil, errors.New("--user-data-dir is one browser's: name that with --browser")
	}
	system, err := native.ThisSystem()
	if err != nil {
		return nil, &exit{exitFailed, err}
	}
	s, err := setup.Open(system)
	if err != nil {
		return nil, &exit{exitFailed, err}
	}
	if s.Program, err = os.Executable(); err == nil {
		s.Program, err = filepath.EvalSymlinks(s.Program)
	}
	if err == nil && f.extension != "" {
		s.Extension, err = filepath.Abs(f.extension)
	}
	if err == nil && f.userData != "" {
		s.UserData, err = filepath.Abs(f.userData)
	}
	if err != nil {
		return nil, &exit{exitFailed, fmt.Errorf("finding the program and the folders: %w", err)}
	}
	s.DryRun = f.dryRun
	return s, nil
}

func newInstall() *cobra.Command {
	var f installFlags
	command := &cobra.Command{
		Use:   "install [--browser NAME,…] [--client NAME,…] [--dry-run]",
		Short: "Register the host with browsers, and enter Webarea with agents' clients",
		Long: `Register this program as the host of the extension with browsers, and unpack the
extension into a folder, from which the browser loads it. Enter it as a server in the
configurations of agents' clients: nothing else in them is changed, the change is shown,
and a backup is kept beside each. A configuration that cannot be read is left alone, and
what to paste into it is printed. Doing it again changes nothing but what is old.

Without --browser and --client, it asks on a terminal about each that is found.

Exit status: 0 it is done, 1 some of it could not be, 2 usage.`,
		Example: `  webarea install --browser chromium --client claude-code
  webarea install --client cursor,zed --dry-run`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			s, err := f.open()
			if err != nil {
				return err
			}
			if f.choice.Empty() {
				found := s.Found()
				if err := f.choose(command, s, s.Install, found, "set up", "found here"); err != nil {
					return err
				}
				if found.Empty() {
					return &exit{exitFailed, errors.New("no browser and no client was found that it knows: name them with --browser and --client")}
				}
			}
			out := command.OutOrStdout()
			outcomes := s.Install(f.choice)
			failed, err := tellOutcomes(out, outcomes)
			if err != nil || f.dryRun {
				return errors.Join(err, failed)
			}
			if err := clicks(out, outcomes, s.Extension); err != nil {
				return err
			}
			return failed
		},
	}
	f.register(command)
	return command
}

func newUninstall() *cobra.Command {
	var f installFlags
	command := &cobra.Command{
		Use:   "uninstall [--browser NAME,…] [--client NAME,…] [--dry-run]",
		Short: "Undo what install did",
		Long: `Undo what install did for browsers and clients. A configuration that nobody has changed
since is what it was before, and from another one our entry is taken out. With the last of
them goes the token of "webarea serve".

Without --browser and --client, it asks on a terminal about each that was set up.

Exit status: 0 it is done, 1 some of it could not be, 2 usage.`,
		Example:           "  webarea uninstall --browser chromium --client claude-code",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			s, err := f.open()
			if err != nil {
				return err
			}
			if f.choice.Empty() {
				installed := s.Installed()
				if err := f.choose(command, s, s.Uninstall, installed, "undo", "set up"); err != nil {
					return err
				}
				if installed.Empty() {
					gone, err := f.forget(command.OutOrStdout(), s)
					if err != nil || gone {
						return err
					}
					return told(fmt.Fprintln(command.OutOrStdout(), "There is nothing to undo."))
				}
			}
			out := command.OutOrStdout()
			outcomes := s.Uninstall(f.choice)
			failed, err := tellOutcomes(out, outcomes)
			if err != nil || f.dryRun {
				return errors.Join(err, failed)
			}
			if _, err := f.forget(out, s); err != nil {
				return errors.Join(err, failed)
			}
			if pages := pagesOf(outcomes); len(pages) > 0 {
				if err := told(fmt.Fprintf(out, "\nAn open browser goes on sharing what is shared until Webarea is removed on %s.\n", strings.Join(pages, ", "))); err != nil {
					return err
				}
			}
			return failed
		},
	}
	f.register(command)
	return command
}

// choose has a person choose on a terminal among what there is, if there is anything. what
// says what is done with it, and where how it came to be there.
func (f *installFlags) choose(command *cobra.Command, s *setup.Setup, do func(setup.Choice) []setup.Outcome, there setup.Choice, what, where string) (err error) {
	if !isConversation(command) {
		return fmt.Errorf("there is no terminal to ask on: name what to %s, such as --browser chromium --client claude-code; %s", what, listed(where, there))
	}
	if !there.Empty() {
		f.choice, err = ask(command, do, there, s)
	}
	return err
}

// forget removes the token of serve once nothing is set up any more, and tells so.
func (f *installFlags) forget(out io.Writer, s *setup.Setup) (gone bool, err error) {
	if f.dryRun || !s.Installed().Empty() {
		return false, nil
	}
	dir, err := native.StateDir()
	if err != nil {
		return false, nil // there is no folder that it could be in
	}
	path, err := removeToken(dir)
	if err != nil {
		return false, &exit{exitFailed, err}
	}
	if path == "" {
		return false, nil
	}
	return true, told(fmt.Fprintf(out, "Webarea\n  Took away the token of webarea serve: %s\n", path))
}

// isConversation reports whether somebody can be asked.
func isConversation(command *cobra.Command) bool {
	in, ok := command.InOrStdin().(*os.File)
	return ok && isTerminal(in) && isTerminal(command.OutOrStdout())
}

// listed says a choice on one line.
func listed(what string, c setup.Choice) string {
	if c.Empty() {
		return "nothing is " + what
	}
	return what + ": " + strings.Join(append(slices.Clone(c.Browsers), c.Clients...), ", ")
}

// tellOutcomes tells what was done. What could not be is told there as well, and is the error
// of the command.
func tellOutcomes(out io.Writer, outcomes []setup.Outcome) (failed, err error) {
	for _, o := range outcomes {
		if err := told(fmt.Fprintf(out, "%s\n", o.Title)); err != nil {
			return nil, err
		}
		for _, line := range o.Lines {
			if err := told(fmt.Fprintf(out, "  %s\n", strings.ReplaceAll(strings.TrimRight(line, "\n"), "\n", "\n  "))); err != nil {
				return nil, err
			}
		}
		if o.Err == nil {
			continue
		}
		failed = &exit{exitFailed, errors.New("not all of it could be done")}
		if err := told(fmt.Fprintf(out, "  NOT DONE: %v\n", o.Err)); err != nil {
			return nil, err
		}
		if o.Paste != "" {
			if err := told(fmt.Fprintf(out, "  Put this into it by hand:\n\n%s\n", o.Paste)); err != nil {
				return nil, err
			}
		}
	}
	return failed, nil
}

// pagesOf are the pages of extensions of the browsers that something was done for.
func pagesOf(outcomes []setup.Outcome) []string {
	var pages []string
	for _, o := range outcomes {
		if o.Page != "" && o.Changed && !slices.Contains(pages, o.Page) {
			pages = append(pages, o.Page)
		}
	}
	return pages
}

// clicks tells what is left to the person, whom no program may spare it.
func clicks(out io.Writer, outcomes []setup.Outcome, folder string) error {
	pages := pagesOf(outcomes)
	if len(pages) == 0 {
		return nil
	}
	return told(fmt.Fprintf(out, `
Three clicks in the browser are left:
 1. open %s and switch on "Developer mode"
 2. click "Load unpacked" and choose %s
    (a folder that begins with a dot is shown after Ctrl+H, on macOS after Cmd+Shift+.)
 3. click the puzzle piece beside the address, and pin Webarea
`, strings.Join(pages, ", or "), folder))
}
