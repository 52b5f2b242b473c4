package testpages

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

// A meeting is a wire on which neither a page's rows nor its picture come before both
// have been asked for: who asks for one after the other gets none.
type meeting struct {
	cdp.Transport
	in     chan []byte
	gone   chan struct{} // closed when the wire has ended
	err    error         // why; set before that
	closed chan struct{} // closed when nobody receives any more
	close  func()

	mu     sync.Mutex
	hold   bool              // from here on
	waits  map[int64]string  // commands whose answers are held, by id
	asked  map[string]func() // each ends the holding of the answers to the other
	until  map[string]chan struct{}
	events []string // what was asked and answered, in order
}

// The events of a meeting.
const (
	askRows, askPicture, askSecrets = "rows asked", "picture asked", "secrets asked"
	gotPicture                      = "picture came"
)

func newMeeting(wire cdp.Transport) *meeting {
	rows, picture := make(chan struct{}), make(chan struct{})
	m := &meeting{
		Transport: wire, in: make(chan []byte, 100), gone: make(chan struct{}), closed: make(chan struct{}), waits: map[int64]string{},
		asked: map[string]func(){askRows: sync.OnceFunc(func() { close(rows) }), askPicture: sync.OnceFunc(func() { close(picture) })},
		until: map[string]chan struct{}{askRows: picture, askPicture: rows},
	}
	m.close = sync.OnceFunc(func() { close(m.closed) })
	go m.pump()
	return m
}

// Send implements cdp.Transport.
func (m *meeting) Send(ctx context.Context, msg []byte) error {
	var sent struct {
		ID     int64
		Method string
	}
	if json.Unmarshal(msg, &sent) == nil {
		what := ""
		switch {
		case sent.Method == "Page.captureScreenshot":
			what = askPicture
		case sent.Method == "Runtime.callFunctionOn" && bytes.Contains(msg, []byte(`"scope":"rows"`)):
			what = askRows
		case sent.Method == "Runtime.callFunctionOn" && bytes.Contains(msg, []byte(`hiddenBoxes`)):
			what = askSecrets
		}
		m.mu.Lock()
		if m.hold && what != "" {
			m.events = append(m.events, what)
			if asked := m.asked[what]; asked != nil {
				asked()
				m.waits[sent.ID] = what
			}
		}
		m.mu.Unlock()
	}
	return m.Transport.Send(ctx, msg)
}

// pump takes what comes, and holds back what has to wait.
func (m *meeting) pump() {
	defer close(m.gone)
	var held sync.WaitGroup
	defer held.Wait()
	for {
		msg, err := m.Transport.Receive()
		if err != nil {
			m.err = err
			return
		}
		var got struct{ ID int64 }
		_ = json.Unmarshal(msg, &got) // an event has none
		m.mu.Lock()
		what := m.waits[got.ID]
		delete(m.waits, got.ID)
		m.mu.Unlock()
		if what == "" {
			m.pass(msg)
			continue
		}
		held.Go(func() {
			select {
			case <-m.until[what]:
			case <-m.closed:
			case <-time.After(defaultTimeout):
			}
			if what == askPicture {
				m.mu.Lock()
				m.events = append(m.events, gotPicture)
				m.mu.Unlock()
			}
			m.pass(msg)
		})
	}
}

func (m *meeting) pass(msg []byte) {
	select {
	case m.in <- msg:
	case <-m.closed:
	}
}

// Close implements cdp.Transport.
func (m *meeting) Close() error {
	m.close()
	return m.Transport.Close()
}

// Receive implements cdp.Transport.
func (m *meeting) Receive() ([]byte, error) {
	select {
	case msg := <-m.in:
		return msg, nil
	case <-m.gone:
		return nil, m.err
	}
}

// TestTreeAndPictureAbreast reads a window's tree and picture at once: each is on its way
// while the other is waited for. What must not be seen is looked at before and after the
// picture all the same.
func TestTreeAndPictureAbreast(t *testing.T) {
	t.Parallel()
	n := startNative(t, nativeOptions{}, map[string]string{"page.html": `<!doctype html><title>Page</title><h1>Words</h1><button>Send</button>
<label>Password <input type=password value=hunter2222></label>`})
	m := newMeeting(dialNoted(t, n.profile))
	n.conn = cdp.NewConn(m)
	t.Cleanup(func() { _ = n.conn.Close() })
	p := n.open("page.html")
	// What is met for the first time takes other ways.
	p.State(provider.StateQuery{Tree: true, Picture: true, Timeout: time.Minute})
	m.mu.Lock()
	m.hold = true
	m.mu.Unlock()

	s := p.State(provider.StateQuery{Tree: true, Picture: true, Timeout: time.Minute})
	m.mu.Lock()
	events := slices.Clone(m.events)
	m.mu.Unlock()
	if !s.Complete || s.Screenshot == nil || !strings.Contains(s.Markdown, `button "Send"`) {
		t.Errorf("got complete %v, the picture's error %+v and\n%s\nwant all of the tree, and a picture; %v", s.Complete, s.PictureError, s.Markdown, events)
	}
	shot, came := slices.Index(events, askPicture), slices.Index(events, gotPicture)
	if !slices.Contains(events, askRows) || shot < 0 || came < 0 || !slices.Contains(events[:shot], askSecrets) || !slices.Contains(events[came:], askSecrets) {
		t.Errorf("got %v\nwant both asked, and the secrets before the picture was and after it came", events)
	}
}
