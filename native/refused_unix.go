//go:build unix

package native

import (
	"errors"
	"syscall"
)

// isRefused tells whether nobody listens at a socket that is there.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
