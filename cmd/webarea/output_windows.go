package main

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// brokenPipes are the errors of a write that nobody reads any more.
var brokenPipes = []error{syscall.EPIPE, windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
