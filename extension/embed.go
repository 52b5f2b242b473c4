// Package extension is the browser's side of Webarea: the Chrome extension with which
// a user shares tabs. This package carries the extension's files, to be unpacked where
// a browser can load them; what they do is in the files themselves.
package extension

import "embed"

// Files are the files of the extension, as the browser loads them.
//
//go:embed manifest.json *.js style.css icons _locales popup options sidepanel
var Files embed.FS
