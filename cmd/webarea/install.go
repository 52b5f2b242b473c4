package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/native"
)

// installFlags say for which browser, and where.
type installFlags struct {
	browser, userData, extension string
}

func (f *installFlags) register(command *cobra.Command) {
	names := native.Browsers()
	flags := command.Flags()
	flags.SortFlags = false
	flags.Var(&value[string]{&f.browser, "NAME", "", oneOf(names...)}, "browser", "the browser: "+strings.Join(names, ", "))
	flags.Var(&value[string]{&f.userData, "DIR", "", parseWords("a folder")}, "user-data-dir", "the browser's folder of user data, where it is not the usual one")
	flags.Var(&value[string]{&f.extension, "DIR", "", parseWords("a folder")}, "extension-dir", "the folder for the extension (default in the user's own folder of data)")
	complete(command, "browser", names)
}

// plan says where things go by the flags.
func (f *installFlags) plan() (native.Installation, error) {
	if f.browser == "" {
		return native.Installation{}, errors.New("name the browser: --browser " + strings.Join(native.Browsers(), " or --browser "))
	}
	return native.Plan(f.browser, f.userData, f.extension)
}

func newInstall() *cobra.Command {
	var f installFlags
	command := &cobra.Command{
		Use:   "install --browser NAME [--user-data-dir DIR] [--extension-dir DIR]",
		Short: "Register the host with a browser, and unpack the extension",
		Long: `Register this program as the host of the extension with a browser, and unpack the
extension into a folder, from which the browser loads it. Doing it again changes
nothing but what is old.

Exit status: 0 it is done, 1 it could not be, 2 usage.`,
		Example:           "  webarea install --browser chromium",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			at, err := f.plan()
			if err != nil {
				return err
			}
			program, err := os.Executable()
			if err == nil {
				program, err = filepath.EvalSymlinks(program)
			}
			if err == nil {
				err = at.Install(program)
			}
			if err != nil {
				return &exit{exitFailed, err}
			}
			return told(fmt.Fprintf(command.OutOrStdout(), `Registered the host: %s
Unpacked the extension: %s

Three clicks in the browser are left:
 1. open chrome://extensions and switch on "Developer mode"
 2. click "Load unpacked" and choose the folder of the extension
 3. click the puzzle piece beside the address, and pin Webarea
`, at.Manifest, at.Extension))
		},
	}
	f.register(command)
	return command
}

func newUninstall() *cobra.Command {
	var f installFlags
	command := &cobra.Command{
		Use:               "uninstall --browser NAME [--user-data-dir DIR] [--extension-dir DIR]",
		Short:             "Take away what install wrote",
		Example:           "  webarea uninstall --browser chromium",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			at, err := f.plan()
			if err != nil {
				return err
			}
			found, err := at.Uninstall()
			if err != nil {
				return &exit{exitFailed, err}
			}
			if !found {
				return told(fmt.Fprintln(command.OutOrStdout(), "There was nothing to take away."))
			}
			return told(fmt.Fprintf(command.OutOrStdout(), `Took away the host: %s
Took away the extension: %s

Remove Webarea on chrome://extensions too, if it is still there.
`, at.Manifest, at.Extension))
		},
	}
	f.register(command)
	return command
}
