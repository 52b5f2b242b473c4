//go:build unix && !race

package main

// raceFlags are none: see race_test.go.
var raceFlags []string
