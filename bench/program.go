package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/cdp"
)

// Programs are ours as it is handed out, one that does nothing, and a browser that
// reaches nothing but this machine, by the name of the real one.
type programs struct{ dir, ours, empty, browser string }

// buildPrograms builds them in a folder that the caller removes by close.
func buildPrograms(ctx context.Context) (p programs, err error) {
	if p.dir, err = os.MkdirTemp("", "wp"); err != nil {
		return p, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	p.ours, p.empty = filepath.Join(p.dir, "webarea"), filepath.Join(p.dir, "empty")
	source := p.empty + ".go"
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return p, err
	}
	for _, args := range [][]string{{"-o", p.ours, "./cmd/webarea"}, {"-o", p.empty, source}} {
		build := exec.CommandContext(ctx, "go", append([]string{"build", "-trimpath", "-ldflags", "-s -w"}, args...)...)
		build.Dir = moduleRoot(ctx)
		if out, err := build.CombinedOutput(); err != nil {
			return p, fmt.Errorf("building %s: %w\n%s", args[1], err, out)
		}
	}
	real, err := cdp.Find("")
	if err != nil {
		return p, err
	}
	p.browser = filepath.Join(p.dir, filepath.Base(real))
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' '--host-resolver-rules=%s' \"$@\"\n", real, noNetwork)
	return p, os.WriteFile(p.browser, []byte(script), 0o700)
}

func (p programs) close() error { return os.RemoveAll(p.dir) }

// server prepares `webarea mcp` with a browser of its own, which begins with a page.
func (p programs) server(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.ours, append([]string{"mcp"}, args...)...)
	c.Env = append(os.Environ(), cdp.BrowserVariable+"="+p.browser)
	return c
}

// connect starts a server, and gives an agent that is connected to it.
func connect(ctx context.Context, server *exec.Cmd) (*mcp.ClientSession, error) {
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	return agent, nil
}

// listTools is the question for the tools in the protocol's modern era, which is asked
// without a handshake.
const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"

// listed runs a server until it has answered what tools it has, and then to its end.
// told is called when it has answered.
func listed(server *exec.Cmd, told func()) error {
	in, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	_, err = io.WriteString(in, listTools)
	if err == nil {
		_, err = bufio.NewReaderSize(out, 1<<20).ReadString('\n')
	}
	told()
	return errors.Join(err, in.Close(), server.Wait())
}

// A resident is what a process holds of the machine's memory, now and at most, and the
// CPU time that it has taken: ticks of a hundredth of a second.
type resident struct {
	now, most float64 // MB
	ticks     int
}

// residentOf reads that of a process from the system's own tables, which not every
// system has.
func residentOf(pid int) (r resident, err error) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	for name, to := range map[string]*float64{"VmRSS": &r.now, "VmHWM": &r.most} {
		kB, err := strconv.ParseFloat(strings.TrimSuffix(field(filepath.Join(dir, "status"), name), " kB"), 64)
		if err != nil {
			return r, fmt.Errorf("this system does not tell how much memory a process has: %w", err)
		}
		*to = kB / 1024
	}
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return r, err
	}
	// The name, which may hold anything, ends with the last bracket.
	fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
	const user, system = 11, 12
	for _, i := range []int{user, system} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return r, fmt.Errorf("reading the CPU time of a process: %w", err)
		}
		r.ticks += n
	}
	return r, nil
}

// forgetMost has the most that a process held counted from now on.
func forgetMost(pid int) error {
	const most = "5"
	return os.WriteFile(filepath.Join("/proc", strconv.Itoa(pid), "clear_refs"), []byte(most), 0)
}
