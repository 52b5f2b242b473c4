// Package extension_test has the extension tried in a real browser, with real clicks,
// against a host that the tests play.
package extension_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// patience is how long tests wait for what must happen: far longer than it takes.
const patience = 30 * time.Second

// origin is how Chrome names the extension to the host that it starts.
const origin = "chrome-extension://oedpjcnlbklphmhlgngbgjgmckdipina/"

// id is the extension's, which its key settles.
var id = strings.TrimSuffix(strings.TrimPrefix(origin, "chrome-extension://"), "/")

// TestMain lets the test binary be the program that Chrome starts as the host, too.
func TestMain(m *testing.M) {
	if socket := os.Getenv(socketVariable); socket != "" {
		if err := carry(socket); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	os.Exit(run(m))
}

// scratch is for what is made once, and goes with the tests.
var scratch string

func run(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("", "wx"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	return m.Run()
}
