// Command webarea shows web pages to agents the way a person would point at them.
//
// It only wires: what it says about pages comes from package provider, what it
// does to a page before that from package visit.
package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	keepPipeErrors()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run carries out a command line and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(byBrowser(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(context.Background())
	return conclude(command, err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "webarea",
		Short: "Show web pages to agents, the way a person would point at them",
		Long: `Webarea reads a web page the way its user sees it, what is selected, focused and
under the pointer first, and answers in the Elements protocol 0.2.0.

It only ever reads.`,
		Example: `  webarea snapshot page.html
  webarea snapshot --outline --select-text "some words" https://example.com/
  webarea snapshot --scope page page.html | webarea validate`,
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newSnapshot(), newMCP(), newServe(), newCall(), newWatch(), newValidate(), newInstall(), newUninstall(),
		newDoctor(), newStatus(), newNative(), newVersion())
	return root
}
