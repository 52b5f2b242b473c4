package cdp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// recordsBinding is how our script hands over records while it still makes others; it
// exists in our world alone.
const recordsBinding = "webareaRecords"

// streamPart is how many records the script hands over at once: few enough that the last
// are soon decoded after the script is through, and enough that an event is little beside
// them.
const streamPart = 250

// maxStreamed bounds the records of one document, so that a number that is wrong makes no
// room for more than a page can hold.
const maxStreamed = 1 << 24

var errStream = errors.New("what our script handed over meanwhile did not all come")

// A stream is what the script of one frame hands over of one reading before it answers.
// All of it is made in one go, so that it is the page of one moment.
type stream struct {
	id string

	// mu guards what came and was not taken yet; wake holds a token when there is some.
	mu   sync.Mutex
	came []string
	wake chan struct{}

	// What was taken. records has room for those that come with the answer.
	records []Record
	scratch []Record
	parts   int
}

// streamsOf begins the name of each stream of this process: another that reads the same
// page has worlds of the same name, and hears what is called in ours.
var streamsOf, lastStream = rand.Text(), atomic.Int64{}

// bind has the worlds of the frames know the binding that is called in them. A world that
// came since lacks it.
func (p *Page) bind(ctx context.Context, visits []*visit) {
	bound := map[*Session]bool{}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range visits {
		if v.world == 0 || v.frame.bound == v.world {
			continue
		}
		v.frame.bound = v.world
		if !bound[v.session] {
			bound[v.session] = true
			v.session.Go(ctx, runtime.CommandAddBinding, map[string]any{"name": recordsBinding, "executionContextName": worldName})
		}
	}
}

// openStream begins one; it must be closed.
func (p *Page) openStream() *stream {
	s := &stream{id: streamsOf + "." + strconv.FormatInt(lastStream.Add(1), 10), wake: make(chan struct{}, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams[s.id] = s
	return s
}

func (p *Page) closeStream(s *stream) {
	if s == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.streams, s.id)
}

// hear takes what a script hands over. It runs on the connection's goroutine.
func (p *Page) hear(e runtime.EventBindingCalled) {
	if e.Name != recordsBinding {
		return
	}
	id, part, _ := strings.Cut(e.Payload, " ")
	p.mu.Lock()
	s := p.streams[id]
	p.mu.Unlock()
	if s == nil {
		return
	}
	s.mu.Lock()
	s.came = append(s.came, part)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// follow decodes what comes until the script has answered.
func (s *stream) follow(ctx context.Context, call *Pending) error {
	for {
		select {
		case <-s.wake:
			if err := s.take(); err != nil {
				return err
			}
		case <-call.Done():
			return s.take()
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *stream) take() error {
	for {
		s.mu.Lock()
		came := s.came
		s.came = nil
		s.mu.Unlock()
		if len(came) == 0 {
			return nil
		}
		for _, text := range came {
			s.parts++
			part := streamed{Records: s.scratch[:0]}
			clear(s.scratch[:cap(s.scratch)])
			if err := jsonv2.Unmarshal([]byte(text), &part, tolerant); err != nil {
				return fmt.Errorf("decoding what our script handed over: %w", err)
			}
			if err := s.place(part); err != nil {
				return err
			}
			s.scratch = part.Records
		}
	}
}

// streamed are records with where each of them stands among all of the document.
type streamed struct {
	At      []int    `json:"at"`
	Records []Record `json:"records"`
}

func (s *stream) place(part streamed) error {
	if len(part.At) != len(part.Records) {
		return fmt.Errorf("%w: %d records for %d places", errStream, len(part.Records), len(part.At))
	}
	settle(part.Records)
	for i, at := range part.At {
		if at < 0 || at >= maxStreamed {
			return fmt.Errorf("%w: a record for place %d", errStream, at)
		}
		if at >= len(s.records) {
			if at >= cap(s.records) {
				s.records = append(make([]Record, 0, max(2*cap(s.records), at+1)), s.records...)
			}
			s.records = s.records[:at+1]
		}
		s.records[at] = part.Records[i]
	}
	return nil
}

// end gives all records of the document, with those that came with the answer.
func (s *stream) end(f *Facts) error {
	if f.Streamed == nil {
		return nil
	}
	if err := s.place(streamed{f.Streamed.At, f.Records}); err != nil {
		return err
	}
	if s.parts != f.Streamed.Parts || len(s.records) != f.Streamed.Count {
		return fmt.Errorf("%w: got %d parts and %d records, want %d and %d", errStream, s.parts, len(s.records), f.Streamed.Parts, f.Streamed.Count)
	}
	f.Records, f.Streamed = s.records, nil
	return nil
}
