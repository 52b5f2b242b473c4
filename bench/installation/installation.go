// Package installation is a browser as a user of Webarea has it: with the extension,
// the host that it starts, a tab that was shared by a click, and an agent that asks
// about that.
//
// It is for measuring and owns all of what it starts: the built program, the profile,
// the folder of sockets, the browser and the agent. A tap sits between browser and host,
// so that the browser's own answers can be asked for over the very same way. It never
// judges what it is answered, and nothing of the product uses it.
package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/cdp"
)

const (
	// patience bounds each step of an installation: far longer than it takes, on a
	// busy machine too.
	patience = 3 * time.Minute

	// look is how often something is looked at that nobody tells of.
	look = 20 * time.Millisecond
)

// origin is how Chrome names the extension.
const origin = "chrome-extension://oedpjcnlbklphmhlgngbgjgmckdipina/"

// Options say what is installed where.
type Options struct {
	// Source is the folder of the module, of which the program is built.
	Source string
	// URL is the page that is opened and shared first.
	URL string
	// HostRules are as those of cdp.LaunchOptions.
	HostRules string
}

// An Installation is what was started. Its methods are for one goroutine at a time.
type Installation struct {
	// Browser is the user's.
	Browser *cdp.Browser
	// Agent is connected to the host, as agents' programs are.
	Agent *mcp.ClientSession

	program string
	profile string
	run     string // of sockets and logs
	taps    net.Listener
	tap     *asker
	tab     target.ID
	ends    []func() error
}

// Start builds and installs, starts a browser, shares its one tab and connects an agent.
// The caller closes it, also after an error.
func Start(ctx context.Context, o Options) (*Installation, error) {
	i := &Installation{}
	for _, step := range []struct {
		what string
		do   func(context.Context, Options) error
	}{
		{"making folders", i.makeFolders},
		{"building the program", i.build},
		{"starting the browser", i.launch},
		{"installing", i.install},
		{"sharing a tab", func(ctx context.Context, o Options) error { return i.Open(ctx, o.URL) }},
		{"connecting an agent", i.connect},
	} {
		if err := i.bounded(ctx, o, step.do); err != nil {
			return i, fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return i, nil
}

func (i *Installation) bounded(ctx context.Context, o Options, do func(context.Context, Options) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return do(ctx, o)
}

// Close ends all of it, from the last to the first.
func (i *Installation) Close() error {
	var failed []error
	for n := len(i.ends) - 1; n >= 0; n-- {
		failed = append(failed, i.ends[n]())
	}
	i.ends = nil
	return errors.Join(failed...)
}

func (i *Installation) makeFolders(context.Context, Options) error {
	for _, dir := range []*string{&i.profile, &i.run} {
		var err error
		// Short, since the paths of sockets are bounded.
		if *dir, err = os.MkdirTemp("", "wb"); err != nil {
			return err
		}
		i.ends = append(i.ends, func() error { return removeAll(*dir) })
	}
	return nil
}

// removeAll removes a folder in which dying processes may still write.
func removeAll(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var err error
	_ = until(ctx, func() bool { err = os.RemoveAll(dir); return err == nil })
	return err
}

// until waits until a condition holds, or ctx ends.
func until(ctx context.Context, holds func() bool) error {
	again := time.NewTicker(look)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (i *Installation) build(ctx context.Context, o Options) error {
	i.program = filepath.Join(i.run, "bin", "webarea")
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", i.program, "./cmd/webarea")
	c.Dir = o.Source
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// launch starts the browser with the extension and with the tap as its host. What it
// starts finds sockets and logs in our folder.
func (i *Installation) launch(ctx context.Context, o Options) error {
	extension := filepath.Join(i.run, "extension")
	c := exec.CommandContext(ctx, i.program, "install", "--browser", "chromium", "--user-data-dir", i.profile, "--extension-dir", extension)
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+i.run, "XDG_RUNTIME_DIR="+i.run, "XDG_STATE_HOME="+i.run)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("installing: %w\n%s", err, out)
	}
	if err := i.wiretap(); err != nil {
		return err
	}
	var err error
	i.Browser, err = cdp.Launch(ctx, cdp.LaunchOptions{
		Extensions: []string{extension}, Profile: i.profile, HostRules: o.HostRules, URL: o.URL, Width: 1280, Height: 900,
	})
	if err != nil {
		return err
	}
	i.ends = append(i.ends, i.Browser.Close)
	return nil
}

// wiretap has the browser start the tap in place of the host, which starts that.
func (i *Installation) wiretap() error {
	manifest := filepath.Join(i.profile, "NativeMessagingHosts", "com.webarea.host.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("reading %s: %w", manifest, err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	socket := filepath.Join(i.run, "tap.sock")
	if i.taps, err = net.Listen("unix", socket); err != nil {
		return err
	}
	i.ends = append(i.ends, i.taps.Close)
	script := filepath.Join(i.run, "tap.sh")
	line := fmt.Sprintf("#!/bin/sh\nXDG_RUNTIME_DIR='%s' XDG_STATE_HOME='%s' %s='%s' %s='%s' exec '%s' \"$@\"\n",
		i.run, i.run, tapVariable, socket, hostVariable, i.program, self)
	if err := os.WriteFile(script, []byte(line), 0o700); err != nil {
		return err
	}
	m["path"] = script
	if text, err = json.Marshal(m); err != nil {
		return err
	}
	return os.WriteFile(manifest, text, 0o600)
}

// install waits for the host.
func (i *Installation) install(ctx context.Context, _ Options) error {
	deadline, _ := ctx.Deadline()
	if err := i.taps.(*net.UnixListener).SetDeadline(deadline); err != nil {
		return err
	}
	c, err := i.taps.Accept()
	if err != nil {
		return fmt.Errorf("the browser starts no host: %w", err)
	}
	i.tap = newAsker(c)
	i.ends = append(i.ends, i.tap.close)
	return nil
}

// HostPID is the process of the host.
func (i *Installation) HostPID() int { return i.tap.host }

// connect connects the agent.
func (i *Installation) connect(ctx context.Context, _ Options) (err error) {
	i.Agent, err = i.Connect(ctx)
	return err
}

// Connect connects a further agent, by a program of its own as each has.
func (i *Installation) Connect(ctx context.Context) (*mcp.ClientSession, error) {
	var sockets []string
	if err := until(ctx, func() bool {
		sockets, _ = filepath.Glob(filepath.Join(i.run, "webarea", "*.sock"))
		return len(sockets) == 1
	}); err != nil {
		return nil, fmt.Errorf("the sockets are %q: %w", sockets, err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	agent, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(i.program, "mcp", "--socket", sockets[0])}, nil)
	if err != nil {
		return nil, err
	}
	// A host that has gone leaves it nothing to say goodbye to.
	i.ends = append(i.ends, sync.OnceValue(func() error { _ = agent.Close(); return nil }))
	return agent, nil
}
