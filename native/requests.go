package native

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// requestPatience is how long the extension may take: less than a question may, so
// that an answer can be made without.
const requestPatience = 6 * time.Second

// requests are what the extension is asked, until it answers. Its methods may be called
// from any goroutine.
type requests struct {
	say func(stop <-chan struct{}, message any) error

	// mu guards who waits, by the numbers of what they asked.
	mu      sync.Mutex
	waiting map[int64]chan repliedMessage
	last    int64
}

func newRequests(say func(stop <-chan struct{}, message any) error) *requests {
	return &requests{say: say, waiting: map[int64]chan repliedMessage{}}
}

// ask asks the extension something and decodes its answer into result.
func (r *requests) ask(ctx context.Context, m requestMessage, result any) error {
	ctx, cancel := context.WithTimeout(ctx, requestPatience)
	defer cancel()
	answered := make(chan repliedMessage, 1)
	r.mu.Lock()
	r.last++
	m.Kind, m.ID = kindRequest, r.last
	r.waiting[m.ID] = answered
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.waiting, m.ID)
		r.mu.Unlock()
	}()
	if err := r.say(ctx.Done(), m); err != nil {
		return err
	}
	select {
	case a := <-answered:
		if a.Error != nil {
			return fmt.Errorf("asking the extension: %s", a.Error.Message)
		}
		if err := jsonv2.Unmarshal(a.Result, result, tolerant); err != nil {
			return errors.New("asking the extension: its answer is not understood")
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("asking the extension: %w", ctx.Err())
	}
}

// answer takes an answer. One that nobody waits for any more is dropped.
func (r *requests) answer(a repliedMessage) {
	r.mu.Lock()
	waits := r.waiting[a.ID]
	delete(r.waiting, a.ID)
	r.mu.Unlock()
	if waits != nil {
		waits <- a
	}
}
