package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes. One that a signal caused is signalCode and its number.
const (
	exitFailed = 1 // a target failed, or an answer is not valid
	exitUsage  = 2 // the command line, or a file it names, cannot be used
	signalCode = 128
)

// An exit is the end of a command with another code than 0.
type exit struct {
	code int
	// err is told on standard error; nil where everything has been told.
	err error
}

func (e *exit) Error() string { return fmt.Sprintf("exit %d: %v", e.code, e.err) }

func (e *exit) Unwrap() error { return e.err }

// conclude tells a command's error and returns the exit code. What is no exit is
// about the command line.
func conclude(command *cobra.Command, err error) int {
	if err == nil {
		return 0
	}
	var e *exit
	if !errors.As(err, &e) {
		command.PrintErrf("webarea: %s\nRun '%s --help' for usage.\n", oneLine(err.Error()), command.CommandPath())
		return exitUsage
	}
	if e.err != nil {
		command.PrintErrln("webarea:", oneLine(e.err.Error()))
	}
	return e.code
}
