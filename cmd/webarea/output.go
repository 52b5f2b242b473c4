package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// errNobodyReads is the error of a command whose standard output was closed by
// whoever read it, as head does when it has enough.
var errNobodyReads = &exit{code: 0}

// told gives the error of a command by that of its last write.
func told(_ int, err error) error {
	switch {
	case err == nil:
		return nil
	case isClosedPipe(err):
		return errNobodyReads
	}
	return &exit{exitFailed, fmt.Errorf("writing the answer: %w", err)}
}

func isClosedPipe(err error) bool {
	for _, broken := range brokenPipes {
		if errors.Is(err, broken) {
			return true
		}
	}
	return false
}

// keepPipeErrors has a write to a closed pipe fail instead of ending the program
// before it has cleaned up. Children do not inherit it, as they would if the
// signal were ignored.
func keepPipeErrors() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
