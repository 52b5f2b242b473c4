package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/webarea/webarea/provider"
	"github.com/webarea/webarea/sweep"
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
  webarea snapshot --jobs 0 --scope page *.html >pages.jsonl
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
afterwards. Where root runs it, its sandbox is off. With --jobs N, up to N are, and so
many targets are visited at once. The output is in the order of the targets all the
same. Where standard error is a terminal, a bar shows how many are done.

Several --attach spread the targets over these browsers, one at a time in each. If one
ends in the middle of a target, that is visited in another, unless an act other than
--wait had begun; and what none of them could do has the last error. In the end a line
on standard error says of each browser what it did.

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
	if report.several {
		report.bar, report.sameTTY = newBar(command.ErrOrStderr(), len(targets)), isTerminal(command.OutOrStdout())
	}
	// It is read before there is anything that a signal would have to clean up.
	var stdin page
	if slices.Contains(targets, stdinTarget) {
		stdin.html, stdin.err = readPage(command.InOrStdin())
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	// Whose browser an answer is from is said by the visit.
	s := &snapshot{targets: targets, provider: provider.New(""), report: report, options: f.options(), stdin: stdin}
	for _, b := range f.browsers(len(targets), report.notice) {
		s.seats = append(s.seats, &seat{browser: b, run: s, again: len(f.attach) > 1, tally: tally{address: b.attach}})
	}
	err := s.all(ctx)
	s.close()
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

// A snapshot is one run over targets, with one provider: a seat visits one target at a
// time, several do so at once.
type snapshot struct {
	targets  []string
	seats    []*seat
	provider *provider.Provider
	report   *report
	options  visit.Options
	stdin    page

	failures atomic.Int64 // targets without an answer
}

// all visits the targets and reports each, in their order. The error is an *exit.
func (s *snapshot) all(ctx context.Context) error {
	var workers []sweep.Worker
	for _, one := range s.seats {
		workers = append(workers, one.work)
	}
	err := sweep.Run(ctx, len(s.targets), workers, sweep.Options{Settled: func(r sweep.Result) {
		failed := r.(*found).failure != nil
		if failed {
			s.failures.Add(1)
		}
		s.report.bar.advance(failed)
	}})
	s.report.bar.end()
	if ctx.Err() != nil {
		return nil
	}
	for _, one := range s.seats {
		if one.again {
			s.report.notice(one.tally.String())
		}
	}
	var own *exit
	if errors.As(err, &own) && !(errors.Is(err, errNobodyReads) && s.failures.Load() > 0) {
		return own
	}
	if s.failures.Load() > 0 {
		return &exit{code: exitFailed}
	}
	return nil
}

// close leaves nothing behind.
func (s *snapshot) close() {
	s.provider.Close()
	var all sync.WaitGroup
	for _, one := range s.seats {
		all.Go(func() {
			if err := one.browser.close(); err != nil {
				s.report.notice(err.Error())
			}
		})
	}
	all.Wait()
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
