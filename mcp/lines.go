package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxInFlight is how many requests of one client may wait for their answers.
	maxInFlight = 256

	// drainPatience is how long a client that has closed its side is still answered:
	// what a shell pipes in ends before the answers come.
	drainPatience = 10 * time.Second
)

// lines is a transport that carries a message a line. Unlike the SDK's own, it
// outlives lines that are no messages: it answers them with the error that they are.
// It is its own connection, to one client.
type lines struct {
	in       io.ReadCloser
	out      io.WriteCloser
	incoming chan line
	closed   chan struct{}
	close    func() error

	// writing is held while a line is written.
	writing sync.Mutex

	// mu guards the requests that wait for their answers.
	mu       sync.Mutex
	inFlight map[jsonrpc.ID]*flight
	ending   int           // how many of them end by themselves, until their answers are written
	idle     chan struct{} // closed when ending falls to 0, if somebody waits for that
}

// A flight is a request that waits for its answer.
type flight struct {
	ends      bool // by itself, unlike a subscription
	withdrawn bool // the client wants no answer any more
}

func newLines(in io.ReadCloser, out io.WriteCloser) *lines {
	l := &lines{
		in: in, out: out,
		incoming: make(chan line),
		closed:   make(chan struct{}),
		inFlight: map[jsonrpc.ID]*flight{},
	}
	l.close = sync.OnceValue(func() error {
		close(l.closed)
		return errors.Join(in.Close(), out.Close())
	})
	return l
}

// Connect implements sdk.Transport. Its goroutine ends with the input; closing ends
// that where the system lets a read be interrupted.
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	go l.receive()
	return l, nil
}

// receive reads lines until the input ends.
func (l *lines) receive() {
	defer close(l.incoming)
	r := bufio.NewReader(l.in)
	for {
		read, err := readLine(r)
		if len(read.data) > 0 || read.tooLong {
			select {
			case l.incoming <- read:
			case <-l.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Read implements sdk.Connection.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var read line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.closed:
			return nil, io.EOF
		case next, ok := <-l.incoming:
			if !ok {
				l.drain(ctx)
				return nil, io.EOF
			}
			read = next
		}
		message, refused := read.message()
		if refused == nil {
			refused = l.begin(message)
		}
		if refused == nil {
			return message, nil
		}
		if err := l.write(refused); err != nil {
			return nil, err
		}
	}
}

// begin notes that a request waits for its answer, or gives the one it gets at once.
func (l *lines) begin(message jsonrpc.Message) *jsonrpc.Response {
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return nil
	}
	if !request.IsCall() {
		l.withdraw(request)
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inFlight[request.ID] != nil {
		return refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id %v is that of a request that is not answered yet", request.ID.Raw()))
	}
	if len(l.inFlight) >= maxInFlight {
		return refuse(request.ID, jsonrpc.CodeInvalidRequest, fmt.Sprintf("%d requests wait already: take their answers first", maxInFlight))
	}
	f := &flight{ends: request.Method != "subscriptions/listen"}
	l.inFlight[request.ID] = f
	if f.ends {
		l.ending++
	}
	return nil
}

// withdraw notes that the client wants no answer to a request, if that is what the
// notification says. The SDK sends one all the same.
func (l *lines) withdraw(notification *jsonrpc.Request) {
	if notification.Method != "notifications/cancelled" {
		return
	}
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(notification.Params, &params) != nil {
		return
	}
	id, ok := idFrom(params.ID)
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.inFlight[id]; ok && f != nil {
		f.withdrawn = true
	}
}

// drain waits until what was asked has been answered.
func (l *lines) drain(ctx context.Context) {
	l.mu.Lock()
	if l.ending == 0 {
		l.mu.Unlock()
		return
	}
	l.idle = make(chan struct{})
	idle := l.idle
	l.mu.Unlock()
	timer := time.NewTimer(drainPatience)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-l.closed:
	case <-ctx.Done():
	}
}

// Write implements sdk.Connection. The id of a request that is answered can be used
// again as soon as the client has the answer.
func (l *lines) Write(_ context.Context, message jsonrpc.Message) error {
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		return l.write(message)
	}
	withCode(response)
	l.mu.Lock()
	f := l.inFlight[response.ID]
	delete(l.inFlight, response.ID)
	l.mu.Unlock()
	var err error
	if f == nil || !f.withdrawn {
		err = l.write(response)
	}
	if f != nil && f.ends {
		l.mu.Lock()
		l.ending--
		if l.ending == 0 && l.idle != nil {
			close(l.idle)
			l.idle = nil
		}
		l.mu.Unlock()
	}
	return err
}

// withCode gives an error of the SDK's that has none the code of a request that is
// out of place, which is what it refuses before any handler.
func withCode(r *jsonrpc.Response) {
	if r.Error == nil {
		return
	}
	var coded *jsonrpc.Error
	if !errors.As(r.Error, &coded) || coded.Code == 0 {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
}

func (l *lines) write(message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if _, err := l.out.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("writing to the client: %w", err)
	}
	return nil
}

// Close implements sdk.Connection.
func (l *lines) Close() error { return l.close() }

// SessionID implements sdk.Connection: a stream of lines has one client and needs no
// name.
func (l *lines) SessionID() string { return "" }
