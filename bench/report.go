package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
)

// A result is all that was measured, and on what.
type result struct {
	machine, browser, load string
	blocks                 []*block
	pictures               []*pictureBlock
}

// describe notes the machine and the browser.
func (r *result) describe(ctx context.Context, b *cdp.Browser) error {
	var v struct {
		Product string `json:"product"`
	}
	if err := b.Conn.Browser().Call(ctx, "Browser.getVersion", nil, &v); err != nil {
		return fmt.Errorf("asking the browser its version: %w", err)
	}
	r.browser = v.Product
	r.machine = fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	if model := field("/proc/cpuinfo", "model name"); model != "" {
		r.machine = fmt.Sprintf("%d cores (%s), %s/%s, %s", runtime.NumCPU(), model, runtime.GOOS, runtime.GOARCH, runtime.Version())
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		r.load, _, _ = strings.Cut(string(text), " ")
	}
	return nil
}

// field gives a value of one of the system's own tables; empty on systems that have
// none.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

const preface = `# What an answer costs

Made by ` + "`go run ./bench`" + `, on %s, with %s over its CBOR pipe.%s

Each page has a sentence selected and a link or a field focused. *ms* is the median of the time from the question to the answer. *× tree* compares it with the browser's own ` + "`getFullAXTree`" + ` of the same page after the same change, over the same connection and not decoded; *× floor* with the first ` + "`getPartialAXTree`" + ` of the focused node after such a change, which is what nobody can be faster than who asks the accessibility tree at all. *trips* are the round trips that wait for one another, at most. *bytes* are those of the answer's outline, *tokens* a quarter of that.

*cold* is the first read of a page that has just loaded, with accessibility off; all others follow another read of the same page, with nothing, or the one change, in between.
`

func (r *result) write(w io.Writer) error {
	var b strings.Builder
	load := ""
	if r.load != "" {
		load = fmt.Sprintf(" When it began, the load average was %s.", r.load)
	}
	fmt.Fprintf(&b, preface, r.machine, r.browser, load)
	for _, m := range r.blocks {
		m.write(&b)
	}
	writePictures(&b, r.pictures)
	_, err := io.WriteString(w, b.String())
	if err != nil {
		return fmt.Errorf("writing the tables: %w", err)
	}
	return nil
}

func (o *block) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s page, %d nodes\n\n", strings.ToUpper(o.kind.name[:1])+o.kind.name[1:], o.nodes)
	fmt.Fprintf(b, "Tree and floor: ")
	for i, s := range states() {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(b, "%s %s and %s ms", s, ms(median(o.costs[s][treeVariant])), ms(median(o.costs[s][floorVariant])))
	}
	fmt.Fprintf(b, ". Measured %d times, cold %d times.\n\n", len(o.costs[unchanged][treeVariant]), len(o.costs[cold][treeVariant]))
	b.WriteString("| scope | state | ms | × tree | × floor | trips | bytes | tokens |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, scope := range scopes {
		for _, s := range states() {
			list := o.costs[s][string(scope)]
			ours := median(list)
			trips := 0
			for _, c := range list {
				trips = max(trips, c.trips)
			}
			bytes := list[len(list)-1].bytes
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %d | %d | %d |\n", scope, s, ms(ours),
				ratio(ours, median(o.costs[s][treeVariant])), ratio(ours, median(o.costs[s][floorVariant])), trips, bytes, bytes/4)
		}
	}
}

func states() []state { return append(slices.Clone(warm), cold) }

func median(list []cost) time.Duration {
	times := make([]time.Duration, len(list))
	for i, c := range list {
		times[i] = c.time
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	if v < 20 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func ratio(a, b time.Duration) string {
	v := float64(a) / float64(b)
	switch {
	case v < 0.1:
		return fmt.Sprintf("%.3f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
