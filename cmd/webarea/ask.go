package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/setup"
)

// ask asks about each of what was found, showing first what would be done. Only a yes,
// or the plain return key, is one.
func ask(command *cobra.Command, do func(setup.Choice) []setup.Outcome, found setup.Choice, s *setup.Setup) (setup.Choice, error) {
	defer func(dryRun bool) { s.DryRun = dryRun }(s.DryRun)
	s.DryRun = true
	in, out := bufio.NewReader(command.InOrStdin()), command.OutOrStdout()
	var chosen setup.Choice
	each := func(names []string, one func(name string) setup.Choice, to *[]string) error {
		for _, name := range names {
			outcomes := do(one(name))
			if slices.ContainsFunc(outcomes, func(o setup.Outcome) bool { return o.Err != nil }) {
				*to = append(*to, name) // nothing to ask: why it cannot be done is told at last
				continue
			}
			if _, err := tellOutcomes(out, outcomes); err != nil {
				return err
			}
			if !slices.ContainsFunc(outcomes, func(o setup.Outcome) bool { return o.Changed }) {
				continue
			}
			if err := told(fmt.Fprintf(out, "Do this for %s? [Y/n] ", outcomes[0].Title)); err != nil {
				return err
			}
			answer, err := in.ReadString('\n')
			if errors.Is(err, io.EOF) {
				return &exit{exitFailed, errors.New("there was no answer: nothing was done")}
			}
			if err != nil {
				return &exit{exitFailed, fmt.Errorf("reading an answer: %w", err)}
			}
			switch strings.ToLower(strings.TrimSpace(answer)) {
			case "", "y", "yes":
				*to = append(*to, name)
			}
		}
		return nil
	}
	if err := each(found.Browsers, func(name string) setup.Choice { return setup.Choice{Browsers: []string{name}} }, &chosen.Browsers); err != nil {
		return setup.Choice{}, err
	}
	err := each(found.Clients, func(name string) setup.Choice { return setup.Choice{Clients: []string{name}} }, &chosen.Clients)
	return chosen, err
}
