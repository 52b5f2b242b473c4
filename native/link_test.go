package native

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// A browser that takes nothing holds up who speaks to it, but not the end.
func TestLinkToNobody(t *testing.T) {
	in, _ := io.Pipe()
	_, out := io.Pipe()
	l := newLink(in, out)
	stop := make(chan struct{})
	var speaking sync.WaitGroup
	var errs [2]error
	for i, stop := range []chan struct{}{stop, nil} {
		speaking.Go(func() {
			for errs[i] == nil {
				errs[i] = l.say(stop, changedMessage{kindChanged})
			}
		})
	}
	close(stop)
	ended := make(chan error)
	go func() { ended <- l.close() }()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the connection does not end")
	}
	speaking.Wait()
	for i, err := range errs {
		if !errors.Is(err, errHungUp) {
			t.Errorf("speaker %d: got %v, want %v", i, err, errHungUp)
		}
	}
}

// What was said before the end is written.
func TestLinkSaysItAll(t *testing.T) {
	r, out := io.Pipe()
	l := newLink(strings.NewReader(""), out)
	if _, _, err := l.receive(); err != io.EOF {
		t.Errorf("receiving: got %v, want the end", err)
	}
	go func() {
		for range 10 {
			_ = l.say(nil, refusedMessage{kindRefused, "protocol", strings.Repeat("w", 200_000)})
		}
		_ = l.close()
	}()
	n := 0
	for {
		frame, err := readFrame(r)
		if err != nil {
			break
		}
		if k, err := kindOf(frame); err != nil || k != kindRefused {
			t.Errorf("got %q, %v", k, err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("got %d messages, want 10", n)
	}
}
