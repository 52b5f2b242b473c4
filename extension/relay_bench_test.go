package extension_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

// relayTime bounds all of BenchmarkRelay: a busy machine takes tens of seconds for one
// raw tree.
const relayTime = 5 * time.Minute

// BenchmarkRelay reads a page of 30,000 nodes over the way that goes through the
// extension: the browser's own accessibility tree, decoded by nobody, then all of it by
// us, then a window's state. Each iteration takes all of them, so that a busy machine
// slows all alike; the figures are medians.
func BenchmarkRelay(b *testing.B) {
	r := newRig(b, rigOptions{})
	h := r.greeted()
	tab := r.open("/large")
	tab.share()
	at := h.awaitAttached(r.site.URL + "/large")
	w := newTabWire(h, at["tab"].(string))
	conn := cdp.NewPageConn(w)
	p := provider.New("Chromium")
	b.Cleanup(p.Close)
	p.SetBrowser(provider.Browser{PID: 1, Name: "Chromium"})
	mentioned := p.Mention("large", provider.Place{Window: 1, Active: true})
	if _, err := p.Attach(b.Context(), mentioned, conn); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.Context(), relayTime)
	defer cancel()
	var raw jsonv2.Value
	ways := []struct {
		name string
		read func() error
	}{
		{"raw", func() error { return conn.Browser().Call(ctx, accessibility.CommandGetFullAXTree, nil, &raw) }},
		{"page", func() error {
			_, err := p.Elements(ctx, provider.Query{Scope: provider.Page})
			return err
		}},
		{"state", func() error {
			_, err := p.State(ctx, provider.StateQuery{WindowAddress: provider.WindowAddress{PID: 1, Window: 1}, Tree: true, MaxElements: 2000, MaxDepth: 25, Timeout: relayTime})
			return err
		}},
	}
	times := map[string][]time.Duration{}
	for _, way := range ways {
		if err := way.read(); err != nil {
			b.Fatalf("%s: %v", way.name, err)
		}
	}
	for b.Loop() {
		for _, way := range ways {
			begun := time.Now()
			if err := way.read(); err != nil {
				b.Fatalf("%s: %v", way.name, err)
			}
			times[way.name] = append(times[way.name], time.Since(begun))
		}
	}
	middle := func(name string) float64 {
		slices.Sort(times[name])
		return float64(times[name][len(times[name])/2].Microseconds()) / 1e3
	}
	for _, way := range ways {
		b.ReportMetric(middle(way.name), way.name+"-ms")
	}
	b.ReportMetric(float64(len(raw))/1e6, "raw-MB")
	b.ReportMetric(middle("page")/middle("raw"), "page/raw")
	b.ReportMetric(middle("state")/middle("raw"), "state/raw")
}

// A tabWire is a tab's messages over the host that the test plays: a cdp.Transport, as the
// real host has one.
type tabWire struct {
	host *host
	tab  string
	in   chan []byte
	done chan struct{}
	once sync.Once
	open map[int64]*strings.Builder // of messages in parts, for the receiving goroutine
}

func newTabWire(h *host, tab string) *tabWire {
	w := &tabWire{host: h, tab: tab, in: make(chan []byte, 4096), done: make(chan struct{}), open: map[int64]*strings.Builder{}}
	take := w.take
	h.takes.Store(&take)
	return w
}

func (w *tabWire) take(frame []byte) bool {
	if bytes.HasPrefix(frame, []byte(`{"kind":"part"`)) {
		var p struct {
			Of   int64  `json:"of"`
			Last bool   `json:"last"`
			Text string `json:"text"`
		}
		if jsonv2.Unmarshal(frame, &p, jsonv2.AllowInvalidUTF8(true)) != nil {
			return false
		}
		if w.open[p.Of] == nil {
			w.open[p.Of] = &strings.Builder{}
		}
		w.open[p.Of].WriteString(p.Text)
		if !p.Last {
			return true
		}
		frame = []byte(w.open[p.Of].String())
		delete(w.open, p.Of)
	}
	var m struct {
		Kind string       `json:"kind"`
		Tab  string       `json:"tab"`
		M    jsonv2.Value `json:"m"`
	}
	if !bytes.HasPrefix(frame, []byte(`{"kind":"cdp"`)) || jsonv2.Unmarshal(frame, &m, jsonv2.AllowInvalidUTF8(true)) != nil {
		return false
	}
	select {
	case w.in <- m.M:
	case <-w.done:
	}
	return true
}

// Send implements cdp.Transport.
func (w *tabWire) Send(_ context.Context, msg []byte) error {
	w.host.send(object{"kind": "cdp", "tab": w.tab, "m": json.RawMessage(msg)})
	return nil
}

// Receive implements cdp.Transport.
func (w *tabWire) Receive() ([]byte, error) {
	select {
	case m := <-w.in:
		return m, nil
	case <-w.done:
		return nil, errors.New("the wire was closed")
	}
}

// Close implements cdp.Transport.
func (w *tabWire) Close() error {
	w.once.Do(func() {
		w.host.takes.Store(nil)
		close(w.done)
	})
	return nil
}
