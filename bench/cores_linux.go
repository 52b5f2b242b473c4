package main

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// startOn starts a program on so many of the processors that we may use, which all that it
// starts inherits. It is confined before its first instruction: what a program counts of
// them when it begins is what it has.
func startOn(command *exec.Cmd, processors int) error {
	// A process is confined like the thread that starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, few unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("asking for the processors: %w", err)
	}
	if before.Count() < processors {
		return fmt.Errorf("there are %d processors, not %d", before.Count(), processors)
	}
	for i := 0; few.Count() < processors; i++ {
		if before.IsSet(i) {
			few.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &few); err != nil {
		return fmt.Errorf("confining a program to %d processors: %w", processors, err)
	}
	return errors.Join(command.Start(), unix.SchedSetaffinity(0, &before))
}
