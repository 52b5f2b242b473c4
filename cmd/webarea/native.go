package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/native"
)

// originScheme begins how a browser calls the extension for which it starts us.
const originScheme = "chrome-extension://"

func newNative() *cobra.Command {
	return &cobra.Command{
		Use:   "native ORIGIN",
		Short: "Be the host of the browser's extension; browsers start this",
		Long: `Be what the browser's extension talks to, on standard input and output. A browser
starts this, and ends it; it also does without the word native.

Agents connect to a socket that only its user may open. What happens is logged in a
file in the user's own folder of logs; nothing of a page is.

Exit status: 0 the browser ended, 1 it is not our extension's browser, or it does not
keep to what was agreed; after a signal, 128 and its number.`,
		ValidArgsFunction: cobra.NoFileCompletions,
		// A browser gives more arguments, such as its window, with flags of its own.
		DisableFlagParsing: true,
		RunE: func(command *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return command.Help()
			}
			return beHost(command, args)
		},
	}
}

// byBrowser gives the command line of a program that a browser may have started with
// the caller's origin alone.
func byBrowser(args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], originScheme) {
		return append([]string{"native"}, args...)
	}
	return args
}

// beHost is a host until the browser ends.
func beHost(command *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] != native.Origin {
		return &exit{exitFailed, fmt.Errorf("only a browser starts this, for %s", native.Origin)}
	}
	log := slog.New(slog.DiscardHandler)
	if file, err := openLog(); err != nil {
		command.PrintErrln("webarea:", oneLine(err.Error()))
	} else {
		defer file.Close()
		log = slog.New(slog.NewTextHandler(file, nil))
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	err := native.Run(ctx, native.Options{
		Version: ownVersion(), Log: log,
		In: io.NopCloser(command.InOrStdin()), Out: nopCloser{command.OutOrStdout()},
	})
	return ended(ctx, err)
}

func openLog() (*native.LogFile, error) {
	dir, err := native.StateDir()
	if err != nil {
		return nil, err
	}
	return native.OpenLog(dir)
}

// throughSocket serves a client by the host that listens at a socket.
func throughSocket(command *cobra.Command, path string) error {
	ctx, stop := untilSignal(command.Context())
	defer stop()
	err := native.Bridge(ctx, path, command.InOrStdin(), command.OutOrStdout())
	if isClosedPipe(err) {
		return ended(ctx, errors.New("the client takes no more"))
	}
	return ended(ctx, err)
}
