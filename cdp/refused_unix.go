//go:build unix

package cdp

import "syscall"

// errRefused is what connecting to a port fails with where nothing listens.
const errRefused = syscall.ECONNREFUSED
