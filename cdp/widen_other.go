//go:build unix && !linux

package cdp

import "os"

func widen(*os.File) {}
