package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/webarea/webarea/cdp"
)

// A machine is what was measured on.
type machine struct {
	hardware, browser, load string
}

// describe notes the machine and the browser.
func describe(ctx context.Context) (machine, error) {
	var m machine
	b, err := cdp.Launch(ctx, cdp.LaunchOptions{HostRules: noNetwork})
	if err != nil {
		return m, err
	}
	var v struct {
		Product string `json:"product"`
	}
	err = b.Conn.Browser().Call(ctx, "Browser.getVersion", nil, &v)
	if err = errors.Join(err, b.Close()); err != nil {
		return m, fmt.Errorf("asking the browser its version: %w", err)
	}
	m.browser = v.Product
	m.hardware = fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if model := field("/proc/cpuinfo", "model name"); model != "" {
		m.hardware = fmt.Sprintf("%d cores (%s), %s/%s, %s", runtime.NumCPU(), model, runtime.GOOS, runtime.GOARCH, runtime.Version())
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.load, _, _ = strings.Cut(string(text), " ")
	}
	return m, nil
}

// field gives a value of one of the system's own tables; empty on systems that have
// none.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
