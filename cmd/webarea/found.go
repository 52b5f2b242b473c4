package main

import (
	"bytes"

	"github.com/webarea/webarea/visit"
)

// What is found of a target, or why nothing is. It is a sweep.Result.
type found struct {
	target  string
	report  *report
	result  *visit.Result // nil where there is a failure
	failure *visit.Error
	packed  []byte // what is to be written; nil until it is known
}

// Pack implements sweep.Result: what is written takes less than what it is made of.
func (f *found) Pack() int {
	if f.failure != nil {
		return len(f.target) + len(f.failure.Message)
	}
	var b bytes.Buffer
	// A buffer takes everything.
	_ = f.report.writeAnswer(&b, f.target, f.result.Answer)
	f.packed, f.result.Answer = b.Bytes(), nil
	return b.Cap()
}

// Deliver implements sweep.Result. The error is an *exit.
func (f *found) Deliver() error {
	switch {
	case f.failure != nil:
		return told(0, f.report.failure(f.target, f.failure))
	case len(f.result.Notes) > 0:
		for _, note := range f.result.Notes {
			f.report.tell(f.target, note)
		}
	}
	if f.packed != nil {
		return told(0, f.report.write(f.packed))
	}
	return told(0, f.report.answer(f.target, f.result.Answer))
}
