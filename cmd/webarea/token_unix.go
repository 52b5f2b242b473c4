//go:build unix

package main

import "io/fs"

// othersMayRead tells whether a file's mode lets others read it.
func othersMayRead(mode fs.FileMode) bool { return mode&0o077 != 0 }
