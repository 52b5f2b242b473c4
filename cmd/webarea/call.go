package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webarea/webarea/mcp"
)

func newCall() *cobra.Command {
	var f callFlags
	command := &cobra.Command{
		Use:   "call TOOL [JSON] [--then TOOL [JSON]]... [--launch [URL] | --attach URL]",
		Short: "Call the tools of the MCP server from a shell",
		Long:  callHelp(),
		Example: `  webarea call get_elements --text
  webarea call get_elements --launch page.html
  webarea call get_elements '{"scope":"page"}' --text --launch https://example.com/
  webarea call get_elements --then get_elements '{"id":"${1.root.children.0.id}"}' --launch page.html`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeTool,
		RunE: func(command *cobra.Command, args []string) error {
			steps, err := f.steps(args)
			if err != nil {
				return err
			}
			return f.run(command, steps)
		},
	}
	f.register(command)
	return command
}

// callHelp says the whole contract of the command.
func callHelp() string {
	var b strings.Builder
	b.WriteString(`Call tools of the MCP server as an agent would, one after another, in one process and
with one browser, and print what each answers. Without --launch and --attach the tabs
are asked about that are shared with the extension, in the browsers that run.

A call's arguments are an object in JSON, {} if left out. In their text ${N.PATH} is
replaced before it is parsed: N is the number of an earlier call, from 1 on, PATH leads
to a value in what it answered, where a number is a place in a list, from 0 on. A
string comes without its quotes, so write "${1.root.id}".

Of each call the structured answer is printed, as one line of JSON; with --text what an
agent reads. With --out the pictures of the answers are saved in a folder, as
call-1-picture-1.png and so on. A call that fails prints {"code", "message",
"suggestion"} and is the last.

Exit status: 0 all was answered, 1 a call failed, 2 usage; after a signal, 128 and its
number.

Tools:`)
	widest := 0
	for _, name := range toolNames() {
		widest = max(widest, len(name))
	}
	for _, t := range mcp.Tools() {
		fmt.Fprintf(&b, "\n  %-*s %s", widest, t.Name, t.Title)
	}
	return b.String()
}

func isTool(name string) bool {
	return slices.ContainsFunc(mcp.Tools(), func(t mcp.Tool) bool { return t.Name == name })
}

func completeTool(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, t := range mcp.Tools() {
		names = append(names, t.Name+"\t"+t.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// callFlags are the flags of a call.
type callFlags struct {
	shareFlags
	then thenFlag
	text bool
	out  string
}

func (f *callFlags) register(command *cobra.Command) {
	f.shareFlags.register(command)
	flags := command.Flags()
	f.then.flags = flags
	flags.Var(&f.then, "then", "call this tool next; its arguments may follow")
	flags.BoolVar(&f.text, "text", false, "print what an agent reads in place of JSON")
	flags.Var(&value[string]{&f.out, "DIR", "", parseWords("a folder")}, "out", "save the pictures of the answers in this folder")
	if err := command.RegisterFlagCompletionFunc("then", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return completeTool(c, nil, word)
	}); err != nil {
		panic(fmt.Sprintf("completing --then: %v", err))
	}
}

// A thenFlag is --then, again and again: the tools, and how many arguments came
// before each.
type thenFlag struct {
	flags *pflag.FlagSet
	tools []string
	at    []int
}

// Set implements pflag.Value.
func (t *thenFlag) Set(tool string) error {
	t.tools, t.at = append(t.tools, tool), append(t.at, t.flags.NArg())
	return nil
}

// String implements pflag.Value.
func (t *thenFlag) String() string { return strings.Join(t.tools, " ") }

// Type implements pflag.Value.
func (t *thenFlag) Type() string { return "TOOL" }

// A step is one call.
type step struct{ tool, arguments string }

// steps says what is to be called, in order, by the arguments of the command line:
// those before the first --then are the first call's, and so on.
func (f *callFlags) steps(args []string) ([]step, error) {
	launchAt := f.launch.at
	rest := f.launch.take(args, func(arg string) bool { return isTool(arg) || strings.HasPrefix(strings.TrimSpace(arg), "{") })
	at := slices.Clone(f.then.at)
	if len(rest) < len(args) {
		for i := range at {
			if at[i] > launchAt {
				at[i]--
			}
		}
	}
	at = append(at, len(rest))
	first := rest[:at[0]]
	if len(first) == 0 {
		return nil, errors.New("name a tool to call: " + strings.Join(toolNames(), ", "))
	}
	parts := [][]string{first}
	for i, tool := range f.then.tools {
		parts = append(parts, append([]string{tool}, rest[at[i]:at[i+1]]...))
	}
	var steps []step
	for i, part := range parts {
		s := step{tool: part[0], arguments: "{}"}
		if len(part) > 1 {
			s.arguments = part[1]
		}
		if len(part) > 2 {
			return nil, fmt.Errorf("call %d: %q is one argument too many: all arguments of a tool are in one JSON object", i+1, part[2])
		}
		if !isTool(s.tool) {
			return nil, fmt.Errorf("call %d: there is no tool %q: there are %s", i+1, s.tool, strings.Join(toolNames(), ", "))
		}
		if err := checkArguments(s.arguments, i); err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func toolNames() []string {
	var names []string
	for _, t := range mcp.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// run makes the calls.
func (f *callFlags) run(command *cobra.Command, steps []step) error {
	tell := teller(command.ErrOrStderr())
	asked, err := f.serving(tell, command.ErrOrStderr())
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	err = f.call(ctx, asked, command.OutOrStdout(), steps)
	if closeErr := asked.close(); closeErr != nil {
		tell(closeErr.Error())
	}
	return ended(ctx, err)
}

func (f *callFlags) call(ctx context.Context, server caller, out io.Writer, steps []step) error {
	var answers []any
	for i, s := range steps {
		arguments, err := fill(s.arguments, answers)
		if err != nil {
			return &exit{exitFailed, fmt.Errorf("call %d: %w", i+1, err)}
		}
		result, err := server.Call(ctx, s.tool, []byte(arguments))
		if err != nil {
			return &exit{exitFailed, fmt.Errorf("call %d: %w", i+1, err)}
		}
		if err := f.print(out, result); err != nil {
			return err
		}
		if result.Failed {
			return &exit{code: exitFailed}
		}
		if err := f.save(result, i+1); err != nil {
			return &exit{exitFailed, err}
		}
		answer, err := decodeAnswer(result.Structured)
		if err != nil {
			return &exit{exitFailed, fmt.Errorf("call %d: %w", i+1, err)}
		}
		answers = append(answers, answer)
	}
	return nil
}

// print prints what a call answered.
func (f *callFlags) print(out io.Writer, r *mcp.Result) error {
	text := string(r.Structured)
	if f.text {
		text = strings.TrimSuffix(r.Text, "\n")
	}
	return told(fmt.Fprintln(out, text))
}

// save saves the pictures that a call answered.
func (f *callFlags) save(r *mcp.Result, call int) error {
	if f.out == "" || len(r.Pictures) == 0 {
		return nil
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return fmt.Errorf("making a folder for pictures: %w", err)
	}
	for i, p := range r.Pictures {
		_, kind, _ := strings.Cut(p.MIMEType, "/")
		name := filepath.Join(f.out, fmt.Sprintf("call-%d-picture-%d.%s", call, i+1, kind))
		if err := os.WriteFile(name, p.Data, 0o666); err != nil {
			return fmt.Errorf("saving a picture: %w", err)
		}
	}
	return nil
}
