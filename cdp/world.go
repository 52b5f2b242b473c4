package cdp

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

// worldName names the isolated world that our script runs in. A page cannot see
// or enter it.
const worldName = "webarea"

//go:embed world/*.js
var worldFiles embed.FS

// earlyFile is the part of the script that is in every document from its start.
const earlyFile = "world/early.js"

// earlyScript is that part.
var earlyScript = sync.OnceValue(func() string { return worldFile(earlyFile) })

// worldScript is all of our script: the early part, then the numbered files of
// world/ in their order, in one scope, without the comments.
var worldScript = sync.OnceValue(func() string {
	names, err := fs.Glob(worldFiles, "world/[0-9]*.js")
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	b.WriteString(earlyScript())
	b.WriteString("(() => {\"use strict\"; if (Object.hasOwn(globalThis, \"webarea\")) return;\n")
	for _, name := range names {
		b.WriteString(worldFile(name))
	}
	b.WriteString("})()")
	return b.String()
})

// worldFile gives a file without the lines that are comments, a third of its bytes,
// which every new document would be sent.
func worldFile(name string) string {
	text, err := worldFiles.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		line = strings.TrimLeft(line, " ")
		if !strings.HasPrefix(line, "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}
