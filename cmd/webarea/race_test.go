//go:build unix && race

package main

// raceFlags have the program look for races where its tests do.
var raceFlags = []string{"-race"}
