package cdp

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// A socket is a Transport over a WebSocket, where each message is one text
// message.
type socket struct {
	conn    *websocket.Conn
	address string
	closing sync.Once
}

func dialSocket(ctx context.Context, address string) (*socket, error) {
	conn, response, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, explainDial(address, response, err)
	}
	conn.SetReadLimit(MaxMessage)
	return &socket{conn: conn, address: address}, nil
}

// Send implements Transport.
func (s *socket) Send(ctx context.Context, msg []byte) error {
	return s.conn.Write(ctx, websocket.MessageText, msg)
}

// Receive implements Transport.
func (s *socket) Receive() ([]byte, error) {
	_, reader, err := s.conn.Reader(context.Background())
	if err != nil {
		return nil, fmt.Errorf("the connection to %s was lost: %w", s.address, err)
	}
	var msg bytes.Buffer
	if _, err := msg.ReadFrom(reader); err != nil {
		return nil, fmt.Errorf("the connection to %s was lost: %w", s.address, err)
	}
	return msg.Bytes(), nil
}

// Close implements Transport. It does not wait for the browser to say goodbye.
func (s *socket) Close() error {
	var err error
	s.closing.Do(func() { err = s.conn.CloseNow() })
	return err
}
