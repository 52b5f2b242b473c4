package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/webarea/webarea/cdp"
)

// An ear is a transport over a WebSocket that notes when which command was sent, and
// when how much came back.
type ear struct {
	conn    *websocket.Conn
	closing sync.Once

	// mu guards what was heard.
	mu    sync.Mutex
	heard map[int64]*command
}

// A command is one of the DevTools Protocol, as it was heard.
type command struct {
	method      string
	sent, ended time.Time // ended is zero before the answer
	bytes       int       // of the answer
}

func newEar(ctx context.Context, address string) (*ear, error) {
	conn, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(cdp.MaxMessage)
	return &ear{conn: conn, heard: map[int64]*command{}}, nil
}

// Send implements cdp.Transport.
func (e *ear) Send(ctx context.Context, msg []byte) error {
	var m struct {
		ID     int64  `json:"id"`
		Method string `json:"method"`
	}
	if json.Unmarshal(msg, &m) == nil {
		e.mu.Lock()
		e.heard[m.ID] = &command{method: m.Method, sent: time.Now()}
		e.mu.Unlock()
	}
	return e.conn.Write(ctx, websocket.MessageText, msg)
}

// Receive implements cdp.Transport.
func (e *ear) Receive() ([]byte, error) {
	_, reader, err := e.conn.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	var msg bytes.Buffer
	if _, err := msg.ReadFrom(reader); err != nil {
		return nil, err
	}
	// The number comes first, and events have none.
	var m struct {
		ID int64 `json:"id"`
	}
	if head, _, ok := strings.Cut(string(msg.Bytes()[:min(msg.Len(), 40)]), ","); ok && json.Unmarshal([]byte(head+"}"), &m) == nil {
		e.mu.Lock()
		if c := e.heard[m.ID]; c != nil {
			c.ended, c.bytes = time.Now(), msg.Len()
		}
		e.mu.Unlock()
	}
	return msg.Bytes(), nil
}

// Close implements cdp.Transport.
func (e *ear) Close() error {
	var err error
	e.closing.Do(func() { err = e.conn.CloseNow() })
	return err
}

// take gives what was heard since it was last taken.
func (e *ear) take() []*command {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []*command
	for _, c := range e.heard {
		all = append(all, c)
	}
	e.heard = map[int64]*command{}
	return all
}
