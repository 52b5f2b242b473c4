package native

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
)

// says takes what a relay says to the extension.
func says(to chan any) func(<-chan struct{}, any) error {
	return func(stop <-chan struct{}, m any) error {
		select {
		case to <- m:
			return nil
		case <-stop:
			return errHungUp
		}
	}
}

// reasonOf is why a connection ended, once it has.
func reasonOf(t *testing.T, c *cdp.Conn) endReason {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(patience):
		t.Fatal("the connection does not end")
	}
	var ended *tabEnded
	if !errors.As(c.Err(), &ended) || !errors.Is(c.Err(), cdp.ErrBrowserGone) {
		t.Fatalf("got %v, want that the way to the tab has ended", c.Err())
	}
	return ended.reason
}

func TestRelay(t *testing.T) {
	said := make(chan any, 10)
	r := newRelay(says(said))
	one, two := cdp.NewPageConn(r.open("1.1")), cdp.NewPageConn(r.open("2.1"))
	defer one.Close()
	defer two.Close()

	first := one.Browser().Go(t.Context(), "A.b", map[string]any{"c": 1})
	m := (<-said).(cdpMessage)
	if text := string(m.M); m.Kind != kindCDP || m.Tab != "1.1" || !strings.Contains(text, `"method":"A.b","params":{"c":1}`) {
		t.Errorf("got %s for %s, want the command for its tab", text, m.Tab)
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(string(m.M), `{"id":`), ",")
	answer := []byte(`{"result":{"d":2},"id":` + id + `}`)
	// What is for another tab, or for none, is not this one's.
	r.deliver("2.1", answer)
	r.deliver("3.1", answer)
	select {
	case <-first.Done():
		t.Fatal("a command was answered by another tab")
	default:
	}
	r.deliver("1.1", answer)
	var got struct {
		D int `json:"d"`
	}
	if err := first.Wait(t.Context(), &got); err != nil || got.D != 2 {
		t.Errorf("got %v, %v, want the answer", got, err)
	}

	waiting := two.Browser().Go(t.Context(), "A.b", nil)
	r.end("2.1", "canceled_by_user")
	if got := reasonOf(t, two); got != "canceled_by_user" {
		t.Errorf("got the reason %q", got)
	}
	if err := waiting.Wait(t.Context(), nil); !errors.Is(err, cdp.ErrBrowserGone) {
		t.Errorf("the call that waited: got %v", err)
	}
	if one.Err() != nil {
		t.Errorf("the other tab ended too: %v", one.Err())
	}
	again := cdp.NewPageConn(r.open("1.1"))
	defer again.Close()
	if got := reasonOf(t, one); got != reasonClosed {
		t.Errorf("a way in place of another: got the reason %q", got)
	}
	r.endAll(reasonHungUp)
	if got := reasonOf(t, again); got != reasonHungUp {
		t.Errorf("got the reason %q", got)
	}
}

// A tab whose messages nobody takes ends by itself, and holds up no other.
func TestRelayOverflow(t *testing.T) {
	r := newRelay(says(make(chan any)))
	r.most = 10_000
	w, other := r.open("1.1"), r.open("2.1")
	large := make([]byte, 2*r.most)
	r.deliver("1.1", large)
	if got, err := w.Receive(); err != nil || len(got) != len(large) {
		t.Fatalf("one message, however long: got %d bytes, %v", len(got), err)
	}
	for range 200 {
		r.deliver("1.1", make([]byte, 100))
	}
	var ended *tabEnded
	if _, err := w.Receive(); !errors.As(err, &ended) || ended.reason != reasonOverflow {
		t.Errorf("got %v, want %s", err, reasonOverflow)
	}
	if err := w.Send(context.Background(), []byte("{}")); !errors.As(err, &ended) {
		t.Errorf("sending after the end: got %v", err)
	}
	r.deliver("2.1", []byte("{}"))
	if got, err := other.Receive(); err != nil || string(got) != "{}" {
		t.Errorf("the other tab: got %q, %v", got, err)
	}

	// One that waits for room is freed by the end.
	freed := make(chan error)
	go func() { freed <- other.Send(context.Background(), []byte("{}")) }()
	other.Close()
	if err := <-freed; err == nil {
		t.Error("what was not sent was said to be")
	}
}
