package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// A fakeTransport is the far end for faults that no browser can be made to have.
type fakeTransport struct {
	sent     chan string
	incoming chan string // closed: the browser hangs up
	closed   chan struct{}
	once     sync.Once
}

func newFake() *fakeTransport {
	return &fakeTransport{sent: make(chan string, 100), incoming: make(chan string, 100), closed: make(chan struct{})}
}

func (f *fakeTransport) Send(_ context.Context, msg []byte) error {
	select {
	case f.sent <- string(msg):
		return nil
	case <-f.closed:
		return io.ErrClosedPipe
	}
}

func (f *fakeTransport) Receive() ([]byte, error) {
	select {
	case msg, ok := <-f.incoming:
		if !ok {
			return nil, io.EOF
		}
		return []byte(msg), nil
	case <-f.closed:
		return nil, io.ErrClosedPipe
	}
}

func (f *fakeTransport) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

// fakeConn makes a connection to a fake that ends with the test.
func fakeConn(t *testing.T) (*Conn, *fakeTransport) {
	f := newFake()
	c := NewConn(f)
	t.Cleanup(func() { c.Close() })
	return c, f
}

// receiveFrom fails the test if nothing comes.
func receiveFrom[T any](t *testing.T, from <-chan T, what string) (value T, ok bool) {
	t.Helper()
	select {
	case value, ok = <-from:
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
	}
	return value, ok
}

func TestCommandOnTheWire(t *testing.T) {
	c, f := fakeConn(t)
	tests := []struct {
		session *Session
		params  any
		want    string
	}{
		{c.Browser(), nil, `{"id":1,"method":"A.b"}`},
		{c.Session("S"), struct{}{}, `{"id":2,"sessionId":"S","method":"A.b","params":{}}`},
		{c.Session("S"), jsonv2.Value(`{"x":1}`), `{"id":3,"sessionId":"S","method":"A.b","params":{"x":1}}`},
		{c.Session("S"), map[string]string{"x": "a\xffb"}, `{"id":4,"sessionId":"S","method":"A.b","params":{"x":"a` + "\uFFFD" + `b"}}`},
	}
	for _, test := range tests {
		test.session.Go(t.Context(), "A.b", test.params)
		if got, _ := receiveFrom(t, f.sent, "the command"); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
	}
	err := c.Browser().Call(t.Context(), "A.b", func() {}, nil)
	if want := "encoding the parameters of A.b"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("parameters that are no JSON: got the error %v, want one that says %q", err, want)
	}
}

