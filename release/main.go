// Command release makes what is handed out of a version: the program for each platform,
// the extension, manual pages, completions, a bill of materials, and checksums.
//
// It owns the folder that it writes, and makes it the same byte for byte from the same
// tree by the same Go, wherever and whenever that is. It publishes nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// platforms are those that a version is made for.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// A release says what is made.
type release struct {
	root      string // of the tree
	out       string // the folder for it, which is made
	version   string
	made      time.Time // when it is said to be made
	platforms []platform
}

func main() {
	r := release{platforms: platforms}
	var epoch int64
	flag.StringVar(&r.root, "root", ".", "the `folder` of the tree")
	flag.StringVar(&r.out, "out", "dist", "the `folder` to write, which must not be there")
	flag.StringVar(&r.version, "version", "devel", "the `version`")
	flag.Int64Var(&epoch, "epoch", 0, "when it is said to be made, in `seconds` since 1970")
	flag.Parse()
	r.made = time.Unix(epoch, 0).UTC()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.make(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make makes all of it.
func (r *release) make(ctx context.Context) error {
	var err error
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return fmt.Errorf("making the folder of the release: %w", err)
	}
	var programs []string
	for _, p := range r.platforms {
		path := filepath.Join(r.out, fmt.Sprintf("webarea_%s_%s_%s%s", r.version, p.system, p.machine, p.end()))
		if err := r.build(ctx, p, path); err != nil {
			return err
		}
		programs = append(programs, path)
	}
	return errors.Join(
		r.pack(filepath.Join(r.out, "webarea-extension_"+r.version+".zip")),
		r.manual(ctx),
		r.bill(programs, filepath.Join(r.out, "webarea_"+r.version+".cdx.json")),
		r.sums(),
	)
}
