package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/native"
)

const (
	// statusPatience is how long the hosts may take to tell how they are, all at once.
	statusPatience = 8 * time.Second

	// clearScreen has a terminal begin anew.
	clearScreen = "\x1b[H\x1b[2J\x1b[3J"
)

func newStatus() *cobra.Command {
	var watch bool
	command := &cobra.Command{
		Use:   "status [--watch]",
		Short: "Say which browsers are connected, what is shared, and who reads it",
		Long: `Say which browsers are connected, which tabs are shared in them, which agents are
connected, and what was read last. The browsers' hosts tell it to their own user alone.

With --watch it is said anew whenever it changes, until Ctrl-C.

Exit status: 0 it was said, 1 it could not be said of every browser, 2 usage; after a signal, 128 and its
number.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(command.Context())
			defer stop()
			out := command.OutOrStdout()
			if watch {
				return ended(ctx, watchStatus(ctx, out))
			}
			all, err := askAll(ctx)
			if err != nil {
				return ended(ctx, err)
			}
			if err := told(io.WriteString(out, statusText(all))); err != nil {
				return err
			}
			return untold(all)
		},
	}
	command.Flags().BoolVar(&watch, "watch", false, "say it anew whenever it changes")
	return command
}

// untold is the error where not every host has told how it is, which has been said.
func untold(all map[string]hostStatus) error {
	for _, s := range all {
		if s.err != nil {
			return &exit{code: exitFailed}
		}
	}
	return nil
}

// A hostStatus is how a host is, or why that is not known.
type hostStatus struct {
	native.Status
	err error
}

// liveSockets gives those of running hosts; none where there is no folder for them.
func liveSockets(ctx context.Context) ([]string, error) {
	dir, err := native.LookAtRunDir()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	live, _, err := native.Sockets(ctx, dir)
	return live, err
}

// askAll asks all hosts how they are, by their sockets.
func askAll(ctx context.Context) (map[string]hostStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	live, err := liveSockets(ctx)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	all := map[string]hostStatus{}
	var asking sync.WaitGroup
	for _, path := range live {
		asking.Go(func() {
			s, err := native.AskStatus(ctx, path)
			mu.Lock()
			defer mu.Unlock()
			all[path] = hostStatus{s, err}
		})
	}
	asking.Wait()
	return all, nil
}

// watchStatus says how all hosts are, and says it anew when that changes, until ctx
// ends.
func watchStatus(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	type change struct {
		socket string
		now    hostStatus
		gone   bool
	}
	changes := make(chan change)
	say := func(c change) {
		select {
		case changes <- c:
		case <-ctx.Done():
		}
	}
	all, err := askAll(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{} // whose changes are told
	look := func() error {
		live, err := liveSockets(ctx)
		for path, s := range all {
			if s.err != nil && !slices.Contains(live, path) {
				delete(all, path)
				delete(known, path)
			}
		}
		for _, path := range live {
			if known[path] {
				continue
			}
			known[path] = true
			watching.Go(func() {
				err := native.WatchStatus(ctx, path, func(s native.Status) { say(change{path, hostStatus{Status: s}, false}) })
				say(change{path, hostStatus{err: err}, err == nil})
			})
		}
		return err
	}
	// The folder is made where it is not there, so that it can be watched.
	dir, err := native.RunDir()
	if err != nil {
		return err
	}
	moved, failed := make(chan struct{}, 1), make(chan error, 1)
	watching.Go(func() {
		failed <- native.HostsIn(dir).Watch(ctx, func() {
			select {
			case moved <- struct{}{}:
			default:
			}
		})
	})
	before := ""
	for {
		if text := statusText(all); text != before {
			before = text
			if err := redraw(out, text); err != nil {
				return err
			}
		}
		select {
		case c := <-changes:
			if c.gone {
				delete(all, c.socket)
				delete(known, c.socket)
			} else {
				all[c.socket] = c.now
			}
		case <-moved:
			if err := look(); err != nil && ctx.Err() == nil {
				return err
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// redraw says it anew: on a terminal in place of what was said, else after an empty
// line.
func redraw(out io.Writer, text string) error {
	if isTerminal(out) {
		return told(io.WriteString(out, clearScreen+text))
	}
	return told(io.WriteString(out, text+"\n"))
}

// statusText is what is said of hosts.
func statusText(all map[string]hostStatus) string {
	if len(all) == 0 {
		return "No browser is connected. Open one with the extension; `webarea doctor` finds what is missing.\n"
	}
	var b strings.Builder
	for i, socket := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		s := all[socket]
		if s.err != nil {
			fmt.Fprintf(&b, "%s\n", oneLine(s.err.Error()))
			continue
		}
		hostText(&b, s.Status)
	}
	return b.String()
}

func hostText(b *strings.Builder, s native.Status) {
	fmt.Fprintf(b, "%s", oneLine(strings.TrimSpace(s.Browser.Name+" "+s.Browser.Version)))
	if s.Browser.PID != 0 {
		fmt.Fprintf(b, ", pid %d", s.Browser.PID)
	}
	fmt.Fprintf(b, ": instance %s, host %d, webarea %s, extension %s\n", oneLine(s.Instance), s.PID, oneLine(s.Version), oneLine(s.Extension))
	section := func(name, none string, lines []string) {
		if len(lines) == 0 {
			fmt.Fprintf(b, "  %s\n", none)
			return
		}
		fmt.Fprintf(b, "  %s\n", name)
		for _, line := range lines {
			fmt.Fprintf(b, "    %s\n", oneLine(line))
		}
	}
	var tabs, agents, reads []string
	for _, t := range s.Tabs {
		line := fmt.Sprintf("%q", t.Title)
		if t.Title == "" && t.URL != "" {
			line = t.URL
		}
		if t.Problem != "" {
			line += " problem: " + t.Problem
		}
		tabs = append(tabs, line)
	}
	for _, a := range s.Agents {
		agents = append(agents, strings.TrimSpace(a.Name+" "+a.Version))
	}
	for _, r := range s.Reads {
		reads = append(reads, fmt.Sprintf("%s %s: %s, %s, %d bytes in %d ms",
			time.UnixMilli(r.At).Format(time.TimeOnly), r.Agent, strings.TrimSpace(r.Tool+" "+r.What), r.Outcome, r.Bytes, r.MS))
	}
	section("Shared tabs", "No tab is shared.", tabs)
	section("Agents", "No agent is connected.", agents)
	section("Last reads", "Nothing was read yet.", reads)
}
