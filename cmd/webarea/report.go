package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
	"github.com/webarea/webarea/visit"
)

// A report writes what a snapshot found. One target's is the answer alone, and an
// error is told on standard error. That of several has everything about each of
// them, in order: as JSON one line each, as an outline a line that names the
// target, outside the boundary of what the page says, and after it the answer or
// one line with the error.
//
// Its methods may be called from any goroutine, but those that write to standard output
// by one at a time.
type report struct {
	out, err io.Writer
	outline  bool
	several  bool
	bar      *bar // nil where none is shown
	sameTTY  bool // standard output is a terminal too, as a rule that of the bar
}

// headline begins what an outline of several targets says of one.
const headline = "--- "

// A lineOf is one target's line of JSON.
type lineOf struct {
	Target string           `json:"target"`
	Answer *elements.Answer `json:"answer,omitempty"`
	Error  *lineError       `json:"error,omitempty"`
}

type lineError struct {
	Code    visit.Code `json:"code"`
	Message string     `json:"message"`
}

// answer writes the answer about a target.
func (r *report) answer(target string, a *elements.Answer) error {
	return r.print(func() error {
		out := bufio.NewWriter(r.out)
		if err := r.writeAnswer(out, target, a); err != nil {
			return err
		}
		return out.Flush()
	})
}

// write writes what writeAnswer made.
func (r *report) write(answer []byte) error {
	return r.print(func() error {
		_, err := r.out.Write(answer)
		return err
	})
}

// print writes to standard output, which a bar stands in the way of only where both are
// shown: whoever reads a pipe may take long.
func (r *report) print(write func() error) error {
	if r.sameTTY {
		return r.bar.aside(write)
	}
	return write()
}

func (r *report) writeAnswer(out io.Writer, target string, a *elements.Answer) error {
	switch {
	case r.outline:
		if r.several {
			fmt.Fprintln(out, headline+oneLine(target))
		}
		return outline.Render(out, a, outline.Options{})
	case r.several:
		return writeLine(out, lineOf{Target: target, Answer: a})
	}
	return elements.Encode(out, a)
}

// failure writes why there is no answer about a target.
func (r *report) failure(target string, e *visit.Error) error {
	switch {
	case !r.several:
		r.tell(target, fmt.Sprintf("%s: %s", e.Code, e.Message))
		return nil
	case r.outline:
		return r.write(fmt.Appendf(nil, "%s%s\nerror %s: %s\n", headline, oneLine(target), e.Code, oneLine(e.Message)))
	}
	return r.print(func() error {
		return writeLine(r.out, lineOf{Target: target, Error: &lineError{e.Code, oneLine(e.Message)}})
	})
}

// tell writes a line about a target for a person.
func (r *report) tell(target, what string) { r.notice(oneLine(target) + ": " + what) }

// notice writes a line for a person. That standard error cannot be written to is nothing
// that could be told.
func (r *report) notice(what string) {
	_ = r.bar.aside(func() error {
		_, err := fmt.Fprintf(r.err, "webarea: %s\n", oneLine(what))
		return err
	})
}

func writeLine(out io.Writer, line lineOf) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}
