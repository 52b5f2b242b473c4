//go:build !linux

package main

import (
	"os/exec"
	"runtime"
)

// startOn starts a program on all processors; here none can be confined to fewer.
func startOn(command *exec.Cmd, processors int) error {
	if processors != runtime.NumCPU() {
		return errNotConfined
	}
	return command.Start()
}
