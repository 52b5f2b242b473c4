// Command bench measures what an answer costs: the time of pointing, visible and
// page reads of generated pages of three sizes, beside the same browser's own
// whole accessibility tree and its cheapest single answer after the same change,
// with the round trips a read takes and the size of what it says.
//
// It prints tables as Markdown and writes them to a file with the machine they
// were measured on. It launches a browser of its own, reads over the pipe that
// launched browsers have, and measures nothing but the path of one read: it is no
// test, and holds nobody to its figures.
//
//	go run ./bench            everything, in less than four minutes
//	go run ./bench -quick     each kind of measurement once, to see that it works
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"time"
)

// Flags that are not given mean the whole benchmark.
var (
	quick      = flag.Bool("quick", false, "measure the smallest pages only, each once")
	limit      = flag.Duration("time", 150*time.Second, "how long to go on measuring; what has begun is finished")
	output     = flag.String("o", "bench/RESULTS.md", "the file to write the tables to; none if empty")
	sizes      = flag.String("nodes", "130,2900,30000", "the sizes of the pages, in nodes of the accessibility tree")
	cpuprofile = flag.String("cpuprofile", "", "the file to write a CPU profile of our side to")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context) error {
	if *cpuprofile != "" {
		f, err := os.Create(*cpuprofile)
		if err != nil {
			return fmt.Errorf("writing a profile: %w", err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("writing a profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	plan, err := newPlan(*sizes, *limit, *quick)
	if err != nil {
		return err
	}
	r, err := run(ctx, plan, os.Stderr)
	if err != nil {
		return err
	}
	out := io.Writer(os.Stdout)
	if *output != "" && !*quick {
		f, err := os.Create(*output)
		if err != nil {
			return fmt.Errorf("writing the tables: %w", err)
		}
		defer f.Close()
		out = io.MultiWriter(os.Stdout, f)
	}
	return r.write(out)
}
