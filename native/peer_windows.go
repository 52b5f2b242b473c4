package native

import "net"

// checkPeer has nothing to ask: the system does not tell who is at the other end, and
// lets only the user into the folder that the socket is in.
func checkPeer(*net.UnixConn) error { return nil }
