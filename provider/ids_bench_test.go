package provider

import (
	"fmt"
	"testing"
)

// BenchmarkIDs names the elements of a page: for the first time, and once more.
func BenchmarkIDs(b *testing.B) {
	const elements = 10_000
	keys := make([]string, elements)
	for i := range keys {
		keys[i] = fmt.Sprintf("0123456789ABCDEF0123456789ABCDEF/7/89ABCDEF#%d", i+1)
	}
	known := newIDs("abcd")
	for _, key := range keys {
		known.id(key)
	}
	for name, ids := range map[string]func() *ids{"new": func() *ids { return newIDs("abcd") }, "known": func() *ids { return known }} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := ids()
				for _, key := range keys {
					s.id(key)
				}
				s.forget(everything)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/elements, "ns/id")
		})
	}
}
