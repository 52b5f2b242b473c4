//go:build manual

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"
)

// init has a program that is built with this tag write its manual pages into a folder,
// told to by `manual DIR`. What is released has no need of what writes them. Their date
// is $SOURCE_DATE_EPOCH.
func init() {
	const args = 3
	if len(os.Args) != args || os.Args[1] != "manual" {
		return
	}
	root := newRoot()
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	header := &doc.GenManHeader{Section: "1", Source: "Webarea " + ownVersion(), Manual: "Webarea"}
	if err := doc.GenManTree(root, header, os.Args[args-1]); err != nil {
		fmt.Fprintln(os.Stderr, "webarea: writing the manual:", err)
		os.Exit(exitFailed)
	}
	os.Exit(0)
}
