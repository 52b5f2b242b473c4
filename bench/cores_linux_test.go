package main

import (
	"bytes"
	"os/exec"
	"regexp"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestStartOn holds that a program has as many processors as it was given, and that we
// have all of ours afterwards.
func TestStartOn(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, before.Count()} {
		var out bytes.Buffer
		command := exec.Command("cat", "/proc/self/status")
		command.Stdout = &out
		if err := startOn(command, n); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
		allowed := regexp.MustCompile(`(?m)^Cpus_allowed:\s*(.*)$`).FindStringSubmatch(out.String())
		if allowed == nil || ones(allowed[1]) != n {
			t.Errorf("a program that was given %d processors may use %v", n, allowed)
		}
	}
	if err := unix.SchedGetaffinity(0, &after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Errorf("we had %d processors before, and have %d after", before.Count(), after.Count())
	}
	if err := startOn(exec.Command("cat", "/dev/null"), before.Count()+1); err == nil {
		t.Error("a program was given more processors than there are")
	}
}

// ones counts the bits of a mask in hexadecimal words with commas between.
func ones(mask string) int {
	n := 0
	for _, digit := range mask {
		if digit == ',' {
			continue
		}
		for _, bit := range []rune{1, 2, 4, 8} {
			if value := digit - '0'; digit <= '9' && value&bit != 0 || digit >= 'a' && (digit-'a'+10)&bit != 0 {
				n++
			}
		}
	}
	return n
}
