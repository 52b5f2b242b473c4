package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// subscribePatience is how long a host may take to begin, or end, to tell of
	// changes.
	subscribePatience = 10 * time.Second

	// retryPause and maxRetryPause are how long after a failure a host is asked again
	// to tell of changes: twice as long each time.
	retryPause    = time.Second
	maxRetryPause = 30 * time.Second
)

// notices pass on what hosts tell of changes to the clients that subscribed to them.
// A host tells a gateway once, however many clients are told.
type notices struct {
	gateway *Gateway
	wake    chan struct{} // has a token while there is something to send

	// mu guards who is told of what, what is followed for that, and what is to be sent.
	mu       sync.Mutex
	sessions map[string]map[*sdk.ServerSession]Agent // by address
	followed map[string]context.CancelFunc           // by instance
	unsent   map[string]bool                         // addresses
}

func newNotices(g *Gateway) *notices {
	return &notices{
		gateway:  g,
		wake:     make(chan struct{}, 1),
		sessions: map[string]map[*sdk.ServerSession]Agent{},
		followed: map[string]context.CancelFunc{},
		unsent:   map[string]bool{},
	}
}

// subscribe implements the SDK's handler.
func (n *notices) subscribe(_ context.Context, r *sdk.SubscribeRequest) error {
	uri := r.Params.URI
	all := n.gateway.list()
	if uri != elementsOf(current) && !slices.ContainsFunc(all, func(instance string) bool { return uri == elementsOf(instance) }) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no telling of changes of %s, only of %s and those of running browsers", uri, elementsOf(current))}
	}
	n.mu.Lock()
	if n.sessions[uri] == nil {
		n.sessions[uri] = map[*sdk.ServerSession]Agent{}
	}
	n.sessions[uri][r.Session] = saysWho(r)
	n.mu.Unlock()
	n.follow(all)
	return nil
}

// unsubscribe implements the SDK's handler.
func (n *notices) unsubscribe(_ context.Context, r *sdk.UnsubscribeRequest) error {
	n.mu.Lock()
	n.remove(r.Params.URI, r.Session)
	n.mu.Unlock()
	n.followListed()
	return nil
}

// drop forgets a client.
func (n *notices) drop(session *sdk.ServerSession) {
	n.mu.Lock()
	for uri := range n.sessions {
		n.remove(uri, session)
	}
	n.mu.Unlock()
	n.followListed()
}

// remove forgets that a client is told of an address. n.mu is held.
func (n *notices) remove(uri string, session *sdk.ServerSession) {
	delete(n.sessions[uri], session)
	if len(n.sessions[uri]) == 0 {
		delete(n.sessions, uri)
	}
}

func (n *notices) followListed() {
	n.gateway.mu.Lock()
	all := slices.Clone(n.gateway.listed)
	n.gateway.mu.Unlock()
	n.follow(all)
}

// follow has those of the hosts tell of changes that somebody is told of.
func (n *notices) follow(all []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for instance, end := range n.followed {
		if _, wanted := n.wanted(instance); !wanted || !slices.Contains(all, instance) {
			end()
			delete(n.followed, instance)
		}
	}
	for _, instance := range all {
		who, wanted := n.wanted(instance)
		if n.followed[instance] == nil && wanted && n.gateway.ctx.Err() == nil {
			ctx, end := context.WithCancel(n.gateway.ctx)
			n.followed[instance] = end
			n.gateway.running.Go(func() {
				defer end()
				n.listen(ctx, instance, who)
			})
		}
	}
}

// wanted tells whether somebody is told of changes of a host, and gives one who is.
// n.mu is held.
func (n *notices) wanted(instance string) (Agent, bool) {
	for _, uri := range []string{elementsOf(instance), elementsOf(current)} {
		for _, who := range n.sessions[uri] {
			return who, true
		}
	}
	return Agent{}, false
}

// listen has a host tell of changes until ctx ends, again where its connection ends
// before.
func (n *notices) listen(ctx context.Context, instance string, who Agent) {
	again := false
	for pause := retryPause; ; pause = min(2*pause, maxRetryPause) {
		if n.subscribed(ctx, n.gateway.upstream(instance), who, again) {
			again, pause = true, retryPause
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// subscribed has a host tell of changes until ctx or its connection ends, and gives
// whether it ever did. Where it did before, there may have been some since.
func (n *notices) subscribed(ctx context.Context, u *upstream, who Agent, again bool) bool {
	l, err := u.borrow(ctx, who)
	if err != nil {
		return false
	}
	defer u.giveBack(l)
	bounded, cancel := context.WithTimeout(ctx, subscribePatience)
	defer cancel()
	uri := elementsOf(u.instance)
	if err := l.session.Subscribe(bounded, &sdk.SubscribeParams{URI: uri}); err != nil {
		return false
	}
	if again {
		n.updated(u.instance)
	}
	select {
	case <-l.over:
	case <-ctx.Done():
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), subscribePatience)
		defer cancel()
		// A host that cannot be told ends the subscription with the connection.
		_ = l.session.Unsubscribe(bounded, &sdk.UnsubscribeParams{URI: uri})
	}
	return true
}

// updated notes that a host tells of a change.
func (n *notices) updated(instance string) {
	n.note(elementsOf(instance))
	if n.gateway.concernsCurrent(instance) {
		n.note(elementsOf(current))
	}
}

// note has those told who subscribed to an address.
func (n *notices) note(uri string) {
	n.mu.Lock()
	n.unsent[uri] = true
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// send tells clients, away from the connections to hosts: a client that takes its
// time holds up none of those.
func (n *notices) send() {
	for {
		select {
		case <-n.wake:
		case <-n.gateway.ctx.Done():
			return
		}
		n.mu.Lock()
		uris := n.unsent
		n.unsent = map[string]bool{}
		n.mu.Unlock()
		for uri := range uris {
			// It has no error to give: a client that cannot be told is one that has gone.
			_ = n.gateway.sdk.ResourceUpdated(n.gateway.ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}
