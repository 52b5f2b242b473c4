//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// meta is what every request of the protocol's modern era says of its sender.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// A stdioClient is an MCP client of the program, line by line.
type stdioClient struct {
	t       *testing.T
	c       *exec.Cmd
	in      io.WriteCloser
	lines   chan string
	stderr  *spoken
	legacy  bool
	last    int             // the id of the last request
	pending []serverMessage // those that were passed over
	ended   chan struct{}   // closed when the program has ended
}

// startServer starts `webarea mcp` with the arguments, and ends it with the test.
func startServer(t *testing.T, args ...string) *stdioClient {
	t.Helper()
	return startClient(t, command(t, append([]string{"mcp"}, args...)...))
}

func startClient(t *testing.T, c *exec.Cmd) *stdioClient {
	t.Helper()
	s := &stdioClient{t: t, c: c, lines: make(chan string, 1000), stderr: &spoken{}, ended: make(chan struct{})}
	var err error
	if s.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = s.stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.ended)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				s.lines <- line
			}
			if err != nil {
				break
			}
		}
		close(s.lines)
		_ = c.Wait()
	}()
	t.Cleanup(func() {
		s.in.Close()
		for range s.lines {
		}
		<-s.ended
		if t.Failed() {
			t.Logf("the server's stderr:\n%s", s.stderr)
		}
	})
	return s
}

// spoken is what the server has said on standard error, while it may say more.
type spoken struct {
	mu   sync.Mutex
	said strings.Builder
}

// Write implements io.Writer.
func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.Write(p)
}

// String gives what was said so far.
func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// expectSaid waits until what the server has said matches.
func (s *stdioClient) expectSaid(pattern string) {
	s.t.Helper()
	eventually(s.t, "the server has said "+pattern, func() bool {
		return regexp.MustCompile("^" + pattern + "$").MatchString(s.stderr.String())
	})
}

// end closes the client's side and gives the exit code.
func (s *stdioClient) end() int {
	s.t.Helper()
	s.in.Close()
	select {
	case <-s.ended:
	case <-time.After(runLimit / 2):
		s.t.Fatal("the server does not end")
	}
	return s.c.ProcessState.ExitCode()
}

// A serverMessage is a line from the server.
type serverMessage struct {
	line   string
	ID     any
	Method string
	Params struct {
		URI  string
		Meta map[string]any `json:"_meta"`
	}
	Error *struct {
		Code    int
		Message string
		Data    struct{ Code string }
	}
	Result json.RawMessage
}

// receive gives the next message; every line must be one.
func (s *stdioClient) receive() serverMessage {
	s.t.Helper()
	if len(s.pending) > 0 {
		m := s.pending[0]
		s.pending = s.pending[1:]
		return m
	}
	m, ok := s.receiveWithin(runLimit / 2)
	if !ok {
		s.t.Fatal("the server says nothing")
	}
	return m
}

// receiveWithin gives the next message if there is one in time.
func (s *stdioClient) receiveWithin(d time.Duration) (serverMessage, bool) {
	s.t.Helper()
	select {
	case line, ok := <-s.lines:
		if !ok {
			s.t.Fatalf("the server has ended\n%s", s.stderr)
		}
		m := serverMessage{line: line}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			s.t.Fatalf("a line is not a message: %v\n%s", err, shorten(line))
		}
		return m, true
	case <-time.After(d):
		return serverMessage{}, false
	}
}

// send sends a line.
func (s *stdioClient) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("sending to the server: %v", err)
	}
}

// request sends a request and gives its id. params are members, without braces.
func (s *stdioClient) request(method, params string) int {
	s.t.Helper()
	s.last++
	var members []string
	if !s.legacy {
		members = append(members, meta)
	}
	if params != "" {
		members = append(members, params)
	}
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, s.last, method, strings.Join(members, ",")))
	return s.last
}

// ask sends a request and gives the answer to it, passing over what comes before.
func (s *stdioClient) ask(method, params string) serverMessage {
	s.t.Helper()
	id := s.request(method, params)
	var before []serverMessage
	for {
		m := s.receive()
		if m.ID == float64(id) {
			s.pending = append(before, s.pending...)
			return m
		}
		before = append(before, m)
	}
}

// handshake begins a session of the legacy era.
func (s *stdioClient) handshake() serverMessage {
	s.t.Helper()
	s.legacy = true
	m := s.ask("initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

// A toolResult is what a tool answered.
type toolResult struct {
	Content []struct {
		Type, Text, MIMEType string
		Data                 []byte
	}
	StructuredContent json.RawMessage
	IsError           bool
}

// call calls a tool, which must answer.
func (s *stdioClient) call(tool, arguments string) toolResult {
	s.t.Helper()
	m := s.ask("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
	return toolResultOf(s.t, m)
}

func toolResultOf(t *testing.T, m serverMessage) toolResult {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("got %s, want a result", m.line)
	}
	var r toolResult
	if err := json.Unmarshal(m.Result, &r); err != nil {
		t.Fatalf("decoding %s: %v", shorten(m.line), err)
	}
	return r
}

// failure gives the code of a result that is a failure.
func (r toolResult) failure() string {
	var f struct{ Code string }
	if !r.IsError || json.Unmarshal(r.StructuredContent, &f) != nil {
		return ""
	}
	return f.Code
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(runLimit / 2); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to be that %s", what)
		}
	}
}
