package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/mcp"
)

func newMCP() *cobra.Command {
	var flags shareFlags
	var socket string
	command := &cobra.Command{
		Use:   "mcp [--launch [URL] | --attach URL | --socket PATH]",
		Short: "Serve agents over MCP, on standard input and output",
		Long: `Be an MCP server on standard input and output, for an agent's host to start: of all
running browsers in which tabs are shared, or with --launch or --attach of one browser.

What is shared with the agent is said in one line on standard error. Nothing is
launched or attached to before the first question that needs it. With --socket the tabs
are those that somebody shares in a browser with the extension, whose host listens there.

Exit status: 0 the client ended, 1 the connection broke, 2 usage; after a signal, 128
and its number.`,
		Example: `  webarea mcp
  webarea mcp --launch https://example.com/
  webarea mcp --attach http://127.0.0.1:9222`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			nothing := func(string) bool { return false }
			if rest := flags.launch.take(args, nothing); len(rest) > 0 {
				return fmt.Errorf("%q is one argument too many: a page is named after --launch", rest[0])
			}
			if socket == "" {
				return serveClient(command, &flags)
			}
			if flags.launch.given || flags.attach != "" || flags.browser != "" || flags.headful {
				return errors.New("--socket goes with no other flag: what is shared there is its user's to say")
			}
			return throughSocket(command, socket)
		},
	}
	flags.register(command)
	command.Flags().Var(&value[string]{&socket, "PATH", "", parseWords("the path of a socket")}, "socket", "serve what is shared in a browser whose host listens at this socket")
	return command
}

// serveClient serves one client until it ends.
func serveClient(command *cobra.Command, flags *shareFlags) error {
	tell := teller(command.ErrOrStderr())
	served, err := flags.serving(tell, command.ErrOrStderr())
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	tell(served.says)
	err = served.Serve(ctx, io.NopCloser(command.InOrStdin()), nopCloser{command.OutOrStdout()})
	if closeErr := served.close(); closeErr != nil {
		tell(closeErr.Error())
	}
	return ended(ctx, err)
}

// newServer makes the server of a share. What it logs is about itself, never about a
// page.
func newServer(shared *share, stderr io.Writer) *mcp.Server {
	return mcp.New(mcp.Options{
		Provider: shared.provider,
		Ready:    shared.ready,
		Files:    true,
		Version:  ownVersion(),
		Log:      slog.New(slog.NewTextHandler(stderr, nil)),
	})
}

// ended gives the exit of a command that a signal may have ended.
func ended(ctx context.Context, err error) error {
	var signal *signalled
	var own *exit
	switch {
	case errors.As(context.Cause(ctx), &signal):
		return &exit{code: signalCode + int(signal.signal)}
	case err == nil, errors.As(err, &own):
		return err
	}
	return &exit{exitFailed, err}
}

// teller writes lines for a person.
func teller(stderr io.Writer) func(string) {
	return (&report{err: stderr}).notice
}

// A nopCloser is a writer whose closing is somebody else's.
type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }
