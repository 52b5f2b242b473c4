package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A platform is what a program is built for, in the words of Go.
type platform struct{ system, machine string }

func (p platform) end() string {
	if p.system == "windows" {
		return ".exe"
	}
	return ""
}

// settings are the variables by which two builds of one tree would differ.
var settings = []string{"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="}

// build builds the program for a platform.
func (r *release) build(ctx context.Context, p platform, path string, more ...string) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X main.version=" + r.version, "-o", path}
	c := exec.CommandContext(ctx, "go", append(append(args, more...), "./cmd/webarea")...)
	c.Dir = r.root
	c.Env = append(os.Environ(), settings...)
	if p != (platform{}) {
		c.Env = append(c.Env, "GOOS="+p.system, "GOARCH="+p.machine)
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s/%s: %w\n%s", p.system, p.machine, err, out)
	}
	return nil
}

// shells are those that there are completions for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// manual writes the manual pages and the completions.
func (r *release) manual(ctx context.Context) error {
	temp, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "webarea")
	if err := r.build(ctx, platform{}, program, "-tags", "manual"); err != nil {
		return err
	}
	pages, completions := filepath.Join(r.out, "man"), filepath.Join(r.out, "completions")
	for _, dir := range []string{pages, completions} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	run := func(args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, program, args...)
		c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.made.Unix()), "TZ=UTC")
		c.Stderr = os.Stderr
		return c.Output()
	}
	if _, err := run("manual", pages); err != nil {
		return fmt.Errorf("writing the manual: %w", err)
	}
	for _, shell := range shells {
		text, err := run("completion", shell)
		if err == nil {
			err = os.WriteFile(filepath.Join(completions, "webarea."+shell), text, 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the completion for %s: %w", shell, err)
		}
	}
	return nil
}
