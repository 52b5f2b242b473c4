package mcp

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// restPause is how long nobody must have asked anything until memory is given back:
	// the next question of a conversation would have it taken again.
	restPause = 5 * time.Second

	// restFrom is from how many bytes on it is: of a host that answers about common pages
	// the heap holds less, and giving back costs a collection.
	restFrom = 40 << 20
)

// A rest gives the memory that large answers took back to the machine once nobody asks
// any more. By itself the runtime collects when as much again has been taken, which in a
// process that waits may be minutes later.
type rest struct {
	held func() uint64 // bytes of the heap that the machine has given
	give func()

	// mu guards how many questions are being answered, and what ends the pause after
	// the last.
	mu     sync.Mutex
	asked  int
	paused *time.Timer
}

func newRest() *rest { return &rest{held: heapHeld, give: debug.FreeOSMemory} }

func (r *rest) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if !takesTurns[method] {
			return next(ctx, method, request)
		}
		r.begin()
		defer r.end()
		return next(ctx, method, request)
	}
}

func (r *rest) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	if r.paused != nil {
		r.paused.Stop()
		r.paused = nil
	}
}

func (r *rest) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked--; r.asked == 0 && r.held() > restFrom {
		r.paused = time.AfterFunc(restPause, r.over)
	}
}

// over ends a pause, in a goroutine of its own that does nothing else.
func (r *rest) over() {
	r.mu.Lock()
	resting := r.asked == 0
	r.mu.Unlock()
	if resting {
		r.give()
	}
}

// heapHeld reads it from the runtime, which counts it anyway.
func heapHeld() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	sum := uint64(0)
	for _, s := range samples {
		sum += s.Value.Uint64()
	}
	return sum
}
