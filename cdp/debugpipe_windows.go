package cdp

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"golang.org/x/sys/windows"
)

// asRoot is about a browser that refuses to start with its sandbox on, which none
// does on Windows.
func asRoot() bool { return false }

// startWithPipe starts the browser with the handles of the pipes of its protocol
// inherited and named on its command line.
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

	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	err = inherit(cmd, theirIn, theirOut)
	if err == nil {
		cmd.Args = slices.Insert(cmd.Args, 1, pipeSwitch(jsonWire),
			fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", theirIn.Fd(), theirOut.Fd()))
		err = cmd.Start()
	}
	if err != nil {
		ourOut.Close()
		ourIn.Close()
		return nil, err
	}
	return newPipe(ourIn, ourOut, jsonWire), nil
}

func inherit(cmd *exec.Cmd, files ...*os.File) error {
	for _, file := range files {
		handle := windows.Handle(file.Fd())
		if err := windows.SetHandleInformation(handle, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("handing a pipe to the browser: %w", err)
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, syscall.Handle(handle))
	}
	return nil
}
