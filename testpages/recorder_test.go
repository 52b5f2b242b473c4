package testpages

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A recorder is a test that may fail: it keeps what is said of it.
type recorder struct {
	ctx      context.Context
	cleanups []func()
	// failures are what Errorf and Fatalf said.
	failures []string
}

func (r *recorder) Helper()                  {}
func (r *recorder) Logf(string, ...any)      {}
func (r *recorder) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Context() context.Context { return r.ctx }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// record runs a test to its end, and gives what was said of it.
func record(t *testing.T, test func(TB)) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &recorder{ctx: ctx}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	cancel()
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
	return r.failures
}

// expectFailure compares how a test failed: with one message that has all words.
func expectFailure(t *testing.T, test func(TB), words ...string) {
	t.Helper()
	got := record(t, test)
	if len(words) == 0 && len(got) == 0 {
		return
	}
	if len(got) == 1 && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(got[0], w) }) {
		return
	}
	t.Errorf("the test failed with\n got: %q\nwant: one with %q", got, words)
}
