//go:build unix

package cdp

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
)

func asRoot() bool { return os.Geteuid() == 0 }

// startWithPipe starts the browser, in a process group of its own, with the pipes
// of its protocol where it expects them: descriptors 3 and 4.
func startWithPipe(cmd *exec.Cmd, jsonWire bool) (framedPipe, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		ourOut.Close()
		return nil, err
	}
	defer theirOut.Close()
	widen(ourIn)

	cmd.Args = slices.Insert(cmd.Args, 1, pipeSwitch(jsonWire))
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		ourOut.Close()
		ourIn.Close()
		return nil, err
	}
	return newPipe(ourIn, ourOut, jsonWire), nil
}
