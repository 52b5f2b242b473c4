package cdp

import (
	"os"
	"syscall"
)

// fSetPipeSize is F_SETPIPE_SZ of <fcntl.h>.
const fSetPipeSize = 1031

// widen lets a pipe hold pipeBuffer bytes, where the system allows: a result of
// many megabytes then crosses in fewer switches between the browser and us.
func widen(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, fSetPipeSize, pipeBuffer)
	})
}
