package native

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
)

// patience is how long tests wait for what must happen: far longer than it takes, so
// that a busy machine fails none.
const patience = 60 * time.Second

// relayed are the events that an extension passes on.
var relayed = []string{
	"Page.frameAttached", "Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameDetached", "Page.javascriptDialogOpening",
	"Page.javascriptDialogClosed", "Page.domContentEventFired", "Page.loadEventFired", "Inspector.targetCrashed",
	"Target.attachedToTarget", "Target.detachedFromTarget", "Runtime.bindingCalled",
}

// A stub is a stand-in for the browser's: it speaks to a host that runs in this
// process, and has the DevTools messages of the tabs that it shares carried out by a
// real browser.
type stub struct {
	t       *testing.T
	browser *cdp.Conn
	in      *io.PipeWriter // what the host reads
	out     *io.PipeReader
	dir     string // of the host's socket
	log     *syncBuffer
	ended   chan error    // what Run returned
	silent  chan struct{} // closed when the host says nothing more

	// said has what the host said, by kind, but for DevTools messages.
	said map[kind]chan message

	// writing is held while a message is written.
	writing  sync.Mutex
	partSize int // messages longer than that are cut; 0: none
	parts    int64

	// mu guards the tabs, the methods that were called, and whether the test answers
	// requests: else they are refused.
	mu      sync.Mutex
	answers bool
	tabs    map[string]*relayedTab
	called  []string
}

// A relayedTab is one whose messages go through.
type relayedTab struct {
	session *cdp.Session
	cancels []func()
	held    chan struct{} // where set, answers wait until it is closed
}

// A message is one of the host's.
type message map[string]any

func (m message) String() string {
	text, _ := json.Marshal(map[string]any(m))
	return string(text)
}

// A syncBuffer is what a log says, while it may say more.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// startHost starts a host, and has it end with the test. browser may be nil where no
// tab is shared.
func startHost(t *testing.T, browser *cdp.Conn) *stub {
	t.Helper()
	dir, err := os.MkdirTemp("", "wn") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	hostIn, in := io.Pipe()
	out, hostOut := io.Pipe()
	e := &stub{
		t: t, browser: browser, in: in, out: out, dir: dir, log: &syncBuffer{}, ended: make(chan error, 1), silent: make(chan struct{}),
		said: map[kind]chan message{}, tabs: map[string]*relayedTab{},
	}
	for _, k := range []kind{kindWelcome, kindRefused, kindAnswer, kindAgents, kindRead, kindChanged, kindRequest} {
		e.said[k] = make(chan message, 1000)
	}
	go func() {
		e.ended <- Run(context.Background(), Options{
			Version: "v0.0.0-test", In: hostIn, Out: hostOut, Dir: dir,
			Log: slog.New(slog.NewTextHandler(e.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
	}()
	go func() { defer close(e.silent); e.listen() }()
	t.Cleanup(func() {
		in.Close()
		select {
		case <-e.ended:
		case <-time.After(patience):
			t.Error("the host does not end")
		}
		out.Close()
		<-e.silent
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("the host left %v behind", left)
		}
		os.RemoveAll(dir)
		if t.Failed() {
			t.Logf("the host's log:\n%s", e.log)
		}
	})
	return e
}

// greet says hello and takes the welcome.
func (e *stub) greet() message {
	e.t.Helper()
	e.say(message{"kind": "hello", "protocol": 1, "extension": "0.1", "browser": message{"name": "Chromium", "version": "156"}})
	return e.next(kindWelcome)
}

// say sends the host a message.
func (e *stub) say(m message) {
	e.t.Helper()
	text, err := json.Marshal(map[string]any(m))
	if err != nil {
		e.t.Fatal(err)
	}
	e.sayText(text)
}

func (e *stub) sayText(text []byte) {
	e.writing.Lock()
	defer e.writing.Unlock()
	if e.partSize == 0 || len(text) <= e.partSize {
		e.frame(text)
		return
	}
	e.parts++
	for len(text) > 0 {
		end := min(len(text), e.partSize)
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		part, _ := json.Marshal(map[string]any{"kind": "part", "of": e.parts, "last": end == len(text), "text": string(text[:end])})
		e.frame(part)
		text = text[end:]
	}
}

// frame writes a frame. A host that has ended takes none.
func (e *stub) frame(text []byte) {
	_, _ = e.in.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(text))), text...))
}

