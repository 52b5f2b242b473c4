package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

// exitUnknown is the exit code where it could not be told whether a page is as
// expected.
const exitUnknown = 3

// maxWatch is how long verify_state waits at most.
const maxWatch = 10 * time.Second

func newWatch() *cobra.Command {
	var f watchFlags
	command := &cobra.Command{
		Use:   "watch --expect JSON [--timeout TIME] [--stable N] [--launch [URL] | --attach URL]",
		Short: "Wait until a page is as expected, and tell a script whether it is",
		Long: `Ask verify_state whether a window is as expected, print its answer as one line of JSON
and tell by the exit status what it is. The predicates are an array in JSON, as in
docs/window-state.md. The window is the one that has the focus, or the first; --window
and --tab name another, by the numbers of get_accessibility_tree. Without --launch and
--attach it is one with a tab that is shared with the extension.

Exit status: 0 satisfied, 1 unsatisfied or failed, 2 usage, 3 unknown; after a signal,
128 and its number.`,
		Example: `  webarea watch --expect '[{"element":{"selector":{"role":"button","label_contains":"Pay"},"enabled":true}}]' --launch page.html
  webarea watch --expect '[{"window":{"title_contains":"Done"}}]' --timeout 10s --attach http://127.0.0.1:9222`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			rest := f.launch.take(args, func(string) bool { return false })
			if len(rest) > 0 {
				return fmt.Errorf("%q is one argument too many", rest[0])
			}
			if f.expect == "" {
				return errors.New("nothing is expected: give --expect")
			}
			return f.run(command)
		},
	}
	f.register(command)
	return command
}

// watchFlags are the flags of a watch.
type watchFlags struct {
	shareFlags
	expect  string
	timeout time.Duration
	stable  int
	window  int64
	tab     string
}

func (f *watchFlags) register(command *cobra.Command) {
	f.shareFlags.register(command)
	flags := command.Flags()
	f.timeout, f.stable = 5*time.Second, 2
	flags.Var(&value[string]{&f.expect, "JSON", "", parseExpect}, "expect", "what the window must be like: an array of 1 to 8 predicates")
	flags.Var(&value[time.Duration]{&f.timeout, "TIME", "5s", parseWatchTime}, "timeout", "how long to wait for it, up to 10s; 0s takes one sample")
	flags.Var(&value[int]{&f.stable, "N", "2", parseStable}, "stable", "how many samples one after another must satisfy, 1 to 5")
	flags.Var(&value[int64]{&f.window, "ID", "", parseWindow}, "window", "the window, by its number")
	flags.Var(&value[string]{&f.tab, "ID", "", parseWords("a tab_id of get_accessibility_tree")}, "tab", "the tab, where it is not the one in front")
}

func parseExpect(text string) (string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) < 1 || len(list) > 8 {
		return "", errors.New(`must be an array of 1 to 8 predicates in JSON, such as [{"window":{"exists":true}}]`)
	}
	return text, nil
}

func parseWatchTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxWatch {
		return 0, errors.New("must be a time with its unit from 0s to 10s, such as 500ms")
	}
	return d, nil
}

func parseStable(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 5 {
		return 0, errors.New("must be a whole number from 1 to 5")
	}
	return n, nil
}

func parseWindow(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errors.New("must be a window_id of get_accessibility_tree")
	}
	return id, nil
}

func (f *watchFlags) run(command *cobra.Command) error {
	tell := teller(command.ErrOrStderr())
	asked, err := f.serving(tell, command.ErrOrStderr())
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	err = f.watch(ctx, asked, command.OutOrStdout())
	if closeErr := asked.close(); closeErr != nil {
		tell(closeErr.Error())
	}
	return ended(ctx, err)
}

func (f *watchFlags) watch(ctx context.Context, server caller, out io.Writer) error {
	arguments, err := f.arguments(ctx, server)
	if err != nil {
		return &exit{exitFailed, err}
	}
	result, err := server.Call(ctx, "verify_state", arguments)
	if err != nil {
		return &exit{exitFailed, err}
	}
	if err := told(fmt.Fprintln(out, string(result.Structured))); err != nil {
		return err
	}
	var verdict struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal(result.Structured, &verdict); err != nil || result.Failed {
		return &exit{code: exitFailed}
	}
	switch verdict.Status {
	case "satisfied":
		return nil
	case "unknown":
		return &exit{code: exitUnknown}
	}
	return &exit{code: exitFailed}
}

// arguments are those of verify_state, for the window that is meant.
func (f *watchFlags) arguments(ctx context.Context, server caller) ([]byte, error) {
	result, err := server.Call(ctx, "get_accessibility_tree", nil)
	if err != nil {
		return nil, err
	}
	if result.Failed {
		return nil, errors.New(result.Text)
	}
	var desk struct {
		Windows []struct {
			ID      int64 `json:"window_id"`
			PID     int64 `json:"pid"`
			Focused bool  `json:"focused"`
		} `json:"windows"`
	}
	if err := json.Unmarshal(result.Structured, &desk); err != nil {
		return nil, fmt.Errorf("decoding what windows there are: %w", err)
	}
	if len(desk.Windows) == 0 {
		return nil, errors.New("there is no window with a shared tab")
	}
	at := 0
	for i, w := range desk.Windows {
		if f.window == w.ID || f.window == 0 && w.Focused {
			at = i
		}
	}
	window := desk.Windows[at].ID
	if f.window != 0 {
		window = f.window
	}
	arguments := map[string]any{
		"pid": desk.Windows[at].PID, "window_id": window, "expect": json.RawMessage(f.expect), "timeout_ms": f.timeout.Milliseconds(), "stable_samples": f.stable,
	}
	if f.timeout == 0 && f.stable == 2 {
		// What was not asked for does not make one sample too few.
		delete(arguments, "stable_samples")
	}
	if f.tab != "" {
		arguments["tab_id"] = f.tab
	}
	return json.Marshal(arguments)
}
