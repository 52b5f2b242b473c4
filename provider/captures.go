package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/webarea/webarea/cdp"
)

// The codes of questions about a capture that there is no answer to.
const (
	CodeCaptureNotFound Code = "capture_not_found"
	CodeCaptureExpired  Code = "capture_expired"
)

const (
	// maxCaptures and maxCaptureBytes bound what is kept of captures.
	maxCaptures     = 32
	maxCaptureBytes = 64 << 20

	// captureLife is how long a capture is kept at least. One that comes while there is
	// no room for another is not registered.
	captureLife = 60 * time.Second

	// maxExpired is of how many captures that were given up that is remembered.
	maxExpired = 1000
)

// A capture is a picture with the layout that was taken with it; it never changes.
type capture struct {
	id            string
	png           []byte
	sum           string
	width, height int // pixels
	at            time.Time
	window        int64
	tab           string // its key
	tabID         string
	layout        *cdp.Layout // nil where it could not be had
	scale         float64     // pixels in a CSS px of the viewport
	from          cdp.Rect    // what the picture shows of the viewport
}

// captures are those that can be asked about, the oldest first.
type captures struct {
	mu      sync.Mutex
	all     []*capture
	bytes   int
	expired []string
	now     func() time.Time // nil: time.Now
}

func (c *captures) time() time.Time {
	if c.now != nil {
		return c.now()
	}
	return time.Now()
}

// add registers a capture, if there is room for it or can be made.
func (c *captures) add(one *capture) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.at = c.time()
	gone, bytes := 0, c.bytes
	for len(c.all)-gone+1 > maxCaptures || bytes+len(one.png) > maxCaptureBytes {
		if gone == len(c.all) || one.at.Sub(c.all[gone].at) < captureLife {
			return false
		}
		bytes -= len(c.all[gone].png)
		gone++
	}
	for _, old := range c.all[:gone] {
		c.expired = append(c.expired, old.id)
	}
	c.expired = c.expired[max(0, len(c.expired)-maxExpired):]
	c.all, c.bytes = append(slices.Clone(c.all[gone:]), one), bytes+len(one.png)
	return true
}

// get gives a capture. The error is an *Error.
func (c *captures) get(id string) (*capture, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.all {
		if one.id == id {
			return one, nil
		}
	}
	if slices.Contains(c.expired, id) {
		e := failure(CodeCaptureExpired, nil, "take a new picture with get_window_state", "the capture %q is no longer kept", id)
		e.More = map[string]any{"retryable": false}
		return nil, e
	}
	return nil, failure(CodeCaptureNotFound, nil, "use a capture_id from get_window_state", "there is no capture %q", id)
}

// drop forgets captures.
func (c *captures) drop(isOne func(*capture) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := make([]*capture, 0, len(c.all))
	for _, one := range c.all {
		if !isOne(one) {
			kept = append(kept, one)
			continue
		}
		c.bytes -= len(one.png)
		c.expired = append(c.expired, one.id)
	}
	c.all = kept
}

// captureIDLength makes an id that nobody guesses.
const captureIDLength = 10

// register makes a capture of a state's picture.
func (p *Provider) register(s *State, t *Tab, layout *cdp.Layout) {
	sum := sha256.Sum256(s.PNG)
	one := &capture{
		id: p.ids.prefix + "-" + mint(captureIDLength), png: s.PNG, sum: hex.EncodeToString(sum[:]), width: s.Screenshot.Width, height: s.Screenshot.Height,
		window: s.WindowID, tab: t.key(), tabID: s.TabID, layout: layout, scale: s.Screenshot.Scale, from: s.Screenshot.from,
	}
	if p.captures.add(one) {
		s.CaptureID = one.id
	}
}
