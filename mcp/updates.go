package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// beginPatience is how long a subscription waits to learn what there is now; a page
// that hangs is then told of with its first change.
const beginPatience = 2 * time.Second

// updates tell the clients that subscribed to it of changes of the elements resource:
// of those only that make its contents others than they were. The provider says when
// to look, at most four times a second.
type updates struct {
	server *Server

	// mu guards who is told, and is held while that begins and ends.
	mu       sync.Mutex
	sessions map[*sdk.ServerSession]bool
	end      func() // while there are any

	// looking guards what was seen last.
	looking sync.Mutex
	seen    digest
}

// A digest stands for contents, or for why there are none.
type digest [sha256.Size]byte

func newUpdates(s *Server) *updates {
	return &updates{server: s, sessions: map[*sdk.ServerSession]bool{}}
}

// subscribe implements the SDK's handler.
func (u *updates) subscribe(_ context.Context, r *sdk.SubscribeRequest) error {
	own := u.server.address(elementsPath)
	if r.Params.URI != own {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no telling of changes of %s, only of %s", r.Params.URI, own)}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sessions) == 0 {
		u.begin()
	}
	u.sessions[r.Session] = true
	return nil
}

// unsubscribe implements the SDK's handler.
func (u *updates) unsubscribe(_ context.Context, r *sdk.UnsubscribeRequest) error {
	if r.Params.URI == u.server.address(elementsPath) {
		u.drop(r.Session)
	}
	return nil
}

// drop forgets a client, if it is one of those that are told.
func (u *updates) drop(session *sdk.ServerSession) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.sessions[session] {
		return
	}
	delete(u.sessions, session)
	if len(u.sessions) == 0 {
		u.end()
	}
}

// begin has the provider tell of changes, and what it tells about brought up.
func (u *updates) begin() {
	ctx, stop := context.WithCancel(context.Background())
	u.looking.Lock()
	cancel := u.server.provider.Watch(func() { u.look(ctx) })
	now, done := context.WithTimeout(ctx, beginPatience)
	u.seen = u.contents(now)
	done()
	u.looking.Unlock()

	var running sync.WaitGroup
	running.Go(func() {
		// What cannot be brought up now may be at the first question; whoever asks it
		// is told why not.
		if _, done, err := u.server.prepare(ctx, ""); err == nil {
			done()
		}
	})
	u.end = func() {
		stop()
		cancel()
		running.Wait()
	}
}

// look tells of the contents if they have changed.
func (u *updates) look(ctx context.Context) {
	u.looking.Lock()
	defer u.looking.Unlock()
	now, done := context.WithTimeout(ctx, answerPatience)
	defer done()
	contents := u.contents(now)
	if ctx.Err() != nil || contents == u.seen {
		return
	}
	u.seen = contents
	// It has no error to give: a client that cannot be told is one that has gone.
	_ = u.server.sdk.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: u.server.address(elementsPath)})
}

// contents are what a reading of the resource would give now, but for pictures, which
// cost too much to be taken at every change, and if nothing need be brought up.
func (u *updates) contents(ctx context.Context) digest {
	q := pointed
	q.Pictures = false
	answer, err := u.server.provider.Elements(ctx, q)
	var text []byte
	if err == nil {
		text, err = elements.Marshal(answer)
	}
	var told *provider.Error
	switch {
	case err == nil:
		return sha256.Sum256(text)
	case errors.As(err, &told):
		return sha256.Sum256([]byte(told.Code))
	}
	return digest{}
}
