package mcp

import (
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestRest holds when memory is given back: once nobody has asked for a while, and only
// where there is much of it.
func TestRest(t *testing.T) {
	type question struct{ from, to time.Duration }
	const s = time.Second
	for _, c := range []struct {
		name      string
		held      uint64
		questions []question
		want      []time.Duration
	}{
		{"nobody asks", 1 << 30, nil, nil},
		{"one question", 1 << 30, []question{{0, 2 * s}}, []time.Duration{7 * s}},
		{"one of a common page", 10 << 20, []question{{0, 2 * s}}, nil},
		{"a conversation", 1 << 30, []question{{0, s}, {3 * s, 4 * s}, {8 * s, 9 * s}}, []time.Duration{14 * s}},
		{"one question in another", 1 << 30, []question{{0, 10 * s}, {s, 2 * s}}, []time.Duration{15 * s}},
		{"two conversations", 1 << 30, []question{{0, s}, {60 * s, 61 * s}}, []time.Duration{6 * s, 66 * s}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				var mu sync.Mutex
				var given []time.Duration
				r := &rest{held: func() uint64 { return c.held }, give: func() {
					mu.Lock()
					defer mu.Unlock()
					given = append(given, time.Since(begun))
				}}
				for _, q := range c.questions {
					time.AfterFunc(q.from, r.begin)
					time.AfterFunc(q.to, r.end)
				}
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				mu.Lock()
				defer mu.Unlock()
				if !slices.Equal(given, c.want) {
					t.Errorf("memory was given back after %v, want %v", given, c.want)
				}
			})
		})
	}
}

// TestHeapHeld holds that what is counted is what a large answer takes, and what giving
// back gives back.
func TestHeapHeld(t *testing.T) {
	debug.FreeOSMemory()
	before := heapHeld()
	const size = 256 << 20
	large := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		large[i] = 1
	}
	during := heapHeld()
	if large[4096] != 1 || during < before+size/2 {
		t.Errorf("%d bytes are held with %d more than before, when there were %d", during, size, before)
	}
	large = nil
	debug.FreeOSMemory()
	if after := heapHeld(); after > before+size/2 {
		t.Errorf("%d bytes are held after %d were given back, want about the %d of before", after, size, before)
	}
}
