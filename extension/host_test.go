package extension_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// socketVariable names the socket that a process that plays the host is to connect.
const socketVariable = "WEBAREA_TEST_HOST"

// maxMessage is the longest frame that Chrome sends.
const maxMessage = 64 << 20

// carry connects the standard streams, on which Chrome speaks, to the test's socket,
// until either ends.
func carry(socket string) error {
	c, err := net.Dial("unix", socket)
	if err != nil {
		return fmt.Errorf("reaching the test: %w", err)
	}
	ended := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(c, os.Stdin); ended <- struct{}{} }()
	go func() { _, _ = io.Copy(os.Stdout, c); ended <- struct{}{} }()
	<-ended
	return c.Close()
}

// object is a JSON object.
type object = map[string]any

// A host is the test's end of one connection with the extension.
type host struct {
	t    testing.TB
	conn net.Conn

	// mu guards what came; more is closed and made anew when it grows.
	mu       sync.Mutex
	messages []object
	more     chan struct{}
	ended    bool
	parts    map[float64]*bytes.Buffer

	// takes is offered each frame first, if there is one, and says whether it took it.
	takes atomic.Pointer[func(frame []byte) bool]

	// sending keeps frames whole.
	sending sync.Mutex
	calls   int
}

func newHost(t testing.TB, c net.Conn) *host {
	h := &host{t: t, conn: c, more: make(chan struct{}), parts: map[float64]*bytes.Buffer{}}
	go h.receive()
	return h
}

