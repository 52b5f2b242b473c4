package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/elements"
)

// maxAnswer is the most that is read of what is to be validated, in bytes: many
// times the largest answer about a page, and no more than fits a small machine.
const maxAnswer = 512 << 20

func newValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE|-]",
		Short: "Check an answer against every rule of the Elements protocol",
		Long: `Check one answer, in FILE or on standard input, against every rule of section 5 of
the Elements protocol 0.2.0.

Prints "valid", or one line for each place where a rule is broken:

  PATH: RULE: message

PATH is a JSON pointer. At most ` + fmt.Sprint(elements.MaxViolations) + ` are printed.

Exit status: 0 valid, 1 not valid, 2 usage, or the file cannot be read.`,
		Example: `  webarea validate answer.json
  webarea snapshot page.html | webarea validate`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			answer, err := readAnswer(command.InOrStdin(), args)
			if err != nil {
				return &exit{exitUsage, err}
			}
			violations := elements.ValidateJSON(answer)
			if len(violations) == 0 {
				return told(fmt.Fprintln(command.OutOrStdout(), "valid"))
			}
			if err := told(printViolations(command.OutOrStdout(), violations)); err != nil && !errors.Is(err, errNobodyReads) {
				return err
			}
			return &exit{code: exitFailed}
		},
	}
}

func printViolations(w io.Writer, violations []elements.Violation) (int, error) {
	out := bufio.NewWriter(w)
	for _, v := range violations {
		fmt.Fprintln(out, oneLine(v.String()))
	}
	return 0, out.Flush()
}

func readAnswer(stdin io.Reader, args []string) ([]byte, error) {
	in, name := stdin, "standard input"
	if len(args) == 1 && args[0] != "-" {
		name = args[0]
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("reading the answer: %w", err)
		}
		defer file.Close()
		in = file
	}
	return readAtMost(in, maxAnswer, name)
}
