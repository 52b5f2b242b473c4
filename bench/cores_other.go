//go:build !linux

package main

import (
	"fmt"
	"os/exec"
	"runtime"
)

// startOn starts a program on all processors; here none can be confined to fewer.
func startOn(command *exec.Cmd, processors int) error {
	if processors != runtime.NumCPU() {
		return fmt.Errorf("a program is confined to processors on Linux only: %w", errNotConfined)
	}
	return command.Start()
}
