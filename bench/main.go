// Command bench measures what an answer costs, and holds that to goals: reads of
// generated pages of several kinds and sizes and of real ones, in a browser that it
// launches, over a WebSocket, and over the whole way of a user's browser with extension
// and host; pictures of elements; and what its other parts measure. Beside each stands
// what the browser itself takes for the same.
//
// It prints tables as Markdown and writes them to a file with the machine they were
// measured on. A part that fails is told of there, and the others go on. It is no test:
// nobody is held to figures of a machine that does other things too.
//
//	go run ./bench                               everything, in less than half an hour
//	go run ./bench -quick                        each measurement once
//	go run ./bench -only pointing -pages table,list -sizes 30000 -ways launched -o ''
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/webarea/webarea/bench/installation"
)

// Flags that are not given mean the whole benchmark.
var (
	quick      = flag.Bool("quick", false, "measure everything but once, and write no file")
	limit      = flag.Duration("time", 12*time.Minute, "how long to measure reads; each page is measured once, also where that takes longer")
	output     = flag.String("o", "bench/RESULTS.md", "the file to write the tables to; none if empty")
	only       = flag.String("only", "", "the parts to measure, with commas between; all if empty")
	pages      = flag.String("pages", "", "the kinds of pages; all if empty")
	sizes      = flag.String("sizes", "130,2900,30000,220000", "the sizes of the pages, in nodes of the accessibility tree")
	over       = flag.String("ways", strings.Join(wayNames, ","), "the ways to reach pages")
	cpuprofile = flag.String("cpuprofile", "", "the file to write a CPU profile of our side to")
)

func main() {
	if installation.Told() {
		end(installation.Tap(context.Background()))
		return
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	end(bench(ctx))
}

func end(err error) {
	if err != nil {
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
	plan, err := newPlan(*only, *pages, *sizes, *over, *limit, *quick)
	if err != nil {
		return err
	}
	r, err := newRun(ctx, plan, os.Stderr)
	if err != nil {
		return err
	}
	if err := errors.Join(r.measure(ctx), r.close()); err != nil {
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
