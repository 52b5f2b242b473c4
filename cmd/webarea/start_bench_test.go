//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkMCPStart is the time from starting the server to its answered list of
// tools, which clients wait for, and what of it is over an empty program's: medians,
// measured in turns.
func BenchmarkMCPStart(b *testing.B) {
	empty := filepath.Join(b.TempDir(), "empty")
	source := empty + ".go"
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", empty, source).CombinedOutput(); err != nil {
		b.Fatalf("building an empty program: %v\n%s", err, out)
	}
	list := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}`+"\n", meta)
	var nothing, listed []time.Duration
	for b.Loop() {
		begin := time.Now()
		if err := exec.Command(empty).Run(); err != nil {
			b.Fatal(err)
		}
		nothing = append(nothing, time.Since(begin))

		c := exec.Command(program, "mcp", "--launch")
		in, err := c.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		begin = time.Now()
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		if _, err := in.Write([]byte(list)); err != nil {
			b.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			b.Fatal(err)
		}
		listed = append(listed, time.Since(begin))
		in.Close()
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(median(nothing)), "empty-ms")
	b.ReportMetric(milliseconds(median(listed)), "listed-ms")
	b.ReportMetric(milliseconds(median(listed)-median(nothing)), "over-ms")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
