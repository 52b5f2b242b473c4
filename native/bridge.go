package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// Bridge carries what a client writes to in to the host that listens at a socket, and
// what that says to out, until either side ends or ctx does; in is not closed. The
// error is for a socket where nobody is, or somebody else, and for a host that ended
// before the client did.
func Bridge(ctx context.Context, path string, in io.Reader, out io.Writer) error {
	c, err := dialSocket(ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := checkPeer(c); err != nil {
		return fmt.Errorf("connecting to %s: %w", path, err)
	}
	ended := make(chan struct{}) // the client's side
	go func() {
		// A host that has gone, to which nothing can be said, is noticed below.
		if _, err := io.Copy(struct{ io.Writer }{c}, in); err == nil {
			close(ended)
		}
		_ = c.CloseWrite()
	}()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	_, err = io.Copy(out, struct{ io.Reader }{c})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-ended:
		return nil
	default:
	}
	var broke *net.OpError
	if err != nil && !(errors.As(err, &broke) && broke.Op == "read") {
		return fmt.Errorf("writing to the client: %w", err)
	}
	return errors.New("the browser's host has ended: the browser was closed, or its extension was reloaded or ended")
}