func TestAnswers(t *testing.T) {
	c, f := fakeConn(t)
	tests := []struct{ name, answer, want string }{
		{"a result", `{"id":%d,"result":{"a":"x"}}`, "{x} <nil>"},
		{"no result", `{"id":%d}`, "{} <nil>"},
		{"an error", `{"id":%d,"error":{"code":-32000,"message":"not now"}}`, "{} A.b: not now (-32000)"},
		{"a result of another kind", `{"id":%d,"result":{"a":1}}`, "{} decoding the result of A.b: "},
		{"one for somebody else first", `{"id":99999,"result":{"a":"y"}}|{"id":%d,"result":{"a":"x"}}`, "{x} <nil>"},
		{"a complaint about something else first", `{"error":{"code":-1,"message":"m"}}|{"id":%d,"result":{}}`, "{} <nil>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := c.Browser().Go(t.Context(), "A.b", nil)
			for _, msg := range strings.Split(test.answer, "|") {
				if strings.Contains(msg, "%d") {
					msg = fmt.Sprintf(msg, p.id)
				}
				f.incoming <- msg
			}
			var result struct {
				A string `json:"a"`
			}
			err := p.Wait(t.Context(), &result)
			if got := fmt.Sprint(result, " ", err); !strings.HasPrefix(got, test.want) {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestGarbageEndsTheConnection(t *testing.T) {
	c, f := fakeConn(t)
	p := c.Browser().Go(t.Context(), "A.b", nil)
	f.incoming <- "HTTP/1.1 400 Bad Request"
	err := p.Wait(t.Context(), nil)
	if !errors.Is(err, ErrBrowserGone) || !strings.Contains(err.Error(), "A.b: the browser is gone: the browser sent what is not a protocol message") {
		t.Errorf("got the error %v\nwant ErrBrowserGone with the reason", err)
	}
	receiveFrom(t, c.Done(), "the end of the connection")
	if err := c.Err(); !errors.Is(err, ErrBrowserGone) {
		t.Errorf("the connection's error is %v, want ErrBrowserGone", err)
	}
	if err := c.Browser().Call(t.Context(), "A.c", nil, nil); !errors.Is(err, ErrBrowserGone) {
		t.Errorf("a call afterwards: got the error %v, want ErrBrowserGone", err)
	}
	receiveFrom(t, c.Session("new").Detached(), "the end of a session asked for afterwards")
}

func TestSessionsEndWithTheirParents(t *testing.T) {
	c, f := fakeConn(t)
	page, frame, inner, other := c.Session("page"), c.Session("frame"), c.Session("inner"), c.Session("other")
	f.incoming <- `{"method":"Target.attachedToTarget","params":{"sessionId":"page"}}`
	f.incoming <- `{"method":"Target.attachedToTarget","params":{"sessionId":"other"}}`
	f.incoming <- `{"method":"Target.attachedToTarget","params":{"sessionId":"frame"},"sessionId":"page"}`
	f.incoming <- `{"method":"Target.attachedToTarget","params":{"sessionId":"inner"},"sessionId":"frame"}`
	pending := inner.Go(t.Context(), "A.b", nil)
	events, cancel := inner.Subscribe("A.c")
	defer cancel()
	f.incoming <- `{"method":"A.c","params":{},"sessionId":"inner"}`
	f.incoming <- `{"method":"Target.detachedFromTarget","params":{"sessionId":"page"}}`

	for _, s := range []*Session{page, frame, inner} {
		receiveFrom(t, s.Detached(), fmt.Sprintf("the end of the session %s", s.ID()))
	}
	if err := pending.Wait(t.Context(), nil); !errors.Is(err, ErrTargetGone) || err.Error() != "A.b: the page is gone" {
		t.Errorf("a call that was pending: got the error %v, want ErrTargetGone", err)
	}
	if err := inner.Call(t.Context(), "A.b", nil, nil); !errors.Is(err, ErrTargetGone) {
		t.Errorf("a call afterwards: got the error %v, want ErrTargetGone", err)
	}
	if _, ok := receiveFrom(t, events, "the event from before the end"); !ok {
		t.Errorf("the event from before the end is lost")
	}
	if _, ok := receiveFrom(t, events, "the end of the events"); ok {
		t.Errorf("got an event after the end")
	}
	select {
	case <-other.Detached():
		t.Errorf("a session beside it ended too")
	default:
	}
	if c.Session("page") == page {
		t.Errorf("the id of a session that is over leads to the old one")
	}
	if c.Session("other") != other {
		t.Errorf("the id of a session leads to another each time")
	}
}

func TestUnknownSessionEnds(t *testing.T) {
	c, f := fakeConn(t)
	s := c.Session("old")
	p := s.Go(t.Context(), "A.b", nil)
	f.incoming <- fmt.Sprintf(`{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`, p.id)
	err := p.Wait(t.Context(), nil)
	var refused *CallError
	if !errors.Is(err, ErrTargetGone) || !errors.As(err, &refused) || refused.Method != "A.b" {
		t.Errorf("got the error %v, want a *CallError of A.b that is ErrTargetGone", err)
	}
	receiveFrom(t, s.Detached(), "the end of the session")
}

func TestGivenUpCallsAreForgotten(t *testing.T) {
	c, f := fakeConn(t)
	ctx, cancel := context.WithCancel(t.Context())
	during := c.Browser().Go(ctx, "A.b", nil)
	cancel()
	if err := during.Wait(t.Context(), nil); !errors.Is(err, context.Canceled) || err.Error() != "A.b: given up: context canceled" {
		t.Errorf("canceled by the context it began with: got the error %v", err)
	}
	waiting := c.Browser().Go(t.Context(), "A.b", nil)
	if err := waiting.Wait(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled by the context it was waited for with: got the error %v", err)
	}
	if err := c.Browser().Call(ctx, "A.b", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: got the error %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := c.Browser().Call(ctx, "A.b", nil, nil); !errors.Is(err, context.DeadlineExceeded) || err.Error() != "A.b: no answer in time: context deadline exceeded" {
		t.Errorf("past its deadline: got the error %v", err)
	}
	f.incoming <- fmt.Sprintf(`{"id":%d,"result":{}}`, waiting.id)
	alive := c.Browser().Go(t.Context(), "A.b", nil)
	f.incoming <- fmt.Sprintf(`{"id":%d,"result":{}}`, alive.id)
	if err := alive.Wait(t.Context(), nil); err != nil {
		t.Errorf("a call after the late answer to another: %v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) != 0 || len(c.root.calls) != 0 {
		t.Errorf("%d calls of the connection and %d of the session are still remembered", len(c.calls), len(c.root.calls))
	}
}

func TestListening(t *testing.T) {
	c, f := fakeConn(t)
	s := c.Session("S")
	var got []string
	stopFirst := s.On("A.b", func(params jsonv2.Value) { got = append(got, "first "+string(params)) })
	s.On("A.b", func(params jsonv2.Value) { got = append(got, "second "+string(params)) })
	events, cancel := s.Subscribe("A.b")

	// The answer to a call comes after what was received before it.
	catchUp := func() {
		p := s.Go(t.Context(), "A.sync", nil)
		f.incoming <- fmt.Sprintf(`{"id":%d,"result":{},"sessionId":"S"}`, p.id)
		if err := p.Wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	f.incoming <- `{"method":"A.b","params":{"n":1},"sessionId":"S"}`
	f.incoming <- `{"method":"A.other","params":{"n":2},"sessionId":"S"}`
	f.incoming <- `{"method":"A.b","params":{"n":3},"sessionId":"other"}`
	f.incoming <- `{"method":"A.b","params":{"n":4}}`
	catchUp()
	stopFirst()
	f.incoming <- `{"method":"A.b","params":{"n":5},"sessionId":"S"}`
	catchUp()
	if got, want := strings.Join(got, ", "), `first {"n":1}, second {"n":1}, second {"n":5}`; got != want {
		t.Errorf("On\n got %s\nwant %s", got, want)
	}
	for _, want := range []string{`{"n":1}`, `{"n":5}`} {
		if got, _ := receiveFrom(t, events, "an event"); string(got) != want {
			t.Errorf("Subscribe\n got %s\nwant %s", got, want)
		}
	}
	cancel()
	if event, ok := receiveFrom(t, events, "the end of the events"); ok {
		t.Errorf("got the event %s after canceling", event)
	}
}

func TestSubscriptionThatNobodyReads(t *testing.T) {
	s := newSubscription()
	defer s.cancel()
	event := make(jsonv2.Value, maxBuffered/4)
	for range 20 {
		s.put(event)
	}
	count := 0
	for range s.events {
		count++
	}
	// The feeder may have taken a batch out before the buffer filled again.
	if count < 4 || count > 9 {
		t.Errorf("read %d of 20 events of a quarter of the limit each, want as many as are within it, and an end", count)
	}
}

func TestCloseFailsWhatWaits(t *testing.T) {
	c, _ := fakeConn(t)
	p := c.Session("S").Go(t.Context(), "A.b", nil)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context(), nil); !errors.Is(err, ErrBrowserGone) || err.Error() != "A.b: the browser is gone: the connection was closed" {
		t.Errorf("got the error %v, want ErrBrowserGone", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// A stuckTransport never finishes writing.
type stuckTransport struct{ *fakeTransport }

func (s stuckTransport) Send(context.Context, []byte) error {
	<-s.closed
	return io.ErrClosedPipe
}

func TestBrowserThatStopsReading(t *testing.T) {
	c := NewConn(stuckTransport{newFake()})
	defer c.Close()
	params := map[string]string{"x": strings.Repeat("x", maxQueued/8)}
	var err error
	for range 12 {
		p := c.Browser().Go(t.Context(), "A.b", params)
		select {
		case <-p.Done():
			err = p.Wait(t.Context(), nil)
		default:
		}
	}
	if !errors.Is(err, errQueueFull) {
		t.Errorf("got the error %v, want %v", err, errQueueFull)
	}
}

// Connections to a page do not share numbers of commands, so a late answer to the
// first is not the second's.
func TestPageConn(t *testing.T) {
	var sent []string
	for range 2 {
		f := newFake()
		c := NewPageConn(f)
		t.Cleanup(func() { c.Close() })
		if !c.RootIsPage() {
			t.Error("got a connection to a browser, want one to a page")
		}
		c.Browser().Go(t.Context(), "A.b", nil)
		msg, _ := receiveFrom(t, f.sent, "the command")
		sent = append(sent, msg)
	}
	if sent[0] == sent[1] {
		t.Errorf("both connections sent %s, want numbers of their own", sent[0])
	}
}