func (h *host) receive() {
	for {
		m, err := h.frame()
		h.mu.Lock()
		if err != nil {
			h.ended = true
		} else if m = h.whole(m); m != nil {
			h.messages = append(h.messages, m)
		}
		close(h.more)
		h.more = make(chan struct{})
		h.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (h *host) frame() (object, error) {
	var length uint32
	if err := binary.Read(h.conn, binary.NativeEndian, &length); err != nil {
		return nil, err
	}
	if length > maxMessage {
		return nil, errors.New("a frame is too long")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(h.conn, body); err != nil {
		return nil, err
	}
	if take := h.takes.Load(); take != nil && (*take)(body) {
		return nil, nil
	}
	var m object
	return m, json.Unmarshal(body, &m)
}

// whole gives a message, where it is one or completes one. h.mu is held.
func (h *host) whole(m object) object {
	if m["kind"] != "part" {
		return m
	}
	of, text := m["of"].(float64), m["text"].(string)
	if h.parts[of] == nil {
		h.parts[of] = &bytes.Buffer{}
	}
	h.parts[of].WriteString(text)
	if m["last"] != true {
		return nil
	}
	var joined object
	if err := json.Unmarshal(h.parts[of].Bytes(), &joined); err != nil {
		return object{"kind": "broken", "error": err.Error()}
	}
	delete(h.parts, of)
	joined["parts"] = true
	return joined
}

// send sends one message in one frame.
func (h *host) send(m object) {
	h.t.Helper()
	body, err := json.Marshal(m)
	if err != nil {
		h.t.Fatal(err)
	}
	h.sending.Lock()
	defer h.sending.Unlock()
	frame := binary.NativeEndian.AppendUint32(nil, uint32(len(body)))
	if _, err := h.conn.Write(append(frame, body...)); err != nil {
		h.t.Fatalf("sending %v: %v", m["kind"], err)
	}
}

// await gives the first message that fits, of those that came and are to come.
func (h *host) await(what string, fits func(object) bool) object {
	h.t.Helper()
	late := time.After(patience)
	for {
		h.mu.Lock()
		at := slices.IndexFunc(h.messages, fits)
		var m object
		if at >= 0 {
			m = h.messages[at]
		}
		more, ended := h.more, h.ended
		h.mu.Unlock()
		switch {
		case m != nil:
			return m
		case ended:
			h.t.Fatalf("the extension hung up\nwant: %s\ncame: %s", what, h.last())
		}
		select {
		case <-more:
		case <-late:
			h.t.Fatalf("want: %s\ncame: %s", what, h.last())
		}
	}
}

// last tells what came last.
func (h *host) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := json.MarshalIndent(h.messages[max(0, len(h.messages)-4):], "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text[:min(len(text), 4000)])
}

// forget forgets what came, so that only what comes from now on is found.
func (h *host) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages = nil
}

// greet answers the extension's hello and gives it.
func (h *host) greet() object {
	h.t.Helper()
	hello := h.await("hello", kind("hello"))
	h.send(object{"kind": "welcome", "protocol": 1, "version": "test", "instance": "test", "pid": os.Getpid()})
	return hello
}

// awaitTabs gives the first telling of tabs that fits.
func (h *host) awaitTabs(what string, fits func(tabs []object) bool) []object {
	h.t.Helper()
	m := h.await(what, func(m object) bool { return m["kind"] == "tabs" && fits(list(m["tabs"])) })
	return list(m["tabs"])
}

// awaitAttached gives the facts of the tab with an address, once it is attached.
func (h *host) awaitAttached(url string) object {
	h.t.Helper()
	return h.awaitState(url, "attached", "")
}

// awaitState gives the facts of the tab with an address, once it is in a state.
func (h *host) awaitState(url, state, problem string) object {
	h.t.Helper()
	var found object
	h.awaitTabs(fmt.Sprintf("%s %s %s", url, state, problem), func(tabs []object) bool {
		for _, tab := range tabs {
			said, _ := tab["problem"].(string)
			if tab["url"] == url && tab["state"] == state && said == problem {
				found = tab
				return true
			}
		}
		return false
	})
	return found
}

// call has the extension carry out a command, and gives its result or its error.
func (h *host) call(tab, method string, params object) (result, failure object) {
	h.t.Helper()
	return h.callIn(tab, "", method, params)
}

// callIn is call in a session of the tab.
func (h *host) callIn(tab, session, method string, params object) (result, failure object) {
	h.t.Helper()
	h.calls++
	number := h.calls
	m := object{"id": number, "method": method, "params": params}
	if session != "" {
		m["sessionId"] = session
	}
	h.send(object{"kind": "cdp", "tab": tab, "m": m})
	a := h.await(fmt.Sprintf("an answer to %s", method), func(m object) bool {
		of, _ := m["m"].(object)
		return m["kind"] == "cdp" && m["tab"] == tab && of["id"] == float64(number)
	})["m"].(object)
	result, _ = a["result"].(object)
	failure, _ = a["error"].(object)
	return result, failure
}

// kind fits messages of a kind.
func kind(k string) func(object) bool { return func(m object) bool { return m["kind"] == k } }

// list gives the objects of an array.
func list(v any) []object {
	all, _ := v.([]any)
	var out []object
	for _, one := range all {
		if o, ok := one.(object); ok {
			out = append(out, o)
		}
	}
	return out
}

// heard tells whether words came in any message that is not forgotten.
func (h *host) heard(words string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := json.Marshal(h.messages)
	if err != nil {
		h.t.Error(err)
	}
	return bytes.Contains(text, []byte(words))
}

// awaitGone gives the message that says of a key that it ended for a reason.
func (h *host) awaitGone(key, reason string) object {
	h.t.Helper()
	return h.await(fmt.Sprintf("%s gone: %s", key, reason), func(m object) bool {
		return slices.ContainsFunc(list(m["gone"]), func(g object) bool { return g["tab"] == key && g["reason"] == reason })
	})
}

// awaitEnd waits until the extension has hung up.
func (h *host) awaitEnd() {
	h.t.Helper()
	ok := eventually(func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.ended
	})
	if !ok {
		h.t.Fatalf("the extension does not hang up; it said last:\n%s", h.last())
	}
}

// has tells whether a message that fits came and is not forgotten.
func (h *host) has(fits func(object) bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.messages, fits)
}
