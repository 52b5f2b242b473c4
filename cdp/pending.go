package cdp

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// DefaultCallTimeout ends a call whose context has no deadline. It is as long
// as a whole-page read of a huge page may take: a caller with a person waiting
// sets its own.
const DefaultCallTimeout = 60 * time.Second

// tolerant decodes what pages really hold: text that is not valid UTF-8 becomes
// U+FFFD instead of failing the whole result.
var tolerant = jsonv2.JoinOptions(jsonv2.AllowInvalidUTF8(true))

// A Pending is a command that was sent and whose answer is waited for by nobody
// yet. It always ends by itself: with the answer, with the session or the
// connection, or with the context that Go was called with.
type Pending struct {
	conn    *Conn
	session *Session
	method  string
	id      int64

	// release frees the deadline's resources. It is set before the call is
	// entered in the connection's table and called by whoever takes it out.
	release func()

	// done is closed when result and err are final.
	done   chan struct{}
	result jsonv2.Value
	err    error
}

// Done returns a channel that is closed when Wait would not block.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Wait blocks until the command is answered, or ctx ends, and decodes the
// answer into result: a pointer as for JSON decoding, a *jsonv2.Value to have
// the raw answer without decoding, or nil to ignore it. If ctx ends first the
// call is given up and its answer, should it still come, is dropped. Wait may be
// called more than once; each call decodes anew.
//
// The error is a *CallError when the browser refused, one that wraps
// ErrTargetGone or ErrBrowserGone when there is nobody left to answer, and one
// that wraps the context's error when it took too long.
func (p *Pending) Wait(ctx context.Context, result any) error {
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			p.conn.giveUp(p, ctx)
			<-p.done
		}
	}
	if p.err != nil {
		return p.err
	}
	return p.decode(result)
}

func (p *Pending) decode(result any) error {
	switch out := result.(type) {
	case nil, *cdproto.Empty:
		return nil
	case *jsonv2.Value:
		*out = p.result
		return nil
	}
	if err := jsonv2.Unmarshal(p.result, result, tolerant); err != nil {
		return fmt.Errorf("decoding the result of %s: %w", p.method, err)
	}
	return nil
}

// finish makes the outcome final. Only the goroutine that took the call out of
// the connection's table, or never entered it, may call it.
func (p *Pending) finish(result jsonv2.Value, err error) {
	if p.release != nil {
		p.release()
	}
	p.result, p.err = result, err
	close(p.done)
}

func givenUp(method string, ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return fmt.Errorf("%s: no answer in time: %w", method, cause)
	}
	return fmt.Errorf("%s: given up: %w", method, cause)
}
