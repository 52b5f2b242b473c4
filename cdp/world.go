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

// worldScript is the script of our isolated world: the files of world/ in the
// order of their names, in one scope.
var worldScript = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\"use strict\"; if (globalThis.webarea) return;\n")
	names, err := fs.Glob(worldFiles, "world/*.js")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := worldFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
})
