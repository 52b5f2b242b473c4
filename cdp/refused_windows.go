package cdp

import "golang.org/x/sys/windows"

// errRefused is what connecting to a port fails with where nothing listens.
const errRefused = windows.WSAECONNREFUSED
