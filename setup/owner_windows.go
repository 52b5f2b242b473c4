package setup

import "io/fs"

// checkOwner has nothing to find: what is in the user's own folders and can be written
// is the user's.
func checkOwner(fs.FileInfo) error { return nil }
