package cdp

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A guard ends the processes of one browser, also when we cannot any more: they
// are in a job that the system ends when our handle of it goes. The browser's
// folder stays behind then; nothing is left to remove it.
type guard struct {
	mu  sync.Mutex
	job windows.Handle
}

func newGuard(*home) (*guard, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("making a job for the browser: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("making a job for the browser: %w", err)
	}
	return &guard{job: job}, nil
}

// watch puts the process, and all that it starts from here on, under guard.
func (g *guard) watch(pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("putting the browser into its job: %w", err)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(g.job, process); err != nil {
		return fmt.Errorf("putting the browser into its job: %w", err)
	}
	return nil
}

// kill ends every process of the job.
func (g *guard) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
}

// release has nothing to do: a job's handle is never given to others.
func (g *guard) release() {}

// dismiss ends the job.
func (g *guard) dismiss() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	job := g.job
	if g.job = 0; job == 0 {
		return nil
	}
	return windows.CloseHandle(job)
}
