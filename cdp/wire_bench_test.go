package cdp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// BenchmarkWire compares the two languages that a launched browser speaks by the
// accessibility tree of a page of 30,000 nodes. Each iteration asks both, so
// that a busy machine slows both alike; the figures are medians.
func BenchmarkWire(b *testing.B) {
	var rows strings.Builder
	rows.WriteString("<!doctype html><title>rows</title>")
	for i := range 2500 {
		fmt.Fprintf(&rows, "<section><h2>Row %d – “quoted”</h2><p>some words of row %d, <a href='#r%d'>and a link</a> with more words after it</p></section>", i, i, i)
	}
	type wire struct {
		name    string
		session *Session
		raw     []time.Duration
		decoded []time.Duration
	}
	wires := []*wire{{name: "json"}, {name: "cbor"}}
	for _, w := range wires {
		br := launch(b, LaunchOptions{jsonWire: w.name == "json"})
		w.session = openPage(b, br.Conn, rows.String())
		call(b, w.session, "Accessibility.enable", nil, nil)
	}
	ctx := context.Background()
	nodes, size := 0, 0
	for b.Loop() {
		for _, w := range wires {
			var raw jsonv2.Value
			start := time.Now()
			if err := w.session.Call(ctx, "Accessibility.getFullAXTree", nil, &raw); err != nil {
				b.Fatal(err)
			}
			w.raw = append(w.raw, time.Since(start))
			size = len(raw)
			var tree accessibility.GetFullAXTreeResult
			start = time.Now()
			if err := w.session.Call(ctx, "Accessibility.getFullAXTree", nil, &tree); err != nil {
				b.Fatal(err)
			}
			w.decoded = append(w.decoded, time.Since(start))
			nodes = len(tree.Nodes)
		}
	}
	b.ReportMetric(float64(nodes), "nodes")
	b.ReportMetric(float64(size)/1e6, "MB")
	for _, w := range wires {
		b.ReportMetric(median(w.raw), w.name+"-raw-ms")
		b.ReportMetric(median(w.decoded), w.name+"-decoded-ms")
	}
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1e3
}
