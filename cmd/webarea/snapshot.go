package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/webarea/webarea/provider"
	"github.com/webarea/webarea/visit"
)

func newSnapshot() *cobra.Command {
	var flags snapshotFlags
	command := &cobra.Command{
		Use:   "snapshot [flags] TARGET...",
		Short: "Read pages and print what is in them",
		Long:  snapshotHelp,
		Example: `  webarea snapshot page.html
  webarea snapshot --outline --select-text "some words" https://example.com/
  webarea snapshot --scope page --max-text 20000 a.html b.html
  webarea snapshot --focus "#name" --wait "#form" http://127.0.0.1:8080/
  webarea snapshot --attach http://127.0.0.1:9222 https://example.com/
  echo '<h1>Hello</h1>' | webarea snapshot --scope page -`,
		Args: func(_ *cobra.Command, targets []string) error { return checkTargets(targets) },
		RunE: func(command *cobra.Command, targets []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			return flags.run(command, targets)
		},
	}
	flags.register(command)
	return command
}

// snapshotHelp says the whole contract of the command.
var snapshotHelp = `Open each TARGET in a tab of its own, point at something in it if asked, read it, and
print what is there: an answer in the Elements protocol 0.2.0.

A TARGET is the path of a file, an address that begins with http://, https:// or
file://, or - for one page's HTML on standard input. What a server sends with an error
status such as 404 is a page like any other.

This is done with each, in this order and within --timeout: load, --wait, --eval,
--scroll-to, --focus, --select or --select-text, --hover, read. Nothing is clicked and
nothing typed. A page counts as loaded with its load event, or 5 s after its document
came. A selector means what it matches first, in open shadow roots and frames too. If
the page opens a JavaScript dialog, what is left of that is not done, and the answer
tells the dialog. It is closed after that in a browser that was launched for this, and
never answered in another.

One target prints its answer: as JSON on one line or, by default if standard output is
a terminal, as an outline. Several targets print a line each, in their order, and a bad
one does not stop the others:

  {"target":"a.html","answer":{…}}
  {"target":"b.html","error":{"code":"not_found","message":"there is no such file"}}

With --outline there is a line "--- TARGET" before the outline of each, or before one
line "error CODE: MESSAGE". What pages say stands only inside the marked boundaries.
The error of a single target is told on standard error: "webarea: TARGET: CODE: MESSAGE".

Unless --attach is given, a browser is launched, with a fresh profile that is deleted
afterwards. Where root runs it, its sandbox is off.

Exit status: 0 every target was answered, 1 a target failed, 2 usage; after a signal,
128 and its number.

Error codes: ` + codeList() + `.`

func codeList() string {
	var words []string
	for _, c := range visit.Codes() {
		words = append(words, string(c))
	}
	return strings.Join(words, ", ")
}

// run makes the snapshot and reports it.
func (f *snapshotFlags) run(command *cobra.Command, targets []string) error {
	report := &report{
		out: command.OutOrStdout(), err: command.ErrOrStderr(),
		outline: f.asOutline || !f.asJSON && isTerminal(command.OutOrStdout()),
		several: len(targets) > 1,
	}
	// It is read before there is anything that a signal would have to clean up.
	var stdin page
	if slices.Contains(targets, stdinTarget) {
		stdin.html, stdin.err = readPage(command.InOrStdin())
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	s := &snapshot{
		browser: &browser{path: f.browser, headful: f.headful, attach: f.attach, notice: report.notice},
		report:  report, options: f.options(), stdin: stdin,
	}
	err := s.all(ctx, targets)
	if closeErr := s.close(); closeErr != nil {
		report.notice(closeErr.Error())
	}
	var signal *signalled
	if errors.As(context.Cause(ctx), &signal) {
		return &exit{code: signalCode + int(signal.signal)}
	}
	return err
}

// A page is what standard input had.
type page struct {
	html []byte
	err  error
}

// A snapshot is one run over targets, with one browser and one provider.
type snapshot struct {
	browser  *browser
	provider *provider.Provider
	report   *report
	options  visit.Options
	stdin    page
}

// all visits the targets in order and reports each. The error is an *exit.
func (s *snapshot) all(ctx context.Context, targets []string) error {
	failures := 0
	for _, t := range targets {
		result, err := s.one(ctx, t)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			failures++
			var failure *visit.Error
			if !errors.As(err, &failure) {
				failure = visit.Failure(visit.CodeFailed, err, "%v", err)
			}
			err = s.report.failure(t, failure)
		default:
			for _, note := range result.Notes {
				s.report.tell(t, note)
			}
			err = s.report.answer(t, result.Answer)
		}
		if err := told(0, err); err != nil {
			if errors.Is(err, errNobodyReads) && failures > 0 {
				break
			}
			return err
		}
	}
	if failures > 0 {
		return &exit{code: exitFailed}
	}
	return nil
}

// one visits a target.
func (s *snapshot) one(ctx context.Context, target string) (*visit.Result, error) {
	if target == stdinTarget && s.stdin.err != nil {
		return nil, s.stdin.err
	}
	place, err := place(target, s.stdin.html)
	if err != nil {
		return nil, err
	}
	conn, err := s.browser.connect(ctx)
	if err != nil {
		return nil, err
	}
	if s.provider == nil {
		s.provider = provider.New(s.browser.app(ctx))
	}
	visitor := visit.Visitor{Conn: conn, Provider: s.provider, Ours: s.browser.ours()}
	return visitor.Visit(ctx, place, s.options)
}

// close leaves nothing behind.
func (s *snapshot) close() error {
	if s.provider != nil {
		s.provider.Close()
	}
	return s.browser.close()
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
