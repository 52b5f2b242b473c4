package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/elements"
)

// version is set by the build, with -ldflags "-X main.version=v1.2.3". Where it is
// not, the module's version counts.
var version string

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print which version this is",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			return told(fmt.Fprintln(command.OutOrStdout(), versionLine()))
		},
	}
}

// versionLine is the version, what it was built by and for, and what it speaks.
func versionLine() string {
	return fmt.Sprintf("webarea %s (%s %s/%s) Elements %s", ownVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, elements.Version)
}

func ownVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
