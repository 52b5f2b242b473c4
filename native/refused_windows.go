package native

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isRefused tells whether nobody listens at a socket that is there.
func isRefused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
