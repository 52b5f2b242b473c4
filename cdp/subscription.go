package cdp

import (
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// maxBuffered bounds the bytes of events that one subscription holds for a
// reader that does not read. Losing some of them silently would be worse than
// ending the subscription, so that is what happens beyond it.
const maxBuffered = 64 << 20

// A subscription is an unbounded-looking channel of events: a goroutine feeds it
// from a buffer, so that a slow reader holds up neither the connection nor other
// readers. The goroutine ends with cancel, or once the buffer is empty after
// end.
type subscription struct {
	events   chan jsonv2.Value
	canceled chan struct{}
	once     sync.Once

	// mu guards the buffer; wake holds a token when it or over has changed.
	mu     sync.Mutex
	buffer []jsonv2.Value
	bytes  int
	over   bool // nothing will be put any more
	wake   chan struct{}
}

func newSubscription() *subscription {
	s := &subscription{
		events:   make(chan jsonv2.Value),
		canceled: make(chan struct{}),
		wake:     make(chan struct{}, 1),
	}
	go s.feed()
	return s
}

func (s *subscription) put(event jsonv2.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if s.bytes += len(event); s.bytes > maxBuffered {
		s.over = true
	} else {
		s.buffer = append(s.buffer, event)
	}
	s.signal()
}

func (s *subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.signal()
}

func (s *subscription) cancel() { s.once.Do(func() { close(s.canceled) }) }

func (s *subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription) feed() {
	defer close(s.events)
	for {
		s.mu.Lock()
		batch, over := s.buffer, s.over
		s.buffer, s.bytes = nil, 0
		s.mu.Unlock()
		for _, event := range batch {
			select {
			case s.events <- event:
			case <-s.canceled:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		if over {
			return
		}
		select {
		case <-s.wake:
		case <-s.canceled:
			return
		}
	}
}
