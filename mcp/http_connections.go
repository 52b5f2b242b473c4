package mcp

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// headerPatience is how long the head of a request may take to come, and with TLS
	// the handshake before it.
	headerPatience = 5 * time.Second

	// keepPatience is how long a connection may stay open without a request.
	keepPatience = 2 * time.Minute

	// writePatience is how long a client may take for what it is sent at once.
	writePatience = 30 * time.Second

	// maxHeader is how long the head of a request may be, in bytes.
	maxHeader = 16 << 10

	// maxConnections is how many connections there may be at once; more wait until one
	// ends, which each that says nothing does soon.
	maxConnections = 256
)

// newHTTPServer makes a server that no client can hold up. Its answers may take as
// long as they do: streams of notices last as long as their clients.
func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerPatience,
		IdleTimeout:       keepPatience,
		MaxHeaderBytes:    maxHeader,
		// It would tell of each client that breaks off.
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

// A patientWriter writes an answer to a client that may not take it.
type patientWriter struct {
	http.ResponseWriter
	deadlines *http.ResponseController
}

// Write implements http.ResponseWriter.
func (w *patientWriter) Write(p []byte) (int, error) {
	_ = w.deadlines.SetWriteDeadline(time.Now().Add(writePatience))
	defer func() { _ = w.deadlines.SetWriteDeadline(time.Time{}) }()
	return w.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (w *patientWriter) Flush() {
	_ = w.deadlines.SetWriteDeadline(time.Now().Add(writePatience))
	defer func() { _ = w.deadlines.SetWriteDeadline(time.Time{}) }()
	_ = w.deadlines.Flush()
}

// Unwrap gives the writer that is written to.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A boundedListener accepts no more connections at once than there may be.
type boundedListener struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	close  func()
}

func newBoundedListener(l net.Listener) *boundedListener {
	b := &boundedListener{Listener: l, places: make(chan struct{}, maxConnections), closed: make(chan struct{})}
	b.close = sync.OnceFunc(func() { close(b.closed) })
	return b
}

// Accept implements net.Listener.
func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &boundedConn{Conn: c, free: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close implements net.Listener.
func (l *boundedListener) Close() error {
	l.close()
	return l.Listener.Close()
}

// A boundedConn frees its place when it is closed.
type boundedConn struct {
	net.Conn
	free func()
}

// Close implements net.Conn.
func (c *boundedConn) Close() error {
	c.free()
	return c.Conn.Close()
}