// next gives the next message of a kind.
func (e *stub) next(k kind) message {
	e.t.Helper()
	select {
	case m := <-e.said[k]:
		return m
	case err := <-e.ended:
		e.ended <- err
		// What it said before it ended may be on its way still.
		<-e.silent
		select {
		case m := <-e.said[k]:
			return m
		default:
		}
		e.t.Fatalf("the host ended (%v), want a message %q", err, k)
	case <-time.After(patience):
		e.t.Fatalf("the host does not say %q", k)
	}
	return nil
}

// ask asks the host something, and gives the answer.
func (e *stub) ask(id int, what string, more message) message {
	e.t.Helper()
	m := message{"kind": "ask", "id": id, "what": what}
	for k, v := range more {
		m[k] = v
	}
	e.say(m)
	answer := e.next(kindAnswer)
	if answer["id"] != float64(id) {
		e.t.Fatalf("got the answer %v, want that to question %d", answer, id)
	}
	return answer
}

// end hangs up and gives what Run returned.
func (e *stub) end() error {
	e.t.Helper()
	e.in.Close()
	return e.wait()
}

// wait waits until the host has ended.
func (e *stub) wait() error {
	e.t.Helper()
	select {
	case err := <-e.ended:
		e.ended <- err
		return err
	case <-time.After(patience):
		e.t.Fatal("the host does not end")
		return nil
	}
}

// listen takes what the host says, until it ends.
func (e *stub) listen() {
	var j joiner
	j.most = maxCut
	for {
		frame, err := readFrame(e.out)
		if err != nil {
			return
		}
		if len(frame) > maxSent {
			e.t.Errorf("the host sent a frame of %d bytes", len(frame))
		}
		var p partMessage
		if jsonv2.Unmarshal(frame, &p) == nil && p.Kind == kindPart {
			if frame, err = j.add(p); err != nil {
				e.t.Errorf("the host's parts: %v", err)
			}
			if frame == nil {
				continue
			}
		}
		var m message
		if err := json.Unmarshal(frame, &m); err != nil {
			e.t.Errorf("the host sent %.200q: %v", frame, err)
			continue
		}
		k := kind(fmt.Sprint(m["kind"]))
		if k == kindCDP {
			e.carry(frame)
			continue
		}
		e.mu.Lock()
		refuse := k == kindRequest && !e.answers
		e.mu.Unlock()
		if refuse {
			text := fmt.Sprintf(`{"kind":"answer","id":%v,"error":{"code":"failed","message":"no leave"}}`, m["id"])
			go e.sayText([]byte(text))
			continue
		}
		if e.said[k] == nil {
			e.t.Errorf("the host sent a message of the kind %q", k)
			continue
		}
		e.said[k] <- m
	}
}

// carry has a DevTools command carried out.
func (e *stub) carry(frame []byte) {
	var c struct {
		Tab string
		M   struct {
			ID        int64
			SessionID target.SessionID
			Method    string
			Params    jsonv2.Value
		}
	}
	if err := json.Unmarshal(frame, &c); err != nil {
		e.t.Errorf("the host sent %.200q: %v", frame, err)
		return
	}
	e.mu.Lock()
	e.called = append(e.called, c.M.Method)
	tab := e.tabs[c.Tab]
	var held chan struct{}
	if tab != nil {
		held = tab.held
	}
	e.mu.Unlock()
	answer := map[string]any{"id": c.M.ID}
	if c.M.SessionID != "" {
		answer["sessionId"] = c.M.SessionID
	}
	if tab == nil {
		answer["error"] = message{"code": -32000, "message": "the tab is not shared"}
		go e.answer(c.Tab, answer)
		return
	}
	s := tab.session
	if c.M.SessionID != "" {
		s = e.browser.Session(c.M.SessionID)
	}
	var params any
	if len(c.M.Params) > 0 {
		params = c.M.Params
	}
	call := s.Go(context.Background(), c.M.Method, params)
	go func() {
		var result jsonv2.Value
		err := call.Wait(context.Background(), &result)
		var refused *cdp.CallError
		switch {
		case err == nil:
			answer["result"] = json.RawMessage(result)
		case errors.As(err, &refused):
			answer["error"] = message{"code": refused.Code, "message": refused.Message}
		default:
			answer["error"] = message{"code": -32000, "message": "the tab has gone"}
		}
		if held != nil {
			<-held
		}
		e.answer(c.Tab, answer)
	}()
}

