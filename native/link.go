package native

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxFrames is how many frames may wait to be written: with those of full length,
	// some tens of megabytes. The browser takes them as they come; one that does not
	// makes their senders wait.
	maxFrames = 64

	// hangUpPatience is how long a frame that is being written may take once the
	// connection ends. A browser that has gone takes none.
	hangUpPatience = time.Second
)

var errHungUp = errors.New("the connection to the extension has ended")

// A link is the connection to the extension: whole messages, both ways. It owns a
// goroutine that writes, from newLink until close.
type link struct {
	in     io.Reader
	out    io.WriteCloser
	joiner joiner

	number atomic.Int64 // of the last message in parts
	frames chan []byte
	done   chan struct{}
	once   sync.Once
	wrote  chan struct{} // closed when the writing goroutine has ended
}

func newLink(in io.Reader, out io.WriteCloser) *link {
	l := &link{
		in: in, out: out, joiner: joiner{most: maxJoined},
		frames: make(chan []byte, maxFrames), done: make(chan struct{}), wrote: make(chan struct{}),
	}
	go l.write()
	return l
}

// receive gives the next message. The error is io.EOF where the extension has hung
// up. It is called by one goroutine at a time.
func (l *link) receive() (kind, []byte, error) {
	for {
		message, err := readFrame(l.in)
		if err != nil {
			return "", nil, err
		}
		k, err := kindOf(message)
		if err != nil || k != kindPart {
			return k, message, err
		}
		p, err := decodeAs[partMessage](k, message)
		if err != nil {
			return "", nil, err
		}
		joined, err := l.joiner.add(p)
		if err != nil {
			return "", nil, err
		}
		if joined == nil {
			continue
		}
		if k, err = kindOf(joined); err == nil && k == kindPart {
			err = fmt.Errorf("%w: a part of parts", errShape)
		}
		return k, joined, err
	}
}

// say sends a message, once there is room. It gives up when stop is closed before it
// has begun. Its methods, but for receive, may be called from any goroutine.
func (l *link) say(stop <-chan struct{}, message any) error {
	text, err := encodeMessage(message)
	if err != nil {
		return err
	}
	frames, err := cut(text, l.number.Add(1))
	if err != nil {
		return fmt.Errorf("sending to the extension: %w", err)
	}
	for _, frame := range frames {
		select {
		case l.frames <- frame:
		case <-stop:
			return errHungUp
		case <-l.done:
			return errHungUp
		}
		// What was begun is sent whole.
		stop = nil
	}
	return nil
}

func (l *link) write() {
	defer close(l.wrote)
	for {
		select {
		case frame := <-l.frames:
			if writeFrame(l.out, frame) != nil {
				l.hangUp()
				return
			}
		case <-l.done:
			// What was said before the end is said.
			for {
				select {
				case frame := <-l.frames:
					if writeFrame(l.out, frame) != nil {
						return
					}
				default:
					return
				}
			}
		}
	}
}

func (l *link) hangUp() { l.once.Do(func() { close(l.done) }) }

// close ends the connection. What was said is still written, if the browser takes it.
func (l *link) close() error {
	l.hangUp()
	timer := time.NewTimer(hangUpPatience)
	defer timer.Stop()
	select {
	case <-l.wrote:
	case <-timer.C:
	}
	if err := l.out.Close(); err != nil {
		return fmt.Errorf("closing the way to the extension: %w", err)
	}
	return nil
}
