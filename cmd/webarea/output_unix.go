//go:build !windows

package main

import "syscall"

// brokenPipes are the errors of a write that nobody reads any more.
var brokenPipes = []error{syscall.EPIPE}
