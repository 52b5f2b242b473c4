// Package setup puts Webarea where browsers and the clients of agents look for it, and
// takes it away again.
//
// It owns the table of clients and how their configurations are shaped, the changes to
// those, and the ledger of what was there before. What is not ours in a configuration
// stays as it is, byte for byte, and a configuration that cannot be read is left alone.
//
// It never decides what is set up: its caller names browsers and clients. It asks
// nobody and prints nothing; what it did, or would do, is in its answers.
package setup
