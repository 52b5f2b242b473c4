//go:build unix

package doctor

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"testing"

	"github.com/webarea/webarea/native"
)

// ownVersion is that of the test binary as a host.
const ownVersion = "v0.0.0-test"

var update = flag.Bool("update", false, "write the checks in docs/troubleshooting.md anew")

// TestMain lets the test binary be the host that a manifest names, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == native.Origin {
		err := native.Run(context.Background(), native.Options{Version: ownVersion, In: os.Stdin, Out: os.Stdout, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