func (e *stub) answer(tab string, m map[string]any) {
	text, err := json.Marshal(map[string]any{"kind": "cdp", "tab": tab, "m": m})
	if err != nil {
		e.t.Errorf("encoding an answer: %v", err)
		return
	}
	// As Chrome writes it, the kind first.
	e.sayText(text)
}

// attach begins to carry the messages of a tab, under a key.
func (e *stub) attach(key string, id target.ID) {
	e.t.Helper()
	var at target.AttachToTargetResult
	if err := e.browser.Browser().Call(e.t.Context(), target.CommandAttachToTarget, map[string]any{"targetId": id, "flatten": true}, &at); err != nil {
		e.t.Fatal(err)
	}
	tab := &relayedTab{session: e.browser.Session(at.SessionID)}
	e.mu.Lock()
	e.tabs[key] = tab
	e.mu.Unlock()
	e.pass(key, tab, tab.session, "")
	e.t.Cleanup(func() { e.detach(key) })
}

// pass passes on the events of a session, and of those below it.
func (e *stub) pass(key string, tab *relayedTab, s *cdp.Session, id target.SessionID) {
	for _, method := range relayed {
		cancel := s.On(method, func(params jsonv2.Value) {
			var child target.EventAttachedToTarget
			if method == target.AttachedToTarget.Method && jsonv2.Unmarshal(params, &child, tolerant) == nil {
				e.pass(key, tab, e.browser.Session(child.SessionID), child.SessionID)
			}
			m := map[string]any{"method": method, "params": json.RawMessage(bytes.Clone(params))}
			if id != "" {
				m["sessionId"] = id
			}
			e.answer(key, m)
		})
		e.mu.Lock()
		tab.cancels = append(tab.cancels, cancel)
		e.mu.Unlock()
	}
}

// detach carries no more messages of a tab.
func (e *stub) detach(key string) {
	e.mu.Lock()
	tab := e.tabs[key]
	delete(e.tabs, key)
	e.mu.Unlock()
	if tab == nil {
		return
	}
	for _, cancel := range tab.cancels {
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = e.browser.Browser().Call(ctx, target.CommandDetachFromTarget, map[string]any{"sessionId": tab.session.ID()}, nil)
}

// hold has the answers of a tab wait until release is called.
func (e *stub) hold(key string) (release func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	held := make(chan struct{})
	e.tabs[key].held = held
	return sync.OnceFunc(func() {
		e.mu.Lock()
		if tab := e.tabs[key]; tab != nil && tab.held == held {
			tab.held = nil
		}
		e.mu.Unlock()
		close(held)
	})
}

// calls tells how often a method was called since it was last asked.
func (e *stub) calls(method string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := strings.Count(" "+strings.Join(e.called, "  ")+" ", " "+method+" ")
	e.called = nil
	return n
}

// window is a window of one tab, in the words of a tabs message.
func window(id, order int) message {
	return message{"window": id, "focused": false, "order": order, "state": "normal", "type": "normal", "bounds": message{"x": 0, "y": 0, "width": 800, "height": 600}}
}

// shared is an active tab in the words of a tabs message.
func shared(key string, window int) message {
	return message{"tab": key, "window": window, "index": 0, "state": "attached", "active": true, "title": "Told by the browser", "url": "https://told.example/?secret=1",
		"pinned": false, "audible": false, "loading": false, "discarded": false, "zoom": 1}
}

// share tells which tabs are shared.
func (e *stub) share(tabs ...message) {
	e.t.Helper()
	var windows []message
	for _, t := range tabs {
		w, _ := t["window"].(int)
		windows = append(windows, window(w, w))
	}
	e.say(message{"kind": "tabs", "tabs": append([]message{}, tabs...), "windows": append([]message{}, windows...), "gone": []message{}})
}
