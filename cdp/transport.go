package cdp

import "context"

// MaxMessage is the largest message, in bytes of JSON text, that a connection
// accepts from a browser. The accessibility tree of a page with a quarter of a
// million nodes is about 90 MB; a message several times that is a page that
// tries to exhaust our memory, and ends the connection.
const MaxMessage = 512 << 20

// A Transport carries whole protocol messages, each one JSON object as UTF-8
// text, between us and a browser. It does not look into them.
type Transport interface {
	// Send hands one message to the browser and returns when the transport no
	// longer needs msg. It is called by one goroutine at a time. A message that
	// was begun when ctx ends may have been cut short: the transport is then
	// useless and the caller closes it.
	Send(ctx context.Context, msg []byte) error

	// Receive blocks until the browser has sent a message and returns it; the
	// slice belongs to the caller, who may change it. It is called by one
	// goroutine at a time, which may be another than Send's. An error is final.
	// A message larger than MaxMessage is an error.
	Receive() ([]byte, error)

	// Close ends the transport and unblocks Send and Receive. It may be called
	// at any time from any goroutine, and more than once.
	Close() error
}

// A batchSender is a Transport that can hand over several messages for the
// price of one.
type batchSender interface {
	// sendAll is Send for each of msgs in order, under the same contract.
	sendAll(ctx context.Context, msgs [][]byte) error
}
